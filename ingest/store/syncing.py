"""How far each channel is read, kept in the rows' own transactions; gaps, waits and failures."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.sources.telegram_types import ChannelKey, Poison
from ingest.store.models import (
    channels,
    ingest_failures,
    messages,
    sync_gaps,
    sync_states,
)
from ingest.store.queueing import enqueue
from ingest.store.rows import channel_of
from ingest.types import Channel, ChannelId, MessageId

SOURCE = "telegram"
"""The name of this source in `ingest_failures`."""

_IDS_AT_ONCE = 500


class ChannelState(enum.StrEnum):
    """Whether a channel is being followed."""

    ACTIVE = "active"
    NO_ACCESS = "no_access"
    """It can't be read any more; what is stored stays."""
    MIGRATED = "migrated"
    """A basic group that has become a supergroup, which is followed in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """A channel that is read from Telegram, and how far.

    Attributes:
        floor_id: Older posts are not wanted.
        cursor_id: Posts up to this id were read, but for the gaps.
        top_id: The newest id that was seen.
        sweep_id: How far a sweep that has begun has come.
    """

    channel: Channel
    key: ChannelKey
    state: ChannelState
    reason: str | None
    state_since: datetime
    floor_id: int
    cursor_id: int
    top_id: int
    checked_at: datetime | None
    sweep_id: int
    sweep_started_at: datetime | None
    swept_at: datetime | None
    linked_id: ChannelId | None
    migrated_to: ChannelId | None
    last_error: str | None

    @property
    def channel_id(self) -> ChannelId:
        """The channel's id."""
        return self.channel.channel_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Ids from `from_id` to `to_id`, both included, of which some were not seen."""

    gap_id: int
    from_id: int
    to_id: int
    reason: str


async def follow(connection: AsyncConnection, key: ChannelKey, *, now: datetime) -> None:
    """Begins to follow a channel that is stored already, or takes it up again."""
    known = await connection.execute(
        select(sync_states.c.channel_id).where(sync_states.c.channel_id == key.channel_id)
    )
    values: dict[str, Any] = {
        "access_hash": key.access_hash,
        "state": ChannelState.ACTIVE.value,
        "reason": None,
        "state_since": now,
    }
    if known.first() is None:
        start = {"floor_id": 0, "cursor_id": 0, "top_id": 0, "sweep_id": 0}
        await connection.execute(
            insert(sync_states).values(channel_id=key.channel_id, **start, **values)
        )
    else:
        await change(connection, key.channel_id, **values)


async def change(
    connection: AsyncConnection,
    channel_id: ChannelId,
    **values: Any,
) -> None:
    """Changes columns of a channel's progress."""
    await connection.execute(
        update(sync_states).where(sync_states.c.channel_id == channel_id).values(**values)
    )


async def followed(
    connection: AsyncConnection, channel_id: ChannelId | None = None
) -> list[Followed]:
    """The followed channels by title, or one of them (an empty list: it is not followed)."""
    query = (
        select(channels, sync_states)
        .join(sync_states, sync_states.c.channel_id == channels.c.channel_id)
        .order_by(channels.c.title)
    )
    if channel_id is not None:
        query = query.where(sync_states.c.channel_id == channel_id)
    return [_followed_of(row) for row in await connection.execute(query)]


def _followed_of(row: Any) -> Followed:
    channel = channel_of(row)
    return Followed(
        channel=channel,
        key=ChannelKey(channel.channel_id, row.access_hash),
        state=ChannelState(row.state),
        reason=row.reason,
        state_since=row.state_since,
        floor_id=row.floor_id,
        cursor_id=row.cursor_id,
        top_id=row.top_id,
        checked_at=row.checked_at,
        sweep_id=row.sweep_id,
        sweep_started_at=row.sweep_started_at,
        swept_at=row.swept_at,
        linked_id=row.linked_id,
        migrated_to=row.migrated_to,
        last_error=row.last_error,
    )


async def add_gap(
    connection: AsyncConnection,
    channel_id: ChannelId,
    ids: tuple[int, int],
    *,
    reason: str,
    now: datetime,
) -> None:
    """Records that something may be missing between two ids, both included."""
    first, last = ids
    if first <= last:
        await connection.execute(
            insert(sync_gaps).values(
                channel_id=channel_id, from_id=first, to_id=last, reason=reason, found_at=now
            )
        )


async def gaps(connection: AsyncConnection, channel_id: ChannelId, *, limit: int) -> list[Gap]:
    """The channel's oldest gaps."""
    rows = await connection.execute(
        select(sync_gaps)
        .where(sync_gaps.c.channel_id == channel_id)
        .order_by(sync_gaps.c.from_id)
        .limit(limit)
    )
    return [Gap(gap_id=r.gap_id, from_id=r.from_id, to_id=r.to_id, reason=r.reason) for r in rows]


async def shorten_gap(connection: AsyncConnection, gap: Gap, *, read_to: int) -> None:
    """The gap is known up to an id; it goes when nothing of it is left."""
    if read_to >= gap.to_id:
        await connection.execute(delete(sync_gaps).where(sync_gaps.c.gap_id == gap.gap_id))
    else:
        await connection.execute(
            update(sync_gaps).where(sync_gaps.c.gap_id == gap.gap_id).values(from_id=read_to + 1)
        )


async def held_ids(
    connection: AsyncConnection, channel_id: ChannelId, ids: tuple[int, int], *, live: bool
) -> set[int]:
    """Ids of the archive between two, both included.

    Args:
        live: Leave out posts that are known to be deleted, and failures.
    """
    first, last = ids
    query = (
        select(messages.c.message_id)
        .where(messages.c.channel_id == channel_id)
        .where(messages.c.message_id.between(first, last))
    )
    if live:
        query = query.where(messages.c.deleted_at.is_(None))
    found = {row.message_id for row in await connection.execute(query)}
    if not live:
        failed = (
            select(ingest_failures.c.message_id)
            .where(ingest_failures.c.channel_id == channel_id)
            .where(ingest_failures.c.message_id.between(first, last))
        )
        found |= {row.message_id for row in await connection.execute(failed)}
    return found


async def mark_deleted(
    connection: AsyncConnection, channel_id: ChannelId, ids: Iterable[int], *, now: datetime
) -> int:
    """Posts that are gone leave search with the next look of the index; how many were live."""
    wanted, gone = sorted(ids), list[int]()
    for start in range(0, len(wanted), _IDS_AT_ONCE):
        rows = await connection.execute(
            update(messages)
            .where(messages.c.channel_id == channel_id)
            .where(messages.c.message_id.in_(wanted[start : start + _IDS_AT_ONCE]))
            .where(messages.c.deleted_at.is_(None))
            .values(deleted_at=now)
            .returning(messages.c.message_id)
        )
        gone += [row.message_id for row in rows]
    await enqueue(connection, channel_id, [(message_id, False) for message_id in gone])
    return len(gone)


async def note_failures(
    connection: AsyncConnection,
    channel_id: ChannelId,
    poison: Sequence[Poison],
    *,
    now: datetime,
) -> None:
    """Records messages that could not be read or stored; once each, with the last reason."""
    for bad in poison:
        same = (
            (ingest_failures.c.channel_id == channel_id)
            & (ingest_failures.c.message_id == bad.message_id)
            & (ingest_failures.c.source == SOURCE)
        )
        changed = await connection.execute(
            update(ingest_failures)
            .where(same)
            .values(
                reason=bad.reason,
                failed_at=now,
                count_attempts=ingest_failures.c.count_attempts + 1,
            )
        )
        if changed.rowcount == 0:
            await connection.execute(
                insert(ingest_failures).values(
                    channel_id=channel_id,
                    message_id=bad.message_id,
                    source=SOURCE,
                    reason=bad.reason,
                    failed_at=now,
                )
            )


async def clear_failures(
    connection: AsyncConnection, channel_id: ChannelId, ids: Sequence[MessageId]
) -> None:
    """Messages that are stored, or gone, are no failures any more."""
    if ids:
        await connection.execute(
            delete(ingest_failures)
            .where(ingest_failures.c.channel_id == channel_id)
            .where(ingest_failures.c.message_id.in_(ids))
            .where(ingest_failures.c.source == SOURCE)
        )
