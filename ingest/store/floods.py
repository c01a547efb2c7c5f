"""Telegram's waits, kept so that a restart obeys them too."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Delete, delete, insert, select

from ingest.store.engine import Database
from ingest.store.models import sync_floods


@dataclass(frozen=True, slots=True, kw_only=True)
class Flood:
    """A wait that Telegram asked for.

    Attributes:
        channel_id: 0 where it is about no channel.
        count_in_a_row: Waits asked of the same call since it last succeeded.
    """

    channel_id: int
    method: str
    wait_s: int
    count_in_a_row: int
    asked_at: datetime
    until_at: datetime


class FloodStore:
    """The waits of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[Flood]:
        """Every wait that has not been followed by a success, past ones too."""
        async with self._database.reading() as connection:
            rows = await connection.execute(select(sync_floods))
            return [
                Flood(
                    channel_id=row.channel_id,
                    method=row.method,
                    wait_s=row.wait_s,
                    count_in_a_row=row.count_in_a_row,
                    asked_at=row.asked_at,
                    until_at=row.until_at,
                )
                for row in rows
            ]

    async def keep(self, flood: Flood) -> None:
        """Remembers a wait in place of the call's earlier one."""
        async with self._database.writing() as connection:
            await connection.execute(_same(flood.channel_id, flood.method))
            await connection.execute(
                insert(sync_floods).values(
                    channel_id=flood.channel_id,
                    method=flood.method,
                    wait_s=flood.wait_s,
                    count_in_a_row=flood.count_in_a_row,
                    asked_at=flood.asked_at,
                    until_at=flood.until_at,
                )
            )

    async def forget(self, channel_id: int, method: str) -> None:
        """The call has succeeded."""
        async with self._database.writing() as connection:
            await connection.execute(_same(channel_id, method))


def _same(channel_id: int, method: str) -> Delete:
    return (
        delete(sync_floods)
        .where(sync_floods.c.channel_id == channel_id)
        .where(sync_floods.c.method == method)
    )
