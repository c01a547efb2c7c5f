"""Waiting that ends when the process is asked to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def unless_stopped(
    stop: asyncio.Event, work: Coroutine[Any, Any, T], *, timeout_s: float | None = None
) -> T | None:
    """The result of `work`; None if it was cancelled because of `stop` or the timeout."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait(
            (working, stopping), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        stopping.cancel()
        if not working.done():
            working.cancel()
        await asyncio.wait((working, stopping))
    return None if working.cancelled() else working.result()
