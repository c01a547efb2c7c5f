"""Compares the figures and dates of a claim with those of the sentences it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from agent.verification.dates import mentions, states, without_dates
from agent.verification.numbers import quantities
from agent.verification.quantity import Quantity, says
from agent.verification.synonyms import same_meaning
from agent.verification.words import CYRILLIC, form_of, read

_YEARS = range(1500, 2101)
_MIN_SHARED = 2
"""Words that another sentence shares with the claim before its figures count for it."""


def wrong_figures(claim: str, near: Sequence[str], far: Sequence[str]) -> list[str]:
    """The figures of a claim that its post does not have, as the claim writes them.

    Args:
        near: The sentences that the claim rests on.
        far: The others; only those that share words with the claim count.
    """
    text = read(claim).text
    every = quantities(without_dates(text))
    claimed = [one for one in every if _has_to_match(one)]
    if not every:
        return []
    related = [*near, *(one for one in far if _is_related(claim, one))]
    texts = [read(one).text for one in related]
    told = [one for part in texts for one in quantities(without_dates(part))]
    years = {one.year for part in texts for one in mentions(part)}
    units = frozenset(
        one.unit
        for part in (*near, *far)
        for one in quantities(without_dates(read(part).text))
        if one.unit
    )
    return (
        [
            text[one.start : one.end]
            for one in claimed
            if not _is_told(one, told, units) and not _is_year(one, years)
        ]
        + _misbound(text, every, told)
        + _uncounted(text, claimed, (*near, *far))
    )


def _has_to_match(one: Quantity) -> bool:
    """Words such as «первый» and «четверть» say much else; digits say figures."""
    return not (one.is_worded and one.is_ordinal)


def _is_told(claimed: Quantity, told: Sequence[Quantity], units: frozenset[str]) -> bool:
    return any(says(one, claimed, units=units) for one in told)


def _is_year(one: Quantity, years: set[int | None]) -> bool:
    value = one.values[0]
    return one.unit is None and value in _YEARS and int(value) in years


def _is_related(claim: str, sentence: str) -> bool:
    wanted = {word.lemma for word in read(claim).words if word.is_content}
    has = {word.lemma for word in read(sentence).words if word.is_content}
    return len(wanted & has) >= _MIN_SHARED


def _misbound(text: str, claimed: Sequence[Quantity], told: Sequence[Quantity]) -> list[str]:
    """Figures that count something else in the post: «5 школ и 7 садов» is not «7 школ»."""
    found = []
    for one in claimed:
        if one.noun is None:
            continue
        alike = [other for other in told if other.is_ordinal == one.is_ordinal]
        same_value = [other for other in alike if set(other.values) & set(one.values)]
        same_noun = [other for other in alike if other.noun == one.noun]
        if not _has_to_match(one):
            if same_noun and not set(same_noun) & set(same_value):
                found.append(text[one.start : one.end])
            continue
        is_elsewhere = same_value and all(
            other.noun not in {None, one.noun} for other in same_value
        )
        if same_noun and is_elsewhere and not set(same_noun) & set(same_value):
            found.append(text[one.start : one.end])
    return found


def _uncounted(text: str, claimed: Sequence[Quantity], sentences: Sequence[str]) -> list[str]:
    """Figures that count things of which a post says nothing: «120 сенаторов»."""
    lemmas = {
        lemma
        for one in sentences
        for word in read(one).words
        for lemma in (*word.form.lemmas, word.form.stem)
    }
    return [
        f"{text[one.start : one.end]} {one.noun}"
        for one in claimed
        if one.noun is not None
        and CYRILLIC.match(one.noun)
        and {one.noun, form_of(one.noun).stem}.isdisjoint(lemmas)
        and not same_meaning(one.noun, lemmas)
    ]


def wrong_dates(claim: str, near: Sequence[str], far: Sequence[str], posted_on: date) -> list[str]:
    """The dates and times of a claim that neither its post nor the post's day says."""
    text = read(claim).text
    claimed = mentions(text)
    if not claimed:
        return []
    told = [one for part in (*near, *far) for one in mentions(read(part).text)]
    figures = {
        value
        for part in (*near, *far)
        for one in quantities(without_dates(read(part).text))
        for value in one.values
    }
    return [
        text[one.start : one.end]
        for one in claimed
        if not states(told, one, posted_on)
        and not (one.year is not None and one.month is None and one.year in figures)
    ]
