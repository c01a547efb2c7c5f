"""Reads quarters, halves, seasons, numbered weeks, and the nth day or week of something."""

from __future__ import annotations

import functools
from datetime import timedelta

from agent.dates.grammar import numbers, years
from agent.dates.grammar.days import day_and_month, month_alone
from agent.dates.grammar.found import Found, Rule, longest
from agent.dates.meanings import Role, Season, Unit
from agent.dates.nodes import Fixed, Yearly, changed
from agent.dates.periods import (
    DAY,
    Period,
    add_units,
    around,
    between,
    of_day,
    of_half,
    of_iso_week,
    of_quarter,
    of_season,
    shifted,
)
from agent.dates.tokens import Words, unit_at

_QUARTERS, _HALVES, _WEEKS = 4, 2, 53
_FEW_DAYS = frozenset({"дни", "дней", "днях", "числа", "числах", "чисел", "days"})
_FEW = 5  # «в первых числах»
_SURE_WEEK = 6  # "the first week" may be of anything, "week 40" only of a year


def quarter_or_half(words: Words, at: int) -> Found | None:
    """A quarter or a half of a year by its number: «III квартал», "4th qtr 2018"."""
    start = words.skip(at, Role.THE)
    found = numbers.rank(words, start)
    if found is None:
        return None
    number, end = found
    match unit_at(words, end):
        case Unit.QUARTER if 1 <= number <= _QUARTERS:
            node = Yearly(make=lambda year: of_quarter(year, number))
        case Unit.HALF if 1 <= number <= _HALVES:
            node = Yearly(make=lambda year: of_half(year, number))
        case _:
            return None
    end = words.skip_mark(end + 1, ".") if words[end].norm == "кв" else end + 1
    return years.with_year(words, node, end, is_firm=True)


def season(words: Words, at: int) -> Found | None:
    """A season: «летом 2023», "last winter", «позапрошлой весной»."""
    shift = words[at].meaning.shift
    place = at if shift is None else at + 1
    name = words[place].meaning.season
    if name is None:
        return None
    node = _season(name, is_russian=words[place].norm > "z")
    if shift is not None:
        return Found(node=Yearly(make=node.make, shift=shift), end=place + 1)
    is_adverb = words[place].norm.endswith(("ом", "ой", "ью", "у", "и")) and words.is_russian
    return years.with_year(words, node, place + 1, is_firm=is_adverb)


def _season(name: Season, *, is_russian: bool) -> Yearly:
    return Yearly(make=lambda year: of_season(year, name, astronomical=not is_russian))


def numbered_week(words: Words, at: int) -> Found | None:
    """A week of a year: «40-я неделя», "week 40 of 2024"."""
    if unit_at(words, at) is Unit.WEEK:
        found = numbers.cardinal(words, at + 1) if words[at + 1].value is not None else None
        end = found[1] if found else at
    else:
        found = numbers.ordinal(words, at)
        end = found[1] + 1 if found else at
        if found and unit_at(words, found[1]) is not Unit.WEEK:
            return None
    if found is None or not 1 <= found[0] <= _WEEKS:
        return None
    number = found[0]
    node = Yearly(make=lambda year: of_iso_week(year, number))
    dated = years.with_year(words, node, end, is_firm=False)
    return Found(node=dated.node, end=dated.end, is_firm=dated.end > end or number >= _SURE_WEEK)


def week_around(words: Words, at: int) -> Found | None:
    """The week of a day: "the week of October 6th"."""
    start = words.skip(at, Role.THE)
    if unit_at(words, start) is not Unit.WEEK or words[start + 1].norm != "of":
        return None
    found = day_and_month(words, words.skip(start + 2, Role.THE))
    if found is None:
        return None
    node = changed(found.node, lambda day: around(day.first, Unit.WEEK) if day.first else None)
    return Found(node=node, end=found.end)


def nth_of(words: Words, at: int) -> Found | None:
    """The nth weekday, day, week or weekend of a period, from its start or from its end."""
    start = words.skip(at, Role.THE)
    counted = _count(words, start)
    if counted is None:
        return None
    count, place = counted
    weekday, unit = words[place].meaning.weekday, unit_at(words, place)
    if weekday is None and unit not in {Unit.DAY, Unit.WEEK, Unit.WEEKEND}:
        return None
    inner = words.skip(place + 1, Role.OF, Role.THE)
    whole = _whole(words, inner, is_of=inner > place + 1)
    if whole is None:
        return None
    pick = functools.partial(_nth, count=count, weekday=weekday, unit=unit)
    return Found(node=changed(whole.node, pick), end=whole.end)


def _count(words: Words, at: int) -> tuple[int, int] | None:
    """1.. from the start, -1.. from the end: "third last" is -3."""
    if words[at].has(Role.LATEST):
        return -1, at + 1
    found = numbers.ordinal(words, at)
    if found is None or not found[0]:
        return None
    return (-found[0], found[1] + 1) if words[found[1]].norm == "last" else found


def _whole(words: Words, at: int, *, is_of: bool) -> Found | None:
    """The month or year that something is counted in."""
    rules: tuple[Rule, ...] = (month_alone, years.year, _present_whole)
    found = longest(rules, words, at)
    # «последняя неделя марта» needs no "of"; "last week March" is no such thing.
    return found if found and (is_of or words.is_russian) else None


def _present_whole(words: Words, at: int) -> Found | None:
    shift = words[at].meaning.shift
    place = at if shift is None else at + 1
    unit = unit_at(words, place)
    if unit not in {Unit.MONTH, Unit.YEAR, Unit.QUARTER}:
        return None
    return Found(node=Fixed(shifted(words.today, unit, shift or 0)), end=place + 1)


def first_few_of(words: Words, at: int) -> Found | None:
    """The first or last few units of a period: «первые две недели октября», "last days of May"."""
    start = words.skip(at, Role.THE)
    is_first = words[start].meaning.ordinal == 1
    if not is_first and not words[start].has(Role.LATEST):
        return None
    counted = numbers.cardinal(words, start + 1)
    count, place = counted or (0, start + 1)
    unit = Unit.DAY if words[place].has(Role.NTH_DAY) else unit_at(words, place)
    is_plural = count > 0 or words[place].norm in _FEW_DAYS
    if unit not in {Unit.DAY, Unit.WEEK, Unit.MONTH} or not is_plural:
        return None
    inner = words.skip(place + 1, Role.OF, Role.THE)
    whole = _whole(words, inner, is_of=inner > place + 1)
    if whole is None:
        return None
    cut = functools.partial(_few, count=count, unit=unit, is_first=is_first)
    return Found(node=changed(whole.node, cut), end=whole.end)


def _few(whole: Period, *, count: int, unit: Unit, is_first: bool) -> Period | None:
    if whole.first is None or whole.last is None:
        return None
    count = count or _FEW
    if is_first:
        return between(whole.first, min(add_units(whole.first, unit, count) - DAY, whole.last))
    return between(max(add_units(whole.last + DAY, unit, -count), whole.first), whole.last)


def _nth(whole: Period, *, count: int, weekday: int | None, unit: Unit | None) -> Period | None:
    """The nth of the days, weekdays, whole weeks or whole weekends of a period."""
    if whole.first is None or whole.last is None:
        return None
    if weekday is not None:
        size, offset = 1, weekday
    else:
        size, offset = {Unit.WEEK: (7, 0), Unit.WEEKEND: (2, 5)}.get(unit or Unit.DAY, (1, -1))
    step = 1 if offset < 0 else 7
    if count > 0:
        skipped = (offset - whole.first.weekday()) % 7 if offset >= 0 else 0
        first = whole.first + timedelta(days=skipped + (count - 1) * step)
    else:
        latest = whole.last - (size - 1) * DAY
        skipped = (latest.weekday() - offset) % 7 if offset >= 0 else 0
        first = latest - timedelta(days=skipped + (-count - 1) * step)
    last = first + (size - 1) * DAY
    if first < whole.first or last > whole.last:
        return None
    return of_day(first) if size == 1 else between(first, last, "weekend" if size == 2 else "week")  # noqa: PLR2004 - days


def century_or_decade(words: Words, at: int) -> Found | None:
    """A decade or a century."""
    return years.decade(words, at) or years.century(words, at)
