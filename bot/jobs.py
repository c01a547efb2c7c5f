"""The workers: take letters from the inbox, get them answered, and see each one through."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog
from sqlalchemy.exc import SQLAlchemyError

from bot.answering import Answering, error_reply
from bot.delivery import Delivery, PutOff, Unreachable
from bot.inbox import Inbox, State
from bot.outgoing import Outgoing
from bot.redaction import redact, where
from bot.replies import Replies
from bot.stopping import unless_stopped
from bot.texts import texts
from bot.types import Letter, StoredReply

MAX_ATTEMPTS = 3
"""A question during which the process died so often is not tried again."""

COUNT_NOTICE_WORKERS = 2
_LOOK_AGAIN_S = 5.0  # in case another process put something into the inbox
_MAX_BACKOFF_S = 60.0

log = structlog.get_logger(__name__)


class Jobs:
    """Answers letters, several at once, one of a user at a time.

    A letter that cannot be finished now goes back to the inbox and its chat is left alone for
    a while, so that a worker never sleeps on it.
    """

    def __init__(
        self,
        *,
        inbox: Inbox,
        replies: Replies,
        delivery: Delivery,
        outgoing: Outgoing,
        answering: Answering,
        count_workers: int = 4,
        first_backoff_s: float = 1.0,
    ) -> None:
        self._inbox, self._replies, self._delivery = inbox, replies, delivery
        self._outgoing, self._answering = outgoing, answering
        self._count_workers, self._first_backoff_s = count_workers, first_backoff_s
        self._failures: dict[int, int] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Works until `stop`, then finishes the letters in hand; cancelling drops them too."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._count_workers):
                group.create_task(self._work(State.WAITING, self._answer, stop))
            for _ in range(COUNT_NOTICE_WORKERS):
                group.create_task(self._work(State.NOTICE, self._notify, stop))

    async def _work(
        self, state: State, handle: Callable[[Letter], Awaitable[None]], stop: asyncio.Event
    ) -> None:
        while not stop.is_set():
            letter = await self._next(state, stop)
            if letter is not None:
                # There may be more: let a worker that waits have a look.
                self._inbox.arrived.set()
                await self._see_through(letter, handle)

    async def _next(self, state: State, stop: asyncio.Event) -> Letter | None:
        self._inbox.arrived.clear()
        try:
            letter = await self._inbox.claim(state, except_chats=self._outgoing.closed_chats)
        except SQLAlchemyError as error:
            log.error("inbox.unreadable", error=type(error).__name__)  # noqa: TRY400 - no texts
            letter = None
        if letter is None:
            opening_s = self._outgoing.next_opening_s()
            wait_s = _LOOK_AGAIN_S if opening_s is None else min(_LOOK_AGAIN_S, opening_s + 0.01)
            await unless_stopped(stop, self._inbox.arrived.wait(), timeout_s=wait_s)
        return letter

    async def _see_through(
        self, letter: Letter, handle: Callable[[Letter], Awaitable[None]]
    ) -> None:
        """The supervisor: no letter and no worker is lost to an exception."""
        try:
            await self._try(letter, handle)
        except PutOff as later:
            wait_s = self._backoff_s(letter) if later.wait_s is None else later.wait_s
            self._outgoing.close(letter.chat_id, wait_s)
            log.warning("letter.put_off", letter=letter.inbox_id, why=later.why, wait_s=wait_s)
        except Exception as error:  # noqa: BLE001 - see above
            self._outgoing.close(letter.chat_id, self._backoff_s(letter))
            name = type(error).__name__
            log.error("letter.failed", letter=letter.inbox_id, error=name, at=where(error))  # noqa: TRY400 - no texts
        else:
            self._failures.pop(letter.chat_id, None)
        finally:
            self._inbox.release(letter)

    async def _try(self, letter: Letter, handle: Callable[[Letter], Awaitable[None]]) -> None:
        try:
            await handle(letter)
        except Unreachable as gone:
            log.warning("letter.unreachable", letter=letter.inbox_id, why=redact(str(gone)))
            await self._inbox.finish(letter, State.UNREACHABLE)
        else:
            await self._inbox.finish(letter, State.DONE)

    async def _answer(self, letter: Letter) -> None:
        reply = await self._replies.stored(letter)
        if reply is None:
            await self._delivery.announce(letter)
            reply = await self._reply_to(letter)
        await self._delivery.answer(letter, reply)

    async def _notify(self, letter: Letter) -> None:
        reply = await self._replies.stored(letter)
        if reply is not None:
            await self._delivery.notify(letter, reply)

    async def _reply_to(self, letter: Letter) -> StoredReply:
        """Works the reply out and stores it; counts the attempts that the process died in."""
        if await self._inbox.count_attempt(letter) > MAX_ATTEMPTS:
            log.error("letter.given_up", letter=letter.inbox_id)
            reply = error_reply("given_up", texts(letter.language).GAVE_UP)
            return await self._replies.store(letter, reply)
        try:
            async with self._delivery.typing(letter):
                reply = await self._answering(letter)
            return await self._replies.store(letter, reply)
        except (asyncio.CancelledError, SQLAlchemyError):
            # We stop, or the disk is full: that is not the question's fault.
            with suppress(SQLAlchemyError):
                await self._inbox.count_attempt(letter, -1)
            raise

    def _backoff_s(self, letter: Letter) -> float:
        failures = self._failures[letter.chat_id] = self._failures.get(letter.chat_id, 0) + 1
        return float(min(_MAX_BACKOFF_S, self._first_backoff_s * 2 ** min(failures - 1, 16)))
