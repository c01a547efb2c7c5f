"""Reads years, decades and centuries, and the year that follows a yearly date."""

from __future__ import annotations

from datetime import date

from agent.dates.grammar import numbers
from agent.dates.grammar.found import Found
from agent.dates.lexicon_en import DECADES
from agent.dates.meanings import Role, Unit
from agent.dates.nodes import Fixed, Yearly
from agent.dates.periods import between, of_year
from agent.dates.tokens import Words, unit_at

ROMAN_CENTURIES = {"xviii": 18, "xix": 19, "xx": 20, "xxi": 21}
_PLURAL_ENDINGS = ("ые", "ых", "ым", "ыми")
_SHORT_YEAR_CHARS = 2
_FIRST_DECADE = 1500


def year(words: Words, at: int) -> Found | None:
    """A year: "2022", «2022 год», «в 24-м году»; firm where something besides figures says so."""
    found = numbers.year(words, at)
    if found is None or words[at].is_plural:
        return None
    value, end = found
    is_named = unit_at(words, end - 1) is Unit.YEAR or words[end - 1].norm == "."
    return Found(node=Fixed(of_year(value)), end=end, is_firm=is_named or words[at].is_ordinal)


def decade(words: Words, at: int) -> Found | None:
    """A decade: «в 90-х», "the 2010s", «девяностые годы», "the nineties"."""
    token = words[at]
    value = token.value if token.is_plural else DECADES.get(token.norm)
    # «90-е шоссе» is none; "the 90s" and «в 90-х» are.
    is_firm = words[at - 1].has(Role.THE)
    if value is None and token.norm.endswith(_PLURAL_ENDINGS):
        spelled = token.meaning.ordinal
        value = spelled if spelled and (spelled >= 20 and spelled % 10 == 0) else None  # noqa: PLR2004 - tens
    if value is None or 100 <= value < _FIRST_DECADE:  # noqa: PLR2004 - two figures
        return None
    if value < 100:  # noqa: PLR2004 - two figures
        # The twenties are this century's; the thirties are still the last one's.
        value += 2000 if value <= words.today.year % 100 // 10 * 10 else 1900
    end = at + 1
    if unit_at(words, end) is Unit.YEAR:
        end, is_firm = end + 1, True
    first, last = date(value, 1, 1), date(value + 9, 12, 31)
    return Found(node=Fixed(between(first, last, "decade")), end=end, is_firm=is_firm)


def century(words: Words, at: int) -> Found | None:
    """A century: «XX век», «в 19-м веке», "the 21st century"."""
    roman = ROMAN_CENTURIES.get(words[at].norm)
    found = (roman, at + 1) if roman else numbers.rank(words, at)
    if not found or not 1 <= found[0] <= 21 or unit_at(words, found[1]) is not Unit.CENTURY:  # noqa: PLR2004 - ours
        return None
    first = date(found[0] * 100 - 99, 1, 1)
    last = date(found[0] * 100, 12, 31)
    return Found(node=Fixed(between(first, last, "century")), end=found[1] + 1)


def with_year(words: Words, node: Yearly, end: int, *, is_firm: bool) -> Found:
    """A yearly date with the year that follows it, if one does.

    "of last year", «2024 года», «в 1989 году», "in 1 year", «через год» are such years.
    """
    found = year_after(words, end)
    if found is None:
        return Found(node=node, end=end, is_firm=is_firm)
    return Found(node=node.in_year(found[0]), end=found[1])


def year_after(words: Words, at: int) -> tuple[int, int] | None:
    """The year that stands at the place, commas and "of" before it skipped, and its end."""
    place = words.skip_mark(at, ".") if words[at].start == words[at - 1].end else at
    place = words.skip_mark(place, ",")
    if words[place].norm in {"'", "’"}:  # "Oct '23"
        return short_year_after(words, place + 1)
    start = words.skip(place, Role.OF, Role.THE)
    return _said_year(words, start) or _relative_year(words, start) or _years_off(words, place)


def _said_year(words: Words, at: int) -> tuple[int, int] | None:
    if words[at].is_plural or words[at].start == words[at - 1].end:
        return None
    return numbers.year(words, at) or _short_named_year(words, at)


def _short_named_year(words: Words, at: int) -> tuple[int, int] | None:
    """«в мае 23 года»; by itself «23 года» is an age."""
    value = words[at].value
    if value is None or len(words[at].norm) != _SHORT_YEAR_CHARS:
        return None
    if words[at + 1].norm not in {"год", "года", "году", "г"}:
        return None
    return numbers.full_year(value), words.skip_mark(at + 2, ".")


def _relative_year(words: Words, at: int) -> tuple[int, int] | None:
    shift = words[at].meaning.shift
    if shift is None or unit_at(words, at + 1) is not Unit.YEAR:
        return None
    return words.today.year + shift, at + 2


def _years_off(words: Words, at: int) -> tuple[int, int] | None:
    """The year so far from now: "in a year", «через год», «два года назад»."""
    is_ahead = words[at].has(Role.AHEAD)
    start = at + 1 if is_ahead else at
    counted = numbers.cardinal(words, start)
    count, end = counted or (1, start)
    if unit_at(words, end) is not Unit.YEAR or (counted is None and not words.is_russian):
        return None
    if is_ahead:
        return words.today.year + count, end + 1
    if words[end + 1].has(Role.HENCE):
        return words.today.year + count, end + 2
    if words[end + 1].has(Role.AGO):
        return words.today.year - count, end + 2
    return None


def short_year_after(words: Words, at: int) -> tuple[int, int] | None:
    """Two figures that end the question after a day and a month: "14th April 15"."""
    token = words[at]
    is_last = words[at + 1].shape in {"end", "mark"} and words[at + 1].norm not in {"-", ":", "–"}
    if token.shape != "plain" or token.value is None or len(token.norm) != _SHORT_YEAR_CHARS:
        return None
    return (numbers.full_year(token.value), at + 1) if is_last else None
