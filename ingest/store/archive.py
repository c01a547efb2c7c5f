"""Reads the archive back: channels, messages, coverage. Gives domain types, never rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, func, select, union_all

from ingest.errors import UnknownChannel
from ingest.store.documents import with_document_texts
from ingest.store.engine import Database
from ingest.store.models import channels, ingest_failures, messages, outbox
from ingest.store.queueing import Stage
from ingest.store.rows import channel_of, message_of
from ingest.types import Channel, ChannelId, Message, MessageId, MessageKind, MessageRef

PAGE = 500
"""Messages read at once: some hundred kilobytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelStatus:
    """What the archive holds of one channel. Times are aware UTC; counts are of live posts."""

    channel: Channel
    count_messages: int
    posted_from: datetime | None
    posted_to: datetime | None
    synced_at: datetime | None
    count_failures: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What the index still has to learn, in messages."""

    count_text: int
    count_vector: int


class Archive:
    """The read side of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def database(self) -> Database:
        """The database it reads."""
        return self._database

    async def channels(self) -> tuple[Channel, ...]:
        """Every channel, by title."""
        async with self._database.reading() as connection:
            rows = await connection.execute(select(channels).order_by(channels.c.title))
            return tuple(channel_of(row) for row in rows)

    async def channel(self, name: str) -> Channel:
        """The channel of a username (with or without @), an id, a link, or an exact title.

        Raises:
            UnknownChannel: There is none.
        """
        bare = name.strip().removeprefix("https://").removeprefix("t.me/").lstrip("@").casefold()
        for channel in await self.channels():
            names = (channel.username or "", str(channel.channel_id), channel.title)
            if bare in {known.casefold() for known in names if known}:
                return channel
        raise UnknownChannel(name)

    async def status(self) -> tuple[ChannelStatus, ...]:
        """Every channel with its figures, by title."""
        figures = (
            select(
                messages.c.channel_id,
                func.count().label("posts"),
                func.min(messages.c.posted_at).label("posted_from"),
                func.max(messages.c.posted_at).label("posted_to"),
            )
            .where(_is_post())
            .group_by(messages.c.channel_id)
            .subquery()
        )
        failures = (
            select(ingest_failures.c.channel_id, func.count().label("failed"))
            .group_by(ingest_failures.c.channel_id)
            .subquery()
        )
        query = (
            select(
                channels,
                figures.c.posts,
                figures.c.posted_from,
                figures.c.posted_to,
                failures.c.failed,
            )
            .outerjoin(figures, figures.c.channel_id == channels.c.channel_id)
            .outerjoin(failures, failures.c.channel_id == channels.c.channel_id)
            .order_by(channels.c.title)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).all()
        return tuple(
            ChannelStatus(
                channel=channel_of(row),
                count_messages=row.posts or 0,
                posted_from=row.posted_from,
                posted_to=row.posted_to,
                synced_at=row.synced_at,
                count_failures=row.failed or 0,
            )
            for row in rows
        )

    async def messages(self, refs: Collection[MessageRef]) -> dict[MessageRef, Message]:
        """The live messages among `refs`; deleted and unknown ones are absent."""
        if not refs:
            return {}
        by_channel: defaultdict[ChannelId, list[MessageId]] = defaultdict(list)
        for ref in refs:
            by_channel[ref.channel_id].append(ref.message_id)
        parts = [
            select(messages)
            .where(messages.c.channel_id == channel_id)
            .where(messages.c.message_id.in_(ids))
            .where(messages.c.deleted_at.is_(None))
            for channel_id, ids in by_channel.items()
        ]
        query: Select[Any] | Any = parts[0] if len(parts) == 1 else union_all(*parts)
        async with self._database.reading() as connection:
            rows = await connection.execute(query)
            found = await with_document_texts(connection, [message_of(row) for row in rows])
        return {MessageRef(m.channel_id, m.message_id): m for m in found}

    async def stream(
        self, channel_id: ChannelId | None = None, *, page: int = PAGE
    ) -> AsyncIterator[Sequence[Message]]:
        """Pages of live messages, oldest id first; of all channels in turn if none is named."""
        if channel_id is None:
            for channel in await self.channels():
                async for found in self.stream(channel.channel_id, page=page):
                    yield found
            return
        after = 0
        while True:
            query = (
                select(messages)
                .where(messages.c.channel_id == channel_id, messages.c.message_id > after)
                .where(messages.c.deleted_at.is_(None))
                .order_by(messages.c.message_id)
                .limit(page)
            )
            async with self._database.reading() as connection:
                rows = await connection.execute(query)
                found = await with_document_texts(connection, [message_of(row) for row in rows])
            if not found:
                return
            yield found
            after = found[-1].message_id

    async def backlog(self) -> Backlog:
        """How much the index is behind."""
        query = select(outbox.c.stage, func.count().label("waiting")).group_by(outbox.c.stage)
        async with self._database.reading() as connection:
            counts = {row.stage: int(row.waiting) for row in await connection.execute(query)}
        return Backlog(
            count_text=counts.get(Stage.TEXT.value, 0),
            count_vector=counts.get(Stage.VECTOR.value, 0),
        )


def taken_together(
    held: Sequence[ChannelStatus], only: Collection[ChannelId] | None = None
) -> ChannelStatus | None:
    """The figures of some channels as if they were one; None: they hold nothing.

    Args:
        held: What `Archive.status` tells.
        only: These channels; None: all.
    """
    some = [
        one
        for one in held
        if one.count_messages and (only is None or one.channel.channel_id in only)
    ]
    if not some:
        return None
    return ChannelStatus(
        channel=some[0].channel,
        count_messages=sum(one.count_messages for one in some),
        posted_from=min(one.posted_from for one in some if one.posted_from),
        posted_to=max(one.posted_to for one in some if one.posted_to),
        synced_at=min((one.synced_at for one in some if one.synced_at), default=None),
    )


def _is_post() -> Any:
    return messages.c.deleted_at.is_(None) & (messages.c.kind != MessageKind.SERVICE.value)


def utc_now() -> datetime:
    """The clock of the edges; the core takes its time as an argument."""
    return datetime.now(UTC)
