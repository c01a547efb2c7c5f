"""The bot's own words in the languages it speaks, behind one Protocol."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal, Protocol

from bot.texts import en, ru

Language = Literal["ru", "en"]

# Telegram's interface languages whose speakers read Russian more likely than English.
_READS_RUSSIAN = frozenset({"ru", "be", "uk", "kk", "ky", "uz", "tg", "tt", "ba", "cv"})


class Texts(Protocol):
    """Everything the bot says in one language. Modules `ru` and `en` implement it."""

    SEARCHING: str
    """Stands where the answer will appear."""
    CONTINUED: str
    """Stands where the next part of a long answer will appear, for a moment."""
    START: str
    HELP: str
    NOT_A_QUESTION: str
    TOO_LONG: str
    QUEUE_FULL: str
    NO_CHANNELS: str
    CHANNELS: str
    SOURCES: str
    NEAREST: str
    SOMETHING_BROKE: str
    TOOK_TOO_LONG: str
    GAVE_UP: str
    ARCHIVE_UNAVAILABLE: str
    CANNOT_BE_SHOWN: str
    PARTLY_SUPPORTED: str
    NOT_CHECKED: str
    COMMANDS: tuple[tuple[str, str], ...]
    """Commands of the menu and what they do."""

    def stranger(self, user_id: int) -> str:
        """What somebody who may not ask is told, once."""
        ...

    def short_date(self, day: date) -> str:
        """``7 Oct 2024``."""
        ...

    def period(self, from_on: date | None, to_on: date | None) -> str:
        """``1–31 October 2024``; open ends are said in words; "" when both are open."""
        ...

    def filters(self, period: str, channels: Sequence[str]) -> str:
        """How the question's restrictions were understood; "" when there were none."""
        ...

    def also_in(self, count: int) -> str:
        """``and 4 more channels``."""
        ...

    def coverage(
        self, count_messages: int, period: str, synced_on: date | None, embedded_share: float
    ) -> str:
        """What the archive holds, in one line; `embedded_share` is in [0, 1]."""
        ...

    def disagree(self, about: str) -> str:
        """Introduces footnotes that contradict each other."""
        ...

    def channel_facts(self, count_messages: int, period: str, synced_on: date | None) -> str:
        """A channel's line in the list of channels."""
        ...


def texts(language: str) -> Texts:
    """The words of `language`; English when it is not one of ours."""
    return ru if language == "ru" else en


def language_of(
    text: str, *, interface: str | None, setting: Literal["auto", "ru", "en"]
) -> Language:
    """In which language to speak to somebody who wrote `text`.

    The owner's `setting` wins; "auto" leaves it to the text's letters, and where there are
    none to `interface`, the language tag of the asker's Telegram.
    """
    if setting != "auto":
        return setting
    letters = [letter for letter in text.casefold() if letter.isalpha()]
    count_cyrillic = sum("а" <= letter <= "я" or letter == "ё" for letter in letters)
    if letters:
        # A Russian question about Python 3.13 or Qdrant is half Latin and still Russian.
        return "ru" if count_cyrillic * 4 >= len(letters) else "en"
    return "ru" if (interface or "").split("-")[0] in _READS_RUSSIAN else "en"
