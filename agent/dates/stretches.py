"""Phrases made of other phrases: ranges, lists and open ends."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from agent.dates.counted import Weekday
from agent.dates.nodes import DayOfMonth, Fixed, Node, Present, Yearly
from agent.dates.periods import Period, add_months, between, of_day


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """From one phrase to another, or a list of phrases taken as one stretch.

    Attributes:
        is_list: «в октябре и ноябре»: each looks back by itself.
    """

    left: Node
    right: Node
    is_list: bool = False

    def resolve(self, present: Present) -> Period | None:
        """From the first day of the left to the last of the right, not before it."""
        left, right = _sharing_year(self.left, self.right)
        start = left.resolve(present)
        if start is None or start.first is None:
            return None
        following = None if self.is_list else _next_after(start.first, right)
        end = following or right.resolve(present)
        if end is None or end.last is None or end.first is None or start.last is None:
            return None
        if self.is_list:
            return between(min(start.first, end.first), max(start.last, end.last))
        return between(start.first, end.last) if start.first <= end.last else None


def listed(nodes: Sequence[Node]) -> Node:
    """All of the phrases as one stretch; the one year that is said of some is said of all."""
    said = {node.year for node in nodes if isinstance(node, Yearly) and node.year is not None}
    year = said.pop() if len(said) == 1 else None
    dated = [
        node.in_year(year)
        if isinstance(node, Yearly) and node.year is None and node.shift is None and year
        else node
        for node in nodes
    ]
    return functools.reduce(
        lambda left, right: Range(left=left, right=right, is_list=True), dated[1:], dated[0]
    )


def _next_after(day: date, node: Node) -> Period | None:
    """The first such days that end on the day or later, of a phrase that recurs."""
    match node:
        case Yearly(year=None, shift=None):
            same = node.of(day.year)
            return same if same and same.last and same.last >= day else node.of(day.year + 1)
        case DayOfMonth():
            month = day if node.day >= day.day else add_months(day.replace(day=1), 1)
            return of_day(month.replace(day=node.day))
        case Weekday(shift=None):
            return of_day(day + timedelta(days=(node.weekday - day.weekday()) % 7))
        case _:
            return None


def _sharing_year(left: Node, right: Node) -> tuple[Node, Node]:
    """Carries the year over: «с октября по март 2024», «с октября 2023 по март»."""
    if isinstance(left, Yearly) and isinstance(right, Fixed) and right.period.first:
        right = _of_one_year(right.period, right.period.first.year)
    if not isinstance(left, Yearly) or not isinstance(right, Yearly):
        return left, right
    if left.year is None and left.shift is None and right.year is not None:
        same = left.in_year(right.year)
        return (same if _in_order(same, right) else left.in_year(right.year - 1)), right
    if right.year is None and right.shift is None and left.year is not None:
        same = right.in_year(left.year)
        return left, (same if _in_order(left, same) else right.in_year(left.year + 1))
    return left, right


def _in_order(left: Yearly, right: Yearly) -> bool:
    """Tells whether the one begins before the other ends; both of known years."""
    if left.year is None or right.year is None:
        return False
    starts, ends = left.of(left.year), right.of(right.year)
    if starts is None or ends is None or starts.first is None or ends.last is None:
        return False
    return starts.first <= ends.last


def _of_one_year(period: Period, year: int) -> Yearly:
    return Yearly(make=lambda _: period, year=year)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenEnd:
    """Since, after, until or before a phrase.

    Attributes:
        side: "since", "after", "until" or "before"; the first and third count the phrase in.
    """

    side: str
    node: Node

    def resolve(self, present: Present) -> Period | None:
        """Days open at one end."""
        period = self.node.resolve(present)
        if period is None or period.first is None or period.last is None:
            return None
        day = timedelta(days=1)
        match self.side:
            case "since":
                return Period(first=period.first, last=None, kind="since")
            case "after":
                return Period(first=period.last + day, last=None, kind="after")
            case "before" if period.first != present.today:
                return Period(first=None, last=period.first - day, kind="before")
            case _:
                return Period(first=None, last=period.last, kind="until")
