"""Questions on disk: accepted before Telegram hears that they were, kept until answered."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.replies import insert_reply
from bot.texts import Language
from bot.types import Incoming, Letter, StoredReply
from ingest.store.engine import Database
from ingest.store.models import answers, inbox

MAX_WAITING = 3
"""Questions of one user that may wait while another one of theirs is answered."""


class State(enum.StrEnum):
    """Where a message stands."""

    WAITING = "waiting"
    """A question without a delivered answer."""
    NOTICE = "notice"
    """What is said to it was known at once and has to be sent."""
    DONE = "done"
    UNREACHABLE = "unreachable"
    """The sender blocked the bot, or the chat is gone."""
    DECLINED = "declined"
    """One question too many, after the asker had been told so."""


class Inbox:
    """The letters of one bot process.

    A row is written once for a message, however often Telegram delivers it. Which letters are
    being worked on is known to this process only: when it dies, they simply wait again.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._claiming = asyncio.Lock()
        self._in_work: dict[State, dict[int, Letter]] = {State.WAITING: {}, State.NOTICE: {}}
        self.arrived = asyncio.Event()
        """Set whenever there may be something new to claim."""

    async def accept_question(
        self, incoming: Incoming, question: str, queue_full: StoredReply
    ) -> bool:
        """Stores a question, or `queue_full` where too many of the asker's wait already.

        Returns:
            False: This very message is here already, nothing was changed.
        """
        async with self._database.writing() as connection:
            if await _is_known(connection, incoming):
                return False
            oldest = await self._oldest_if_full(connection, incoming.user_id)
            if oldest is None:
                await _insert(connection, incoming, State.WAITING, question)
            elif await _was_told(
                connection, incoming.user_id, queue_full, inbox.c.inbox_id > oldest
            ):
                await _insert(connection, incoming, State.DECLINED)
            else:
                await _insert_notice(connection, incoming, queue_full)
        self.arrived.set()
        return True

    async def accept_notice(
        self, incoming: Incoming, reply: StoredReply, *, not_again_for: timedelta | None = None
    ) -> bool:
        """Stores a message together with what is said to it; the message's text is not kept.

        With `not_again_for` nothing is said if the sender was told the same within that time.

        Returns:
            False: Nothing more will be sent.
        """
        async with self._database.writing() as connection:
            if await _is_known(connection, incoming):
                return False
            if not_again_for is not None:
                recent = inbox.c.asked_at > incoming.sent_at - not_again_for
                if await _was_told(connection, incoming.user_id, reply, recent):
                    return False
            await _insert_notice(connection, incoming, reply)
        self.arrived.set()
        return True

    async def claim(
        self, state: State, *, except_chats: Callable[[], Collection[int]] = frozenset
    ) -> Letter | None:
        """Takes the oldest letter whose sender has no other one of that state in work.

        Args:
            state: WAITING or NOTICE.
            except_chats: Tells which chats must not be written to now; asked at the moment of
                choosing, so that a letter that was just put off is not taken up again.
        """
        async with self._claiming:
            closed = except_chats()
            busy = {letter.user_id for letter in self._in_work[state].values()}
            first = (
                select(inbox)
                .where(inbox.c.state == state.value)
                .where(inbox.c.user_id.not_in(busy), inbox.c.chat_id.not_in(closed))
                .order_by(inbox.c.inbox_id)
                .limit(1)
            )
            async with self._database.reading() as connection:
                row = (await connection.execute(first)).first()
            if row is None:
                return None
            letter = _letter(row)
            self._in_work[state][letter.inbox_id] = letter
            return letter

    def release(self, letter: Letter) -> None:
        """Gives a letter back; it will be claimed again unless it was finished."""
        for letters in self._in_work.values():
            letters.pop(letter.inbox_id, None)
        self.arrived.set()

    async def count_attempt(self, letter: Letter, change: int = 1) -> int:
        """Remembers that answering `letter` begins, or with -1 that it was only put off.

        Returns:
            How many attempts there were, this one included.
        """
        count = inbox.c.count_attempts
        changed = update(inbox).where(inbox.c.inbox_id == letter.inbox_id)
        async with self._database.writing() as connection:
            row = await connection.execute(
                changed.values(count_attempts=count + change).returning(count)
            )
            return int(row.scalar_one())

    async def finish(self, letter: Letter, state: State) -> None:
        """Closes a letter for good: DONE or UNREACHABLE."""
        closed = update(inbox).where(inbox.c.inbox_id == letter.inbox_id)
        async with self._database.writing() as connection:
            await connection.execute(
                closed.values(state=state.value, finished_at=datetime.now(UTC))
            )

    async def count_unfinished(self) -> int:
        """How many letters still wait for something to be sent."""
        open_states = (State.WAITING.value, State.NOTICE.value)
        waiting = select(func.count()).where(inbox.c.state.in_(open_states))
        async with self._database.reading() as connection:
            return int((await connection.execute(waiting)).scalar_one())

    async def _oldest_if_full(self, connection: AsyncConnection, user_id: int) -> int | None:
        """The oldest waiting question of a user who has too many of them; else None."""
        waiting = (inbox.c.user_id == user_id, inbox.c.state == State.WAITING.value)
        counted = select(func.count(), func.min(inbox.c.inbox_id)).where(*waiting)
        count, oldest = (await connection.execute(counted)).one()
        in_work = [
            letter for letter in self._in_work[State.WAITING].values() if letter.user_id == user_id
        ]
        return oldest if count >= MAX_WAITING + len(in_work) else None


async def _is_known(connection: AsyncConnection, incoming: Incoming) -> bool:
    same = select(inbox.c.inbox_id).where(
        inbox.c.update_id == incoming.update_id,
        inbox.c.chat_id == incoming.chat_id,
        inbox.c.message_id == incoming.message_id,
    )
    return (await connection.execute(same)).first() is not None


async def _was_told(
    connection: AsyncConnection, user_id: int, reply: StoredReply, when: ColumnElement[bool]
) -> bool:
    told = exists().where(
        inbox.c.user_id == user_id,
        when,
        answers.c.inbox_id == inbox.c.inbox_id,
        answers.c.reason == reply.reason,
    )
    return bool((await connection.execute(select(told))).scalar_one())


async def _insert_notice(
    connection: AsyncConnection, incoming: Incoming, reply: StoredReply
) -> None:
    inbox_id = await _insert(connection, incoming, State.NOTICE)
    await insert_reply(connection, inbox_id, reply)


async def _insert(
    connection: AsyncConnection, incoming: Incoming, state: State, question: str = ""
) -> int:
    now = datetime.now(UTC)
    added = insert(inbox).values(
        update_id=incoming.update_id,
        chat_id=incoming.chat_id,
        message_id=incoming.message_id,
        user_id=incoming.user_id,
        language=incoming.language,
        question=question,
        asked_at=incoming.sent_at,
        received_at=now,
        state=state.value,
        count_attempts=0,
        finished_at=now if state is State.DECLINED else None,
    )
    row = await connection.execute(added.returning(inbox.c.inbox_id))
    return int(row.scalar_one())


def _letter(row: Row[Any]) -> Letter:
    language: Language = "ru" if row.language == "ru" else "en"
    return Letter(
        inbox_id=row.inbox_id,
        chat_id=row.chat_id,
        message_id=row.message_id,
        user_id=row.user_id,
        language=language,
        question=row.question,
        asked_at=row.asked_at,
        count_attempts=row.count_attempts,
    )
