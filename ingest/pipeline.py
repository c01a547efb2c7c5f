"""From a source into the archive, batch by batch: each is whole or not there at all."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from pathlib import Path

from sqlalchemy import update

from ingest.errors import BadExport
from ingest.sources.desktop_json import (
    ChannelEnded,
    ChannelStarted,
    ExportEvent,
    MessageSkipped,
    ReadSoFar,
)
from ingest.sources.exports import read_export
from ingest.store.archive import Archive
from ingest.store.engine import Database
from ingest.store.models import channels
from ingest.store.writing import store_channel, store_messages
from ingest.types import Channel, Message

BATCH = 500
"""Messages of a transaction: enough that its fsync does not count, few enough to lose."""

CHECKPOINT_EVERY = 20
"""Batches between two looks at the write-ahead log, which would grow without end otherwise."""


@dataclass(slots=True)
class ChannelImport:
    """What became of one channel of an export."""

    channel: Channel
    count_messages: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed: int = 0


@dataclass(slots=True)
class ImportReport:
    """What became of one file.

    Attributes:
        skipped_elsewhere: Messages of chats that are no channels, by reason.
        error: Why the file could not be read to its end.
    """

    channels: list[ChannelImport] = field(default_factory=list)
    skipped_elsewhere: Counter[str] = field(default_factory=Counter)
    error: BadExport | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an import is."""

    count_messages: int
    count_bytes: int
    """Read of the current file."""
    elapsed_s: float


class Importer:
    """Imports exports of Telegram Desktop.

    Args:
        zone: Of times in old exports that have local ones only.
        on_progress: Called after each batch.
    """

    def __init__(
        self,
        database: Database,
        *,
        zone: tzinfo,
        clock: Callable[[], datetime],
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        self._database, self._zone, self._clock = database, zone, clock
        self._on_progress = on_progress
        self._started_at = time.monotonic()
        self._count_messages = self._count_batches = 0
        self._current: ChannelImport | None = None

    async def __call__(self, path: Path, *, rename: Callable[[Channel], Channel]) -> ImportReport:
        """Imports a file, or a folder of exports.

        What was stored before an error stays stored.

        Args:
            rename: Gives a channel the username that its export lacks.
        """
        report, self._current = ImportReport(), None
        so_far = ReadSoFar()
        # HTML exports name no channel by its id: one of the same title is taken for it.
        titled = {one.title: one for one in await Archive(self._database).channels()}
        events = _batches(read_export(path, zone=self._zone, so_far=so_far, known=titled.get))
        try:
            # Parsing goes on in a thread while the previous batch is being stored.
            upcoming = asyncio.create_task(asyncio.to_thread(next, events, None))
            while (batch := await upcoming) is not None:
                upcoming = asyncio.create_task(asyncio.to_thread(next, events, None))
                await self._take(batch, report, rename)
                self._tell(so_far)
                await self._checkpoint_sometimes()
        except BadExport as error:
            report.error = error
        await self._database.checkpoint()
        return report

    async def _take(
        self,
        batch: Sequence[ExportEvent],
        report: ImportReport,
        rename: Callable[[Channel], Channel],
    ) -> None:
        messages: list[Message] = []
        for event in batch:
            match event:
                case ChannelStarted():
                    messages = await self._store(messages)
                    self._current = ChannelImport(rename(event.channel))
                    report.channels.append(self._current)
                case ChannelEnded():
                    messages = await self._store(messages)
                    await self._end()
                case MessageSkipped():
                    self._count_messages += 1
                    self._skip(event.reason, report)
                case Message() if self._current:
                    self._count_messages += 1
                    self._current.count_messages += 1
                    messages.append(event)
        await self._store(messages)

    def _skip(self, reason: str, report: ImportReport) -> None:
        if self._current is None:
            report.skipped_elsewhere[reason] += 1
        else:
            self._current.count_messages += 1
            self._current.skipped[reason] += 1

    async def _store(self, messages: Sequence[Message]) -> list[Message]:
        """Stores messages of the current channel; gives the empty list to go on with."""
        current = self._current
        if messages and current is not None:
            now = self._clock()
            async with self._database.writing() as connection:
                await store_channel(connection, current.channel, now=now)
                stored = await store_messages(
                    connection, current.channel.channel_id, messages, now=now
                )
            current.added += stored.added
            current.updated += stored.updated
            current.unchanged += stored.unchanged
        return []

    async def _end(self) -> None:
        """An export is the whole channel as of some moment: that is when it was last seen."""
        if self._current is None:
            return
        now = self._clock()
        async with self._database.writing() as connection:
            await store_channel(connection, self._current.channel, now=now)
            await connection.execute(
                update(channels)
                .where(channels.c.channel_id == self._current.channel.channel_id)
                .values(synced_at=now)
            )
        self._current = None

    def _tell(self, so_far: ReadSoFar) -> None:
        if self._on_progress:
            self._on_progress(
                Progress(
                    count_messages=self._count_messages,
                    count_bytes=so_far.count_bytes,
                    elapsed_s=time.monotonic() - self._started_at,
                )
            )

    async def _checkpoint_sometimes(self) -> None:
        self._count_batches += 1
        if self._count_batches % CHECKPOINT_EVERY == 0:
            await self._database.checkpoint()


def _batches(events: Iterator[ExportEvent]) -> Iterator[list[ExportEvent]]:
    """Events by the `BATCH`; what came before an error is handed over before the error."""
    batch: list[ExportEvent] = []
    try:
        for event in events:
            batch.append(event)
            if len(batch) >= BATCH:
                yield batch
                batch = []
    except BadExport:
        yield batch
        raise
    if batch:
        yield batch
