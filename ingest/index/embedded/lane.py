"""One thread for the engine: whatever blocks is done there, in the order of arrival."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ingest.index.embedded.contract import Engine

_T = TypeVar("_T")

# People pause longer than this between two searches, and a writer's batches follow each other
# faster: a freeze of a second now meets neither.
QUIET_S = 3.0
_TIDY_EVERY_S = 1.0


class Lane:
    """Runs calls on an engine one at a time, off the event loop.

    Args:
        open_engine: Makes the engine; called once, on the lane's own thread.
    """

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        self._open_engine = open_engine
        self._engine: Engine | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="index")
        self._used_at = time.monotonic()

    async def open(self) -> None:
        """Opens the engine.

        Raises:
            IndexUnavailable: Its files are in use elsewhere, or damaged.
        """
        loop = asyncio.get_running_loop()
        self._engine = await loop.run_in_executor(self._thread, self._open_engine)

    async def run(self, call: Callable[[Engine], _T]) -> _T:
        """The result of a call with the engine; its errors pass through."""
        self._used_at = time.monotonic()
        try:
            return await self._run(call)
        finally:
            self._used_at = time.monotonic()

    async def keep_tidy(self) -> None:
        """Has the engine do its upkeep, for ever; run it beside the requests."""
        while True:
            await asyncio.sleep(_TIDY_EVERY_S)
            quiet = time.monotonic() - self._used_at > QUIET_S
            await self._run(_quiet_tidy if quiet else _busy_tidy)

    async def close(self) -> None:
        """Finishes what was begun, saves, and lets go of the files."""
        if self._engine is not None:
            await self._run(lambda engine: engine.close())
            self._engine = None
        self._thread.shutdown(wait=False)

    async def _run(self, call: Callable[[Engine], _T]) -> _T:
        engine = self._engine
        if engine is None:
            raise RuntimeError("the lane is not open")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, call, engine)


def _quiet_tidy(engine: Engine) -> None:
    engine.tidy(quiet=True)


def _busy_tidy(engine: Engine) -> None:
    engine.tidy(quiet=False)
