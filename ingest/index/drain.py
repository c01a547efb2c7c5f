"""Keeps the index up to the archive for as long as the index process lives."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from ingest.index.lemma_file import LemmaFile
from ingest.index.writer import IndexWriter
from ingest.store.engine import Database
from ingest.text.lemmas import shared_lemmatiser

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 0.25
"""How often the outbox is looked at when it was empty: a new post is found this much later."""

UPKEEP_EVERY_S = 5.0
"""How often the write-ahead log and the lemma file are looked after."""


class Drain:
    """The background work of the index process.

    Attributes:
        writer: Who does it; may be exchanged while its lock is held.
    """

    def __init__(self, writer: IndexWriter, database: Database, lemmas: LemmaFile) -> None:
        self.writer = writer
        self._database, self._lemmas = database, lemmas
        self._is_busy = {"words": True, "vectors": True}

    def busy(self) -> bool:
        """Whether the last look at the outbox found something."""
        return any(self._is_busy.values())

    async def run(self) -> None:
        """Drains the outbox whenever there is something in it; until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._repeat("words", self._drain_words))
            tasks.create_task(self._repeat("vectors", self._drain_vectors))
            tasks.create_task(self._keep_tending())

    async def _drain_words(self) -> int:
        return await self.writer.drain_words()

    async def _drain_vectors(self) -> int:
        return await self.writer.drain_vectors()

    async def _repeat(self, name: str, drain: Callable[[], Awaitable[int]]) -> None:
        while True:
            count = await drain()
            self._is_busy[name] = count > 0
            # Searches get their turn between batches even when the queue is long.
            await asyncio.sleep(0 if count else LOOK_EVERY_S)

    async def _keep_tending(self) -> None:
        while True:
            await asyncio.sleep(UPKEEP_EVERY_S)
            await self.tend()

    async def tend(self) -> None:
        """Shortens the write-ahead log and saves the lemmas that are new."""
        await self._database.checkpoint()
        await asyncio.to_thread(self._lemmas.append, shared_lemmatiser())
