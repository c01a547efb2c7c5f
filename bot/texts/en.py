"""What the bot says in English."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

SEARCHING: str = "Searching the archive…"
CONTINUED: str = "…"
START: str = (
    "Ask in plain words what the archive's channels wrote: "
    "“what did they say about Python 3.13 in October?”. "
    "Every sentence of the answer carries a footnote to its post, and if the archive does not "
    "know, I say so."
)
HELP: str = (
    "Ask one question in one message. You can name a channel and a time: "
    "“what did Habr write about Qdrant last month?”. "
    "Put an exact phrase in quotes. The numbers [1] in an answer open the posts.\n\n"
    "/channels — which channels the archive holds, and since when\n"
    "/help — this text"
)
NOT_A_QUESTION: str = "I read text only: please write your question in words. More: /help"
TOO_LONG: str = "That question is too long. Please cut it to 4000 characters."
QUEUE_FULL: str = (
    "Your earlier questions are still waiting, so I did not take this one. "
    "Please ask it again when I have answered them."
)
NO_CHANNELS: str = "The archive is empty: its owner has not added a channel yet."
CHANNELS: str = "Channels of the archive"
SOURCES: str = "Sources"
NEAREST: str = "The nearest posts"
SOMETHING_BROKE: str = "I could not answer: something broke on my side. Please try again later."
TOOK_TOO_LONG: str = "I ran out of time. Please ask shorter, or about a shorter period."
GAVE_UP: str = (
    "This question stopped me several times, so I will not try again. Please ask it differently."
)
ARCHIVE_UNAVAILABLE: str = "The archive does not answer now. Please try again in a few minutes."
CANNOT_BE_SHOWN: str = (
    "There is an answer, but Telegram refused to show it. Please ask differently."
)
PARTLY_SUPPORTED: str = "Not everything I found could be confirmed: only what could is shown."
NOT_CHECKED: str = "This answer was not checked against its sources: please see the posts."
COMMANDS: tuple[tuple[str, str], ...] = (
    ("channels", "Channels of the archive"),
    ("help", "How to ask"),
)

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def stranger(user_id: int) -> str:
    """What somebody who may not ask is told, once."""
    return (
        "This bot answers only people whom its owner has added. "
        f"Please ask the owner to add your number: {user_id}"
    )


def short_date(day: date) -> str:
    """``7 Oct 2024``."""
    return f"{day.day} {_MONTHS[day.month - 1][:3]} {day.year}"


def period(from_on: date | None, to_on: date | None) -> str:
    """``1–31 October 2024``."""
    if from_on is None or to_on is None:
        start = f"since {_long(from_on)}" if from_on else ""
        return start or (f"until {_long(to_on)}" if to_on else "")
    if from_on == to_on:
        return _long(to_on)
    if (from_on.year, from_on.month) == (to_on.year, to_on.month):
        return f"{from_on.day}–{_long(to_on)}"
    if from_on.year == to_on.year:
        return f"{from_on.day} {_MONTHS[from_on.month - 1]} – {_long(to_on)}"
    return f"{_long(from_on)} – {_long(to_on)}"


def filters(period: str, channels: Sequence[str]) -> str:
    """``Period: 1–31 October 2024; channel: Habr``."""
    found = []
    if period:
        found.append(f"period: {period}")
    if channels:
        found.append(f"{'channel' if len(channels) == 1 else 'channels'}: {', '.join(channels)}")
    line = "; ".join(found)
    return line[:1].upper() + line[1:]


def also_in(count: int) -> str:
    """``and 4 more channels``."""
    return f"and {count:,} more {'channel' if count == 1 else 'channels'}"


def coverage(
    count_messages: int, period: str, synced_on: date | None, embedded_share: float
) -> str:
    """``The archive holds 12,345 messages, 1 January – 7 October 2024; updated 8 Oct 2024``."""
    line = f"The archive holds {_messages(count_messages)}"
    if period:
        line += f", {period}"
    if synced_on:
        line += f"; updated {short_date(synced_on)}"
    if embedded_share < 1:
        # Rounded down: 99.9 % must not read as everything.
        line += f"; search by meaning knows {int(embedded_share * 100)}% so far"
    return line + "."


def disagree(about: str) -> str:
    """Introduces footnotes that contradict each other."""
    return f"The sources disagree ({about}):" if about else "The sources disagree:"


def channel_facts(count_messages: int, period: str, synced_on: date | None) -> str:
    """``12,345 messages, 1 January – 7 October 2024; updated 8 Oct 2024``."""
    line = _messages(count_messages)
    if period:
        line += f", {period}"
    return f"{line}; updated {short_date(synced_on)}" if synced_on else line


def _long(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _messages(count: int) -> str:
    return f"{count:,} {'message' if count == 1 else 'messages'}"
