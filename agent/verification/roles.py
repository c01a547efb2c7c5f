"""Who did it to whom: finds a claim that exchanges the two sides of what a sentence says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.verification.words import Reading, Word, read

_OBLIQUE = frozenset({"accs", "gent", "datv", "ablt", "loct"})
_REACH = 6
"""Words between an English verb and its object."""
_PREDICATES = frozenset({"VERB", "PRTS", "PRTF", "INFN", "GRND"})


@dataclass(frozen=True, slots=True)
class _Noun:
    lemma: str
    place: int
    cases: frozenset[str]
    clause: int

    @property
    def is_subject(self) -> bool:
        return self.cases == {"nomn"}

    @property
    def is_object(self) -> bool:
        return bool(self.cases) and "nomn" not in self.cases and bool(self.cases & _OBLIQUE)


def exchanged(claim: str, sentence: str) -> str | None:
    """The two words whose places a claim exchanges; None where it does not, or none can tell.

    Russian: one is the subject in the sentence and an object in the claim, and the other way
    round. English, and forms that do not show their case: they stand in the other order around
    the same verb in the same voice.
    """
    claimed, told = read(claim), read(sentence)
    if claimed.is_cyrillic != told.is_cyrillic:
        return None
    if claimed.is_cyrillic:
        return _by_case(claimed, told)
    return _by_order(claimed, told)


def _nouns(reading: Reading) -> list[_Noun]:
    return [
        _Noun(lemma, place, word.form.cases, word.clause)
        for place, word in enumerate(reading.words)
        if word.form.cases or (word.written[0].isupper() and word.is_content)
        for lemma in word.form.lemmas[:2]
    ]


def _verbs(reading: Reading) -> dict[str, tuple[int, Word]]:
    return {
        word.lemma: (place, word)
        for place, word in enumerate(reading.words)
        if word.form.pos in _PREDICATES and word.is_content
    }


def _by_case(claimed: Reading, told: Reading) -> str | None:
    first, second = _verbs(claimed), _verbs(told)
    shared = [
        lemma
        for lemma in first
        if lemma in second and first[lemma][1].form.is_passive == second[lemma][1].form.is_passive
    ]
    here, there = _by_lemma(_nouns(claimed)), _by_lemma(_nouns(told))
    common = [lemma for lemma in here if lemma in there]
    for verb in shared:
        near, was_near = first[verb][1].clause, second[verb][1].clause
        for noun in common:
            now = [one for one in here[noun] if one.clause == near]
            was = [one for one in there[noun] if one.clause == was_near]
            if now and was and (_sinks(now, was, claimed) or _sinks(was, now, told)):
                return f"has «{noun}» on the other side of «{verb}»"
    return _by_neighbourhood(here, there) if shared else None


def _by_lemma(nouns: Sequence[_Noun]) -> dict[str, list[_Noun]]:
    found: dict[str, list[_Noun]] = {}
    for one in nouns:
        found.setdefault(one.lemma, []).append(one)
    return found


def _sinks(low: Sequence[_Noun], high: Sequence[_Noun], reading: Reading) -> bool:
    """Whether nouns are objects of a verb, without a preposition, that elsewhere are subjects."""
    return all(one.is_subject for one in high) and all(
        one.is_object and "accs" in one.cases and not _has_preposition(one, reading) for one in low
    )


def _has_preposition(noun: _Noun, reading: Reading) -> bool:
    before = reading.words[max(0, noun.place - 3) : noun.place]
    return any(word.form.pos == "PREP" for word in before)


def _by_neighbourhood(here: dict[str, list[_Noun]], there: dict[str, list[_Noun]]) -> str | None:
    """Forms that may be either case: their order tells."""
    vague = [
        lemma
        for lemma in here
        if lemma in there
        and len(here[lemma]) == len(there[lemma]) == 1
        and _is_vague(here[lemma][0])
        and _is_vague(there[lemma][0])
    ]
    for left in vague:
        for right in vague:
            same = here[left][0].clause == here[right][0].clause
            was = there[left][0].place < there[right][0].place
            if same and was and here[left][0].place > here[right][0].place:
                return f"has «{left}» and «{right}» in the other order"
    return None


def _is_vague(noun: _Noun) -> bool:
    return ("nomn" in noun.cases and "accs" in noun.cases) or not noun.cases


def _by_order(claimed: Reading, told: Reading) -> str | None:
    here = {word.lemma: at for at, word in enumerate(claimed.words) if _is_english_name(word)}
    there = {word.lemma: at for at, word in enumerate(told.words) if _is_english_name(word)}
    common = [lemma for lemma in here if lemma in there]
    for verb, (at, was_at) in _pivots(claimed, told).items():
        if verb in common or _is_passive(claimed, at) != _is_passive(told, was_at):
            continue
        backward = [one for one in common if there[one] < was_at and here[one] > at]
        forward = [one for one in common if there[one] > was_at and here[one] < at]
        near = [one for one in backward if abs(at - here[one]) <= _REACH]
        if near and forward:
            return f"has «{near[0]}» and «{forward[0]}» in each other's place"
    return None


def _pivots(claimed: Reading, told: Reading) -> dict[str, tuple[int, int]]:
    """Small words that both have in the same form, with their places: verbs among them."""
    there = {word.plain: at for at, word in enumerate(told.words) if word.written.islower()}
    return {
        word.plain: (at, there[word.plain])
        for at, word in enumerate(claimed.words)
        if word.is_content and word.plain in there
    }


def _is_english_name(word: Word) -> bool:
    return word.is_content and word.plain.isascii() and word.written[0].isupper()


def _is_passive(reading: Reading, at: int) -> bool:
    return any(word.plain == "by" for word in reading.words[at + 1 : at + 6])
