"""An archive, a loopback Telegram and a syncer between them, on a clock that a test can turn."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ingest.sources.telegram.account import Account, AccountSettings, open_account
from ingest.sources.telegram.channels import TelegramDirectory
from ingest.sources.telegram.reading import TelegramHistory
from ingest.store.engine import Database, open_database
from ingest.store.floods import FloodStore
from ingest.store.schema import upgrade
from ingest.sync.clock import Clock
from ingest.sync.gate import Gate, Waiting
from ingest.sync.syncer import Syncer
from tests.peers.mtproto_fixtures import Channel
from tests.peers.mtproto_server import MTProtoServer

START = datetime(2026, 1, 1, tzinfo=UTC)


class TurnedClock:
    """A clock that jumps over every wait, and remembers how long they were."""

    def __init__(self) -> None:
        self.passed_s = 0.0
        self._began = time.monotonic()

    def now(self) -> datetime:
        return START + timedelta(seconds=self.monotonic())

    def monotonic(self) -> float:
        return self.passed_s + time.monotonic() - self._began

    async def sleep(self, seconds: float) -> None:
        self.passed_s += seconds
        await asyncio.sleep(0)


@dataclass
class Rig:
    """Everything that a test of syncing touches."""

    server: MTProtoServer
    account: Account
    database: Database
    gate: Gate
    syncer: Syncer
    clock: Any
    waits: list[Waiting]


def channel(
    number: int = 1, *, count: int = 0, name: str | None = "news", **options: Any
) -> Channel:
    """A channel with so many posts, a minute apart."""
    made = Channel(id=1_000_000_000 + number, title=f"Channel {number}", username=name, **options)
    for at in range(1, count + 1):
        made.post(f"post {at} of {number}", id=at, date_unixtime=1_700_000_000 + 60 * at)
    made.events.clear()
    return made


@asynccontextmanager
async def serving(*channels: Channel, clock: Any = None) -> AsyncIterator[MTProtoServer]:
    """A running server with these channels."""
    server = MTProtoServer()
    if clock is not None:
        server.faults.clock = clock.monotonic
    for one in channels:
        server.add_channel(one)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def rig(
    folder: Path,
    *channels: Channel,
    server: MTProtoServer | None = None,
    session: str | None = None,
    pause_s: float = 0,
    max_wait_s: float = 10**6,
    timeout_s: float = 20,
    clock: Clock | None = None,
) -> AsyncIterator[Rig]:
    """The whole path from the server to the database of a folder."""
    clock, waits = clock or TurnedClock(), list[Waiting]()
    async with AsyncExitStack() as stack:
        if server is None:
            server = await stack.enter_async_context(serving(*channels, clock=clock))
        account = await stack.enter_async_context(
            open_account(
                AccountSettings(
                    api_id=1,
                    api_hash="x",
                    directory=folder,
                    session=session or server.session_string(),
                    timeout_s=timeout_s,
                )
            )
        )
        database = await stack.enter_async_context(open_database(folder / "citegram.sqlite"))
        await upgrade(database)
        gate = Gate(
            FloodStore(database),
            clock,
            pause_s=pause_s,
            max_wait_s=max_wait_s,
            on_wait=waits.append,
        )
        await gate.load()
        syncer = Syncer(database, TelegramHistory(account), TelegramDirectory(account), gate)
        yield Rig(server, account, database, gate, syncer, clock, waits)


async def stored(database: Database, *, deleted: bool = False) -> dict[tuple[int, int], str]:
    """The texts of the archive's posts by channel and id; of the deleted ones if so asked."""
    from sqlalchemy import select  # noqa: PLC0415 - the only query of this module

    from ingest.store.models import messages  # noqa: PLC0415

    is_wanted = messages.c.deleted_at.is_not(None) if deleted else messages.c.deleted_at.is_(None)
    columns: Sequence[Any] = (messages.c.channel_id, messages.c.message_id, messages.c.text)
    async with database.reading() as connection:
        rows = await connection.execute(select(*columns).where(is_wanted))
        return {(row.channel_id, row.message_id): row.text for row in rows}


def present(*channels: Channel) -> dict[tuple[int, int], str]:
    """What the archive ought to hold of these channels."""
    return {
        (one.id, number): getattr(message, "message", None) or ""
        for one in channels
        for number, message in one.messages.items()
    }
