"""Finds the date phrases of a question, drops those that date no posts, and joins the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

from agent.dates import cues
from agent.dates.grammar.found import Phrase
from agent.dates.grammar.phrases import phrase
from agent.dates.grammar.ranges import is_clock
from agent.dates.meanings import Role
from agent.dates.nodes import Fixed, Present, Yearly
from agent.dates.periods import Period
from agent.dates.stretches import Range
from agent.dates.tokens import Words

_OPEN_KINDS = frozenset({"since", "after", "until", "before"})
_ACCOUNTING_KINDS = frozenset({"quarter", "half"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """The period that a question asks about, and the phrases that say so."""

    period: Period
    phrases: tuple[Phrase, ...]


def find(words: Words) -> Dated | None:
    """The period of a question; None where it names none, or names one that dates no posts."""
    read = _phrases(words)
    phrases = _with_year_carried([item for item in read if item.is_firm])
    is_alone = not _others(words, phrases)
    if not phrases:
        phrases = [item for item in read if not _others(words, [item])][:1]
        is_alone = True
    if any(item.is_digest for item in phrases) and len(phrases) > 1:
        phrases = [item for item in phrases if not item.is_digest]
    present = Present(today=words.today, is_alone=is_alone)
    resolved = [(item, period) for item in phrases if (period := _resolved(item, present))]
    if not is_alone:
        if cues.looks_later(words):
            return None
        if any(_dates_the_fact(words, period) for _, period in resolved):
            return None
        resolved = [pair for pair in resolved if _may_date_posts(words, *pair)]
    if not resolved:
        return None
    period = _joined([period for _, period in resolved])
    return Dated(period=period, phrases=tuple(item for item, _ in resolved))


def _phrases(words: Words) -> list[Phrase]:
    found: list[Phrase] = []
    place = 0
    while place < len(words):
        item = _phrase_at(words, place)
        if item is None or _is_no_date(words, item):
            place = item.end if item and item.is_firm else place + 1
            continue
        found.append(item)
        # A shy phrase may hide a sure one: "may" before "2024-10-05".
        place = item.end if item.is_firm else place + 1
    return found


def _phrase_at(words: Words, place: int) -> Phrase | None:
    try:
        item = phrase(words, place)
    except (ValueError, OverflowError):  # beyond the calendar: «9999 лет назад»
        return None
    if item and item.is_digest:
        return replace(item, is_firm=cues.is_digest(words))
    return item


def _is_no_date(words: Words, item: Phrase) -> bool:
    """Recurring days, counted things and versions that read like dates."""
    before, after = words[item.start - 1], words[item.end]
    if before.has(Role.EVERY) or words[item.core - 1].has(Role.EVERY):
        return True
    figure = words[item.core]
    if figure.shape == "dm":
        is_version = item.start != item.core and cues.is_version(words, item.start)
        return is_clock(words, item.core) or is_version or cues.is_counted_thing(after)
    if figure.shape == "quarter" and "h" in figure.norm and figure.norm[0] != "h":
        return cues.is_version(words, item.start)  # "Windows 11 24H2"
    if figure.shape == "plain" and words[item.end - 1] is figure:
        # "the 2010 drought" is told by its year as a person by a name.
        is_attribute = words[item.core - 1].has(Role.THE) and after.shape == "word"
        return cues.is_counted_thing(after) or (is_attribute and not figure.is_plural)
    return False


def _others(words: Words, phrases: list[Phrase]) -> bool:
    """Tells whether anything is said besides the phrases."""
    taken = {place for item in phrases for place in range(item.start, item.end)}
    serving = (Role.IN, Role.THE, Role.OF, Role.OVER, Role.ALL, Role.DAYTIME, Role.AND)
    return any(
        token.shape != "mark" and place not in taken and not token.has(*serving)
        for place, token in enumerate(words.tokens)
    )


def _with_year_carried(phrases: list[Phrase]) -> list[Phrase]:
    """«в 2024 году, летом»: the one year that is named is the year of every yearly phrase."""
    named = {year for item in phrases if (year := _year_of(item)) is not None}
    lacking = [item for item in phrases if _lacks_year(item)]
    if len(named) != 1 or not lacking:
        return phrases
    year = named.pop()
    return [
        replace(item, node=item.node.in_year(year))
        if isinstance(item.node, Yearly) and _lacks_year(item)
        else item
        for item in phrases
    ]


def _lacks_year(item: Phrase) -> bool:
    return isinstance(item.node, Yearly) and item.node.year is None and item.node.shift is None


def _year_of(item: Phrase) -> int | None:
    match item.node:
        case Yearly(year=year):
            return year
        case Fixed(Period(kind="year", first=first)) if first:
            return first.year
        case Range(right=Yearly(year=year)):
            return year
        case _:
            return None


def _resolved(item: Phrase, present: Present) -> Period | None:
    try:
        return item.node.resolve(present)
    except (ValueError, OverflowError):  # beyond the calendar: "in 9000 years"
        return None


def _dates_the_fact(words: Words, period: Period) -> bool:
    """Dates that belong to what is asked, so that posts of any day may tell of it.

    «законы, вступившие в силу с 1 января», «как вырос с октября к декабрю»: such posts come
    before and after. The figures of a quarter are published when it is over.
    """
    if cues.is_about_posting(words):
        return False
    if period.kind in _OPEN_KINDS:
        return True
    return period.kind in _ACCOUNTING_KINDS and cues.asks_quantity(words)


def _may_date_posts(words: Words, item: Phrase, period: Period) -> bool:
    if period.first and period.first > words.today:  # nothing was posted then yet
        return False
    if period.kind == "day" and cues.is_as_of(words, item.start):
        return False
    if words[item.start].norm in {"к", "ко"} and words[item.start - 1].norm != "ближе":
        return False  # a deadline
    return not (period.kind == "year" and _is_attribute(words, item))


def _is_attribute(words: Words, item: Phrase) -> bool:
    """«выборы 2020 года»: the year tells which elections, not which posts."""
    before = words[item.start - 1]
    is_bare = item.start == item.core and words[item.end - 1].norm in {"года", "г", "."}
    is_noun = before.shape == "word" and not before.meaning.roles
    return is_bare and is_noun and not cues.is_news_word(before)


def _joined(periods: list[Period]) -> Period:
    """The inner one of two nested periods, else all the days from the first to the last."""
    result = periods[0]
    for period in periods[1:]:
        if result.holds(period):
            result = period
        elif not period.holds(result):
            result = _hull(result, period)
    return result


def _hull(left: Period, right: Period) -> Period:
    first = min(left.first, right.first) if left.first and right.first else None
    last = max(left.last, right.last) if left.last and right.last else None
    return Period(first=first, last=last, kind="interval")
