"""Russian words of time: lemmas (and the forms whose lemma misleads) with their meanings."""

from __future__ import annotations

from agent.dates.meanings import Meaning, Part, Role, Season, Unit, roles

_MONTHS = (
    "январь", "февраль", "март", "апрель", "май", "июнь",
    "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь",
)  # fmt: skip
_SHORT_MONTHS = {
    "янв": 1, "фев": 2, "февр": 2, "мар": 3, "апр": 4, "июн": 6, "июл": 7, "авг": 8,
    "сен": 9, "сент": 9, "окт": 10, "ноя": 11, "нояб": 11, "дек": 12,
}  # fmt: skip
_WEEKDAYS = ("понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье")
_SHORT_WEEKDAYS = {"пн": 0, "вт": 1, "ср": 2, "чт": 3, "пт": 4, "сб": 5, "вс": 6}

_UNITS = {
    Unit.HOUR: ("час", "часы"),
    Unit.DAY: ("день", "дни", "сутки"),
    Unit.WEEK: ("неделя", "нед", "неделька"),
    Unit.WEEKEND: ("выходные", "выходной", "уикенд", "уик-энд"),
    Unit.MONTH: ("месяц", "мес"),
    Unit.QUARTER: ("квартал", "кв"),
    Unit.SEASON: ("сезон",),
    Unit.HALF: ("полугодие",),
    Unit.YEAR: ("год", "г", "гг", "лет"),
    Unit.DECADE: ("десятилетие",),
    Unit.CENTURY: ("век", "веки", "столетие"),
}

_SEASONS = {
    Season.WINTER: ("зима", "зимой"),
    Season.SPRING: ("весна", "весной", "весною"),
    # The lemma of «лета» may come out as «год», of «летом» as itself.
    Season.SUMMER: ("лето", "летом", "лета", "лете", "лету"),
    Season.AUTUMN: ("осень", "осенью"),
}

_CARDINALS = {
    "один": 1, "два": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "восемь": 8,
    "девять": 9, "десять": 10, "одиннадцать": 11, "двенадцать": 12, "тринадцать": 13,
    "четырнадцать": 14, "пятнадцать": 15, "шестнадцать": 16, "семнадцать": 17,
    "восемнадцать": 18, "девятнадцать": 19, "двадцать": 20, "тридцать": 30, "сорок": 40,
    "пятьдесят": 50, "шестьдесят": 60, "семьдесят": 70, "восемьдесят": 80, "девяносто": 90,
    "сто": 100, "тысяча": 1000, "пара": 2, "пару": 2, "несколько": 3,
}  # fmt: skip
_ORDINALS = {
    "первый": 1, "второй": 2, "второе": 2, "третий": 3, "четвертый": 4, "пятый": 5, "шестой": 6,
    "седьмой": 7, "восьмой": 8, "девятый": 9, "десятый": 10, "одиннадцатый": 11,
    "двенадцатый": 12, "тринадцатый": 13, "четырнадцатый": 14, "пятнадцатый": 15,
    "шестнадцатый": 16, "семнадцатый": 17, "восемнадцатый": 18, "девятнадцатый": 19,
    "двадцатый": 20, "тридцатый": 30, "сороковой": 40, "пятидесятый": 50, "шестидесятый": 60,
    "семидесятый": 70, "восьмидесятый": 80, "девяностый": 90, "двухтысячный": 2000,
}  # fmt: skip

# Neuters and participles have lemmas of their own: «прошлого» is of «прошлое».
_SHIFTS = {
    "позапрошлый": -2, "прошлый": -1, "прошлое": -1, "это": 0, "минувший": -1, "предыдущий": -1,
    "этот": 0, "текущий": 0, "нынешний": 0,
    "ближайшая": 1, "ближайшую": 1, "ближайшей": 1, "ближайшие": 1, "ближайшем": 1, "ближайшее": 1,
    "следующий": 1, "след": 1, "будущий": 1, "будущее": 1, "ближайший": 1,
    "грядущий": 1, "наступающий": 1,
}  # fmt: skip
_DAY_SHIFTS = {
    "позапозавчера": -3, "позавчера": -2, "позавчерашний": -2, "вчера": -1, "вчерашний": -1,
    "сегодня": 0, "сегодняшний": 0, "завтра": 1, "завтрашний": 1, "послезавтра": 2,
    "послепослезавтра": 3,
}  # fmt: skip

_PARTS = {
    "начало": Part.START, "середина": Part.MIDDLE, "конец": Part.END, "исход": Part.END,
}  # fmt: skip

_ROLES = {
    "в": roles(Role.IN, Role.OF), "во": roles(Role.IN, Role.OF), "на": roles(Role.IN, Role.OF),
    "за": roles(Role.IN, Role.OVER), "к": roles(Role.IN), "ко": roles(Role.IN),
    "течение": roles(Role.OVER), "протяжение": roles(Role.OVER),
    "с": roles(Role.SINCE, Role.FROM), "со": roles(Role.SINCE, Role.FROM),
    "начинать": roles(Role.SINCE), "начиная": roles(Role.SINCE), "от": roles(Role.FROM),
    "по": roles(Role.TO, Role.UNTIL), "до": roles(Role.TO, Role.BEFORE),
    "после": roles(Role.AFTER), "спустя": roles(Role.AFTER, Role.HENCE),
    "между": roles(Role.BETWEEN), "и": roles(Role.AND), "или": roles(Role.AND),
    "назад": roles(Role.AGO), "через": roles(Role.AHEAD),
    "каждый": roles(Role.EVERY), "ежегодно": roles(Role.EVERY), "любой": roles(Role.EVERY),
    "число": roles(Role.NTH_DAY), "утро": roles(Role.DAYTIME), "ночь": roles(Role.DAYTIME),
    "вечер": roles(Role.DAYTIME), "полночь": roles(Role.DAYTIME),
    "половина": roles(Role.HALF), "весь": roles(Role.ALL),
    "самый": roles(Role.ALL), "примерно": roles(Role.ALL), "около": roles(Role.ALL),
}  # fmt: skip


def _units() -> dict[str, Meaning]:
    return {word: Meaning(unit=unit) for unit, words in _UNITS.items() for word in words}


def _names() -> dict[str, Meaning]:
    shy = frozenset({Role.SHY})
    found = {word: Meaning(month=number) for number, word in enumerate(_MONTHS, start=1)}
    # The lemma of «маем» comes out as a verb.
    found["маем"] = Meaning(month=5)
    found |= {word: Meaning(month=n, roles=shy) for word, n in _SHORT_MONTHS.items()}
    # A bare «пятница» is a television channel, «среда» an environment: they want a preposition.
    found |= {word: Meaning(weekday=n, roles=shy) for n, word in enumerate(_WEEKDAYS)}
    found["воскресение"] = Meaning(weekday=6, roles=shy)
    found |= {word: Meaning(weekday=n, roles=shy) for word, n in _SHORT_WEEKDAYS.items()}
    found |= {w: Meaning(season=season) for season, words in _SEASONS.items() for w in words}
    return found


RUSSIAN: dict[str, Meaning] = {
    **_units(),
    **_names(),
    **{word: Meaning(number=value) for word, value in _CARDINALS.items()},
    **{word: Meaning(ordinal=value) for word, value in _ORDINALS.items()},
    **{word: Meaning(shift=value) for word, value in _SHIFTS.items()},
    **{word: Meaning(day_shift=value) for word, value in _DAY_SHIFTS.items()},
    **{word: Meaning(part=part) for word, part in _PARTS.items()},
    **_ROLES,
    # «за последний месяц» reaches to now, «в прошлом месяце» is the calendar one.
    "последний": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "прошедший": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "прошедшее": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "полгода": Meaning(unit=Unit.HALF),
    "декада": Meaning(unit=Unit.DECADE),
    "полтора": Meaning(number=1),
    "нулевой": Meaning(ordinal=2000),
}

# «окружающей среды», «в среде разработчиков»: of this word only the forms of a weekday count.
WEDNESDAY_FORMS = frozenset({"среду", "среды", "среда", "ср"})
