"""Makes a question that leans on the dialogue stand on its own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.dates import DateFilter
from agent.planning.dictionary import word_kind
from agent.planning.intents import intent_of
from agent.planning.reading import Reading
from agent.planning.vocabulary import (
    INTERROGATIVES,
    MARKERS_EN,
    MARKERS_RU,
    PRONOUNS,
    SAYING,
)
from agent.planning.words import Word, outside, spelled, without
from agent.types import Intent
from ingest.types import Channel

_MARKERS = MARKERS_RU | MARKERS_EN
_SELF_CONTAINED = 4
"""Words about something from which on «А …» opens a new topic rather than goes on with one."""
_SHORT = 3
"""Up to so many such words a question may lean on the one before without saying so."""
_DEFINITION = re.compile(
    r"^(?:(?:а|и|and)\s+)?(?:что\s+такое|кто\s+так(?:ой|ая|ие)|what\s+(?:is|are)|who\s+(?:is|was))\b",
    re.IGNORECASE,
)
"""«А что такое …?» says all that it asks for, however short it is."""
_MAX_SUBJECT = 12
"""Words taken over: the more of them, the less the new question's own ones weigh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standalone:
    """A question that needs no other one to be understood.

    Attributes:
        reading: Of the question itself.
        text: What to search with.
        bare: The same without channels and dates.
        root: What the nearest self-contained question is about, in its words.
        channels, unknown, period, period_phrase: Its own, or those it takes over.
        is_followup: It leans on the dialogue.
        intent: Its own, or the one it goes on with.
    """

    reading: Reading
    text: str
    bare: str
    root: tuple[Word, ...]
    channels: tuple[Channel, ...]
    unknown: tuple[str, ...]
    channel_phrase: str
    period: DateFilter
    period_phrase: str | None
    phrases: tuple[str, ...]
    is_followup: bool
    intent: Intent


def standalone(reading: Reading, before: Standalone | None) -> Standalone:
    """The question with what it takes over from the one before; nothing if it needs nothing."""
    if before is not None and is_ellipsis(reading):
        return _same_again(reading, before)
    if before is not None and is_followup(reading, before):
        return _continued(reading, before)
    return Standalone(
        reading=reading,
        text=reading.search_text,
        bare=reading.bare,
        root=reading.subject,
        channels=reading.named.channels,
        unknown=reading.named.unknown,
        channel_phrase=reading.channel_phrase,
        period=reading.period,
        period_phrase=reading.date_phrase,
        phrases=reading.phrases,
        is_followup=False,
        intent=intent_of(reading),
    )


def _same_again(reading: Reading, before: Standalone) -> Standalone:
    """«а в марте?», «а на Хабре?»: the question before with another period or channel."""
    return _taking_over(reading, before, bare=before.bare, root=before.root, again=True)


def _continued(reading: Reading, before: Standalone) -> Standalone:
    subject = before.root
    if before.is_followup:
        subject = (*subject, *before.reading.subject)
    known = {word.lemma for word in reading.content}
    taken = {word.lemma: word for word in subject if word.lemma not in known}
    own = _without_marker(reading)
    text = f"{spelled(list(taken.values())[:_MAX_SUBJECT])} {own}".strip()
    return _taking_over(reading, before, bare=text, root=before.root, again=False)


def _taking_over(
    reading: Reading, before: Standalone, *, bare: str, root: tuple[Word, ...], again: bool
) -> Standalone:
    """Filters of each kind are the question's own if it states any, else those before."""
    own_channels, own_period = not reading.named.is_empty, reading.has_period
    channel_phrase = reading.channel_phrase if own_channels else before.channel_phrase
    period_phrase = reading.date_phrase if own_period else before.period_phrase
    text = bare
    if again and len(root) < 2:  # noqa: PLR2004 - nothing to search for but the channel itself
        text = " ".join(piece for piece in (bare, channel_phrase, period_phrase) if piece)
    return Standalone(
        reading=before.reading if again else reading,
        text=text,
        bare=bare,
        root=root,
        channels=reading.named.channels if own_channels else before.channels,
        unknown=reading.named.unknown if own_channels else before.unknown,
        channel_phrase=channel_phrase,
        period=reading.period if own_period else before.period,
        period_phrase=period_phrase,
        phrases=before.phrases if again else reading.phrases,
        is_followup=before.is_followup if again else True,
        intent=before.intent if again else intent_of(reading),
    )


def is_ellipsis(reading: Reading) -> bool:
    """Nothing but another period or channel: «а в марте?», "and in May?", «Хабр?»."""
    if reading.content or (reading.named.is_empty and not reading.has_period):
        return False
    if _marker(reading) is not None:
        return True
    cut = [*reading.named.spans, *reading.period.spans]
    return not any(
        word.lemma in INTERROGATIVES | SAYING or word.lemma in {"быть", "новый", "новость"}
        for word in outside(reading.words, cut)
    )


def is_followup(reading: Reading, before: Standalone) -> bool:
    """Whether a question can't be understood without the one before.

    It opens with «а», «и», "what about"; or a pronoun in it has nothing to stand for; or it is
    too short to say what it is about.
    """
    count = len(reading.content)
    marker = _marker(reading)
    has_name = _has_name(reading)
    if _pronoun(reading, everywhere=marker is not None):
        return True
    if count and _DEFINITION.search(reading.text):
        return False
    if marker is not None:
        return count < _SELF_CONTAINED - has_name
    if has_name or not reading.named.is_empty or intent_of(reading) in {"digest", "coverage"}:
        return False
    if count <= 1:
        return count == 1 or bool(reading.words)
    shared = {word.lemma for word in reading.content} & {word.lemma for word in before.root}
    return count <= _SHORT and bool(shared)


def _marker(reading: Reading) -> Word | None:
    """The word that ties a question to the one before: «а», "and", "what about"."""
    first = reading.words[0] if reading.words else None
    if first is None:
        return None
    second = reading.words[1] if len(reading.words) > 1 else None
    if first.key in _MARKERS:
        return first
    if second is not None and (first.key, second.key) in {("what", "about"), ("how", "about")}:
        return second
    return None


def _without_marker(reading: Reading) -> str:
    """The question's search text without «а»; "what about" goes with it."""
    cut = [*reading.named.spans, *reading.period.spans]
    marker = _marker(reading)
    if marker is not None:
        cut.append((0, marker.end))
    return without(reading.text, cut) if reading.content else without(reading.text, cut[-1:])


def _pronoun(reading: Reading, *, everywhere: bool) -> bool:
    """A pronoun that nothing before it in the question explains.

    Args:
        everywhere: Any pronoun counts, for the question says itself that it goes on.
    """
    for word in outside(reading.words, reading.period.spans):
        if word.key in PRONOUNS and not _is_idle(reading, word):
            return True
        if not everywhere and not word.is_empty and _names_a_thing(word):
            return False
    return False


def _is_idle(reading: Reading, pronoun: Word) -> bool:
    """«это правда, что …», "is it true that …", «тот, кто …»: stands for what follows."""
    after = next((w for w in reading.words if w.start >= pronoun.end), None)
    if after is None:
        return False
    if pronoun.key in {"это", "it"}:
        return after.key in {"правда", "true", "так", "possible", "worth"}
    rest = reading.text[pronoun.end :].lstrip()
    if pronoun.key in {"тот", "та", "те", "those"} and rest.startswith(","):
        return len(reading.content) >= _SELF_CONTAINED
    return False


def _names_a_thing(word: Word) -> bool:
    kind = word_kind(word.key)
    return not kind.is_known or kind.is_noun


def _has_name(reading: Reading) -> bool:
    """Something in it is written as a name or has digits: it speaks for itself."""
    return any(
        word.is_proper or any(sign.isdigit() for sign in word.key) for word in reading.content
    )
