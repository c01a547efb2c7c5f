"""What a date phrase says before the present day is known to have settled its missing year."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from agent.dates.meanings import Unit
from agent.dates.periods import Period, of_day, of_month, shifted

_YEARS_BACK = 12  # how far a yearly date is looked for; any that exists recurs sooner


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """The day of the question, and whether the phrase is all that was said."""

    today: date
    is_alone: bool


class Node(Protocol):
    """A date phrase that a present day turns into days."""

    def resolve(self, present: Present) -> Period | None:
        """The days; None where the calendar has none such, as 30 February."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """Days that need nothing more."""

    period: Period

    def resolve(self, present: Present) -> Period | None:  # noqa: ARG002 - the Protocol's
        """The days themselves."""
        return self.period


@dataclass(frozen=True, slots=True, kw_only=True)
class Yearly:
    """What comes once a year: a day of a month, a month, a quarter, a season, a holiday.

    Attributes:
        make: Its days in a year; raises ValueError or gives None where that year has none.
        year: The year, if it was said.
        shift: Which one from now, if that was said: "last March" is -1.
        month: The month it lies in, for «с 5 по 10 мая» to complete its other end.
        is_month: It is the month itself.
        weekday: The weekday said beside a day; of the years where they agree the nearest counts.
    """

    make: Callable[[int], Period | None]
    year: int | None = None
    shift: int | None = None
    month: int | None = None
    is_month: bool = False
    weekday: int | None = None

    def resolve(self, present: Present) -> Period | None:
        """Its days in the year that was said, else the latest that have begun."""
        if self.year is not None:
            return self.of(self.year)
        if self.weekday is not None:
            return self._agreeing(present.today, self.weekday)
        if self.shift is None:
            return self._latest_begun(present.today)
        if self.shift == 0:
            return self._present_one(present.today)
        return self._counted(present.today, self.shift)

    def of(self, year: int) -> Period | None:
        """Its days in a year."""
        try:
            return self.make(year)
        except ValueError:
            return None

    def in_year(self, year: int) -> Yearly:
        """The same, of a given year."""
        return replace(self, year=year)

    def mapped(self, change: Callable[[Period], Period | None]) -> Yearly:
        """The same with its days changed: a part of them, the week around them."""

        def make(year: int) -> Period | None:
            period = self.make(year)
            return change(period) if period else None

        return replace(self, make=make)

    def _latest_begun(self, today: date) -> Period | None:
        for year in range(today.year + 1, today.year - _YEARS_BACK, -1):
            period = self.of(year)
            # A yearless 29 February counts only in a leap year: in others it is a slip.
            if period is None and year <= today.year:
                return None
            if period and period.first and period.first <= today:
                return period
        return None

    def _agreeing(self, today: date, weekday: int) -> Period | None:
        years = range(today.year - _YEARS_BACK, today.year + _YEARS_BACK)
        periods = (self.of(year) for year in years)
        days = [p.first for p in periods if p and p.first and p.first.weekday() == weekday]
        nearest = min(days, key=lambda day: abs(day - today), default=None)
        return of_day(nearest) if nearest else None

    def _present_one(self, today: date) -> Period | None:
        for year in (today.year - 1, today.year, today.year + 1):
            period = self.of(year)
            if period and period.holds(of_day(today)):
                return period
        return self.of(today.year)

    def _counted(self, today: date, shift: int) -> Period | None:
        years = range(today.year - _YEARS_BACK, today.year + _YEARS_BACK)
        periods = [period for year in years if (period := self.of(year))]
        if shift < 0:
            ended = [p for p in periods if p.last and p.last < today]
            return ended[shift] if len(ended) >= -shift else None
        ahead = [p for p in periods if p.first and p.first > today]
        return ahead[shift - 1] if len(ahead) >= shift else None


@dataclass(frozen=True, slots=True, kw_only=True)
class DayOfMonth:
    """A day by its number alone: «15-го числа», and the open ends of ranges."""

    day: int

    def resolve(self, present: Present) -> Period | None:
        """The latest such day that has come."""
        today = present.today
        months_back = 0 if self.day <= today.day else -1
        month = shifted(today, Unit.MONTH, months_back).first
        assert month is not None
        return of_day(month.replace(day=self.day))

    def in_month(self, month: int) -> Yearly:
        """The day in a month of a year not yet known."""
        return day_of_month(month, self.day)


def day_of_month(month: int, day: int) -> Yearly:
    """A day of a month, each year."""
    return Yearly(make=lambda year: of_day(date(year, month, day)), month=month)


def month(number: int) -> Yearly:
    """A month, each year."""
    return Yearly(make=lambda year: of_month(year, number), month=number, is_month=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """A phrase changed once its days are known: a part of last week, a day after Easter."""

    node: Node
    change: Callable[[Period], Period | None]

    def resolve(self, present: Present) -> Period | None:
        """The changed days."""
        period = self.node.resolve(present)
        return self.change(period) if period else None


def changed(node: Node, change: Callable[[Period], Period | None]) -> Node:
    """The phrase with its days changed, still of no year if it was of none."""
    return node.mapped(change) if isinstance(node, Yearly) else Around(node=node, change=change)
