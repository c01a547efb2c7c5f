"""Opens the archive and what belongs to it, from settings: used by every process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from ingest.index.client import IndexClient
from ingest.index.link import IndexLink
from ingest.settings import Settings
from ingest.store.archive import Archive
from ingest.store.engine import Database, open_database
from ingest.store.schema import upgrade


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveServices:
    """An open archive: its database, its read side, and its index (started when first used)."""

    database: Database
    archive: Archive
    index: IndexClient


@asynccontextmanager
async def open_archive(settings: Settings) -> AsyncIterator[ArchiveServices]:
    """Opens the archive that the settings name; an older database is brought up to date.

    Raises:
        ArchiveError: It cannot be used; the message says why and what to do.
    """
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(
            open_database(settings.database_path, settings.database_address)
        )
        await upgrade(database)
        link = await stack.enter_async_context(IndexLink(settings.data_dir))
        yield ArchiveServices(
            database=database, archive=Archive(database), index=IndexClient(link)
        )
