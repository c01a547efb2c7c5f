"""Forgets posts for good: from the archive, its versions, its queue and its vectors.

What is forgotten stays so: a later sync or import does not bring it back. A whole channel is
another matter: nobody reads it any more, until somebody asks for it by name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.engine import Database
from ingest.store.models import (
    answers,
    channels,
    document_texts,
    embeddings,
    forgotten,
    ingest_failures,
    message_versions,
    messages,
    sync_floods,
    sync_gaps,
    sync_states,
)
from ingest.store.queueing import enqueue
from ingest.types import ChannelId, Message, MessageId

_BATCH = 500

Ref = tuple[int, int]
"""A post: its channel's id and its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to be forgotten: a channel, one post of it, or all posts of an author.

    Attributes:
        author: A name as posts are signed, or an id as ``user123``.
    """

    channel_id: ChannelId | None = None
    message_id: MessageId | None = None
    author: str | None = None


async def forget(database: Database, target: Target, *, now: datetime) -> int:
    """Forgets; how many posts it were. Stopped half-way, the next call goes on.

    The index learns of it from the outbox.
    """
    if target.author is not None or target.message_id is not None:
        async with database.writing() as connection:
            await connection.execute(
                insert(forgotten).values(
                    channel_id=target.channel_id,
                    message_id=target.message_id,
                    author=target.author,
                    forgotten_at=now,
                )
            )
    count, cited = 0, await _cited(database)
    while (found := await _forget_some(database, _which(target), cited)) > 0:
        count += found
    if target.channel_id is not None and target.message_id is None and target.author is None:
        await _forget_channel(database, target.channel_id)
    await database.checkpoint()
    return count


def _which(target: Target) -> ColumnElement[bool]:
    parts: list[ColumnElement[bool]] = []
    if target.channel_id is not None:
        parts.append(messages.c.channel_id == target.channel_id)
    if target.message_id is not None:
        parts.append(messages.c.message_id == target.message_id)
    if target.author is not None:
        parts.append(
            or_(
                messages.c.author_id == target.author,
                messages.c.author == target.author,
                messages.c.forward_author == target.author,
            )
        )
    return parts[0] if len(parts) == 1 else parts[0] & parts[1]


async def _cited(database: Database) -> dict[Ref, set[int]]:
    """Which kept answers cite which posts."""
    found: dict[Ref, set[int]] = {}
    async with database.reading() as connection:
        for row in await connection.execute(select(answers.c.answer_id, answers.c.reply)):
            for channel_id, message_id in row.reply.get("cited") or ():
                found.setdefault((channel_id, message_id), set()).add(row.answer_id)
    return found


async def _forget_some(
    database: Database, which: ColumnElement[bool], cited: Mapping[Ref, set[int]]
) -> int:
    columns = (messages.c.channel_id, messages.c.message_id, messages.c.content_hash)
    async with database.writing() as connection:
        if database.is_sqlite:
            # What is deleted is overwritten, not only unlinked.
            await connection.execute(text("PRAGMA secure_delete=ON"))
        rows = (await connection.execute(select(*columns).where(which).limit(_BATCH))).all()
        by_channel: dict[int, list[int]] = {}
        for row in rows:
            by_channel.setdefault(row.channel_id, []).append(row.message_id)
        for channel_id, ids in by_channel.items():
            await _delete(connection, channel_id, ids)
        await _forget_vectors(connection, [row.content_hash for row in rows])
        refs = [(row.channel_id, row.message_id) for row in rows]
        answer_ids = {number for ref in refs for number in cited.get(ref, ())}
        await _forget_answers(connection, answer_ids)
    return len(rows)


async def _delete(connection: AsyncConnection, channel_id: int, ids: Sequence[int]) -> None:
    for table in (message_versions, document_texts, ingest_failures, messages):
        await connection.execute(
            delete(table)
            .where(table.c.channel_id == channel_id)
            .where(table.c.message_id.in_(ids))
        )
    await enqueue(connection, ChannelId(channel_id), [(number, False) for number in ids])


async def _forget_vectors(connection: AsyncConnection, hashes: Sequence[str]) -> None:
    """Vectors of texts that no other post has."""
    still = select(messages.c.content_hash).where(messages.c.content_hash.in_(hashes))
    await connection.execute(
        delete(embeddings)
        .where(embeddings.c.content_hash.in_(hashes))
        .where(embeddings.c.content_hash.not_in(still))
    )


async def _forget_answers(connection: AsyncConnection, ids: Collection[int]) -> None:
    """Kept answers that cite a forgotten post lose their words."""
    rows = await connection.execute(
        select(answers.c.answer_id, answers.c.reply).where(answers.c.answer_id.in_(ids))
    )
    for row in rows.all():
        emptied: dict[str, Any] = {**row.reply, "parts": [], "cited": []}
        await connection.execute(
            update(answers).where(answers.c.answer_id == row.answer_id).values(reply=emptied)
        )


async def _forget_channel(database: Database, channel_id: ChannelId) -> None:
    async with database.writing() as connection:
        for table in (sync_gaps, sync_floods, sync_states, ingest_failures, channels):
            await connection.execute(delete(table).where(table.c.channel_id == channel_id))


async def without_forgotten(
    connection: AsyncConnection, channel_id: ChannelId, batch: Sequence[Message]
) -> Sequence[Message]:
    """The messages of a batch that nobody asked to forget."""
    rows = (
        await connection.execute(
            select(forgotten.c.message_id, forgotten.c.author).where(
                or_(forgotten.c.channel_id == channel_id, forgotten.c.channel_id.is_(None))
            )
        )
    ).all()
    if not rows:
        return batch
    ids = {row.message_id for row in rows if row.message_id is not None}
    authors = {row.author for row in rows if row.author is not None}
    return [m for m in batch if m.message_id not in ids and not authors & _authors(m)]


def _authors(message: Message) -> set[str]:
    forward = message.forward.author if message.forward else None
    return {name for name in (message.author, message.author_id, forward) if name}
