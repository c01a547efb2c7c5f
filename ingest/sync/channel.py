"""One channel's way: backfill, catch-up, gaps, sweeps. Every step is whole or not there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.errors import UnknownChannel
from ingest.sources.telegram_types import MAX_PAGE, Page
from ingest.store.engine import Database
from ingest.store.models import channels
from ingest.store.syncing import (
    Followed,
    add_gap,
    change,
    followed,
    held_ids,
    mark_deleted,
)
from ingest.sync.clock import Clock
from ingest.sync.gaps import GapFiller
from ingest.sync.keeping import Kept, keep_page, note_missing
from ingest.sync.pages import Pages
from ingest.types import ChannelId

_CHECKPOINT_EVERY = 50
"""Steps between two looks at the write-ahead log, which would grow without end otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """How far a channel is, after each answer that was stored.

    Attributes:
        kept: Of this step alone.
    """

    channel_id: ChannelId
    kept: Kept
    floor_id: int
    cursor_id: int
    top_id: int


class ChannelSync:
    """Works on one channel; one piece of work at a time.

    Every method may raise what `Gate.ask` does; what was stored before stays stored.

    Args:
        on_step: Called after each answer that was stored.
    """

    def __init__(
        self,
        channel_id: ChannelId,
        *,
        database: Database,
        pages: Pages,
        clock: Clock,
        on_step: Callable[[Step], None] | None = None,
    ) -> None:
        self._channel_id = channel_id
        self._database, self._pages, self._clock = database, pages, clock
        self._on_step = on_step
        self._lock = asyncio.Lock()
        self._count_steps = 0
        self.kept = Kept()

    async def catch_up(self, *, limit: int | None = None) -> bool:
        """Reads everything that is new, oldest first, and looks at the newest posts again.

        Args:
            limit: Stop after about so many posts.

        Returns:
            Whether the newest post is reached.
        """
        async with self._lock:
            state = await self._state()
            newest = await self._pages.newest(state.key)
            if newest is not None and limit is None:
                state = await self._look_again(state, newest)
            top_id = newest.last_id if newest is not None else None
            return await self._read_on(state, top_id, limit)

    async def _look_again(self, state: Followed, newest: Page) -> Followed:
        """Edits and deletions among the newest posts; new ones too, if nothing lies between."""
        first_id = min(newest.ids, default=0)
        if not 0 < first_id <= state.cursor_id:
            return state
        gone = await self._gone(state, newest, after=first_id - 1, last_id=state.cursor_id)
        async with self._database.writing() as connection:
            now = self._clock.now()
            kept = await keep_page(connection, state, newest | gone, now=now)
            kept.deleted = await mark_deleted(connection, self._channel_id, gone.empty, now=now)
            new = newest.between(state.cursor_id, newest.last_id)
            await note_missing(connection, state, new, after=state.cursor_id, now=now)
            cursor_id = max(state.cursor_id, newest.last_id)
            await change(connection, self._channel_id, cursor_id=cursor_id, top_id=newest.last_id)
        return await self._told(kept)

    async def _read_on(self, state: Followed, top_id: int | None, limit: int | None) -> bool:
        read, jump = 0, MAX_PAGE
        while top_id is None or state.cursor_id < top_id:
            if limit is not None and read >= limit:
                return False
            page = await self._pages.after(state.key, state.cursor_id)
            if not page.ids:
                if top_id is None:
                    break
                # There is something newer, and the history does not show what is next.
                last_id = min(state.cursor_id + jump, top_id)
                state = await self._jump(state, last_id)
                jump *= 2
                continue
            jump = MAX_PAGE
            if limit is not None:
                page = _first(page, limit - read)
            state = await self._keep_new(state, page, top_id)
            read += len(page.messages)
        await self._finish()
        return True

    async def _keep_new(self, state: Followed, page: Page, top_id: int | None) -> Followed:
        async with self._database.writing() as connection:
            now = self._clock.now()
            kept = await keep_page(connection, state, page, now=now)
            await note_missing(connection, state, page, after=state.cursor_id, now=now)
            await change(
                connection,
                self._channel_id,
                cursor_id=page.last_id,
                top_id=max(page.last_id, top_id or 0),
            )
        return await self._told(kept)

    async def _jump(self, state: Followed, last_id: int) -> Followed:
        async with self._database.writing() as connection:
            ids = (state.cursor_id + 1, last_id)
            await add_gap(
                connection, self._channel_id, ids, reason="silent", now=self._clock.now()
            )
            await change(connection, self._channel_id, cursor_id=last_id)
        return await self._state()

    async def _finish(self) -> None:
        now = self._clock.now()
        async with self._database.writing() as connection:
            await change(connection, self._channel_id, checked_at=now, last_error=None)
            await connection.execute(
                update(channels)
                .where(channels.c.channel_id == self._channel_id)
                .values(synced_at=now)
            )

    async def fill_gaps(self) -> None:
        """Looks for what the history passed over; afterwards no gap is left."""
        async with self._lock:
            state = await self._state()
            filler = GapFiller(state, database=self._database, pages=self._pages)
            while (kept := await filler.fill_one(self._clock.now())) is not None:
                await self._told(kept)

    async def sweep(self, *, count_pages: int | None = None) -> bool:
        """Reads the whole history again for edits and deletions; goes on where one stopped.

        Args:
            count_pages: Stop after so many answers; None: go on to the end.

        Returns:
            Whether it came to the end.
        """
        async with self._lock:
            state = await self._state()
            if state.sweep_started_at is None:
                await self._change(sweep_id=state.floor_id, sweep_started_at=self._clock.now())
                state = await self._state()
            while state.sweep_id < state.cursor_id:
                if count_pages is not None:
                    if count_pages == 0:
                        return False
                    count_pages -= 1
                state = await self._sweep_page(state)
            await self._change(sweep_id=0, sweep_started_at=None, swept_at=self._clock.now())
            return True

    async def _sweep_page(self, state: Followed) -> Followed:
        page = await self._pages.after(state.key, state.sweep_id)
        is_last = not page.ids or page.last_id >= state.cursor_id
        last_id = state.cursor_id if is_last else page.last_id
        part = page.between(state.sweep_id, last_id)
        gone = await self._gone(state, part, after=state.sweep_id, last_id=last_id)
        async with self._database.writing() as connection:
            now = self._clock.now()
            kept = await keep_page(connection, state, part | gone, now=now)
            kept.deleted = await mark_deleted(connection, self._channel_id, gone.empty, now=now)
            await change(connection, self._channel_id, sweep_id=last_id)
        return await self._told(kept)

    async def _gone(self, state: Followed, page: Page, *, after: int, last_id: int) -> Page:
        """What Telegram says of posts that we hold and a page of history does not show."""
        async with self._database.reading() as connection:
            held = await held_ids(connection, self._channel_id, (after + 1, last_id), live=True)
        suspects = held - (page.ids - set(page.empty))
        return await self._pages.by_ids(state.key, sorted(suspects))

    async def reread(self, ids: Sequence[int]) -> None:
        """Brings some posts up to date: edited, deleted, or once poisonous."""
        async with self._lock:
            state = await self._state()
            page = await self._pages.by_ids(state.key, sorted(set(ids)))
            async with self._database.writing() as connection:
                now = self._clock.now()
                kept = await keep_page(connection, state, page, now=now)
                kept.deleted = await mark_deleted(
                    connection, self._channel_id, page.empty, now=now
                )
            await self._told(kept)

    async def widen(self, floor_id: int) -> None:
        """Wants older posts too: what lies between is a gap from now on."""
        async with self._lock:
            state = await self._state()
            if floor_id >= state.floor_id:
                return
            async with self._database.writing() as connection:
                ids = (floor_id + 1, state.floor_id)
                await add_gap(
                    connection, self._channel_id, ids, reason="earlier", now=self._clock.now()
                )
                await change(connection, self._channel_id, floor_id=floor_id)

    async def _change(self, **values: object) -> None:
        async with self._database.writing() as connection:
            await change(connection, self._channel_id, **values)

    async def _state(self) -> Followed:
        async with self._database.reading() as connection:
            return await _the(connection, self._channel_id)

    async def _told(self, kept: Kept) -> Followed:
        self.kept.add(kept)
        self._count_steps += 1
        if self._count_steps % _CHECKPOINT_EVERY == 0:
            await self._database.checkpoint()
        state = await self._state()
        if self._on_step:
            self._on_step(
                Step(
                    channel_id=self._channel_id,
                    kept=kept,
                    floor_id=state.floor_id,
                    cursor_id=state.cursor_id,
                    top_id=state.top_id,
                )
            )
        return state


async def _the(connection: AsyncConnection, channel_id: ChannelId) -> Followed:
    found = await followed(connection, channel_id)
    if not found:
        raise UnknownChannel(str(channel_id))
    return found[0]


def _first(page: Page, count: int) -> Page:
    """The page's first posts, so many."""
    if len(page.messages) <= count:
        return page
    return page.between(0, page.messages[count - 1].message_id)
