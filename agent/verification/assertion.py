"""How a sentence asserts each of its words: plainly, denied, as possible, as a plan."""

from __future__ import annotations

import enum
import functools
from collections.abc import Sequence

from agent.verification.words import Reading, Word, read


class Mood(enum.Flag):
    """What a sentence does to one of its words; none of it: it asserts it plainly."""

    PLAIN = 0
    NEGATED = enum.auto()
    POSSIBLE = enum.auto()
    """Said to be possible, conditional, or rumoured."""
    PLANNED = enum.auto()
    """Wanted or intended, and so not done."""
    DENIED = enum.auto()
    """Said by someone not to be so."""


_NEGATORS = frozenset(
    "не ни нет без нельзя никогда никто ничто никакой not no never without cannot neither nor "
    "none nobody nothing немає without".split()
)
_NOT_ALWAYS_NEGATING = frozenset("только просто лишь only just merely".split())
_DENYING = frozenset(
    "опровергнуть опровергать отрицать отвергнуть отвергать опровержение deni refut reject "
    "dismiss debunk фейк неправда ложь fake отрицал false untru спростувати".split()
)
_REFUSING = frozenset(
    "отказаться отказываться отказать отказывать передумать refus declin fail unabl забыть "
    "запретить запрещать ban prohibit forbid приостановить отменить отмена cancel abandon "
    "избежать avoid prevent stop прекратить перестать".split()
)
_POSSIBLE = frozenset(
    "мочь возможно вероятно якобы предположительно видимо похоже наверное возможный "
    "предполагаемый may might could possibl perhap probabl alleg allegedli reportedli supposedli "
    "purportedli apparently рассматривать обсуждать если if unless слух rumor rumour "
    "предположить подозревать suspect ли whether бы позволить".split()
)
_CLAUSE_WIDE = frozenset(
    "возможно вероятно якобы предположительно видимо похоже наверное alleg allegedli reportedli "
    "supposedli purportedli possibl perhap probabl если if unless слух rumor rumour "
    "whether".split()
)
_PLANNING = frozenset(
    "планировать намереваться намеренный намерен собираться хотеть предложить предлагать обещать "
    "пообещать готовиться попытаться пытаться стремиться мечтать призвать призывать требовать "
    "потребовать просить попросить plan intend want propos promis hope tri attempt seek urg "
    "call demand ask aim consid рассчитывать надеяться желать должный рекомендовать".split()
)
_CONDITIONAL = frozenset({"если", "if", "unless", "якщо"})
"""They bear on the clause that depends on theirs, too."""
_ASIDE_WORDS = 2
_NEGATED_WITH_IT = 2
"""Words behind a negator that it may negate: «не очень хорошо», "did not ever say"."""


@functools.lru_cache(maxsize=8192)
def moods(text: str) -> tuple[Mood, ...]:
    """The mood of each word of `read(text)`."""
    reading = read(text)
    found = [Mood.PLAIN] * len(reading.words)
    for place, word in enumerate(reading.words):
        keys = {word.plain, *word.form.lemmas}
        if keys & _NEGATORS:
            _negate(reading, place, found)
        elif keys & _DENYING:
            _spread(reading, place, found, Mood.DENIED, is_clause=False)
        elif keys & _POSSIBLE:
            _spread(reading, place, found, Mood.POSSIBLE, is_clause=bool(keys & _CLAUSE_WIDE))
        elif keys & _PLANNING:
            _govern(reading, place, found, Mood.PLANNED)
        elif keys & _REFUSING:
            _govern(reading, place, found, Mood.NEGATED)
    return tuple(found)


def _negate(reading: Reading, place: int, found: list[Mood]) -> None:
    words = reading.words
    behind = [at for at in range(place + 1, len(words)) if words[at].clause == words[place].clause]
    if behind and words[behind[0]].plain in _NOT_ALWAYS_NEGATING:
        return
    for at in behind[:_NEGATED_WITH_IT]:
        found[at] ^= Mood.NEGATED
        if words[at].is_content and words[at].form.pos != "ADVB":
            if words[at].form.pos in {"VERB", "INFN"} or not reading.is_cyrillic:
                _govern(reading, at, found, Mood.NEGATED)
            break
    if words[place].plain == "нет":
        before = [at for at in range(place) if words[at].clause == words[place].clause]
        for at in before[-1:]:
            found[at] ^= Mood.NEGATED


def _govern(reading: Reading, place: int, found: list[Mood], mood: Mood) -> None:
    """Marks the infinitive that a verb governs: «планирует открыть», "plans to open"."""
    words = reading.words
    if not reading.is_cyrillic:
        for at in range(place + 2, min(place + 4, len(words))):
            if words[at - 1].plain == "to":
                found[at] |= mood
                break
        return
    for at in range(place + 1, len(words)):
        if words[at].clause != words[place].clause:
            break
        if words[at].form.pos == "INFN":
            found[at] |= mood


def _spread(
    reading: Reading, place: int, found: list[Mood], mood: Mood, *, is_clause: bool
) -> None:
    """Marks what a hedge or a denial bears on: its clause, or all behind it."""
    words = reading.words
    own = words[place].clause
    # «Она, возможно, откроет»: set off by commas, it bears on both sides.
    is_condition = words[place].plain in _CONDITIONAL
    is_aside = sum(word.clause == own for word in words) <= _ASIDE_WORDS
    for at in range(len(words)):
        same = abs(words[at].clause - own) <= (is_aside or is_condition)
        if is_clause:
            applies = same and at != place
        elif mood is Mood.DENIED:
            applies = at > place and words[at].clause <= words[place].clause + 1
        else:
            applies = at > place and same
        if applies:
            found[at] |= mood


def contradiction(claim: str, sentences: Sequence[str]) -> str | None:
    """Where a claim asserts what the sentences it rests on deny, doubt or only plan.

    Args:
        sentences: The closest one first: a word is looked up in the first that has it.

    Returns:
        What is wrong in plain words; None: nothing.
    """
    claimed, asserted = read(claim), moods(claim)
    for word, mood in zip(claimed.words, asserted, strict=True):
        if not word.is_content or word.form.pos in {"ADVB", "NUMR", "PREP", "CONJ", "PRCL"}:
            continue
        told = _told(word, sentences)
        problem = _compare(word, mood, told) if told else None
        if problem:
            return problem
    return _loose_negation(claimed, asserted, sentences)


def _told(word: Word, sentences: Sequence[str]) -> list[Mood]:
    for sentence in sentences:
        found = [
            mood
            for other, mood in zip(read(sentence).words, moods(sentence), strict=True)
            if set(other.form.lemmas) & set(word.form.lemmas)
        ]
        if found:
            return found
    return []


def _compare(word: Word, mood: Mood, told: Sequence[Mood]) -> str | None:
    negated = bool(mood & Mood.NEGATED)
    if all(bool(one & Mood.NEGATED) != negated for one in told):
        return f"one of the two says not «{word.written}»"
    denied = bool(mood & (Mood.DENIED | Mood.NEGATED))
    if not denied and all(one & Mood.DENIED for one in told):
        return f"denies «{word.written}»"
    if word.form.pos not in {"VERB", "INFN", "PRTS", "PRTF"}:
        return None
    doubtful = Mood.POSSIBLE | Mood.PLANNED
    if not mood & doubtful and all(one & Mood.POSSIBLE for one in told):
        return f"says «{word.written}» only as a possibility"
    if not mood & doubtful and all(one & Mood.PLANNED for one in told):
        return f"says «{word.written}» only as a plan"
    return None


_OPPOSING = _NEGATORS | _DENYING | _REFUSING
_NEGATIVE_PREFIX = ("не", "без", "бес", "un", "in", "im", "dis", "non")


def _loose_negation(
    claimed: Reading, asserted: Sequence[Mood], sentences: Sequence[str]
) -> str | None:
    """A negation in a claim whose every sentence knows none."""
    negated = [
        word
        for word, mood in zip(claimed.words, asserted, strict=True)
        if mood & Mood.NEGATED and word.is_content
    ]
    if not any({word.plain, word.lemma} & _NEGATORS for word in claimed.words) or not negated:
        return None
    for sentence in sentences:
        for word in read(sentence).words:
            if {word.plain, *word.form.lemmas} & _OPPOSING:
                return None
            if word.plain.startswith(_NEGATIVE_PREFIX) and len(word.plain) > 5:  # noqa: PLR2004 - «небо» negates nothing
                return None
    return f"says nothing of not «{negated[0].written}»"
