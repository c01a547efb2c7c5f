"""Stretches of the calendar: what a week, a quarter or a season is, in inclusive days."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta

from agent.dates.meanings import Season, Unit

DAY = timedelta(days=1)
_MONTHS_IN = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF: 6, Unit.YEAR: 12}
_DECEMBER = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Inclusive days; ``None`` is an open end.

    Attributes:
        kind: What the words named: "day", "week", "month", "interval", "since", ...
    """

    first: date | None
    last: date | None
    kind: str

    def holds(self, other: Period) -> bool:
        """Tells whether every day of the other period lies in this one."""
        starts = self.first is None or (other.first is not None and self.first <= other.first)
        ends = self.last is None or (other.last is not None and other.last <= self.last)
        return starts and ends


def of_day(day: date, kind: str = "day") -> Period:
    """One day."""
    return Period(first=day, last=day, kind=kind)


def between(first: date, last: date, kind: str = "interval") -> Period:
    """The days from the first to the last, both counted.

    Raises:
        ValueError: The last day comes before the first.
    """
    if last < first:
        raise ValueError(f"{last} comes before {first}")
    return Period(first=first, last=last, kind=kind)


def add_months(day: date, count: int) -> date:
    """The same day of another month, or its last day where there is no such day."""
    index = day.year * 12 + day.month - 1 + count
    year, month = divmod(index, 12)
    length = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, length))


def add_units(day: date, unit: Unit, count: int) -> date:
    """The day that many units later; hours are rounded down to whole days."""
    if unit in {Unit.DAY, Unit.WEEK}:
        return day + timedelta(days=count * (7 if unit is Unit.WEEK else 1))
    if unit is Unit.WEEKEND:
        return day + timedelta(weeks=count)
    if unit is Unit.HOUR:
        return day + timedelta(days=int(count / 24))
    if unit in _MONTHS_IN:
        return add_months(day, count * _MONTHS_IN[unit])
    years = {Unit.DECADE: 10, Unit.CENTURY: 100}.get(unit, 1)
    return add_months(day, count * years * 12)


def of_month(year: int, month: int) -> Period:
    """A calendar month."""
    return between(date(year, month, 1), add_months(date(year, month, 1), 1) - DAY, "month")


def of_year(year: int) -> Period:
    """A calendar year."""
    return between(date(year, 1, 1), date(year, _DECEMBER, 31), "year")


def of_quarter(year: int, number: int) -> Period:
    """A calendar quarter, 1..4."""
    first = date(year, 3 * number - 2, 1)
    return between(first, add_months(first, 3) - DAY, "quarter")


def of_half(year: int, number: int) -> Period:
    """A half of a year, 1 or 2."""
    first = date(year, 6 * number - 5, 1)
    return between(first, add_months(first, 6) - DAY, "half")


def of_iso_week(year: int, number: int) -> Period:
    """A week by its ISO 8601 number."""
    monday = date.fromisocalendar(year, number, 1)
    return between(monday, monday + 6 * DAY, "week")


def of_season(year: int, season: Season, *, astronomical: bool) -> Period:
    """A season; winter belongs to the year of its January.

    Args:
        year: The year that most of it falls into.
        season: Which one.
        astronomical: From a solstice or an equinox, as English speakers count, not from the
            first day of a month, as Russian speakers do.
    """
    if not astronomical:
        first = add_months(date(year, 1, 1), 3 * season - 1)
        return between(first, add_months(first, 3) - DAY, "season")
    # Source: the customary northern dates, as in Duckling's English rules.
    firsts = (date(year - 1, 12, 21), date(year, 3, 20), date(year, 6, 21), date(year, 9, 23))
    lasts = (date(year, 3, 20), date(year, 6, 21), date(year, 9, 23), date(year, 12, 21))
    return between(firsts[season], lasts[season], "season")


def around(day: date, unit: Unit) -> Period:
    """The calendar unit that the day lies in; a weekend is that of the day's week."""
    if unit in {Unit.DAY, Unit.HOUR}:
        return of_day(day)
    if unit in {Unit.WEEK, Unit.WEEKEND}:
        monday = day - timedelta(days=day.weekday())
        first = monday + (5 * DAY if unit is Unit.WEEKEND else timedelta())
        return between(first, monday + 6 * DAY, unit.value)
    if unit is Unit.SEASON:
        index = day.month % _DECEMBER // 3
        return of_season(day.year + (day.month == _DECEMBER), Season(index), astronomical=False)
    if unit in _MONTHS_IN:
        size = _MONTHS_IN[unit]
        first = date(day.year, (day.month - 1) // size * size + 1, 1)
        return between(first, add_months(first, size) - DAY, unit.value)
    years = 100 if unit is Unit.CENTURY else 10
    # The twenty-first century began in 2001, the twenties in 2020.
    offset = 1 if unit is Unit.CENTURY else 0
    start = (day.year - offset) // years * years + offset
    return between(date(start, 1, 1), date(start + years - 1, _DECEMBER, 31), unit.value)


def shifted(today: date, unit: Unit, shift: int) -> Period:
    """The unit that lies that many units from the present one: last week, this year."""
    if unit is Unit.SEASON:
        return around(add_months(today, 3 * shift), unit)
    anchor = today.replace(day=1) if unit not in {Unit.DAY, Unit.WEEK, Unit.WEEKEND} else today
    return around(add_units(anchor, unit, shift), unit)
