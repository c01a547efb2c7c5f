"""Reads distances from now or from another date: «три дня назад», "in a week", "a day after"."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from datetime import date, timedelta

from agent.dates.counted import Weekday
from agent.dates.grammar import numbers
from agent.dates.grammar.found import Found
from agent.dates.meanings import Role, Unit
from agent.dates.nodes import Around, Fixed
from agent.dates.periods import Period, add_units, around, of_day
from agent.dates.tokens import Words, unit_at

# «неделю назад» is one week; «дней назад» says no number.
_ONE = frozenset(
    {"день", "сутки", "неделю", "месяц", "квартал", "полгода", "год", "тиждень", "day"}
)
_MAX_SPANS = 4  # years, months, weeks and days
Amount = tuple[tuple[int, Unit], ...]
_ANCHOR_WORDS = frozenset({"now", "today"})


def offset(words: Words, at: int) -> Found | None:
    """A day, or for whole years a month, that lies so far from today."""
    is_ahead = words[at].has(Role.AHEAD) and words[at].norm != "within"
    read = amount(words, at + is_ahead, is_bare_allowed=words.is_russian)
    if read is None:
        return None
    spans, end = read
    if is_ahead:
        timed = words.skip_mark(end, "'’")  # "in three weeks' time"
        return _from_today(words, spans, 1, timed + 1 if words[timed].norm == "time" else end)
    return _with_direction(words, spans, words.skip(end, Role.ALL))


def _with_direction(words: Words, spans: Amount, at: int) -> Found | None:
    """The word after the amount tells which way it goes."""
    token = words[at]
    if token.has(Role.AGO):
        return _from_today(words, spans, -1, words.skip(at, Role.AGO))
    if token.has(Role.HENCE) and not words.is_russian:
        return _from_today(words, spans, 1, at + 1)
    place = words.skip(at + 1, Role.ALL)
    if token.norm == "from" and words[place].norm in _ANCHOR_WORDS:
        return Found(node=Fixed(of_day(_moved(words.today, spans, 1))), end=place + 1)
    # "4 days before" what? If nothing follows, before now.
    if token.norm == "before" and words[at + 1].shape in {"end", "mark"}:
        return _from_today(words, spans, -1, at + 1)
    return None


def amount(words: Words, at: int, *, is_bare_allowed: bool) -> tuple[Amount, int] | None:
    """An amount of time: «три дня», "1 year, 2 months", «неделю» where a bare unit will do."""
    if words[at].has(Role.HALF) and unit_at(words, at + 2) is Unit.YEAR:  # "half a year"
        return ((1, Unit.HALF),), at + 3
    spans: list[tuple[int, Unit]] = []
    place = at
    while len(spans) < _MAX_SPANS:
        counted = numbers.cardinal(words, place)
        # «дня три назад»
        unit = unit_at(words, place)
        turned = numbers.cardinal(words, place + 1) if unit and words.is_russian else None
        if counted and unit_at(words, _after_of(words, counted[1])):
            is_half_more = words[place].norm.startswith("полтор")
            place = _after_of(words, counted[1])
            spans.extend(_counted(counted[0], _unit(words, place), is_half_more=is_half_more))
            place += 1
        elif unit and turned and not spans:
            spans.append((turned[0], unit))
            place = turned[1]
        elif unit and not spans and is_bare_allowed and words[place].norm in _ONE:
            spans.append((1, unit))
            place += 1
        else:
            break
        place = words.skip_mark(place, ",")
    if not spans:
        return None
    if words[place - 1].norm == ",":
        place -= 1
    if words[place].norm == "and" and words[place + 2].has(Role.HALF):  # "a year and a half"
        return _counted(*spans[0], is_half_more=True), place + 3
    return tuple(spans), place


def _counted(count: int, unit: Unit, *, is_half_more: bool) -> Amount:
    half = {Unit.YEAR: (6, Unit.MONTH), Unit.MONTH: (2, Unit.WEEK)}.get(unit)
    return ((count, unit), half) if is_half_more and half else ((count, unit),)


def _after_of(words: Words, at: int) -> int:
    return at + 1 if words[at].norm == "of" else at


def _unit(words: Words, at: int) -> Unit:
    unit = unit_at(words, at)
    assert unit is not None
    return unit


def _moved(day: date, spans: Sequence[tuple[int, Unit]], direction: int) -> date:
    for count, unit in spans:
        day = add_units(day, unit, direction * count)
    return day


def _from_today(words: Words, spans: Amount, direction: int, end: int) -> Found | None:
    if any(unit is Unit.HOUR and count < 24 for count, unit in spans):  # noqa: PLR2004 - within the day
        return None
    day = _moved(words.today, spans, direction)
    # «два года назад» means some days around then, not one of them.
    is_vague = len(spans) == 1 and spans[0][1] is Unit.YEAR
    return Found(node=Fixed(around(day, Unit.MONTH) if is_vague else of_day(day)), end=end)


def weekdays_off(words: Words, at: int) -> Found | None:
    """So many weekdays back or on: "2 Thursdays ago", "three Fridays from now"."""
    counted = numbers.cardinal(words, at)
    day = words[counted[1]].meaning.weekday if counted else None
    if counted is None or day is None or not counted[0]:
        return None
    count, place = counted
    if words[place + 1].has(Role.AGO):
        return Found(node=Weekday(weekday=day, shift=-count), end=place + 2)
    if words[place + 1].norm == "from" and words[place + 2].norm in _ANCHOR_WORDS:
        return Found(node=Weekday(weekday=day, shift=count), end=place + 3)
    return None


def beside(anchor: Found, direction: int, spans: Amount) -> Found:
    """The day so far before or after another date: "three days after Easter"."""
    move = functools.partial(_beside, spans=spans, direction=direction)
    return Found(node=Around(node=anchor.node, change=move), end=anchor.end)


def _beside(period: Period, *, spans: Amount, direction: int) -> Period | None:
    edge = period.first if direction < 0 else period.last
    return of_day(_moved(edge, spans, direction)) if edge else None


def weekday_after(period: Period, *, weekday: int, count: int) -> Period | None:
    """The nth such weekday after a period."""
    if period.last is None:
        return None
    days = (weekday - period.last.weekday() - 1) % 7 + 1 + 7 * (count - 1)
    return of_day(period.last + timedelta(days=days))
