"""How exactly periods in words are understood: `citegram eval dates`."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any

from agent.dates import DateFilter, find_dates
from agent.evaluation.metrics import percentile

_NOON = 12
"""When a day is asked on that has no time."""

Days = tuple[str | None, str | None]
"""First and last day, ISO 8601; None for an open end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was understood of one row.

    Attributes:
        expected: Any of these is right; none: the row says nothing of what is.
    """

    id: str
    kind: str
    found: DateFilter
    expected: tuple[Days, ...]
    spent_ms: float

    @property
    def days(self) -> Days:
        """The days that were understood."""
        return _iso(self.found.from_on), _iso(self.found.to_on)

    @property
    def is_right(self) -> bool:
        """Whether they are exactly those of the row."""
        return self.days in self.expected


def run_dates(rows: Sequence[dict[str, Any]], zone: tzinfo) -> list[Outcome]:
    """Reads every row's text as a question of its day.

    A row without `from` and `to` is a text that is no date filter; one without `now` is asked
    now. `past`, where it stands, is the answer of an archive, which looks back, and as right as
    the row's own.
    """
    return [_outcome(row, zone) for row in rows]


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The share that is exactly right, by kind, and the time it took; as JSON."""
    by_kind: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        by_kind[one.kind].append(one)
    spent = [one.spent_ms for one in outcomes]
    return {
        "rows": len(outcomes),
        "exact": _share(outcomes),
        "by_kind": {
            kind: {"rows": len(some), "exact": _share(some)}
            for kind, some in sorted(by_kind.items())
        },
        "latency_ms": {
            "p50": round(percentile(spent, 0.5), 2),
            "p95": round(percentile(spent, 0.95), 2),
        },
    }


def rows_of(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A line for each row: its id and the days."""
    return [
        {
            "id": one.id,
            "from": one.days[0],
            "to": one.days[1],
            "phrase": one.found.phrase,
            "kind": one.found.kind,
        }
        for one in outcomes
    ]


def _outcome(row: dict[str, Any], zone: tzinfo) -> Outcome:
    moment = datetime.fromisoformat(row["now"]) if row.get("now") else datetime.now(zone)
    if moment.tzinfo is None:
        moment = moment.replace(hour=moment.hour or _NOON, tzinfo=zone)
    started_at = time.perf_counter()
    found = find_dates(row["text"], now=moment, zone=zone)
    spent_ms = (time.perf_counter() - started_at) * 1000
    expected = [(row.get("from"), row.get("to"))]
    if row.get("past"):
        expected.append(_days(row["past"]))
    is_period = any(expected[0])
    return Outcome(
        id=str(row["id"]),
        kind=row.get("kind") or ("period" if is_period else "no filter"),
        found=found,
        expected=tuple(expected),
        spent_ms=spent_ms,
    )


def _days(past: dict[str, str | None] | Sequence[str | None]) -> Days:
    if isinstance(past, dict):
        return past.get("from"), past.get("to")
    first, last = past
    return first, last


def _share(outcomes: Sequence[Outcome]) -> float:
    return round(sum(one.is_right for one in outcomes) / len(outcomes), 4)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
