"""Pieces of periods: the beginning of March, the end of 2012, the second half of May."""

from __future__ import annotations

from datetime import date, timedelta

from agent.dates.meanings import Part
from agent.dates.periods import DAY, Period, add_months, between

# English: tens of days from 1, the end of a year from September, as in Duckling's rules.
# Russian: «в середине» and «в конце» begin on the round date, and the parts overlap by a day.
_DAYS = {
    False: {Part.START: (1, 10), Part.MIDDLE: (11, 20), Part.END: (21, 31)},
    True: {Part.START: (1, 10), Part.MIDDLE: (10, 20), Part.END: (20, 31)},
}
_MONTHS = {
    False: {Part.START: (1, 3), Part.MIDDLE: (5, 8), Part.END: (9, 12)},
    True: {Part.START: (1, 3), Part.MIDDLE: (5, 8), Part.END: (10, 12)},
}
_DECADE_YEARS = {Part.START: (0, 2), Part.MIDDLE: (3, 6), Part.END: (7, 9)}
_WEEKDAYS = {Part.START: (0, 2), Part.MIDDLE: (1, 3), Part.END: (4, 6)}
_MONTH_MIDDLE = 15


def part_of(period: Period, part: Part, *, is_russian: bool) -> Period | None:
    """A piece of a period as people mean it; None where the period is open."""
    if period.first is None or period.last is None:
        return None
    if part in {Part.FIRST_HALF, Part.SECOND_HALF}:
        return _half(period.first, period.last, part)
    match period.kind:
        case "day":
            return period
        case "month":
            return _of_month(period.first, period.last, _DAYS[is_russian][part])
        case "year" | "decade" | "week":
            return _of_regular(period.first, period.kind, part, is_russian=is_russian)
        case _:
            return _third(period.first, period.last, part)


def _of_month(first: date, last: date, days: tuple[int, int]) -> Period:
    return between(first.replace(day=days[0]), last.replace(day=min(days[1], last.day)))


def _of_regular(first: date, kind: str, part: Part, *, is_russian: bool) -> Period:
    if kind == "week":
        start, end = _WEEKDAYS[part]
        return between(first + start * DAY, first + end * DAY)
    if kind == "decade":
        start, end = _DECADE_YEARS[part]
        return between(date(first.year + start, 1, 1), date(first.year + end, 12, 31))
    start, end = _MONTHS[is_russian][part]
    return between(date(first.year, start, 1), add_months(date(first.year, end, 1), 1) - DAY)


def _half(first: date, last: date, part: Part) -> Period:
    if first.month == last.month:
        middle = first.replace(day=_MONTH_MIDDLE)
    elif (first.day, first.month, last.month) == (1, 1, 12) and first.year == last.year:
        middle = date(first.year, 6, 30)
    else:
        middle = first + (last - first) // 2
    kind = "interval"
    return (
        between(first, middle, kind)
        if part is Part.FIRST_HALF
        else between(middle + DAY, last, kind)
    )


def _third(first: date, last: date, part: Part) -> Period:
    length = timedelta(days=((last - first).days + 1) // 3)
    match part:
        case Part.START:
            return between(first, first + length)
        case Part.END:
            return between(last - length, last)
        case _:
            return between(first + length, last - length)
