"""Reads dates written in figures: 5.10.2024, 10/5/2024, 2024-10-05, 05.10, Q3, 2024-W40."""

from __future__ import annotations

import re
from datetime import date

from agent.dates.grammar.found import Found
from agent.dates.grammar.numbers import full_year
from agent.dates.nodes import Fixed, Yearly, day_of_month
from agent.dates.periods import Period, of_day, of_half, of_iso_week, of_month, of_quarter
from agent.dates.tokens import Token, Words

_FIGURES = re.compile(r"[0-9]+")
_MAX_MONTH = 12


def figures(words: Words, at: int) -> Found | None:
    """A date in figures; None where the calendar has none such."""
    token = words[at]
    parts = [int(part) for part in _FIGURES.findall(token.norm)]
    try:
        if token.shape == "dm":
            return _day_month(words, at, parts)
        if token.shape == "quarter":
            return _quarter(token, parts, at)
        period = _full(token, parts, month_first="/" in token.norm and not words.is_russian)
    except ValueError:
        return None
    return Found(node=Fixed(period), end=at + 1) if period else None


def _full(token: Token, parts: list[int], *, month_first: bool) -> Period | None:
    match token.shape:
        case "ymd":
            return of_day(date(parts[0], parts[1], parts[2]))
        case "dmy":
            day, number = _day_and_month(parts[0], parts[1], month_first=month_first)
            return of_day(date(full_year(parts[2]), number, day))
        case "ym":
            return of_month(parts[0], parts[1])
        case "my":
            return of_month(parts[1], parts[0])
        case "iso_week":
            return of_iso_week(parts[0], parts[1])
        case _:
            return None


def _day_and_month(first: int, second: int, *, month_first: bool) -> tuple[int, int]:
    """Orders day and month; an order that the calendar forbids is turned round."""
    if month_first and first > _MAX_MONTH >= second:
        month_first = False
    elif not month_first and second > _MAX_MONTH >= first:
        month_first = True
    return (second, first) if month_first else (first, second)


def _day_month(words: Words, at: int, parts: list[int]) -> Found | None:
    token = words[at]
    if token.norm == "24/7":
        return None
    month_first = "/" in token.norm and not words.is_russian
    if month_first:
        day, number = _day_and_month(*parts, month_first=True)
    else:
        day, number = parts
    date(2024, number, day)  # refuses 30.02 and 3.13; a leap year allows 29.02
    # «10.12.»: nobody ends a version with a dot in the middle of a phrase.
    end = words.skip_mark(at + 1, ".")
    return Found(node=day_of_month(number, day), end=end, is_firm=False)


def _quarter(token: Token, parts: list[int], at: int) -> Found | None:
    number = parts[-1]
    of_kind = of_quarter if "q" in token.norm else of_half
    if of_kind is of_half and number > 2:  # noqa: PLR2004 - a year has two halves
        return None
    node = Yearly(make=lambda year: of_kind(year, number))
    if len(parts) > 1:
        return Found(node=node.in_year(full_year(parts[0])), end=at + 1)
    return Found(node=node, end=at + 1)
