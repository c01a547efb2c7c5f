"""One bot process for a data directory; the second one is told which is the first."""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from bot.errors import AlreadyRunning, BotError

LOCK_FILE = "bot.lock"


@asynccontextmanager
async def only_bot(directory: Path) -> AsyncIterator[None]:
    """Holds the directory's lock; the operating system gives it back when we die.

    Raises:
        AlreadyRunning: Another process holds it.
        BotError: The directory cannot be written to.
    """
    file = await asyncio.to_thread(_locked, directory)
    try:
        yield
    finally:
        await asyncio.to_thread(file.close)


def _locked(directory: Path) -> TextIO:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        # Not truncated before it is ours: it says who holds it.
        file = (directory / LOCK_FILE).open("a+")
    except OSError as error:
        raise BotError(f"{directory} cannot be written to: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        written = file.read().strip()
        file.close()
        raise AlreadyRunning(directory, int(written) if written.isdigit() else None) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file
