"""Who a claim says has said it: a channel that it names must be the one that it cites."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent.verification.names import lexicon
from agent.verification.words import read

_SAID = (
    r"(?:сообщ\w+|пиш[еу]т|писал\w*|написал\w*|рассказ\w+|опубликовал\w*|заяв\w+|отмеча\w+|"
    r"отметил\w*|утвержда\w+|передает|передал\w*|повідом\w+|reports?|reported|says?|said|writes?|"
    r"wrote|posted|published|claims?|claimed|announced|according)"
)
_QUOTED = r"«[^»\n]{1,128}»|\"[^\"\n]{1,128}\"|“[^”\n]{1,128}”"  # a title: 128 characters
_NAME = rf"(?:{_QUOTED}|@[A-Za-z]\w{{2,}}|[A-ZА-ЯЁ][\w.-]*(?: [A-ZА-ЯЁ][\w.-]*){{0,3}})"
_CHANNEL = (
    r"(?:(?:[Тт]елеграм|[Tt]elegram|[Тт]г)[- ]?)?[Кк]анал[а-я]{0,2}|"
    r"(?:[Tt]he )?(?:Telegram )?[Cc]hannel"
)
_PER = r"[Пп]о (?:данным|информации|сообщению|словам|версии)|[Aa]ccording to"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:(?:[Вв]|[Нн]а|[Ii]n|[Oo]n)\s+)?(?:{_CHANNEL})\s+(?P<who>{_NAME})(?:\s+{_SAID})?",
        rf"(?:{_SAID}|{_PER})\s+(?:(?:в|на|in|on|by)\s+)?(?:{_CHANNEL})\s+(?P<who>{_NAME})",
        rf"(?:{_CHANNEL})\s+(?P<who>{_NAME})\s+{_SAID}",
        rf"^(?:[Tt]he )?(?P<who>{_NAME}) (?:Telegram )?channel\s+{_SAID}",
        r"^(?P<who>@[A-Za-z]\w{2,})(?=:|\s)",
        rf"(?:{_SAID}|{_PER})\s+(?P<who>@[A-Za-z]\w{{2,}})",
    )
)
_BY_NAME = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?P<who>{_NAME})\s+{_SAID}\b(?=\s*[:,]|\s+(?:that|что|о|об)\b)",
        rf"(?:{_PER}|[Кк]ак {_SAID})\s+(?P<who>{_NAME})",
        r"^(?P<who>«[^»\n]{1,128}»|[A-ZА-Я@]\w*(?: [A-ZА-Я]\w*){0,3}):\s",
    )
)
_REPORTING = re.compile(
    rf"\b{_SAID}\b|\bпо (?:данным|информации|словам|версии|мнению|оценк)|[:—–«\"“]", re.IGNORECASE
)
_LEADING = re.compile(rf"^[\s:,—–-]*(?:{_SAID}\b)?[\s:,—–-]*(?:(?:что|that)\b)?[\s:,—–-]*", re.I)


@dataclass(frozen=True, slots=True)
class Attribution:
    """A part of a claim that says whose words it gives.

    Attributes:
        who: As the claim writes it, without quotation marks.
        is_channel: It says that it means a channel.
    """

    who: str
    is_channel: bool
    start: int
    end: int


def attributions(claim: str) -> tuple[Attribution, ...]:
    """Whom a claim names as having said it."""
    found: list[Attribution] = []
    for patterns, is_channel in ((_PATTERNS, True), (_BY_NAME, False)):
        for pattern in patterns:
            for match in pattern.finditer(claim):
                if not any(one.start < match.end() and match.start() < one.end for one in found):
                    who = match["who"].strip('«»"“”@.:, ')
                    found.append(Attribution(who, is_channel, *match.span()))
    return tuple(found)


def without(claim: str, parts: Iterable[Attribution]) -> str:
    """The claim without who said it, for comparing the rest with the post."""
    text = claim
    for one in sorted(parts, key=lambda part: -part.start):
        head, tail = text[: one.start].rstrip(), text[one.end :]
        tail = _LEADING.sub("", tail)
        text = f"{head} {tail}".strip(" ,:—–-") if head else tail
    return text


def is_said_by(who: str, sources: Iterable[str]) -> bool:
    """Whether a name means one of a post's own names: title, username, author, origin."""
    wanted = _key(who)
    words = [word for word in read(who).words if word.is_content]
    for source in sources:
        if wanted and wanted == _key(source):
            return True
        held = lexicon((source,))
        if words and all(held.holds(word) for word in words):
            return True
    return False


def is_quoted_from(who: str, sentences: Iterable[str]) -> bool:
    """Whether a post itself gives somebody's words: one of its sentences names and quotes them."""
    wanted = [word for word in read(who).words if word.is_content]
    for sentence in sentences:
        held = lexicon((sentence,))
        if wanted and all(held.holds(word) for word in wanted) and _REPORTING.search(sentence):
            return True
    return False


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
