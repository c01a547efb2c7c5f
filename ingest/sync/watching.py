"""Follows channels for weeks: events wake a look at the history, and so does the clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from ingest.errors import UnknownChannel
from ingest.sources.telegram_errors import SessionLost, TelegramError
from ingest.sources.telegram_types import Hint, HintKind
from ingest.store.syncing import ChannelState, Followed
from ingest.sync.errors import ChannelBusy, Stopped
from ingest.sync.syncer import Syncer
from ingest.types import ChannelId

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """How often things are looked at when no event says so, in seconds.

    Attributes:
        pass_s: Between two looks for new posts. Source: Telethon's own no-update timeout.
        sweep_s: Between two looks at every post; with the time that a sweep takes, a day.
        gather_s: How long events are gathered, so that a burst costs one look.
        refresh_s: Between two looks for channels that were added or forgotten meanwhile.
        retry_s: Before a channel without access is tried again.
    """

    pass_s: float = 900
    sweep_s: float = 20 * 3600
    gather_s: float = 0.3
    refresh_s: float = 30
    retry_s: float = 24 * 3600


_SWEEP_PAGES = 10
"""Answers of a sweep between two looks whether something more urgent has come."""


@dataclass(slots=True)
class _Inbox:
    """What events said of one channel since it was last looked at."""

    came: asyncio.Event = field(default_factory=asyncio.Event)
    is_new: bool = False
    ids: set[int] = field(default_factory=set)

    def put(self, hint: Hint) -> None:
        if hint.kind in {HintKind.NEW, HintKind.MISSED}:
            self.is_new = True
        else:
            self.ids |= hint.ids
        self.came.set()

    def take(self) -> tuple[bool, list[int]]:
        taken = self.is_new, sorted(self.ids)
        self.is_new, self.ids = False, set()
        self.came.clear()
        return taken


class Watcher:
    """Keeps every followed channel up to date until the gate is stopped.

    Args:
        hints: Where events come from; see `Account.listen`.
    """

    def __init__(
        self, syncer: Syncer, hints: asyncio.Queue[Hint], rhythm: Rhythm | None = None
    ) -> None:
        self._syncer, self._hints = syncer, hints
        self._rhythm = rhythm or Rhythm()
        self._inboxes: dict[ChannelId, _Inbox] = {}

    async def run(self) -> None:
        """Watches.

        Raises:
            SessionLost: Nothing can be read any more.
        """
        lost: SessionLost | None = None
        try:
            async with asyncio.TaskGroup() as group:
                listening = group.create_task(self._listen())
                try:
                    while True:
                        for one in await self._syncer.followed():
                            if one.channel_id not in self._inboxes:
                                self._inboxes[one.channel_id] = inbox = _Inbox()
                                inbox.put(Hint(kind=HintKind.MISSED))  # while we were away
                                group.create_task(self._follow(one.channel_id))
                        await self._syncer.gate.sleep(self._rhythm.refresh_s)
                except Stopped:
                    listening.cancel()
        except* SessionLost as errors:
            found = errors.exceptions[0]
            lost = found if isinstance(found, SessionLost) else SessionLost("unknown")
        if lost is not None:
            raise lost

    async def _listen(self) -> None:
        while True:
            hint = await self._hints.get()
            for channel_id, inbox in self._inboxes.items():
                if hint.channel_id in {None, channel_id}:
                    inbox.put(hint)

    async def _follow(self, channel_id: ChannelId) -> None:
        """One channel; ends when the process stops or the channel is forgotten."""
        inbox, not_before = self._inboxes[channel_id], None
        try:
            while (state := await self._state(channel_id)) is not None:
                wait_s = self._until_next(state, not_before)
                if not inbox.came.is_set() or not_before is not None:
                    await self._wait(None if not_before else inbox, wait_s)
                await self._syncer.gate.sleep(self._rhythm.gather_s)
                not_before = await self._look(state, inbox)
        except (Stopped, UnknownChannel):
            pass
        finally:
            del self._inboxes[channel_id]

    async def _state(self, channel_id: ChannelId) -> Followed | None:
        found = [one for one in await self._syncer.followed() if one.channel_id == channel_id]
        return found[0] if found else None

    def _until_next(self, state: Followed, not_before: datetime | None) -> float:
        now = self._syncer.gate.clock.now()
        if not_before is not None:
            return max(0.0, (not_before - now).total_seconds())
        if state.state is not ChannelState.ACTIVE:
            return self._left(state.state_since, self._rhythm.retry_s, now)
        next_s = self._left(state.checked_at, self._rhythm.pass_s, now)
        if state.sweep_started_at is not None:
            return 0.0
        return min(next_s, self._left(state.swept_at, self._rhythm.sweep_s, now))

    @staticmethod
    def _left(at: datetime | None, every_s: float, now: datetime) -> float:
        # Never longer than the interval: somebody may have set the clock back.
        return 0.0 if at is None else min(every_s, every_s - (now - at).total_seconds())

    async def _wait(self, inbox: _Inbox | None, seconds: float) -> None:
        """Waits so long, or until something comes."""
        if seconds <= 0:
            return
        if inbox is None:
            await self._syncer.gate.sleep(seconds)
            return
        coming = asyncio.ensure_future(inbox.came.wait())
        sleeping = asyncio.ensure_future(self._syncer.gate.sleep(seconds))
        try:
            done, _ = await asyncio.wait((coming, sleeping), return_when=asyncio.FIRST_COMPLETED)
            if sleeping in done:
                sleeping.result()
        finally:
            coming.cancel()
            sleeping.cancel()
            await asyncio.gather(coming, sleeping, return_exceptions=True)

    async def _look(self, state: Followed, inbox: _Inbox) -> datetime | None:
        """Does what is due; when not to come back before, if something went wrong."""
        work, now = self._syncer.work(state.channel_id), self._syncer.gate.clock.now()
        is_new, ids = inbox.take()
        is_due = self._left(state.checked_at, self._rhythm.pass_s, now) <= 0
        try:
            if ids:
                await work.reread(ids)
            if is_new or is_due or state.state is not ChannelState.ACTIVE:
                await work.catch_up()
                await work.fill_gaps()
                await self._syncer.read_files(state)
            is_sweep_due = self._left(state.swept_at, self._rhythm.sweep_s, now) <= 0
            if is_sweep_due or state.sweep_started_at is not None:
                await work.sweep(count_pages=_SWEEP_PAGES)
            await self._syncer.note_access(state)
        except (SessionLost, Stopped):
            raise
        except ChannelBusy as error:
            self._put_back(inbox, ids)
            return error.until_at
        except TelegramError as error:
            self._put_back(inbox, ids)
            await self._syncer.note_error(state.channel_id, error)
            return now + timedelta(seconds=min(60.0, self._rhythm.pass_s))
        return None

    @staticmethod
    def _put_back(inbox: _Inbox, ids: list[int]) -> None:
        inbox.ids |= set(ids)
        inbox.is_new = True
        inbox.came.set()
