"""Looks for the posts that a channel's history passed over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ingest.sources.telegram_types import MAX_PAGE
from ingest.store.engine import Database
from ingest.store.syncing import Followed, Gap, gaps, held_ids, shorten_gap
from ingest.sync.keeping import Kept, keep_page
from ingest.sync.pages import Pages

WIDE_GAP = 1000
"""Missing ids from which on reading the history again is cheaper than asking for each id."""

_WIDEST = 10 * WIDE_GAP
"""Ids of a gap from which on the archive is not even asked which of them it has."""

_GAPS_AT_ONCE = 50


class GapFiller:
    """Fills one channel's gaps, a request at a time."""

    def __init__(self, state: Followed, *, database: Database, pages: Pages) -> None:
        self._state, self._database, self._pages = state, database, pages

    async def fill_one(self, now: datetime) -> Kept | None:
        """Asks for some of what is missing, and stores it; None: no gap is left."""
        async with self._database.reading() as connection:
            found = await gaps(connection, self._state.channel_id, limit=_GAPS_AT_ONCE)
        if not found:
            return None
        if await self._missing(found[0]) is None:
            return await self._by_history(found[0], now)
        return await self._by_ids(found, now)

    async def _missing(self, gap: Gap) -> list[int] | None:
        """The ids of a gap that the archive lacks; None: too many to ask for each."""
        if gap.to_id - gap.from_id > _WIDEST:
            return None
        ids = (gap.from_id, gap.to_id)
        async with self._database.reading() as connection:
            held = await held_ids(connection, self._state.channel_id, ids, live=False)
        missing = [i for i in range(gap.from_id, gap.to_id + 1) if i not in held]
        return missing if len(missing) <= WIDE_GAP else None

    async def _by_history(self, gap: Gap, now: datetime) -> Kept:
        page = await self._pages.after(self._state.key, gap.from_id - 1)
        part = page.between(gap.from_id - 1, gap.to_id)
        read_to = part.last_id if 0 < page.last_id <= gap.to_id else gap.to_id
        async with self._database.writing() as connection:
            kept = await keep_page(connection, self._state, part, now=now)
            await shorten_gap(connection, gap, read_to=read_to)
        return kept

    async def _by_ids(self, found: Sequence[Gap], now: datetime) -> Kept:
        """Asks for a hundred ids at once, of as many gaps as it takes."""
        ids: list[int] = []
        done: list[tuple[Gap, int]] = []
        for gap in found:
            missing = await self._missing(gap)
            if missing is None or len(ids) == MAX_PAGE:
                break
            some = missing[: MAX_PAGE - len(ids)]
            ids += some
            done.append((gap, gap.to_id if len(some) == len(missing) else some[-1]))
        page = await self._pages.by_ids(self._state.key, ids)
        async with self._database.writing() as connection:
            kept = await keep_page(connection, self._state, page, now=now)
            for gap, read_to in done:
                await shorten_gap(connection, gap, read_to=read_to)
        return kept
