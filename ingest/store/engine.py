"""Opens the database with the promises that the archive makes: what is committed stays."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ingest.errors import DatabaseUnusable

BUSY_TIMEOUT_MS = 10_000
"""How long a writer waits for another one; a page of history takes well under a second."""


class Database:
    """One database, shared by any number of tasks; other processes may have it open too.

    Reading and writing go through separate pools: a writer takes the lock at its start
    (``BEGIN IMMEDIATE``), since SQLite can't upgrade a read to a write without the risk that
    somebody else wrote in between; readers never wait for it.
    """

    def __init__(self, reader: AsyncEngine, writer: AsyncEngine, path: Path | None) -> None:
        self._reader, self._writer, self._path = reader, writer, path

    @property
    def path(self) -> Path | None:
        """The SQLite file; None when the database is a server."""
        return self._path

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of ours."""
        return self._path is not None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one consistent state and can't write."""
        async with self._reader.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: committed at the end, rolled back by an exception."""
        async with self._writer.begin() as connection:
            yield connection

    async def checkpoint(self) -> None:
        """Moves what the write-ahead log holds into the database file.

        Automatic checkpoints are off and this one runs while nobody writes, because SQLite
        before 3.51.3 can damage the file when one connection checkpoints while another one
        restarts the log. Source: sqlite.org/wal.html, "The WAL-Reset Bug".
        """
        if self._path is None:
            return
        lock = await asyncio.to_thread(_lock, self._path.with_name(".checkpoint.lock"))
        if lock is None:
            return  # somebody else is at it
        try:
            async with self.writing(), self._reader.connect() as connection:
                await connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))
        finally:
            os.close(lock)

    async def close(self) -> None:
        """Gives all connections back."""
        await asyncio.gather(self._reader.dispose(), self._writer.dispose())


@asynccontextmanager
async def open_database(path: Path, url: str | None = None) -> AsyncIterator[Database]:
    """Opens the database at `path`, or the server at `url`; its schema is not looked at.

    Raises:
        DatabaseUnusable: It can't be opened, or is no database.
    """
    if url is not None and make_url(url).get_backend_name() != "sqlite":
        engine = create_async_engine(url, pool_pre_ping=True)
        database = Database(engine, engine, None)
    else:
        if url is not None:
            path = Path(make_url(url).database or path)
        await asyncio.to_thread(_make_folder, path.parent)
        database = _sqlite(path)
        await _probe(database, path)
    try:
        yield database
    finally:
        await database.close()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseUnusable(f"{folder} cannot be created: {error.strerror}") from error


def _lock(path: Path) -> int | None:
    """A descriptor that holds the lock until it is closed; None if another one holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _sqlite(path: Path) -> Database:
    url = f"sqlite+aiosqlite:///{path}"
    reader = create_async_engine(url, pool_size=4, max_overflow=12)
    writer = create_async_engine(url, pool_size=1, max_overflow=0, pool_timeout=120)
    _prepare(reader, begin="BEGIN", query_only=True)
    _prepare(writer, begin="BEGIN IMMEDIATE", query_only=False)
    return Database(reader, writer, path)


def _prepare(engine: AsyncEngine, *, begin: str, query_only: bool) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        if not query_only:
            cursor.execute("PRAGMA journal_mode=WAL")
        # Questions accepted, cursors and the outbox are promises: they survive a power cut.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA wal_autocheckpoint=0")
        cursor.execute("PRAGMA cache_size=-32000")
        if query_only:
            cursor.execute("PRAGMA query_only=ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


async def _probe(database: Database, path: Path) -> None:
    """Touches the file once, so that a damaged or foreign one is named at the start."""
    try:
        async with database.writing() as connection:
            await connection.execute(text("SELECT count(*) FROM sqlite_schema"))
    except (DatabaseError, OSError) as error:
        await database.close()
        reason = getattr(error, "orig", None) or error
        raise DatabaseUnusable(
            f"{path} cannot be used as the database ({reason}); nothing was changed. "
            "Restore a backup, or point CITEGRAM_DATA_DIR elsewhere"
        ) from error
