"""Reads dates written in other languages: dateparser knows the names of their months."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from datetime import date, datetime

from agent.dates.periods import Period, of_day, of_month, of_year

# The languages of channels that people read beside Russian and English. Each costs time.
_LANGUAGES = ("de", "fr", "es", "it", "pt", "pl", "tr")
_DAY_MONTH_YEAR = re.compile(
    r"(?<![0-9])[0-9]{1,2}\.?\s(?:de\s)?(?:(?![\u0400-\u04ff])[^\W\d_]){3,12}\.?,?\s(?:de\s)?(?:19|20)[0-9]{2}(?![0-9])"
)
_CHINESE = re.compile(
    r"(?<![0-9])(?P<year>(?:19|20)[0-9]{2})\s?年"
    r"(?:\s?(?P<month>[0-9]{1,2})\s?月(?:\s?(?P<day>[0-9]{1,2})\s?[日号])?)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A date and where it stands: ``text[start:end]`` in code points."""

    period: Period
    start: int
    end: int


def find_foreign(text: str) -> Foreign | None:
    """The first date in another language; None where nothing is surely one."""
    for match in _DAY_MONTH_YEAR.finditer(text):
        day = _parsed(match.group())
        if day:
            return Foreign(period=of_day(day), start=match.start(), end=match.end())
    chinese = _CHINESE.search(text)
    period = _of_chinese(chinese) if chinese else None
    if chinese is None or period is None:
        return None
    return Foreign(period=period, start=chinese.start(), end=chinese.end())


def _of_chinese(match: re.Match[str]) -> Period | None:
    year, month, day = (int(part) if part else None for part in match.groups())
    assert year
    try:
        if month is None:
            return of_year(year)
        return of_month(year, month) if day is None else of_day(date(year, month, day))
    except ValueError:  # the thirteenth month
        return None


@functools.lru_cache(maxsize=1024)
def _parsed(written: str) -> date | None:
    # Its languages load slowly and are seldom needed; it carries no types.
    from dateparser import parse  # type: ignore[import-untyped]  # noqa: PLC0415

    # All parts must be there, so the result does not depend on the day of asking.
    settings = {"REQUIRE_PARTS": ["day", "month", "year"], "DATE_ORDER": "DMY"}
    found: datetime | None = parse(written, languages=list(_LANGUAGES), settings=settings)
    return found.date() if found else None
