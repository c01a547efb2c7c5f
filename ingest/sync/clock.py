"""Time for everything that waits: the system's, or a test's own."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What syncing knows of time."""

    def now(self) -> datetime:
        """The time of day, aware UTC: for what is stored."""

    def monotonic(self) -> float:
        """Seconds that only grow: for what is waited."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


class SystemClock:
    """The machine's clock; `monotonic` does not jump when somebody sets it."""

    def now(self) -> datetime:
        """The time of day, aware UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Waits."""
        await asyncio.sleep(seconds)
