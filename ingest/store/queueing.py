"""Queues messages for the index, in the transaction that changes them."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.models import outbox
from ingest.types import ChannelId


class Stage(enum.StrEnum):
    """What the index still has to learn of a message."""

    TEXT = "text"
    """All of it; the lexical list comes first, since it costs least."""
    VECTOR = "vector"
    """Its vectors."""


async def enqueue(
    connection: AsyncConnection,
    channel_id: ChannelId,
    due: Sequence[tuple[int, bool]],
) -> None:
    """Tells the index, in the caller's transaction, to look at some messages again.

    Args:
        due: Message ids, and whether the index can't hold anything of them yet.
    """
    if due:
        rows = [
            {
                "channel_id": channel_id,
                "message_id": message_id,
                "stage": Stage.TEXT.value,
                "is_new": is_new,
            }
            for message_id, is_new in due
        ]
        await connection.execute(insert(outbox), rows)
