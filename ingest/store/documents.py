"""The texts of attached files: which are still to be read, and what was in them.

They are kept apart from the messages' rows: they come later than their posts, and an edit of a
post is no edit of its file.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.models import document_texts
from ingest.store.queueing import enqueue
from ingest.types import Attachment, ChannelId, Message, MessageId, MessageKind

_WAITING, _READ, _FAILED = "waiting", "read", "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingFile:
    """A file that is still to be read."""

    channel_id: ChannelId
    message_id: MessageId
    file_name: str
    size_bytes: int | None


async def note_files(
    connection: AsyncConnection, channel_id: ChannelId, batch: Sequence[Message]
) -> None:
    """Queues files of these messages, unless the same file is known already."""
    wanted = {m.message_id: m.attachment for m in batch if m.attachment and m.attachment.file_name}
    if not wanted:
        return
    same_channel = document_texts.c.channel_id == channel_id
    rows = await connection.execute(
        select(document_texts).where(same_channel, document_texts.c.message_id.in_(wanted))
    )
    known = {row.message_id: (row.file_name, row.size_bytes) for row in rows}
    new = {
        number: file
        for number, file in wanted.items()
        if known.get(number) != (file.file_name, file.size_bytes)
    }
    replaced = [number for number in new if number in known]
    if replaced:
        await connection.execute(
            delete(document_texts).where(same_channel, document_texts.c.message_id.in_(replaced))
        )
    if new:
        await connection.execute(
            insert(document_texts),
            [
                {
                    "channel_id": channel_id,
                    "message_id": number,
                    "state": _WAITING,
                    "file_name": file.file_name,
                    "size_bytes": file.size_bytes,
                }
                for number, file in new.items()
            ],
        )


async def waiting_files(
    connection: AsyncConnection, channel_id: ChannelId, *, limit: int
) -> list[WaitingFile]:
    """A channel's files that are still to be read, the newest first."""
    rows = await connection.execute(
        select(document_texts)
        .where(document_texts.c.channel_id == channel_id)
        .where(document_texts.c.state == _WAITING)
        .order_by(document_texts.c.message_id.desc())
        .limit(limit)
    )
    return [
        WaitingFile(
            channel_id=channel_id,
            message_id=MessageId(row.message_id),
            file_name=row.file_name,
            size_bytes=row.size_bytes,
        )
        for row in rows
    ]


async def keep_text(
    connection: AsyncConnection,
    file: WaitingFile,
    text: str | None,
    *,
    why_not: str | None = None,
    now: datetime,
) -> None:
    """Stores a file's text, or why there is none; the index learns of the text."""
    await connection.execute(
        update(document_texts)
        .where(document_texts.c.channel_id == file.channel_id)
        .where(document_texts.c.message_id == file.message_id)
        .values(
            state=_READ if text is not None else _FAILED, text=text, reason=why_not, tried_at=now
        )
    )
    if text:
        await enqueue(connection, file.channel_id, [(file.message_id, False)])


async def with_document_texts(
    connection: AsyncConnection, found: Collection[Message]
) -> list[Message]:
    """The same messages; those with a file that was read have its text."""
    keys = [(m.channel_id, m.message_id) for m in found if _may_have_text(m)]
    if not keys:
        return list(found)
    rows = await connection.execute(
        select(document_texts.c.channel_id, document_texts.c.message_id, document_texts.c.text)
        .where(document_texts.c.state == _READ)
        .where(tuple_(document_texts.c.channel_id, document_texts.c.message_id).in_(keys))
    )
    texts = {(row.channel_id, row.message_id): row.text for row in rows}
    return [_with_text(m, texts.get((m.channel_id, m.message_id))) for m in found]


def _may_have_text(message: Message) -> bool:
    has_name = message.attachment is not None and message.attachment.file_name is not None
    return message.kind is MessageKind.FILE and has_name


def _with_text(message: Message, text: str | None) -> Message:
    if not text:
        return message
    attachment = message.attachment or Attachment()
    return dataclasses.replace(
        message, attachment=dataclasses.replace(attachment, document_text=text)
    )


async def count_files(connection: AsyncConnection) -> dict[str, int]:
    """How many files are waiting, read and failed."""
    state = document_texts.c.state
    rows = await connection.execute(select(state, func.count()).group_by(state))
    return {row[0]: row[1] for row in rows}
