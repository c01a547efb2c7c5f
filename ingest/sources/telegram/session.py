"""The session: where it is kept, that nobody else reads it, that one process uses it."""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from telethon.sessions import SQLiteSession, StringSession

from ingest.sources.telegram_errors import NotLoggedIn, SessionInUse, SessionUnsafe

FILE_NAME, LOCK_NAME = "telegram.session", "telegram.lock"

_OWNER_ONLY = 0o600
_SQLITE_MAGIC = b"SQLite format 3\0"


def load_session(directory: Path, setting: str | None) -> StringSession:
    """The session of the setting, else of the file; only `save_session` ever writes one.

    Whoever reads channels works on a copy in memory: nothing they do can damage the file, and
    Telethon's own session database, which locks out its second reader, is not needed.

    Raises:
        NotLoggedIn: There is none.
        SessionUnsafe: Others can read the file.
    """
    if setting:
        return _parsed(setting)
    path = directory / FILE_NAME
    try:
        mode, written = path.stat().st_mode, path.read_bytes()
    except FileNotFoundError:
        raise NotLoggedIn from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise SessionUnsafe(path)
    if written.startswith(_SQLITE_MAGIC):
        return _of_telethon_file(path)
    return _parsed(written.decode("ascii", "replace").strip())


def save_session(directory: Path, session: StringSession) -> Path:
    """Writes the session for its owner's eyes only; the file is whole or the old one."""
    directory.mkdir(parents=True, exist_ok=True)
    path, draft = directory / FILE_NAME, directory / f"{FILE_NAME}.new"
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "w") as file:
        file.write(StringSession.save(session) + "\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return path


@asynccontextmanager
async def only_client(directory: Path) -> AsyncIterator[None]:
    """Holds the session's lock; the operating system gives it back when we die.

    Raises:
        SessionInUse: Another process holds it.
    """
    file = await asyncio.to_thread(_locked, directory)
    try:
        yield
    finally:
        await asyncio.to_thread(file.close)


def _locked(directory: Path) -> TextIO:
    directory.mkdir(parents=True, exist_ok=True)
    file = (directory / LOCK_NAME).open("a+")  # not emptied before it is ours
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        written = file.read().strip()
        file.close()
        raise SessionInUse(int(written) if written.isdigit() else None) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _parsed(text: str) -> StringSession:
    try:
        return StringSession(text)
    except (ValueError, IndexError, OSError):
        # Chained, the error would show the session.
        raise NotLoggedIn from None


def _of_telethon_file(path: Path) -> StringSession:
    stored = SQLiteSession(str(path))
    try:
        copy = StringSession()
        copy.set_dc(stored.dc_id, stored.server_address, stored.port)
        copy.auth_key = stored.auth_key
        return copy
    finally:
        stored.close()
