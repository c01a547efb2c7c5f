"""Keeps the index up to the archive for as long as the index process lives."""

from __future__ import annotations

import asyncio
import time

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
        writer: Who does it; may be exchanged under the lock.
        lock: Held during each batch, so that nobody exchanges the collection meanwhile.
    """

    def __init__(self, writer: IndexWriter, database: Database, lemmas: LemmaFile) -> None:
        self.writer = writer
        self.lock = asyncio.Lock()
        self._database, self._lemmas = database, lemmas
        self._busy = True

    def busy(self) -> bool:
        """Whether the last look at the outbox found something."""
        return self._busy

    async def run(self) -> None:
        """Drains the outbox whenever there is something in it; until cancelled."""
        tended_at = time.monotonic()
        while True:
            async with self.lock:
                count = await self.writer.drain_one_batch()
            self._busy = count > 0
            if time.monotonic() - tended_at > UPKEEP_EVERY_S:
                await self.tend()
                tended_at = time.monotonic()
            # Searches get their turn between batches even when the queue is long.
            await asyncio.sleep(0 if count else LOOK_EVERY_S)

    async def tend(self) -> None:
        """Shortens the write-ahead log and saves the lemmas that are new."""
        await self._database.checkpoint()
        await asyncio.to_thread(self._lemmas.append, shared_lemmatiser())
