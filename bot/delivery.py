"""Puts replies into chats, each part into exactly one message, whenever the process dies.

An answer: a placeholder is sent, its message id is stored, then the placeholder is edited into
the text. Dying before the id is stored leaves a stray placeholder behind, never a second
answer; dying later repeats only the edit, which Telegram then calls "not modified".

A notice is too short-lived for a placeholder: it is marked as being sent, then sent. Dying in
between loses it; it is never said twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aiogram import Bot
from aiogram.exceptions import (
    AiogramError,
    TelegramBadRequest,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramRetryAfter,
)
from aiogram.types import LinkPreviewOptions, ReplyParameters
from aiogram.utils.chat_action import ChatActionSender

from bot.replies import Replies
from bot.texts import texts
from bot.types import Letter, Part, StoredReply

# Addresses in a preview are fetched by Telegram itself: nobody asked for that.
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)

_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")
_UNCHANGED = "message is not modified"
_MAX_NEW_MESSAGES = 3
"""How often a part is sent anew because its message was deleted meanwhile."""


class PutOff(Exception):
    """Telegram cannot take it now; `wait_s` is how long it asked to wait, if it did."""

    def __init__(self, why: str, wait_s: float | None = None) -> None:
        super().__init__(why, wait_s)
        self.why, self.wait_s = why, wait_s


class Unreachable(Exception):
    """The chat cannot be written to any more; the message says why."""


class Delivery:
    """Sends and edits messages of one bot."""

    def __init__(self, bot: Bot, replies: Replies) -> None:
        self._bot, self._replies = bot, replies

    def typing(self, letter: Letter) -> ChatActionSender:
        """Shows "typing…" while the context is open."""
        return ChatActionSender.typing(letter.chat_id, self._bot)

    async def announce(self, letter: Letter) -> None:
        """Shows the asker that the question is being worked on; once.

        Raises:
            PutOff: Not now.
            Unreachable: Never again.
        """
        if 0 not in await self._replies.sent(letter):
            await self._placeholder(letter, 0)

    async def answer(self, letter: Letter, reply: StoredReply) -> None:
        """Shows every part of `reply` that does not stand in the chat yet.

        Raises:
            PutOff: Not now; what was done so far is remembered.
            Unreachable: Never again.
        """
        sent = await self._replies.sent(letter)
        for number, part in enumerate(reply.parts):
            known = sent.get(number)
            if known is None or not known.is_finished:
                await self._settle(letter, number, part, known.message_id if known else None)

    async def notify(self, letter: Letter, reply: StoredReply) -> None:
        """Sends every part of `reply` that was not sent, or begun to be sent, before.

        Raises:
            PutOff: Not now.
            Unreachable: Never again.
        """
        sent = await self._replies.sent(letter)
        for number, part in enumerate(reply.parts):
            if number in sent:
                continue
            await self._replies.record_part(letter, number, message_id=0)
            try:
                message_id = await self._send(letter, part)
            except (PutOff, Unreachable):
                await self._replies.forget_part(letter, number)
                raise
            await self._replies.finish_part(letter, number, message_id)

    async def _settle(
        self, letter: Letter, number: int, part: Part, message_id: int | None
    ) -> None:
        for _ in range(_MAX_NEW_MESSAGES):
            if message_id is None:
                message_id = await self._placeholder(letter, number)
            if await self._show(letter, message_id, part):
                await self._replies.finish_part(letter, number, message_id)
                return
            await self._replies.forget_part(letter, number)
            message_id = None
        raise Unreachable("its messages are deleted as fast as they come")

    async def _placeholder(self, letter: Letter, number: int) -> int:
        words = texts(letter.language)
        text = words.CONTINUED if number else words.SEARCHING
        message_id = await self._send(letter, Part(text))
        await self._replies.record_part(letter, number, message_id)
        return message_id

    async def _show(self, letter: Letter, message_id: int, part: Part) -> bool:
        """Edits a message into `part`; False where it does not exist any more."""
        plain = Part(part.text)
        apology = Part(texts(letter.language).CANNOT_BE_SHOWN)
        with _translated():
            # Each one is simpler than the one before: nothing may end in silence.
            for attempt in (part, plain, apology):
                try:
                    await self._edit(letter, message_id, attempt)
                except TelegramBadRequest as error:
                    reason = error.message.casefold()
                    if _UNCHANGED in reason:
                        return True
                    if any(words in reason for words in _GONE):
                        return False
                else:
                    return True
        raise Unreachable("Telegram refuses every text")

    async def _edit(self, letter: Letter, message_id: int, part: Part) -> None:
        await self._bot.edit_message_text(
            chat_id=letter.chat_id,
            message_id=message_id,
            text=part.text,
            entities=list(part.entities),
            link_preview_options=_NO_PREVIEW,
        )

    async def _send(self, letter: Letter, part: Part) -> int:
        with _translated():
            message = await self._bot.send_message(
                chat_id=letter.chat_id,
                text=part.text,
                entities=list(part.entities),
                link_preview_options=_NO_PREVIEW,
                reply_parameters=ReplyParameters(
                    message_id=letter.message_id, allow_sending_without_reply=True
                ),
            )
        return message.message_id


@contextmanager
def _translated() -> Iterator[None]:
    """Says of every failure whether to try again."""
    try:
        yield
    except TelegramRetryAfter as error:
        raise PutOff("flood control", error.retry_after) from None
    except (TelegramForbiddenError, TelegramMigrateToChat, TelegramBadRequest) as error:
        # Our own plain words were refused, so it is the chat that cannot be written to.
        raise Unreachable(error.message) from None
    except AiogramError as error:
        raise PutOff(type(error).__name__) from None
