"""Finds the period that a question asks about, in Russian and in English, without a clock.

An archive is asked about the past: «в понедельник» is the last one, «в марте» the latest March
that has begun. What is said of days to come is taken as said.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo

from agent.dates.elsewhere import find_foreign
from agent.dates.finding import find
from agent.dates.reading import read

__all__ = ["NO_DATES", "DateFilter", "find_dates"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DateFilter:
    """The days that a question asks about.

    Attributes:
        from_on: The first day, None for an open beginning.
        to_on: The last day, counted in, None for an open end.
        phrase: The words of the question that say so, as they stand there, several joined by
            " … "; None when there is no date filter.
        kind: What they name: "day", "week", "weekend", "month", "quarter", "half", "season",
            "year", "decade", "century", "holiday", "interval", "since", "after", "until" or
            "before"; None when there is no date filter.
        spans: Where the phrases stand: ``text[start:end]`` in code points, in reading order.
    """

    from_on: date | None
    to_on: date | None
    phrase: str | None
    kind: str | None
    spans: tuple[tuple[int, int], ...] = ()


NO_DATES = DateFilter(from_on=None, to_on=None, phrase=None, kind=None)


def find_dates(text: str, *, now: datetime | date, zone: tzinfo = UTC) -> DateFilter:
    """The days that a question asks about, or `NO_DATES`.

    Args:
        text: The question, or a date phrase alone.
        now: When it is asked: an aware time, or the asker's day itself.
        zone: Where the asker lives; it turns the time into a day.

    Returns:
        Inclusive days. A range that the calendar lacks, such as 30 February, is no date.
    """
    today = now.astimezone(zone).date() if isinstance(now, datetime) else now
    words = read(text, today=today)
    dated = find(words)
    if dated is None:
        foreign = find_foreign(text)
        if foreign is None:
            return NO_DATES
        period = foreign.period
        spans: tuple[tuple[int, int], ...] = ((foreign.start, foreign.end),)
    else:
        period = dated.period
        spans = tuple((words[item.start].start, words[item.end - 1].end) for item in dated.phrases)
    return DateFilter(
        from_on=period.first,
        to_on=period.last,
        phrase=" … ".join(text[start:end] for start, end in spans),
        kind=period.kind,
        spans=spans,
    )
