"""Phrases that are counted from the present day: weekdays, parts of the present unit, windows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from agent.dates.meanings import Part, Unit
from agent.dates.nodes import Present
from agent.dates.parts import part_of
from agent.dates.periods import Period, add_units, between, of_day, shifted


@dataclass(frozen=True, slots=True, kw_only=True)
class Weekday:
    """A weekday, counted from the present.

    Attributes:
        weekday: 0 is Monday.
        shift: None for the latest that has come, -1 for the last before today.
        next_is_of_next_week: "next Wednesday" on a Tuesday is eight days off in English; in
            Russian it is tomorrow.
    """

    weekday: int
    shift: int | None = None
    next_is_of_next_week: bool = False

    def resolve(self, present: Present) -> Period | None:
        """The day."""
        today = present.today
        monday = today - timedelta(days=today.weekday())
        this = monday + timedelta(days=self.weekday)
        if self.shift == 0:
            return of_day(this)
        if self.shift is None:
            return of_day(this if this <= today else this - timedelta(weeks=1))
        if self.shift < 0:
            last = this if this < today else this - timedelta(weeks=1)
            return of_day(last + timedelta(weeks=self.shift + 1))
        if self.shift == 1 and self.next_is_of_next_week:
            return of_day(this + timedelta(weeks=1))
        coming = this if this > today else this + timedelta(weeks=1)
        return of_day(coming + timedelta(weeks=self.shift - 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentPart:
    """A part of the present month, week or year: "the end of the month"."""

    unit: Unit
    part: Part
    is_russian: bool

    def resolve(self, present: Present) -> Period | None:
        """That of the present unit; within a question the latest that has begun."""
        for shift in (0, -1):
            whole = shifted(present.today, self.unit, shift)
            period = part_of(whole, self.part, is_russian=self.is_russian)
            if present.is_alone or (period and period.first and period.first <= present.today):
                return period
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The last, or the next, few units.

    Attributes:
        is_rolling: Said to reach to now: «за последние», "over the past".
    """

    unit: Unit
    count: int
    is_ahead: bool
    is_rolling: bool

    def resolve(self, present: Present) -> Period | None:
        """The days; a window within a question reaches to today.

        A bare "last 2 weeks" and the next few units are counted in whole units of the calendar.
        """
        today = present.today
        if self.is_ahead:
            nearest, farthest = shifted(today, self.unit, 1), shifted(today, self.unit, self.count)
            return _hull(nearest, farthest)
        if self.unit is Unit.HOUR:
            return between(today - timedelta(days=-(-self.count // 24)), today)
        if self.is_rolling or not present.is_alone:
            if self.unit is Unit.WEEKEND:
                return _hull(shifted(today, self.unit, -self.count), shifted(today, self.unit, -1))
            return between(add_units(today, self.unit, -self.count) + timedelta(days=1), today)
        return _hull(shifted(today, self.unit, -self.count), shifted(today, self.unit, -1))


def _hull(first: Period, last: Period) -> Period:
    assert first.first
    assert last.last
    return between(first.first, last.last)
