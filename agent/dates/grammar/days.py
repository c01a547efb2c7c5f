"""Reads days and months of the calendar: «5 мая 2024», "March third", «15-го числа»."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from agent.dates.grammar import numbers, years
from agent.dates.grammar.figures import figures
from agent.dates.grammar.found import Found
from agent.dates.meanings import Role, Unit
from agent.dates.nodes import DayOfMonth, Fixed, Yearly, day_of_month, month
from agent.dates.periods import of_day, shifted
from agent.dates.tokens import Words, unit_at

_IDES = {3: 15, 5: 15, 7: 15, 10: 15}  # the thirteenth in the other months
_MONTHS_SEARCHED = 14


def day_and_month(words: Words, at: int) -> Found | None:
    """A day of a month with what may stand around it: a weekday, a year."""
    start = _after_weekday(words, at)
    found = _day_then_month(words, start) or _month_then_day(words, start)
    if found is None:
        written = figures(words, start) if start > at else None
        return replace(written, is_firm=True) if written else None
    node, end = found
    if start > at:
        node = replace(node, weekday=words[at].meaning.weekday)
    short = years.short_year_after(words, end)
    if short and years.year_after(words, end) is None:
        return Found(node=node.in_year(short[0]), end=short[1])
    dated = years.with_year(words, node, end, is_firm=True)
    after = words.skip_mark(dated.end, ",")
    weekday = words[after].meaning.weekday
    if weekday is None or after == dated.end or not isinstance(dated.node, Yearly):
        return dated
    return Found(node=replace(dated.node, weekday=weekday), end=after + 1)


def _after_weekday(words: Words, at: int) -> int:
    if words[at].meaning.weekday is None:
        return at
    return words.skip_mark(words.skip_mark(at + 1, "."), ",")


def _day_then_month(words: Words, at: int) -> tuple[Yearly, int] | None:
    start = words.skip(at, Role.THE)
    if words[start].norm == "ides":
        place = words.skip(start + 1, Role.OF)
        number = words[place].meaning.month
        return (day_of_month(number, _IDES.get(number, 13)), place + 1) if number else None
    found = numbers.day_number(words, start)
    if found is None:
        return None
    day, place = found
    if unit_at(words, place) is Unit.DAY and words[start].meaning.number is None:  # "third day of"
        place += 1
    place = words.skip_mark(place, ".-")
    while words[place].norm in {"of", "the"}:
        place += 1
    number = words[place].meaning.month
    return (day_of_month(number, day), _after_month(words, place)) if number else None


def _month_then_day(words: Words, at: int) -> tuple[Yearly, int] | None:
    number = words[at].meaning.month
    if number is None:
        return None
    place = words.skip(_after_month(words, at), Role.THE)
    found = numbers.day_number(words, place)
    # In Russian the day comes first: «в марте 5 человек».
    if found is None or (words[at].norm > "z" and not words[place].is_ordinal):
        return None
    day, end = found
    # "July 13%" and "May 5 people" are figures; "May 5 to 10" is a day.
    is_count = words[end].norm in {"%", "$", "€", "₽"}
    return None if is_count else (day_of_month(number, day), end)


def _after_month(words: Words, at: int) -> int:
    """The place after a month's name and the dot of its abbreviation."""
    dot = words[at + 1]
    is_short = words[at].has(Role.SHY) and dot.norm == "." and dot.start == words[at].end
    return at + 2 if is_short else at + 1


def month_alone(words: Words, at: int) -> Found | None:
    """A month, with its year if that is said: «в марте», "October 2014", "last March"."""
    shift = words[at].meaning.shift
    place = at if shift is None else at + 1
    number = words[place].meaning.month
    if number is None:
        return None
    node = month(number)
    end = _after_month(words, place)
    if shift is not None:
        return Found(node=Yearly(make=node.make, shift=shift, month=number), end=end)
    if words[end].has(Role.AFTER) and words[end + 1].meaning.shift == 1:  # "March after next"
        return Found(node=Yearly(make=node.make, shift=2, month=number), end=end + 2)
    return years.with_year(words, node, end, is_firm=not words[place].has(Role.SHY))


def weekday_and_day(words: Words, at: int) -> Found | None:
    """A weekday that is the so-manieth: "Tuesday the 19th", "Thu 15th"."""
    weekday = words[at].meaning.weekday
    if weekday is None or words.is_russian:
        return None
    place = words.skip(words.skip_mark(at + 1, ".,"), Role.THE)
    if not words[place].is_ordinal:
        return None
    found = numbers.day_number(words, place)
    if found is None:
        return None
    for months in range(_MONTHS_SEARCHED):
        first = shifted(words.today, Unit.MONTH, -months).first
        assert first is not None
        day = first + timedelta(days=found[0] - 1)
        if day.month == first.month and day.weekday() == weekday:
            return Found(node=Fixed(of_day(day)), end=found[1])
    return None


def day_of_unnamed_month(words: Words, at: int) -> Found | None:
    """A day by its number: «15-го числа», "20th of the next month", "on the 15th"."""
    start = words.skip(at, Role.THE)
    found = numbers.day_number(words, start)
    if found is None:
        return None
    day, end = found
    is_ordinal = numbers.ordinal(words, start) is not None
    is_numbered = words[end].has(Role.NTH_DAY)
    end += is_numbered or (is_ordinal and unit_at(words, end) is Unit.DAY)
    of_month = _day_of_shifted_month(words, end, day)
    if of_month or is_numbered:
        return of_month or Found(node=DayOfMonth(day=day), end=end)
    # "the first song" is no date, nor is «второй».
    if words.is_russian or not is_ordinal or start == at or not _ends_phrase(words, end):
        return None
    return Found(node=DayOfMonth(day=day), end=end, is_firm=words[at - 1].norm == "on")


def _day_of_shifted_month(words: Words, at: int, day: int) -> Found | None:
    place = words.skip(at, Role.OF, Role.THE)
    shift = words[place].meaning.shift
    if shift is None or unit_at(words, place + 1) is not Unit.MONTH:
        return None
    whole = shifted(words.today, Unit.MONTH, shift)
    assert whole.first
    said = of_day(whole.first + timedelta(days=day - 1))
    return Found(node=Fixed(said), end=place + 2) if whole.holds(said) else None


def _ends_phrase(words: Words, at: int) -> bool:
    return words[at].shape in {"end", "mark"} and not words[at].is_dash
