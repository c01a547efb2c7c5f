"""The Ukrainian words of time that differ from the Russian ones, as written forms.

The archive holds Ukrainian channels; months, days and periods are what their readers name.
"""

from __future__ import annotations

from agent.dates.meanings import Meaning, Part, Role, Season, Unit, roles

_MONTH_STEMS = (
    "січ", "лют", "берез", "квіт", "трав", "черв", "лип", "серп", "верес", "жовт",
    "листопад", "груд",
)  # fmt: skip
_WEEKDAYS = {
    "понеділок": 0, "понеділка": 0, "вівторок": 1, "вівторка": 1, "середу": 2, "середи": 2,
    "четвер": 3, "п'ятницю": 4, "п'ятниці": 4, "суботу": 5, "суботи": 5, "неділю": 6,
    "неділі": 6,
}  # fmt: skip
_UNITS = {
    Unit.DAY: ("днів", "доби", "добу"),
    Unit.WEEK: ("тиждень", "тижня", "тижні", "тижнів"),
    Unit.MONTH: ("місяць", "місяця", "місяці", "місяців"),
    Unit.YEAR: ("рік", "року", "році", "роки", "років"),
}
_SEASONS = {
    Season.WINTER: ("взимку", "зими"), Season.SPRING: ("навесні", "весни"),
    Season.SUMMER: ("влітку", "літа"), Season.AUTUMN: ("восени", "осені"),
}  # fmt: skip
_SHIFTS = {
    -1: ("минулого", "минулий", "минулому", "минулої"),
    0: ("цього", "цьому", "цей", "цієї"),
}
_PARTS = {
    Part.START: ("початку", "початок"), Part.MIDDLE: ("середині",),
    Part.END: ("кінці", "кінця", "кінець", "наприкінці"),
}  # fmt: skip


def _months() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for number, stem in enumerate(_MONTH_STEMS, start=1):
        if stem == "лют":
            endings: tuple[str, ...] = ("ий", "ого", "ому")
        elif stem == "листопад":
            endings = ("", "а", "і")
        else:
            endings = ("ень", "ня", "ні", "нем", "ню")
        found |= {stem + ending: Meaning(month=number) for ending in endings}
    return found


UKRAINIAN: dict[str, Meaning] = {
    **_months(),
    **{word: Meaning(weekday=n, roles=frozenset({Role.SHY})) for word, n in _WEEKDAYS.items()},
    **{word: Meaning(unit=unit) for unit, words in _UNITS.items() for word in words},
    **{word: Meaning(season=season) for season, words in _SEASONS.items() for word in words},
    **{word: Meaning(shift=shift) for shift, words in _SHIFTS.items() for word in words},
    **{word: Meaning(part=part) for part, words in _PARTS.items() for word in words},
    "вчора": Meaning(day_shift=-1),
    "позавчора": Meaning(day_shift=-2),
    "сьогодні": Meaning(day_shift=0),
    "останній": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "останні": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "останніх": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "з": roles(Role.SINCE, Role.FROM),
    "із": roles(Role.SINCE, Role.FROM),
    "зі": roles(Role.SINCE, Role.FROM),
    "у": roles(Role.IN, Role.OF),
    "під": roles(Role.ALL),
    "після": roles(Role.AFTER),
    "між": roles(Role.BETWEEN),
    "та": roles(Role.AND),
    "й": roles(Role.AND),
    "тому": roles(Role.AGO),
}
