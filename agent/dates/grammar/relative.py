"""Reads what is counted from the present: yesterday, last week, «позапрошлый месяц», weekdays."""

from __future__ import annotations

from datetime import timedelta

from agent.dates.counted import Weekday, Window
from agent.dates.grammar import numbers
from agent.dates.grammar.found import Found
from agent.dates.meanings import Role, Unit
from agent.dates.nodes import Fixed
from agent.dates.periods import DAY, Period, around, between, of_day, shifted
from agent.dates.tokens import Words, unit_at

_WINDOW_UNITS = frozenset(Unit) - {Unit.SEASON, Unit.CENTURY}


def named_day(words: Words, at: int) -> Found | None:
    """Yesterday, today and their neighbours; the time of the day is of no account."""
    start = words.skip(at, Role.THE)
    norm, shift = words[start].norm, words[start].meaning.day_shift
    if norm == "day" and words[start + 2].meaning.day_shift in {-1, 1}:
        is_before = words[start + 1].has(Role.BEFORE)
        is_after = words[start + 1].has(Role.AFTER)
        beside = words[start + 2].meaning.day_shift or 0
        if (is_before and beside < 0) or (is_after and beside > 0):
            return _day(words, 2 * beside, start + 3)
    if shift is not None:
        end = start + 1
        is_day = unit_at(words, end) is Unit.DAY and norm.endswith(
            ("ий", "его", "ему", "ем", "ие")
        )
        return _day(words, shift, end + is_day)
    shift = words[at].meaning.shift
    if shift in {-1, 0} and words[at + 1].has(Role.DAYTIME):  # "this morning", «прошлой ночью»
        return _day(words, shift, at + 2)
    return None


def _day(words: Words, shift: int, end: int) -> Found:
    return Found(node=Fixed(of_day(words.today + shift * DAY)), end=end)


def shifted_unit(words: Words, at: int) -> Found | None:
    """A whole unit told by its place from now: «на прошлой неделе», "the week before last"."""
    start = words.skip(at, Role.THE)
    token = words[start]
    unit = unit_at(words, start)
    if unit and words[start + 1].has(Role.BEFORE, Role.AFTER):
        shift = {"last": -2, "next": 2}.get(words[start + 2].norm)
        return _unit(words, unit, shift, start + 3) if shift else None
    shift = token.meaning.shift
    if token.norm == "this" and words[start + 1].norm == "past":
        shift, start = -1, start + 1
    if shift is None:
        return _bare_weekend(words, start)
    unit = unit_at(words, start + 1)
    if unit is None or unit is Unit.HOUR:
        return None
    if unit is Unit.DAY and shift == 0:  # «в этот день» is some day told before
        return None
    end = start + 2
    if token.has(Role.LATEST) and _reaches_now(words, at, start):
        return Found(node=_window(unit, 1, is_rolling=True), end=end)
    return _unit(words, unit, shift, end)


def _unit(words: Words, unit: Unit, shift: int, end: int) -> Found:
    return Found(node=Fixed(shifted(words.today, unit, shift)), end=end)


def _reaches_now(words: Words, at: int, start: int) -> bool:
    """«за последний месяц», "over the past week" do; "during last year" does not."""
    is_over = is_led_by_over(words, at)
    if words.is_russian:
        # «последний месяц» is always the one that ends now.
        return is_over or words[start].norm.startswith("последн")
    return is_over and (words[start - 1].has(Role.THE) or words[start].norm == "past")


def is_led_by_over(words: Words, at: int) -> bool:
    """Tells whether «за», "over" or their like stands before the place."""
    place = at - 1
    while words[place].has(Role.THE, Role.ALL):
        place -= 1
    return words[place].has(Role.OVER)


def _bare_weekend(words: Words, at: int) -> Found | None:
    """«на выходных»: the latest weekend that has begun."""
    if unit_at(words, at) is not Unit.WEEKEND:
        return None
    this = around(words.today, Unit.WEEKEND)
    is_begun = this.first is not None and this.first <= words.today
    period = this if is_begun else shifted(words.today, Unit.WEEKEND, -1)
    is_firm = words[at - 1].norm in {"на", "the", "over"} or words[at - 2].norm == "over"
    return Found(node=Fixed(period), end=at + 1, is_firm=is_firm)


def window(words: Words, at: int) -> Found | None:
    """Several units up to now or from now on: «за последние 10 дней», "next three weeks"."""
    start = words.skip(at, Role.THE)
    if words[start].meaning.shift == 0 and words[start + 1].has(Role.LATEST):  # "these last"
        start += 1
    shift = words[start].meaning.shift
    counted = numbers.cardinal(words, start + 1)
    if shift not in {-1, 1} or counted is None:
        # «за 3 последних дня», «за два прошедших месяца»
        counted = numbers.cardinal(words, start)
        if counted is None or not words[counted[1]].has(Role.LATEST):
            return None
        shift, counted = -1, (counted[0], counted[1] + 1)
    count, place = counted
    if words[place].norm == "of":  # "a couple of weeks"
        place += 1
    unit = unit_at(words, place)
    if unit not in _WINDOW_UNITS or count == 0:
        return None
    is_rolling = is_led_by_over(words, at)
    if shift > 0:
        return Found(
            node=Window(unit=unit, count=count, is_ahead=True, is_rolling=False), end=place + 1
        )
    return Found(node=_window(unit, count, is_rolling=is_rolling), end=place + 1)


def _window(unit: Unit, count: int, *, is_rolling: bool) -> Window:
    return Window(unit=unit, count=count, is_ahead=False, is_rolling=is_rolling)


def weekday(words: Words, at: int) -> Found | None:
    """A weekday: «в понедельник», "last Tuesday", "Friday after next", "Sunday from last week"."""
    start = words.skip(at, Role.THE)
    shift = words[start].meaning.shift
    place = start if shift is None else start + 1
    if words[start].norm == "this" and words[place].norm == "past":
        shift, place = -1, place + 1
    day = words[place].meaning.weekday
    if day is None or words[place].has(Role.PLURAL):
        return _weekday_of_week_before(words, at)
    end = words.skip_mark(place + 1, ".") if words[place].has(Role.SHY) else place + 1
    if shift is not None:
        return Found(node=_weekday(words, day, shift), end=end)
    if words[end].has(Role.AFTER) and words[end + 1].norm == "next":
        return Found(node=_weekday(words, day, 2), end=end + 2)
    week = _week(words, words.skip(words.skip_mark(end, ","), Role.OF, Role.THE))
    if week:
        return Found(node=_day_of(week[0], day), end=week[1])
    # "fifth Sunday" is none of a known month, "from the Sun" no Sunday.
    is_star = words[place].has(Role.SHY) and words[place - 1].has(Role.THE)
    if is_star or numbers.ordinal(words, at - 1):
        return None
    is_firm = not words[place].has(Role.SHY)
    return Found(node=_weekday(words, day, None), end=end, is_firm=is_firm)


def _weekday(words: Words, day: int, shift: int | None) -> Weekday:
    return Weekday(weekday=day, shift=shift, next_is_of_next_week=not words.is_russian)


def _week(words: Words, at: int) -> tuple[Period, int] | None:
    """A week told by its place from now, and the place after it."""
    found = shifted_unit(words, at)
    if found and isinstance(found.node, Fixed) and found.node.period.kind == "week":
        return found.node.period, found.end
    return None


def _weekday_of_week_before(words: Words, at: int) -> Found | None:
    """The week said first: "last week's Sunday", «на прошлой неделе в среду»."""
    week = _week(words, at)
    if week is None:
        return None
    place = words.skip(words.skip_mark(week[1], ","), Role.IN)
    day = words[place].meaning.weekday
    if day is None or words[place].has(Role.PLURAL):
        return None
    return Found(node=_day_of(week[0], day), end=place + 1)


def _day_of(week: Period, day: int) -> Fixed:
    assert week.first
    return Fixed(of_day(week.first + timedelta(days=day)))


def rest_of_unit(words: Words, at: int) -> Found | None:
    """From today to the end of the unit: "the rest of the week"; the whole: "all week"."""
    if words[at].has(Role.ALL) and words[at].norm == "all":
        place = words.skip(at + 1, Role.THE)
        unit = unit_at(words, place)
        if unit in {Unit.WEEK, Unit.MONTH, Unit.YEAR, Unit.WEEKEND}:
            return _unit(words, unit, 0, place + 1)
    if words[at].norm == "rest":
        place = words.skip(at + 1, Role.OF, Role.THE)
        unit = unit_at(words, place)
        last = around(words.today, unit).last if unit else None
        if last:
            return Found(node=Fixed(between(words.today, last)), end=place + 1)
    return None
