"""Reads one date phrase without its preposition: a day, a period or a part of one."""

from __future__ import annotations

import functools

from agent.dates.counted import CurrentPart
from agent.dates.grammar import days, figures, named, numbers, offsets, relative, years
from agent.dates.grammar.found import Found, Rule, longest
from agent.dates.grammar.holidays import begins_holiday, holiday
from agent.dates.lexicon_en import DECADES
from agent.dates.meanings import NOTHING, Part, Role, Unit
from agent.dates.nodes import Fixed, Node, changed
from agent.dates.parts import part_of
from agent.dates.tokens import Words, unit_at

_ABBREVIATED = {
    "eom": (Unit.MONTH, Part.END), "bom": (Unit.MONTH, Part.START),
    "eoy": (Unit.YEAR, Part.END), "boy": (Unit.YEAR, Part.START),
    "eow": (Unit.WEEK, Part.END),
}  # fmt: skip
_OTHER_BEGINNINGS = frozenset({"ides", "rest", *DECADES, *years.ROMAN_CENTURIES})
_PARTED = frozenset({Unit.DAY, Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR})
_DECADS = {1: Part.START, 2: Part.MIDDLE, 3: Part.END}


def point(words: Words, at: int) -> Found | None:
    """The longest reading of a single date phrase at the place."""
    if at not in words.readings:
        words.readings[at] = longest(_RULES, words, at) if _may_begin(words, at) else None
    found = words.readings[at]
    assert found is None or isinstance(found, Found)
    return found


def _may_begin(words: Words, at: int) -> bool:
    """Spares the rules the words that begin no date, which most are."""
    token = words[at]
    if token.shape == "word":
        return (
            token.meaning is not NOTHING
            or begins_holiday(token)
            or token.norm in _ABBREVIATED
            or token.norm in _OTHER_BEGINNINGS
        )
    return token.shape not in {"mark", "odd", "end"}


def _part(words: Words, at: int) -> Found | None:
    """A part of a period: «в начале марта», "mid-April", «во второй половине мая»."""
    start = words.skip(at, Role.THE, Role.ALL)
    read = _part_name(words, start)
    if read is None:
        return None
    part, end = read
    place = words.skip(words.skip_mark(end, "-"), Role.THE, Role.ALL)
    while words[place].norm in {"of", "the", "in"} or words[place].has(Role.ALL):
        place += 1
    whole = longest(_WHOLES, words, place)
    is_russian = words[start].norm > "z"
    if whole:
        cut = functools.partial(part_of, part=part, is_russian=is_russian)
        return Found(node=changed(whole.node, cut), end=whole.end)
    unit = unit_at(words, place)
    if unit in _PARTED:
        return Found(node=CurrentPart(unit=unit, part=part, is_russian=is_russian), end=place + 1)
    return None


def _part_name(words: Words, at: int) -> tuple[Part, int] | None:
    part = words[at].meaning.part
    if part:
        return part, at + 1
    found = numbers.ordinal(words, at)
    if found is None:
        return None
    number, end = found
    if words[end].has(Role.HALF) and number in {1, 2}:
        return (Part.FIRST_HALF if number == 1 else Part.SECOND_HALF), end + 1
    # «первая декада мая» is ten days.
    if words[end].norm.startswith("декад") and number in _DECADS:
        return _DECADS[number], end + 1
    return None


def _abbreviated(words: Words, at: int) -> Found | None:
    start = words.skip(at, Role.THE)
    named_part = _ABBREVIATED.get(words[start].norm) if words[start].text.isupper() else None
    if named_part is None:
        return None
    unit, part = named_part
    return Found(node=CurrentPart(unit=unit, part=part, is_russian=False), end=start + 1)


def _beside(words: Words, at: int) -> Found | None:
    """A day told by its distance from another: "three days after Easter"."""
    start = words.skip(at, Role.THE, Role.AHEAD)
    weekday_count = numbers.ordinal(words, start)
    if weekday_count and words[weekday_count[1]].meaning.weekday is not None:
        return _weekday_after(words, weekday_count)
    is_bare_allowed = words.is_russian or words[start - 1].has(Role.THE)  # "the day after"
    read = offsets.amount(words, start, is_bare_allowed=is_bare_allowed)
    if read is None or words[read[1]].norm not in {"after", "before", "после", "до", "from"}:
        return None
    spans, end = read
    direction = -1 if words[end].has(Role.BEFORE) else 1
    anchor = longest(_ANCHORS, words, words.skip(end + 1, Role.THE))
    return offsets.beside(anchor, direction, spans) if anchor else None


def _weekday_after(words: Words, counted: tuple[int, int]) -> Found | None:
    """So many weekdays after a date: "the third Tuesday after Christmas"."""
    count, place = counted
    day = words[place].meaning.weekday
    if day is None or not words[place + 1].has(Role.AFTER):
        return None
    anchor = longest(_ANCHORS, words, words.skip(place + 2, Role.THE))
    if anchor is None:
        return None
    return Found(node=_weekdays_after(anchor.node, day, count), end=anchor.end)


def _weekdays_after(node: Node, weekday: int, count: int) -> Node:
    return changed(node, functools.partial(offsets.weekday_after, weekday=weekday, count=count))


def _shifted_whole(words: Words, at: int) -> Found | None:
    """A whole unit that can have parts; windows can't."""
    found = relative.shifted_unit(words, at)
    return found if found and isinstance(found.node, Fixed) else None


_WHOLES: tuple[Rule, ...] = (
    days.month_alone,
    years.year,
    named.quarter_or_half,
    named.season,
    named.century_or_decade,
    _shifted_whole,
)
_ANCHORS: tuple[Rule, ...] = (figures.figures, days.day_and_month, holiday)
_RULES: tuple[Rule, ...] = (
    figures.figures,
    days.day_and_month,
    days.day_of_unnamed_month,
    days.weekday_and_day,
    days.month_alone,
    named.first_few_of,
    named.nth_of,
    named.quarter_or_half,
    named.season,
    named.week_around,
    named.numbered_week,
    named.century_or_decade,
    holiday,
    relative.named_day,
    relative.weekday,
    relative.shifted_unit,
    relative.window,
    relative.rest_of_unit,
    offsets.offset,
    offsets.weekdays_off,
    years.year,
    _part,
    _abbreviated,
    _beside,
)
