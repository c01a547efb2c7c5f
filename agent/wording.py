"""The agent's own sentences, in Russian and in English."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from agent.answer_type import AnswerType
from agent.types import Filters, RefusalReason

Language = Literal["ru", "en"]

_REFUSALS: Mapping[RefusalReason, Mapping[Language, str]] = {
    RefusalReason.EMPTY_QUESTION: {
        "ru": "Напишите вопрос словами.",
        "en": "Please ask a question in words.",
    },
    RefusalReason.EMPTY_ARCHIVE: {
        "ru": "В архиве ещё нет ни одного поста: импортируйте канал командой citegram import.",
        "en": "The archive has no posts yet: import a channel with `citegram import`.",
    },
    RefusalReason.UNKNOWN_CHANNEL: {
        "ru": "Такого канала нет в архиве: {missing}.",
        "en": "This channel is not in the archive: {missing}.",
    },
    RefusalReason.OUTSIDE_COVERAGE: {
        "ru": "За это время архив ничего не хранит: {period}.",
        "en": "The archive holds nothing from that time: {period}.",
    },
    RefusalReason.NOTHING_FOUND: {
        "ru": "Ничего не нашлось{where}.",
        "en": "Nothing was found{where}.",
    },
    RefusalReason.INSUFFICIENT: {
        "ru": "Не знаю: в постах{where} нет ответа на этот вопрос.",
        "en": "I don't know: the posts{where} do not answer this question.",
    },
    RefusalReason.UNSUPPORTED: {
        "ru": "Не знаю: похожие посты есть, но ни один не подтверждает ответа.",
        "en": "I don't know: there are similar posts, but none of them supports an answer.",
    },
    RefusalReason.DEADLINE: {
        "ru": "Не успел ответить вовремя. Попробуйте ещё раз чуть позже.",
        "en": "I ran out of time. Please try again a little later.",
    },
    RefusalReason.OUT_OF_SCOPE: {
        "ru": "Этот канал здесь недоступен.",
        "en": "That channel is not available here.",
    },
    RefusalReason.UNAVAILABLE: {
        "ru": "Поиск сейчас недоступен. Попробуйте ещё раз чуть позже.",
        "en": "Search is not available right now. Please try again a little later.",
    },
}

_GAP: Mapping[Language, str] = {
    "ru": "В найденных постах не упоминается: {words}.",
    "en": "The posts found do not mention: {words}.",
}


_LACKS: Mapping[AnswerType, Mapping[Language, str]] = {
    AnswerType.MONEY: {"ru": "суммы", "en": "a price or sum"},
    AnswerType.DURATION: {"ru": "срока", "en": "a length of time"},
    AnswerType.PERCENT: {"ru": "доли", "en": "a share"},
    AnswerType.WEIGHT: {"ru": "веса", "en": "a weight"},
    AnswerType.LENGTH: {"ru": "размера", "en": "a size"},
    AnswerType.NUMBER: {"ru": "числа", "en": "a number"},
    AnswerType.TIME: {"ru": "даты", "en": "a date"},
    AnswerType.NAME: {"ru": "имени или названия", "en": "a name"},
    AnswerType.PLACE: {"ru": "места", "en": "a place"},
    AnswerType.REASON: {"ru": "причины", "en": "a reason"},
}
_LACKING: Mapping[Language, str] = {
    "ru": "О похожем писали, но {kind} в этих постах нет.",
    "en": "There are posts about something like it, but they do not give {kind}.",
}

_SUGGESTIONS: Mapping[str, Mapping[Language, str]] = {
    "period": {
        "ru": "Попробуйте спросить без периода или взять его шире.",
        "en": "Try asking without the period, or with a wider one.",
    },
    "channels": {
        "ru": "Попробуйте спросить без канала: поищу во всех.",
        "en": "Try asking without the channel: I will search all of them.",
    },
    "words": {
        "ru": "Попробуйте спросить другими словами или добавить канал, где об этом пишут.",
        "en": "Try other words, or add a channel that writes about it.",
    },
}
_SUGGEST_AFTER = frozenset(
    {RefusalReason.NOTHING_FOUND, RefusalReason.INSUFFICIENT, RefusalReason.UNSUPPORTED}
)
"""Other refusals say themselves what to do."""


def refusal_message(
    reason: RefusalReason, language: Language, *, filters: Filters, missing: str = ""
) -> str:
    """One or two sentences for the asker: why there is no answer, and what to try.

    Args:
        missing: What is not there, for reasons that name it.
    """
    why = _REFUSALS[reason][language].format(
        where=_where(filters, language), period=period(filters, language), missing=missing
    )
    return f"{why} {_suggestion(filters, language)}" if reason in _SUGGEST_AFTER else why


def knowledge_gap(
    missing: tuple[str, ...], language: Language, *, lacks: AnswerType | None = None
) -> str | None:
    """What the archive would have to say; None if that is unknown.

    Args:
        missing: Words of the question that it does not have.
        lacks: The kind of thing asked for, where posts about the matter have none.
    """
    if lacks is not None and lacks in _LACKS:
        return _LACKING[language].format(kind=_LACKS[lacks][language])
    if not missing:
        return None
    return _GAP[language].format(words=", ".join(missing))


def period(filters: Filters, language: Language) -> str:
    """The period of the filters in words of that language; "" if there is none."""
    first, last = filters.from_on, filters.to_on
    if first is None and last is None:
        return ""
    if first == last:
        return day(first, language)
    words = {"ru": ("с", "по"), "en": ("from", "to")}[language]
    parts = []
    if first is not None:
        parts.append(f"{words[0]} {day(first, language)}")
    if last is not None:
        parts.append(f"{words[1]} {day(last, language)}")
    return " ".join(parts)


def day(value: date | None, language: Language) -> str:
    """A day as that language writes it in figures."""
    if value is None:
        return ""
    return value.strftime("%d.%m.%Y") if language == "ru" else value.isoformat()


def _suggestion(filters: Filters, language: Language) -> str:
    """The one thing to try next: what narrows the search the most goes first."""
    if filters.from_on or filters.to_on:
        return _SUGGESTIONS["period"][language]
    return _SUGGESTIONS["channels" if filters.channels else "words"][language]


def _where(filters: Filters, language: Language) -> str:
    """The filters as an adverbial, with a space before; "" without filters."""
    parts = []
    if filters.channels:
        titles = ", ".join(channel.title for channel in filters.channels)
        parts.append(f"канала «{titles}»" if language == "ru" else f"of {titles}")
    if when := period(filters, language):
        parts.append(f"за период {when}" if language == "ru" else when)
    return "".join(f" {part}" for part in parts)


def model_unsupported(language: Language) -> str:
    """Said when a model's draft was dropped as a whole, and quotes stand in its place."""
    return {
        "ru": "Языковая модель написала то, чего в постах нет; ответ составлен из цитат.",
        "en": "The language model wrote what no post says; the answer is made of quotes.",
    }[language]
