"""The words that dates are written with, Russian, Ukrainian and English."""

from __future__ import annotations

_MONTHS = {
    1: "январ[ьяе]|янв|січ(?:ень|ня|ні)|january|jan",
    2: "феврал[ьяе]|фев|февр|лют(?:ий|ого|ому)|february|feb",
    3: "марта?|марте|мар|берез(?:ень|ня|ні)|march|mar",
    4: "апрел[ьяе]|апр|квіт(?:ень|ня|ні)|april|apr",
    5: "ма[йяе]|трав(?:ень|ня|ні)|may",
    6: "июн[ьяе]|червень|червня|червні|june|jun",
    7: "июл[ьяе]|лип(?:ень|ня|ні)|july|jul",
    8: "августа?|августе|авг|серп(?:ень|ня|ні)|august|aug",
    9: "сентябр[ьяе]|сент?|верес(?:ень|ня|ні)|september|sept?",
    10: "октябр[ьяе]|окт|жовт(?:ень|ня|ні)|october|oct",
    11: "ноябр[ьяе]|нояб?|листопада?|листопаді|november|nov",
    12: "декабр[ьяе]|дек|груд(?:ень|ня|ні)|december|dec",
}
MONTH = "|".join(f"(?P<m{number}_{{0}}>{names})" for number, names in _MONTHS.items())
"""A pattern whose group ``m<number>_{0}`` matches; format it with a name for its use."""

_SHY = r"(?:may|march|mar|мае|мая|май|мар|сен|дек|окт|авг|фев)"
SHY_MONTH = rf"(?:{_SHY})$"
"""Words that are months only beside a number, a preposition or another date word."""

WEEKDAYS = {
    0: "понедельник monday mon понеділок",
    1: "вторник tuesday tue вівторок",
    2: "среда wednesday wed середа",
    3: "четверг thursday thu четвер",
    4: "пятница friday fri",
    5: "суббота saturday sat субота",
    6: "воскресенье sunday sun неділя",
}
WEEKDAY_OF = {name: number for number, names in WEEKDAYS.items() for name in names.split()} | {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5,
    "sunday": 6, "среду": 2, "среды": 2, "среде": 2, "четверга": 3,
}  # fmt: skip
DAY_SHIFTS = {
    "сегодня": 0, "сегодняшний": 0, "today": 0, "tonight": 0, "вчера": -1, "вчерашний": -1,
    "yesterday": -1, "накануне": -1, "позавчера": -2, "завтра": 1, "завтрашний": 1,
    "tomorrow": 1, "послезавтра": 2, "сьогодні": 0, "вчора": -1,
}  # fmt: skip
YEAR_SHIFTS = {
    "прошлый": -1, "минувший": -1, "last": -1, "этот": 0, "текущий": 0, "нынешний": 0,
    "this": 0, "следующий": 1, "будущий": 1, "next": 1,
}  # fmt: skip
