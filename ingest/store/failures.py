"""Reads the list of messages that could not be stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from ingest.store.engine import Database
from ingest.store.models import channels, ingest_failures
from ingest.store.rows import channel_of
from ingest.store.syncing import SOURCE
from ingest.types import ChannelId, MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A message that could not be stored.

    Attributes:
        channel: The channel's machine name.
        reason: Why, without a word of the message.
        link: Where people can look at it.
        is_from_telegram: It can be asked for again.
    """

    channel_id: ChannelId
    channel: str
    message_id: MessageId | None
    reason: str
    failed_at: datetime
    count_attempts: int
    link: str | None
    is_from_telegram: bool


async def failures(database: Database, channel_id: ChannelId | None = None) -> list[Failure]:
    """The failures of one channel, or of all, by channel and message."""
    query = (
        select(ingest_failures, channels)
        .join(channels, channels.c.channel_id == ingest_failures.c.channel_id)
        .order_by(ingest_failures.c.channel_id, ingest_failures.c.message_id)
    )
    if channel_id is not None:
        query = query.where(ingest_failures.c.channel_id == channel_id)
    async with database.reading() as connection:
        found: list[Failure] = []
        for row in await connection.execute(query):
            channel = channel_of(row)
            found.append(
                Failure(
                    channel_id=channel.channel_id,
                    channel=channel.name,
                    message_id=row.message_id,
                    reason=row.reason,
                    failed_at=row.failed_at,
                    count_attempts=row.count_attempts,
                    link=channel.link(row.message_id) if row.message_id else None,
                    is_from_telegram=row.source == SOURCE,
                )
            )
        return found
