"""The gate that every request passes: pacing, Telegram's waits, failures, and the stop signal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

import structlog

from ingest.sources.telegram_errors import FloodWait, Unanswered
from ingest.store.floods import Flood, FloodStore
from ingest.sync.clock import Clock
from ingest.sync.errors import ChannelBusy, Stopped

log = structlog.get_logger(__name__)

T = TypeVar("T")

WAITS_IN_A_ROW = 6
"""So many waits without an answer between them are a flood, however short each is."""

LONG_WAIT_S = 300
"""What such a flood is worth at least, doubled for each further one."""

MAX_WAIT_S = 86_400
"""Telegram's own longest waits are about a day; a longer one is a mistake of somebody's."""

TRIES = 5
"""Tries of a request that Telegram leaves unanswered, 1, 2, 4 and 8 s apart."""

MARGIN_S = 0.5
"""Their clocks count whole seconds: a call right at the end of a wait can come too early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A wait that goes on now, for people to see.

    Attributes:
        channel_id: 0 where it is about no channel.
    """

    channel_id: int
    method: str
    until_at: datetime
    wait_s: float


class Gate:
    """Lets requests through one after another, not faster than Telegram likes.

    Args:
        pause_s: Seconds between two requests, whatever they ask.
        max_wait_s: A longer wait ends the channel's turn instead of being sat out.
        on_wait: Called when a wait begins.
    """

    def __init__(
        self,
        store: FloodStore,
        clock: Clock,
        *,
        pause_s: float,
        max_wait_s: float,
        on_wait: Callable[[Waiting], None] | None = None,
    ) -> None:
        self._store, self._clock = store, clock
        self._pause_s, self._max_wait_s = pause_s, max_wait_s
        self._on_wait = on_wait
        self._due: dict[tuple[int, str], float] = {}
        self._floods: dict[tuple[int, str], Flood] = {}
        self._next_at = clock.monotonic()
        # Locks are fair: channels get through in the order in which they came.
        self._turn = asyncio.Lock()
        self._stop = asyncio.Event()

    @property
    def clock(self) -> Clock:
        """The clock that it waits by."""
        return self._clock

    async def load(self) -> None:
        """Takes over the waits that an earlier process was given."""
        now, at = self._clock.now(), self._clock.monotonic()
        for flood in await self._store.all():
            key = (flood.channel_id, flood.method)
            self._floods[key] = flood
            # Never longer than it was: somebody may have set the clock back.
            left_s = min((flood.until_at - now).total_seconds(), flood.wait_s + MARGIN_S)
            self._due[key] = at + left_s

    def stop(self) -> None:
        """From now on every request, and every wait, ends with `Stopped`."""
        self._stop.set()

    @property
    def is_stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stop.is_set()

    async def sleep(self, seconds: float) -> None:
        """Waits.

        Raises:
            Stopped: Before the time was over.
        """
        await self._unless_stopped(self._clock.sleep(seconds))

    async def ask(self, channel_id: int, method: str, request: Callable[[], Awaitable[T]]) -> T:
        """The answer to a request, when it is its turn and Telegram lets it.

        Args:
            channel_id: Whom a wait would be about; 0: nobody.

        Raises:
            ChannelBusy: The wait is too long for this run.
            Unanswered: Telegram did not answer `TRIES` times.
            Stopped: The process has to end.
            TelegramError: What the request raises beside.
        """
        failures = 0
        while True:
            await self._wait_for_turn(channel_id, method)
            try:
                answer = await self._unless_stopped(request())
            except FloodWait as flood:
                await self._note(channel_id, method, flood.wait_s)
            except Unanswered as error:
                failures += 1
                log.warning("telegram.unanswered", method=method, why=error.why, tries=failures)
                if failures == TRIES:
                    raise
                await self.sleep(2.0 ** (failures - 1))
            else:
                if self._floods.pop((channel_id, method), None):
                    self._due.pop((channel_id, method), None)
                    await self._store.forget(channel_id, method)
                return answer

    async def _wait_for_turn(self, channel_id: int, method: str) -> None:
        wait_s = self._due.get((channel_id, method), 0.0) - self._clock.monotonic()
        if wait_s > 0:
            until_at = self._clock.now() + timedelta(seconds=wait_s)
            if wait_s > self._max_wait_s:
                raise ChannelBusy(method, until_at)
            if self._on_wait:
                self._on_wait(
                    Waiting(channel_id=channel_id, method=method, until_at=until_at, wait_s=wait_s)
                )
            await self.sleep(wait_s)
        async with self._turn:
            pause_s = self._next_at - self._clock.monotonic()
            if pause_s > 0:
                await self.sleep(pause_s)
            self._next_at = self._clock.monotonic() + self._pause_s
        if self.is_stopping:
            raise Stopped

    async def _note(self, channel_id: int, method: str, asked_s: int) -> None:
        key = (channel_id, method)
        earlier = self._floods.get(key)
        in_a_row = earlier.count_in_a_row + 1 if earlier else 1
        wait_s = min(asked_s, MAX_WAIT_S)
        if in_a_row >= WAITS_IN_A_ROW:
            wait_s = max(wait_s, min(LONG_WAIT_S * 2 ** (in_a_row - WAITS_IN_A_ROW), MAX_WAIT_S))
        now = self._clock.now()
        flood = Flood(
            channel_id=channel_id,
            method=method,
            wait_s=wait_s,
            count_in_a_row=in_a_row,
            asked_at=now,
            until_at=now + timedelta(seconds=wait_s + MARGIN_S),
        )
        self._floods[key] = flood
        self._due[key] = self._clock.monotonic() + wait_s + MARGIN_S
        await self._store.keep(flood)
        log.warning("telegram.flood", method=method, channel=channel_id, wait_s=wait_s)

    async def _unless_stopped(self, work: Awaitable[T]) -> T:
        working = asyncio.ensure_future(work)
        stopping = asyncio.ensure_future(self._stop.wait())
        try:
            await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            raise Stopped
        finally:
            stopping.cancel()
            if not working.done():
                working.cancel()
            await asyncio.gather(working, stopping, return_exceptions=True)
