"""Invented channels and a stand-in for the dates, shared by the planner's tests."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from agent.dates import NO_DATES, DateFilter
from agent.planning.names import name_book
from agent.planning.reading import Reading, read
from agent.types import Question, Turn
from ingest.types import Channel, ChannelId, Visibility

MOSCOW = ZoneInfo("Europe/Moscow")
NOW = datetime(2031, 6, 18, 12, 0, tzinfo=MOSCOW)

_TITLES = (
    ("byr", "Бырбыр", "byrbyr"),
    ("kva", "Kvantik", "kvantik_live"),
    ("glu", "Глузгач • Новости Рязани", "gluzgach"),
    ("nov", "Новости Рязани", "rzn_novosti"),
    ("rzn", "Рязань", "ru_rzn_gorod"),
    ("rli", "Рязань Live", "rzn_efir"),
    ("for", "Тетрадь фортраниста | Fortran, Ada", "zz_tetrad_fortran"),
    ("ada", "Тетрадь Ada инженера | Adalang", "zz_tetrad_ada"),
    ("tet", "Тетрадь инженера | чертежи, сопромат", "zz_tetrad"),
    ("pyt", "Python", "python_notes_x"),
    ("mat", "Высшая математика", "vysmat"),
    ("ore", "Ореховый research", "orehoviy"),
    ("med", "Медведица", "medveditsa"),
    ("tyn", "Ольга Тындова", "tyndova"),
    ("pet", "Иван Петров о деньгах", "petrov_money"),
    ("pro", "PROграфоманию", "grafomania"),
    ("quo", "QuokkaTV", "en_quokkatv"),
    ("loc", "localness", "uk_localness"),
    ("tro", "Тропы треугольные", "tropy3"),
    ("ter", "Terraphonix", "terraphonix"),
    ("pri", "Закрытый клуб", None),
    ("num", "channel555000111", "zz_remontdoma_c555000111"),
    ("shm", "Егор Шмаргов. Заметки", "zz_e_zametki"),
    ("kit", "月亮的猫猫日记 | 北极", "moon_cat"),
)
CHANNELS = {
    short: Channel(
        channel_id=ChannelId(7000 + number),
        title=title,
        username=username,
        visibility=Visibility.PUBLIC if username else Visibility.PRIVATE,
    )
    for number, (short, title, username) in enumerate(_TITLES)
}
ALL = tuple(CHANNELS.values())
_SHORT = {channel.channel_id: short for short, channel in CHANNELS.items()}

_MONTHS = {"январ": 1, "феврал": 2, "март": 3, "апрел": 4, "мая": 5, "мае": 5, "май": 5}
_MONTHS |= {"january": 1, "march": 3, "may": 5}
_DATE = re.compile(
    r"(?:(?:в|за|in|for)\s+)?(?:(?P<month>январ\w|феврал\w|март\w?|апрел\w|ма[яей]|January|March|May)"
    r"(?:\s+(?P<year>\d{4})(?:\s+года)?)?|(?P<week>(?:прошлой\s+|эту\s+)?недел[юе]))(?!\w)"
    r"|(?P<yesterday>вчера|yesterday)",
    re.IGNORECASE,
)


def dates(text: str, *, now: datetime, zone: tzinfo) -> DateFilter:
    """Knows months, a week and yesterday: enough to plan with, and nothing of the real one."""
    match = _DATE.search(text)
    if match is None:
        return NO_DATES
    today = now.astimezone(zone).date()
    if match["week"]:
        first, last, kind = today - timedelta(days=7), today, "week"
    elif match["yesterday"]:
        first = last = today - timedelta(days=1)
        kind = "day"
    else:
        month = next(n for begin, n in _MONTHS.items() if match["month"].lower().startswith(begin))
        first = date(int(match["year"] or today.year), month, 1)
        last, kind = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1), "month"
    return DateFilter(
        from_on=first, to_on=last, phrase=match.group(), kind=kind, spans=(match.span(),)
    )


def reading(text: str) -> Reading:
    """One question, read over all the channels."""
    return read(text, book=name_book(ALL), find_dates=dates, now=NOW)


def asked(text: str, *earlier: str) -> Question:
    """A question after some others."""
    return Question(text=text, now=NOW, history=tuple(Turn(question=turn) for turn in earlier))


def shorts(channels: tuple[Channel, ...]) -> str:
    """Channels by their short names here, in order."""
    return " ".join(_SHORT[channel.channel_id] for channel in channels)


def utc(*when: int) -> datetime:
    """A time in UTC."""
    return datetime(*when, tzinfo=UTC)  # type: ignore[misc]  # year, month, day at least
