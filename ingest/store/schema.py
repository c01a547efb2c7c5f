"""Brings a database to the schema of this program, by the migrations that ship with it."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from sqlalchemy import Connection, inspect, text

from ingest.errors import DatabaseTooNew, DatabaseUnusable
from ingest.store.engine import Database

if TYPE_CHECKING:
    from alembic.config import Config

log = structlog.get_logger(__name__)

HEAD = "0003"
"""The newest revision. Written down, so that a database that has it costs no Alembic."""


def migrations_config(connection: Connection | None = None) -> Config:
    """Alembic's configuration, wherever the package is installed."""
    from alembic.config import Config  # noqa: PLC0415 - see HEAD

    config = Config()
    config.set_main_option("script_location", "migrations:")
    config.attributes["connection"] = connection
    return config


def known_revisions() -> list[str]:
    """Every revision that this program can bring a database to, oldest first."""
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - see HEAD

    scripts = ScriptDirectory.from_config(migrations_config())
    return [script.revision for script in scripts.walk_revisions()][::-1]


async def upgrade(database: Database) -> None:
    """Migrates the database if it is older than the program; a copy of it is kept beside.

    Raises:
        DatabaseTooNew: It was written by a newer program; nothing was changed.
        DatabaseUnusable: There is no room for the copy.
    """
    async with database.reading() as connection:
        current = await connection.run_sync(_current)
    if current == HEAD:
        return
    if current is not None and current not in await asyncio.to_thread(known_revisions):
        raise DatabaseTooNew(current)
    if current is not None and database.path is not None:
        await asyncio.to_thread(_copy, database.path, current)
    async with database.writing() as connection:
        # Somebody else may have migrated while we waited for the lock.
        if await connection.run_sync(_current) != HEAD:
            await connection.run_sync(_upgrade)
    log.info("database.migrated", before=current, after=HEAD)


def _current(connection: Connection) -> str | None:
    """The database's revision; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    query = text("SELECT version_num FROM alembic_version")
    return connection.execute(query).scalar_one_or_none()


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - see HEAD

    command.upgrade(migrations_config(connection), HEAD)


def _copy(path: Path, revision: str) -> None:
    """A whole copy, the write-ahead log included, taken by SQLite itself."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    target = path.with_name(f"{path.stem}.before-{HEAD}.{revision}.{stamp}{path.suffix}")
    if shutil.disk_usage(path.parent).free < path.stat().st_size * 2:
        raise DatabaseUnusable(
            f"there is no room beside {path} for the copy made before an upgrade; "
            "free some disk space and start again"
        )
    source, copied = sqlite3.connect(path), sqlite3.connect(target)
    try:
        source.backup(copied)
    finally:
        source.close()
        copied.close()
