"""What was decided to say, and which messages already say it: the memory behind "once"."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aiogram.types import MessageEntity
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.types import Letter, Outcome, Part, StoredReply
from ingest.store.engine import Database
from ingest.store.models import answers, sent_parts

SENDING = 0
"""Stands for a message id while a notice is on its way: no message of Telegram's has it."""


@dataclass(frozen=True, slots=True)
class SentPart:
    """A message of ours that shows one part of a reply, or will."""

    message_id: int
    is_finished: bool


class Replies:
    """Stored replies and the messages that carry them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stored(self, letter: Letter) -> StoredReply | None:
        """What was decided to say to `letter`; None if nothing was yet."""
        query = select(answers).where(answers.c.inbox_id == letter.inbox_id)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return None
        return StoredReply(
            outcome=Outcome(row.status),
            parts=tuple(_part(written) for written in row.reply["parts"]),
            reason=row.reason,
            confidence=row.confidence,
            cited=tuple((channel, message) for channel, message in row.reply["cited"]),
        )

    async def store(self, letter: Letter, reply: StoredReply) -> StoredReply:
        """Fixes what is said to `letter`; the first one stored stays.

        Returns:
            The one that stands.
        """
        try:
            async with self._database.writing() as connection:
                await insert_reply(connection, letter.inbox_id, reply)
        except IntegrityError:
            stored = await self.stored(letter)
            if stored is None:
                raise
            return stored
        return reply

    async def sent(self, letter: Letter) -> dict[int, SentPart]:
        """The messages sent so far, by part number from 0."""
        query = select(sent_parts).where(sent_parts.c.inbox_id == letter.inbox_id)
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return {row.part: SentPart(row.message_id, row.finished_at is not None) for row in rows}

    async def record_part(self, letter: Letter, part: int, message_id: int) -> None:
        """Remembers the message that shows a part, or will, instead of any earlier one."""
        async with self._database.writing() as connection:
            await connection.execute(_the_part(delete(sent_parts), letter, part))
            await connection.execute(
                insert(sent_parts).values(
                    inbox_id=letter.inbox_id, part=part, message_id=message_id
                )
            )

    async def finish_part(self, letter: Letter, part: int, message_id: int) -> None:
        """Remembers that a part stands in that message as it should."""
        finished = update(sent_parts).values(message_id=message_id, finished_at=datetime.now(UTC))
        async with self._database.writing() as connection:
            await connection.execute(_the_part(finished, letter, part))

    async def forget_part(self, letter: Letter, part: int) -> None:
        """Forgets the message of a part: it is gone, or was never sent."""
        async with self._database.writing() as connection:
            await connection.execute(_the_part(delete(sent_parts), letter, part))


async def insert_reply(connection: AsyncConnection, inbox_id: int, reply: StoredReply) -> None:
    """Stores a reply inside the caller's transaction.

    Raises:
        IntegrityError: One is stored already.
    """
    await connection.execute(
        insert(answers).values(
            inbox_id=inbox_id,
            status=reply.outcome.value,
            reason=reply.reason,
            confidence=reply.confidence,
            reply={
                "parts": [_written(part) for part in reply.parts],
                "cited": [list(ref) for ref in reply.cited],
            },
            answered_at=datetime.now(UTC),
        )
    )


def _the_part(statement: Any, letter: Letter, part: int) -> Any:
    return statement.where(sent_parts.c.inbox_id == letter.inbox_id, sent_parts.c.part == part)


def _written(part: Part) -> dict[str, object]:
    entities = [entity.model_dump(mode="json", exclude_none=True) for entity in part.entities]
    return {"text": part.text, "entities": entities}


def _part(written: dict[str, Any]) -> Part:
    entities = (MessageEntity.model_validate(entity) for entity in written["entities"])
    return Part(written["text"], tuple(entities))
