"""What a word can mean to the date grammar: the classes that Russian and English words share."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Unit(enum.StrEnum):
    """A stretch of the calendar that people count in."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    HALF = "half"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


class Part(enum.StrEnum):
    """Which piece of a period is meant."""

    START = "start"
    MIDDLE = "middle"
    END = "end"
    FIRST_HALF = "first half"
    SECOND_HALF = "second half"


class Season(enum.IntEnum):
    """A season by its number in the year that most of it falls into."""

    WINTER = 0
    SPRING = 1
    SUMMER = 2
    AUTUMN = 3


class Role(enum.Enum):
    """What a function word does to the date beside it."""

    IN = enum.auto()  # stands before a date and changes nothing: «в», "on"
    OVER = enum.auto()  # makes a window that reaches to now: «за», "over"
    SINCE = enum.auto()
    FROM = enum.auto()  # opens a range; alone it names the day: "posts from Monday"
    TO = enum.auto()  # stands between the ends of a range
    BEFORE = enum.auto()
    UNTIL = enum.auto()
    AFTER = enum.auto()
    BETWEEN = enum.auto()
    AND = enum.auto()
    OF = enum.auto()
    THE = enum.auto()
    AGO = enum.auto()
    AHEAD = enum.auto()  # «через», "in": before an amount of time to come
    HENCE = enum.auto()  # "hence": after an amount of time to come
    NOW = enum.auto()
    EVERY = enum.auto()
    LATEST = (
        enum.auto()
    )  # «последний», "last", "past": makes windows, and picks the last of several
    NTH_DAY = enum.auto()  # «числа»
    DAYTIME = enum.auto()
    HALF = enum.auto()
    ALL = enum.auto()  # «весь», "all": changes nothing
    PLURAL = enum.auto()  # a weekday in the plural recurs: "on Mondays"
    SHY = enum.auto()  # a date only in company: "may", "sat", «мар»


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The senses of one word; a word may have several ("second", «с», "last").

    Attributes:
        month: 1..12.
        weekday: 0 is Monday.
        day_shift: Days from today: «вчера» is -1.
        shift: Which one relative to the present: «прошлый» is -1, "this" 0.
        number: A cardinal's value.
        ordinal: An ordinal's value.
    """

    month: int | None = None
    weekday: int | None = None
    unit: Unit | None = None
    season: Season | None = None
    part: Part | None = None
    day_shift: int | None = None
    shift: int | None = None
    number: int | None = None
    ordinal: int | None = None
    roles: frozenset[Role] = frozenset()


NOTHING = Meaning()


def roles(*names: Role) -> Meaning:
    """A word that only serves other words."""
    return Meaning(roles=frozenset(names))
