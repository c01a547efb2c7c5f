"""English words of time with their meanings."""

from __future__ import annotations

from agent.dates.meanings import Meaning, Part, Role, Season, Unit, roles

_MONTHS = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
    "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
}  # fmt: skip
_SHORT_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
    "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
# Words of other trades: a verb, an adjective.
_SHY_MONTHS = frozenset({"march", "may", "august"})

_WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5,
    "sunday": 6,
}  # fmt: skip
_SHORT_WEEKDAYS = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4,
    "sat": 5, "sun": 6,
}  # fmt: skip

_UNITS = {
    Unit.HOUR: ("hour", "hours", "h", "hr", "hrs"),
    Unit.DAY: ("day", "days", "d"),
    Unit.WEEK: ("week", "weeks", "wk", "wks", "w"),
    Unit.WEEKEND: ("weekend", "weekends"),
    Unit.MONTH: ("month", "months"),
    Unit.QUARTER: ("quarter", "quarters", "qtr", "qtrs"),
    Unit.SEASON: ("season", "seasons"),
    Unit.YEAR: ("year", "years", "yr", "yrs", "y"),
    Unit.DECADE: ("decade", "decades"),
    Unit.CENTURY: ("century", "centuries"),
}

_CARDINALS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000,
    "couple": 2, "few": 3, "several": 3, "a": 1, "an": 1,
}  # fmt: skip
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13,
    "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18,
    "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
}  # fmt: skip
DECADES = {
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60,
    "seventies": 70, "eighties": 80, "nineties": 90, "noughties": 0,
}  # fmt: skip

_SHIFTS = {
    "previous": -1, "prior": -1, "this": 0, "current": 0, "these": 0, "next": 1,
    "following": 1, "coming": 1, "upcoming": 1,
}  # fmt: skip
_DAY_SHIFTS = {
    "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "tomorrows": 1, "todays": 0,
    "yesterdays": -1,
}  # fmt: skip
_PARTS = {
    "beginning": Part.START, "start": Part.START, "early": Part.START, "middle": Part.MIDDLE,
    "mid": Part.MIDDLE, "end": Part.END, "late": Part.END,
}  # fmt: skip

_ROLES = {
    "in": roles(Role.IN, Role.OF, Role.AHEAD, Role.OVER), "on": roles(Role.IN, Role.OF),
    "at": roles(Role.IN), "by": roles(Role.UNTIL), "during": roles(Role.IN, Role.OVER),
    "over": roles(Role.IN, Role.OVER), "within": roles(Role.IN, Role.OVER, Role.AHEAD),
    "for": roles(Role.IN, Role.OVER), "throughout": roles(Role.IN, Role.OVER),
    "from": roles(Role.FROM, Role.OF), "since": roles(Role.SINCE), "between": roles(Role.BETWEEN),
    "to": roles(Role.TO), "through": roles(Role.TO, Role.UNTIL), "thru": roles(Role.TO),
    "until": roles(Role.TO, Role.UNTIL), "till": roles(Role.TO, Role.UNTIL),
    "before": roles(Role.BEFORE), "after": roles(Role.AFTER), "and": roles(Role.AND),
    "or": roles(Role.AND), "of": roles(Role.OF), "the": roles(Role.THE),
    "ago": roles(Role.AGO), "back": roles(Role.AGO), "hence": roles(Role.HENCE),
    "now": roles(Role.NOW), "every": roles(Role.EVERY), "each": roles(Role.EVERY),
    "morning": roles(Role.DAYTIME), "afternoon": roles(Role.DAYTIME),
    "evening": roles(Role.DAYTIME), "night": roles(Role.DAYTIME), "half": roles(Role.HALF),
    "all": roles(Role.ALL), "around": roles(Role.ALL),
    "midnight": roles(Role.DAYTIME), "noon": roles(Role.DAYTIME),
    "anytime": roles(Role.ALL), "sometime": roles(Role.ALL), "sometimes": roles(Role.ALL),
    "whole": roles(Role.ALL), "right": roles(Role.ALL),
}  # fmt: skip


def _names() -> dict[str, Meaning]:
    shy = frozenset({Role.SHY})
    found: dict[str, Meaning] = {}
    for word, month in (_MONTHS | _SHORT_MONTHS).items():
        is_shy = word in _SHORT_MONTHS or word in _SHY_MONTHS
        found[word] = Meaning(month=month, roles=shy if is_shy else frozenset())
    for word, weekday in _WEEKDAYS.items():
        found[word] = Meaning(weekday=weekday)
        found[f"{word}s"] = Meaning(weekday=weekday, roles=frozenset({Role.PLURAL}))
    found |= {word: Meaning(weekday=n, roles=shy) for word, n in _SHORT_WEEKDAYS.items()}
    for season in Season:
        found[season.name.lower()] = Meaning(season=season)
    # Both are things as often as they are seasons.
    found["spring"] = Meaning(season=Season.SPRING, roles=shy)
    found["fall"] = Meaning(season=Season.AUTUMN, roles=shy)
    return found


ENGLISH: dict[str, Meaning] = {
    **{word: Meaning(unit=unit) for unit, words in _UNITS.items() for word in words},
    **_names(),
    **{word: Meaning(number=value) for word, value in _CARDINALS.items()},
    **{word: Meaning(ordinal=value) for word, value in _ORDINALS.items()},
    **{word: Meaning(shift=value) for word, value in _SHIFTS.items()},
    **{word: Meaning(day_shift=value) for word, value in _DAY_SHIFTS.items()},
    **{word: Meaning(part=part) for word, part in _PARTS.items()},
    **_ROLES,
    "last": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
    "past": Meaning(shift=-1, roles=frozenset({Role.LATEST})),
}
