"""The tokens of a question with what they may mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from agent.dates.meanings import NOTHING, Meaning, Role, Unit

_MAX_SKIPPED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of the question: ``text[start:end]`` in code points.

    Attributes:
        norm: The text in lower case, «е» for «ё», without a possessive "'s".
        shape: "plain" for a whole number up to 9999; "dmy", "ymd", "ym", "my", "dm", "quarter",
            "iso_week" for figures that spell a date; "odd" for any other figures; "name" for
            @names, #tags and links; "word"; "mark".
        value: A plain number's value.
        is_ordinal: The number is written as an ordinal: «5-го», "5th".
        is_plural: The number is written as a decade: «90-х», "1990s".
        meaning: What the word may mean; nothing for figures and marks.
    """

    text: str
    norm: str
    start: int
    end: int
    shape: str
    value: int | None = None
    is_ordinal: bool = False
    is_plural: bool = False
    meaning: Meaning = NOTHING

    def has(self, *roles: Role) -> bool:
        """Tells whether the word can play any of the roles."""
        return not self.meaning.roles.isdisjoint(roles)

    @property
    def is_dash(self) -> bool:
        """A hyphen or a dash."""
        return self.norm in {"-", "–", "—", "−"}


NO_TOKEN = Token(text="", norm="", start=0, end=0, shape="end")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The tokens of one question and the day it is asked on; past the ends stand empty tokens."""

    text: str
    tokens: tuple[Token, ...]
    today: date
    is_russian: bool
    readings: dict[int, object] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) else NO_TOKEN

    def __len__(self) -> int:
        return len(self.tokens)

    def skip(self, index: int, *roles: Role) -> int:
        """The first place from the index on whose word plays none of the roles.

        It gives up after a few words: nobody stacks more, and a text of nothing else stays cheap.
        """
        for _ in range(_MAX_SKIPPED):
            if not self[index].has(*roles):
                break
            index += 1
        return index

    def skip_mark(self, index: int, marks: str) -> int:
        """The place after one mark of the given, if it stands there."""
        token = self[index]
        return index + 1 if token.shape == "mark" and token.norm in marks else index


UNIT_ABBREVIATIONS = frozenset({"d", "w", "y", "h", "г", "кв", "hr", "нед", "мес"})
"""Units so short that they count only right after a number."""


def unit_at(words: Words, index: int) -> Unit | None:
    """The unit that the word at the index names."""
    token = words[index]
    if token.norm in UNIT_ABBREVIATIONS and words[index - 1].value is None:
        before = words[index - 1].meaning
        if before.ordinal is None:
            return None
    return token.meaning.unit
