"""Finds the dates that a text states, and resolves relative ones against its post's own day."""

from __future__ import annotations

import calendar
import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from agent.verification.calendar_words import (
    DAY_SHIFTS,
    MONTH,
    SHY_MONTH,
    WEEKDAY_OF,
    YEAR_SHIFTS,
)
from agent.verification.words import read

_YEAR = r"(?:1[5-9]|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TH = r"(?:-?(?:го|е|st|nd|rd|th))?"
_DATE = re.compile(
    rf"""(?<![\w.,/:-])(?:
      (?P<iso>{_YEAR}-\d\d-\d\d)
    | (?P<dotted>{_DAY}[./](?:0?[1-9]|1[0-2])[./](?:{_YEAR}|\d\d))
    | (?:(?P<from>{_DAY}){_TH}\s?(?:[-–—,]|и|по|до|to|and)\s?)?(?P<day>{_DAY}){_TH}\s(?:of\s)?
        (?:{MONTH.format("a")})\b\.?(?:,?\s(?P<year_a>{_YEAR}))?
    | (?:{MONTH.format("b")})\b\.?\s(?P<day_b>{_DAY})(?:st|nd|rd|th)?(?![\d.,:%]*[\d%])
        (?:,?\s(?P<year_b>{_YEAR}))?
    | (?:{MONTH.format("c")})\b\.?(?:\s(?:of\s)?(?P<year_c>{_YEAR}))?
    | (?P<year>{_YEAR})(?=[\s-]?(?:год|г\b|гг\b|-й|-м|р\.|рік|роц))
    | (?P<clock>(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?)(?!\d)
    )(?![\w:])""",
    re.VERBOSE | re.IGNORECASE,
)
_YEAR_AFTER = re.compile(
    rf"(?:\b(?:in|since|by|from|until|of|during|с|до|за|к|после|before|after)\s|\()"
    rf"(?P<year>{_YEAR})(?![\w.,%-]*\d|\s?(?:[₽$€%]|руб|дол|тыс|млн|чел|км))",
    re.IGNORECASE,
)
_IN_FRONT_OF_MONTH = re.compile(
    r"(?:\b(?:в|с|до|по|за|к|на|in|since|by|until|last|next|this|early|late|mid|of|from)[\s-]|\d)$",
    re.IGNORECASE,
)
_RELATIVE_YEAR = re.compile(r"году?\b|года\b|year\b", re.IGNORECASE)
_WEEK = 7
_CENTURY = 100


@dataclass(frozen=True, slots=True)
class Mention:
    """A date as far as it is stated, or as its post's day completes it.

    Attributes:
        weekday: 0 is Monday.
        clock: A time of day as it is written, without a leading zero.
        relative: The word that says it relative to the day it was written on.
    """

    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    clock: str | None = None
    relative: str | None = None


@functools.lru_cache(maxsize=8192)
def mentions(text: str) -> tuple[Mention, ...]:
    """The dates and times that a text states, in reading order."""
    found = [one for match in _DATE.finditer(text) for one in _of_match(text, match)]
    taken = {place for one in found for place in range(one.start, one.end)}
    for match in _YEAR_AFTER.finditer(text):
        if match.start("year") not in taken:
            span = match.span("year")
            found.append(Mention(*span, year=int(match["year"])))
    found.extend(one for one in _of_words(text) if one.start not in taken)
    return tuple(sorted(found, key=lambda one: one.start))


def without_dates(text: str) -> str:
    """The text with its dates blanked out, so that their numbers are not taken for figures."""
    chars = list(text)
    for one in mentions(text):
        if one.relative is None and one.weekday is None:
            chars[one.start : one.end] = " " * (one.end - one.start)
    return "".join(chars)


def _of_match(text: str, match: re.Match[str]) -> Iterator[Mention]:
    start, end = match.span()
    groups = {name: value for name, value in match.groupdict().items() if value}
    if "clock" in groups:
        yield Mention(start, end, clock=groups["clock"].lstrip("0"))
        return
    if "iso" in groups:
        year, month, day = map(int, groups["iso"].split("-"))
        yield Mention(start, end, year, month, day)
        return
    if "dotted" in groups:
        day, month, year = map(int, re.split(r"[./]", groups["dotted"]))
        yield Mention(start, end, year + 2000 if year < _CENTURY else year, month, day)
        return
    month_group = next((name for name in groups if re.match(r"m\d", name)), None)
    years = [
        int(groups[name]) for name in ("year_a", "year_b", "year_c", "year") if name in groups
    ]
    stated_year = years[0] if years else None
    if month_group is None:
        yield Mention(start, end, year=stated_year)
        return
    written_day = groups.get("day") or groups.get("day_b")
    if written_day is None and stated_year is None and _is_shy(text, start, groups[month_group]):
        return
    number = int(month_group[1:].split("_")[0])
    whole = Mention(start, end, stated_year, number, int(written_day) if written_day else None)
    if "from" in groups:
        yield replace(whole, day=int(groups["from"]))
    yield whole


def _is_shy(text: str, start: int, name: str) -> bool:
    """Whether a word that may be a month stands where it hardly is one: «мая», "may"."""
    if not re.fullmatch(SHY_MONTH, name, re.IGNORECASE):
        return False
    if name.isascii() and name.islower():
        return True
    return not _IN_FRONT_OF_MONTH.search(text[:start])


def _of_words(text: str) -> Iterator[Mention]:
    reading = read(text)
    if reading.text != text:
        return  # the caller gives readings' own text; others have no words to speak of
    for place, word in enumerate(reading.words):
        end = word.start + len(word.written)
        shift = next((lemma for lemma in (word.plain, word.lemma) if lemma in DAY_SHIFTS), None)
        if shift is not None:
            yield Mention(word.start, end, relative=shift)
            continue
        names = (word.plain, *word.form.lemmas)
        weekday = next((WEEKDAY_OF[name] for name in names if name in WEEKDAY_OF), None)
        if weekday is not None and (not word.plain.isascii() or word.written[0].isupper()):
            yield Mention(word.start, end, weekday=weekday)
        elif _RELATIVE_YEAR.match(word.plain) and place:
            before = reading.words[place - 1]
            key = next((one for one in (before.plain, before.lemma) if one in YEAR_SHIFTS), None)
            if key is not None:
                yield Mention(before.start, end, relative=f"{key} year")


def resolved(one: Mention, posted_on: date) -> Mention:
    """A mention with what its post's day adds: the year, or all of a relative date."""
    if one.relative is not None:
        if one.relative.endswith(" year"):
            shift = YEAR_SHIFTS[one.relative.removesuffix(" year")]
            return replace(one, year=posted_on.year + shift)
        day = posted_on + timedelta(days=DAY_SHIFTS[one.relative])
        return replace(one, year=day.year, month=day.month, day=day.day, weekday=day.weekday())
    if one.month is not None and one.year is None:
        return replace(one, year=_nearest_year(one, posted_on))
    return one


def _nearest_year(one: Mention, posted_on: date) -> int:
    """The year in which an unfinished date lies nearest to its post."""
    month = one.month or 1

    def distance(year: int) -> int:
        day = min(one.day or 15, calendar.monthrange(year, month)[1])
        return abs((date(year, month, day) - posted_on).days)

    return min(range(posted_on.year - 1, posted_on.year + 2), key=distance)


def states(evidence: Sequence[Mention], claimed: Mention, posted_on: date) -> bool:
    """Whether dates of a post, or the day of the post itself, say what a claim's date says."""
    if claimed.relative is not None:
        # «Вчера» means another day to the reader than it meant to the post, so only the post's
        # own word, or the same day in other words, carries it.
        told = resolved(claimed, posted_on)
        return any(
            one.relative == claimed.relative or _agrees(resolved(one, posted_on), told)
            for one in evidence
        )
    found = [resolved(one, posted_on) for one in evidence]
    if any(_agrees(one, claimed) for one in found):
        return True
    return _is_day_of_post(found, claimed, posted_on)


def _agrees(evidence: Mention, claimed: Mention) -> bool:
    if claimed.clock is not None:
        return evidence.clock == claimed.clock
    if claimed.weekday is not None and claimed.day is None:
        return claimed.weekday in {evidence.weekday, _weekday_of(evidence)}
    if evidence.weekday is not None and evidence.day is None:
        return False
    fields = (
        (evidence.year, claimed.year),
        (evidence.month, claimed.month),
        (evidence.day, claimed.day),
    )
    return all(wanted is None or has == wanted for has, wanted in fields) and any(
        wanted is not None for _, wanted in fields
    )


def _weekday_of(one: Mention) -> int | None:
    if one.year and one.month and one.day:
        try:
            return date(one.year, one.month, one.day).weekday()
        except ValueError:
            return None
    return None


def _is_day_of_post(found: Sequence[Mention], claimed: Mention, posted_on: date) -> bool:
    """Whether a claim names the day its post appeared, where the post names no such date.

    «7 октября вышел Python» of a post of that day that says only «вышел Python»; and a weekday
    of the post's week, told as a date.
    """
    if claimed.clock is not None or claimed.weekday is not None:
        return False
    for one in found:
        if one.weekday is not None and one.day is None and claimed.day is not None:
            days = [posted_on + timedelta(days=shift) for shift in range(-_WEEK + 1, _WEEK)]
            near = [day for day in days if day.weekday() == one.weekday]
            if any(_agrees(_of_day(day), claimed) for day in near):
                return True
    if any((claimed.day and one.day) or (claimed.month and one.month) for one in found):
        return False
    if claimed.year is not None and any(one.year is not None for one in found):
        return False
    return _agrees(_of_day(posted_on), claimed)


def _of_day(day: date) -> Mention:
    return Mention(0, 0, day.year, day.month, day.day, day.weekday())
