"""When holidays fall, by the year; Russian and English names of the ones that people date by."""

from __future__ import annotations

import calendar
from collections.abc import Callable
from datetime import date, timedelta

from agent.dates.periods import Period, between, of_day

Holiday = Callable[[int], Period]


def easter(year: int) -> date:
    """Western Easter Sunday.

    Source: Meeus, Astronomical Algorithms, chapter 8 (the anonymous Gregorian computus).
    """
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def orthodox_easter(year: int) -> date:
    """Orthodox Easter Sunday as a Gregorian date.

    Source: Meeus, Astronomical Algorithms, chapter 8 (the Julian computus).
    """
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    # The calendars drift apart by three days in four centuries.
    return date(year, month, day + 1) + timedelta(days=year // 100 - year // 400 - 2)


def _on(month: int, day: int) -> Holiday:
    return lambda year: of_day(date(year, month, day), "holiday")


def _days(first: tuple[int, int], last: tuple[int, int]) -> Holiday:
    return lambda year: between(date(year, *first), date(year, *last), "holiday")


def _from_easter(days: int, *, is_orthodox: bool = False) -> Holiday:
    sunday = orthodox_easter if is_orthodox else easter
    return lambda year: of_day(sunday(year) + timedelta(days=days), "holiday")


def _nth(month: int, weekday: int, count: int, *, days_after: int = 0) -> Holiday:
    """The nth weekday of a month, or the last one for -1."""

    def make(year: int) -> Period:
        length = calendar.monthrange(year, month)[1]
        if count > 0:
            first = date(year, month, 1)
            day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (count - 1))
        else:
            last = date(year, month, length)
            day = last - timedelta(days=(last.weekday() - weekday) % 7)
        return of_day(day + timedelta(days=days_after), "holiday")

    return make


def _weekday_nearest(month: int, day: int) -> Holiday:
    """That day, or the working day next to it when it falls on a weekend."""

    def make(year: int) -> Period:
        said = date(year, month, day)
        return of_day(said + timedelta(days={5: -1, 6: 1}.get(said.weekday(), 0)), "holiday")

    return make


def _lent(year: int) -> Period:
    return between(easter(year) - timedelta(days=46), easter(year) - timedelta(days=1), "holiday")


def _great_fast(year: int) -> Period:
    sunday = orthodox_easter(year)
    return between(sunday - timedelta(days=48), sunday - timedelta(days=9), "holiday")


def _pancake_week(year: int) -> Period:
    sunday = orthodox_easter(year) - timedelta(days=49)
    return between(sunday - timedelta(days=6), sunday, "holiday")


# Words are written as stems: «рождеств» stands for every case of «рождество». A word that must
# be written just so ends in "$".
RUSSIAN_HOLIDAYS: dict[str, Holiday] = {
    "старый$ новый$ год$": _on(1, 14),
    "новый$ год$": _on(1, 1),
    "нового$ года$": _on(1, 1),
    "новогодн ноч": _on(1, 1),
    "новогодн праздник": _days((1, 1), (1, 8)),
    "новогодн каникул": _days((1, 1), (1, 8)),
    "католическ рождеств": _on(12, 25),
    "рождеств": _on(1, 7),
    "рождеств христов": _on(1, 7),
    "крещени": _on(1, 19),
    "день|дня|дню|днем свят валентин": _on(2, 14),
    "день|дня|дню|днем влюбленн": _on(2, 14),
    "день|дня|дню|днем защитник отечеств": _on(2, 23),
    "международн женск день|дня|дню|днем": _on(3, 8),
    "день|дня|дню|днем космонавтик": _on(4, 12),
    "масленниц|маслениц": _pancake_week,
    "великий|великого|великом пост": _great_fast,
    "вербн воскресень": _from_easter(-7, is_orthodox=True),
    "католическ пасх": _from_easter(0),
    "пасх": _from_easter(0, is_orthodox=True),
    "троиц": _from_easter(49, is_orthodox=True),
    "первомай|первомая|первомаю": _on(5, 1),
    "майск праздник": _days((5, 1), (5, 9)),
    "день|дня|дню|днем победы$": _on(5, 9),
    "день|дня|дню|днем росси": _on(6, 12),
    "день|дня|дню|днем знани": _on(9, 1),
    "хэллоуин": _on(10, 31),
    "хеллоуин": _on(10, 31),
    "день|дня|дню|днем народн единств": _on(11, 4),
    "черн пятниц": _nth(11, 3, 4, days_after=1),
    "день|дня|дню|днем конституции": _on(12, 12),
}

ENGLISH_HOLIDAYS: dict[str, Holiday] = {
    "new year$ day$": _on(1, 1),
    "new years$ day$": _on(1, 1),
    "new year|years eve$": _on(12, 31),
    "new year$": _on(1, 1),
    "new years$": _on(1, 1),
    "mlk$ day$": _nth(1, 0, 3),
    "mlk$ jr$ .$ day$": _nth(1, 0, 3),
    "martin luther king|kings day$": _nth(1, 0, 3),
    "civil rights day$": _nth(1, 0, 3),
    "valentine|valentines day$": _on(2, 14),
    "presidents|president day$": _nth(2, 0, 3),
    "st|saint patrick|patricks|paddy|paddys day$": _on(3, 17),
    "st$ .$ patrick|patricks|paddy|paddys day$": _on(3, 17),
    "april fool|fools day$": _on(4, 1),
    "orthodox easter$": _from_easter(0, is_orthodox=True),
    "orthodox good|great friday$": _from_easter(-2, is_orthodox=True),
    "orthodox shrove monday$": _from_easter(-48, is_orthodox=True),
    "clean monday$": _from_easter(-48, is_orthodox=True),
    "lazarus saturday$": _from_easter(-8, is_orthodox=True),
    "great fast$": _great_fast,
    "easter sunday$": _from_easter(0),
    "easter monday|mon": _from_easter(1),
    "easter$": _from_easter(0),
    "good friday$": _from_easter(-2),
    "maundy|covenant thursday|thu": _from_easter(-3),
    "palm|branch sunday$": _from_easter(-7),
    "ash wednesday$": _from_easter(-46),
    "lent$": _lent,
    "mardi gras$": _from_easter(-47),
    "pancake|shrove day|tuesday": _from_easter(-47),
    "pentecost$": _from_easter(49),
    "white|whit sunday$": _from_easter(49),
    "whit monday$": _from_easter(50),
    "trinity sunday$": _from_easter(56),
    "ascension day$": _from_easter(39),
    "mother|mothers day$": _nth(5, 6, 2),
    "memorial day$": _nth(5, 0, -1),
    "father|fathers day$": _nth(6, 6, 3),
    "independence day$": _on(7, 4),
    "labor|labour day$": _nth(9, 0, 1),
    "columbus day$": _nth(10, 0, 2),
    "boss|bosses day$": _weekday_nearest(10, 16),
    "halloween$": _on(10, 31),
    "world vegan day$": _on(11, 1),
    "veterans|veteran day$": _on(11, 11),
    "thanksgiving$": _nth(11, 3, 4),
    "thanksgiving day$": _nth(11, 3, 4),
    "black friday$": _nth(11, 3, 4, days_after=1),
    "cyber monday$": _nth(11, 3, 4, days_after=4),
    "christmas|xmas eve$": _on(12, 24),
    "christmas|xmas day$": _on(12, 25),
    "christmas$": _on(12, 25),
    "xmas$": _on(12, 25),
    "boxing day$": _on(12, 26),
}
