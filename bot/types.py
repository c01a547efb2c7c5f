"""What the parts of the bot hand to each other."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime

from aiogram.types import MessageEntity

from bot.texts import Language


@dataclass(frozen=True, slots=True)
class Part:
    """One message as Telegram takes it: entities count in UTF-16 units of the text."""

    text: str
    entities: tuple[MessageEntity, ...] = ()


class Outcome(enum.StrEnum):
    """What a stored reply is."""

    ANSWERED = "answered"
    REFUSED = "refused"
    ERROR = "error"
    NOTICE = "notice"
    """Not the answer to a question: help, a list of channels, a polite no."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """Everything that was decided to say to one message; it is never worked out again.

    Attributes:
        parts: In order; at least one.
        reason: Which refusal, error or notice it is.
        cited: (channel id, message id) of every post that it quotes.
    """

    outcome: Outcome
    parts: tuple[Part, ...]
    reason: str | None = None
    confidence: float | None = None
    cited: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message to the bot, as far as answering it needs it.

    Attributes:
        sent_at: When Telegram got it, aware UTC.
        language: In which language to speak to its sender.
    """

    update_id: int
    chat_id: int
    message_id: int
    user_id: int
    sent_at: datetime
    language: Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An accepted message that still has to be answered.

    Attributes:
        question: What was asked; empty for messages that get a notice.
        count_attempts: How often answering it was begun, this time included.
    """

    inbox_id: int
    chat_id: int
    message_id: int
    user_id: int
    language: Language
    question: str
    asked_at: datetime
    count_attempts: int
