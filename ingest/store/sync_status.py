"""How the following of channels stands: what `status` and the bot can say about it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Column, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.engine import Database
from ingest.store.floods import Flood, FloodStore
from ingest.store.models import archive_facts, ingest_failures, sync_gaps
from ingest.store.syncing import Followed, followed
from ingest.types import ChannelId

_LOST = "telegram.session_lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSyncStatus:
    """One followed channel.

    Attributes:
        count_gaps: Stretches of ids that are still to be looked at.
        lag_ids: Ids between the newest that was read and the newest that was seen.
        floods: Waits that Telegram asked for, and that no success has followed yet.
    """

    followed: Followed
    count_gaps: int
    count_failures: int
    lag_ids: int
    floods: tuple[Flood, ...]

    def eta_s(self, pause_s: float) -> float:
        """Seconds until it has caught up, at so many between two pages of a hundred posts."""
        return (self.lag_ids / 100 + self.count_gaps) * pause_s


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncStatus:
    """All of it.

    Attributes:
        session_lost: Why Telegram can't be read any more; None: it can, or never could.
        floods: Waits that are about no channel.
    """

    channels: tuple[ChannelSyncStatus, ...]
    session_lost: str | None
    floods: tuple[Flood, ...]


async def sync_status(database: Database) -> SyncStatus:
    """How the following of channels stands."""
    floods = await FloodStore(database).all()
    async with database.reading() as connection:
        gaps = await _counts(connection, sync_gaps.c.channel_id)
        failures = await _counts(connection, ingest_failures.c.channel_id)
        lost = await connection.execute(
            select(archive_facts.c.value).where(archive_facts.c.name == _LOST)
        )
        return SyncStatus(
            channels=tuple(
                ChannelSyncStatus(
                    followed=one,
                    count_gaps=gaps.get(one.channel_id, 0),
                    count_failures=failures.get(one.channel_id, 0),
                    lag_ids=max(0, one.top_id - one.cursor_id),
                    floods=_of(floods, one.channel_id),
                )
                for one in await followed(connection)
            ),
            session_lost=lost.scalar_one_or_none(),
            floods=_of(floods, ChannelId(0)),
        )


async def _counts(connection: AsyncConnection, column: Column[int]) -> dict[int, int]:
    """How many rows of a table each channel has."""
    rows = await connection.execute(select(column, func.count()).group_by(column))
    return {row[0]: row[1] for row in rows}


def _of(floods: list[Flood], channel_id: ChannelId) -> tuple[Flood, ...]:
    return tuple(flood for flood in floods if flood.channel_id == channel_id)


async def note_session(database: Database, why_lost: str | None) -> None:
    """Remembers that Telegram ended the session; None: it is good again."""
    async with database.writing() as connection:
        await connection.execute(delete(archive_facts).where(archive_facts.c.name == _LOST))
        if why_lost is not None:
            await connection.execute(insert(archive_facts).values(name=_LOST, value=why_lost))
