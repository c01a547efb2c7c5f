"""Turns the days of a question into the times that a search compares."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Protocol

from agent.dates import DateFilter
from agent.planning.words import Span


class FindDates(Protocol):
    """Finds the period that a text asks about; `agent.dates.find_dates` is the real one."""

    def __call__(self, text: str, *, now: datetime, zone: tzinfo) -> DateFilter:
        """The days, both counted in, and where the text says so."""


def dates_of(text: str, hidden: list[Span], find_dates: FindDates, now: datetime) -> DateFilter:
    """The period of a question; nothing is looked for in the hidden pieces («Сентябрь горит»).

    Raises:
        ValueError: `now` has no zone.
    """
    if now.tzinfo is None:
        raise ValueError("the time of a question has to be aware")
    masked = text
    for start, end in hidden:
        masked = masked[:start] + "x" * (end - start) + masked[end:]
    return find_dates(masked, now=now, zone=now.tzinfo)


def starts_at(day: date, zone: tzinfo) -> datetime:
    """The first moment of a day in a zone, in UTC."""
    return datetime.combine(day, time.min, tzinfo=zone).astimezone(UTC)


def bounds(period: DateFilter, zone: tzinfo) -> tuple[datetime | None, datetime | None]:
    """The period as half-open aware UTC times; None where it is open."""
    return (
        _or_open(starts_at, period.from_on, zone),
        _or_open(_ends_before, period.to_on, zone),
    )


def _ends_before(day: date, zone: tzinfo) -> datetime:
    return starts_at(day + timedelta(days=1), zone)


def _or_open(
    of: Callable[[date, tzinfo], datetime], day: date | None, zone: tzinfo
) -> datetime | None:
    if day is None:
        return None
    try:
        return of(day, zone)
    except OverflowError:  # the calendar ends there: as good as open
        return None
