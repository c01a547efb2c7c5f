"""Reads ranges: «с 5 по 10 мая», "July 13-15", «март-апрель», "between June 3 and 8"."""

from __future__ import annotations

import re

from agent.dates.grammar import numbers
from agent.dates.grammar.found import Found, Phrase
from agent.dates.grammar.points import point
from agent.dates.meanings import Role
from agent.dates.nodes import DayOfMonth, Fixed, Node, Yearly
from agent.dates.stretches import Range
from agent.dates.tokens import Words, unit_at

LEADING = (Role.IN, Role.THE, Role.ALL, Role.OVER)
"""What may stand before a date without changing it."""

_PADDED = re.compile(r"[0-9]{1,2}[./][0-9]{2}")


def span(words: Words, at: int) -> Phrase | None:
    """From one date to another: «с 5 по 10 мая», "July 13-15", «март-апрель»."""
    start = words.skip(at, *LEADING)
    is_between = words[start].has(Role.BETWEEN)
    is_opened = is_between or words[start].has(Role.SINCE, Role.FROM)
    core = words.skip(start + is_opened, Role.THE)
    for left in _left_ends(words, core):
        is_list = is_between or isinstance(left.node, DayOfMonth)  # «5 и 6 мая»
        joint = _joint(words, left.end, is_list=is_list)
        right = _right_end(words, joint, left) if joint else None
        if right:
            node, end = right
            # «14.10 - 15.10» alone may be anything; with «с» or a full date it is dates.
            is_full = words[end - 1].shape in {"dmy", "ymd"}
            is_firm = is_opened or is_full or not _is_figure(words, core)
            is_firm = is_firm and not (_is_figure(words, core) and is_clock(words, core))
            return Phrase(node=node, start=at, core=core, end=end, is_firm=is_firm)
    return None


def _left_ends(words: Words, at: int) -> list[Found]:
    """The readings of a range's left end: a date, or the bare number of a day or a year."""
    ends = []
    found = point(words, at)
    if found:
        ends.append(found)
    number = numbers.day_number(words, at)
    if number:
        ends.append(Found(node=DayOfMonth(day=number[0]), end=words.skip_mark(number[1], ".")))
    return ends


def _joint(words: Words, at: int, *, is_list: bool) -> int | None:
    """The place after what joins the two ends."""
    token = words[at]
    is_joint = token.is_dash or token.norm == "/" or token.has(Role.TO)
    if not is_joint and not (is_list and token.has(Role.AND)):
        return None
    return words.skip(at + 1, Role.THE)


def _right_end(words: Words, at: int, left: Found) -> tuple[Node, int] | None:
    found = point(words, at)
    if isinstance(left.node, DayOfMonth):
        return _completed_left(left.node, found) if found else None
    number = numbers.day_number(words, at)
    # "July 13 to 15", and not "July 13 to August 2".
    if isinstance(left.node, Yearly) and left.node.month and number and not left.node.is_month:
        is_longer = found is not None and found.end > number[1]
        if not is_longer:
            right = DayOfMonth(day=number[0]).in_month(left.node.month)
            year = numbers.year(words, words.skip_mark(number[1], ","))
            if year:
                right = right.in_year(year[0])
            return Range(left=left.node, right=right), year[1] if year else number[1]
    if found is None or not _can_join(left.node, found.node):
        return None
    return Range(left=left.node, right=found.node), found.end


def _completed_left(left: DayOfMonth, right: Found) -> tuple[Node, int] | None:
    node = right.node
    if isinstance(node, DayOfMonth):  # «с 5 по 7 число»
        return Range(left=left, right=node), right.end
    if isinstance(node, Yearly) and node.month and not node.is_month:
        start = left.in_month(node.month)
        return Range(left=start, right=node), right.end
    if isinstance(node, Fixed) and node.period.kind == "day" and node.period.first:
        end = node.period.first
        start = left.in_month(end.month).in_year(end.year)
        return Range(left=start, right=node), right.end
    return None


def _can_join(left: Node, right: Node) -> bool:
    """A year joins a year: «2022-2024», but «май - 2024» is a heading."""
    if isinstance(left, Yearly) and isinstance(right, Fixed):
        return right.period.kind != "year"
    return True


def may_be_led(words: Words, at: int) -> bool:
    """«за 05.10» is a day; «в 10.1» is an hour or a version, «на 2.5» an amount."""
    if not _is_figure(words, at):
        return True
    is_padded = _PADDED.fullmatch(words[at].norm) is not None
    return is_padded and not is_clock(words, at) and unit_at(words, at + 1) is None


def _is_figure(words: Words, at: int) -> bool:
    return words[at].shape == "dm"


def is_clock(words: Words, at: int) -> bool:
    """Tells whether figures at the place stand for an hour: «в 10.1»."""
    return words[at - 1].norm in {"в", "at"}
