"""Reads cardinals, ordinals and years, in figures and in words."""

from __future__ import annotations

from agent.dates.meanings import Role, Unit
from agent.dates.tokens import Words, unit_at

_THOUSAND = 1000
_HUNDRED = 100
_TEN = 10
_NO_LIMIT = 10 * _THOUSAND
_FIRST_YEAR, _LAST_YEAR = 1800, 2199
_LATEST_SHORT_YEAR = (
    69  # two figures up to this one are of the 2000s, as POSIX strptime reads them
)
_MAX_DAY = 31

Number = tuple[int, int]
"""A value and the place after it."""


def cardinal(words: Words, at: int) -> Number | None:
    """A count: "3", «три», "twenty-five", «две тысячи десять»."""
    token = words[at]
    if token.shape == "plain" and token.value is not None:
        return None if token.is_ordinal or token.is_plural else (token.value, at + 1)
    if token.shape == "dm" and unit_at(words, at + 1):  # "1.5 days"
        return int(token.norm.replace("/", ".").split(".")[0]), at + 1
    if token.norm in {"a", "an"} and (words[at + 1].meaning.number or 0) > 1:  # "a few"
        return cardinal(words, at + 1)
    return _spelled(words, at)


def _spelled(words: Words, at: int) -> Number | None:
    total, smallest, place = 0, _NO_LIMIT, at
    while (value := words[place].meaning.number) is not None:
        if _multiplies(total, value):
            total, smallest = total * value, value
        elif _may_follow(smallest, value):
            total, smallest = total + value, value
        else:
            break
        place = words.skip_mark(place + 1, "-") if _is_tens(value) else place + 1
    while place > at and words[place - 1].shape == "mark":
        place -= 1
    return (total, place) if place > at else None


def _multiplies(total: int, value: int) -> bool:
    """Two thousand, five hundred."""
    return (value == _THOUSAND and 0 < total < _HUNDRED) or (
        value == _HUNDRED and 0 < total < _TEN
    )


def _may_follow(smallest: int, value: int) -> bool:
    """A hundred takes anything smaller, "twenty" only units; "three twenty" is two numbers."""
    if _is_tens(smallest):
        return value < _TEN
    return smallest >= _HUNDRED and value < smallest


def _is_tens(value: int) -> bool:
    return value % _TEN == 0 and _TEN < value < _HUNDRED


def ordinal(words: Words, at: int) -> Number | None:
    """A rank: "5th", «5-го», «пятое», «двадцать четвёртого», "III" where something says so."""
    token = words[at]
    if token.is_ordinal and token.value is not None:
        return token.value, at + 1
    if token.meaning.ordinal is not None:
        return token.meaning.ordinal, at + 1
    head = _spelled(words, at)
    if head is None:
        return None
    last = words.skip_mark(head[1], "-")
    tail = words[last].meaning.ordinal
    if tail is None or tail >= head[0] or not (_is_tens(head[0]) or head[0] >= _HUNDRED):
        return None
    return head[0] + tail, last + 1


def rank(words: Words, at: int) -> Number | None:
    """A rank written any way, plain figures included."""
    return ordinal(words, at) or (cardinal(words, at) if words[at].value is not None else None)


def day_number(words: Words, at: int) -> Number | None:
    """A day of a month, 1..31, in figures or as an ordinal."""
    found = rank(words, at)
    return found if found and 1 <= found[0] <= _MAX_DAY and not words[at].has(Role.SHY) else None


def year(words: Words, at: int) -> Number | None:
    """A year that is surely one: four figures of these centuries, or any with «год» after it."""
    found = rank(words, at) or cardinal(words, at)
    if found is None:
        return None
    value, end = found
    named = words.skip_mark(end, "-") if unit_at(words, end) is None else end
    is_named = unit_at(words, named) is Unit.YEAR
    if _FIRST_YEAR <= value <= _LAST_YEAR:
        return value, _after_year_word(words, named) if is_named else _after_era(words, end)
    # «в 24-м году», but not «24 года», an age.
    if is_named and value < _HUNDRED and ordinal(words, at):
        return full_year(value), _after_year_word(words, named)
    return None


def _after_year_word(words: Words, at: int) -> int:
    return words.skip_mark(at + 1, ".") if words[at].norm in {"г", "гг"} else at + 1


def _after_era(words: Words, at: int) -> int:
    """The place after "AD" or "A.D."."""
    if words[at].text == "AD":
        return at + 1
    spelled = "".join(words[at + i].text for i in range(4))
    return at + 4 if spelled == "A.D." else at


def full_year(short: int) -> int:
    """The year that two figures stand for."""
    if short >= _HUNDRED:
        return short
    return short + (2000 if short <= _LATEST_SHORT_YEAR else 1900)
