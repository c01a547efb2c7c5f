"""Reads many channels at once, fairly; one channel's trouble is not the others'."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from ingest.errors import ArchiveError
from ingest.sources.telegram_errors import NoAccess, SessionLost, TelegramError
from ingest.sources.telegram_types import ChannelKey, FoundChannel
from ingest.store.engine import Database
from ingest.store.syncing import ChannelState, Followed, change, follow, followed
from ingest.store.writing import store_channel
from ingest.sync.channel import ChannelSync, Step
from ingest.sync.errors import ChannelBusy, Stopped
from ingest.sync.files import FileReader
from ingest.sync.gate import Gate
from ingest.sync.keeping import Kept
from ingest.sync.pages import Pages
from ingest.sync.ports import Directory, History
from ingest.types import Channel, ChannelId

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a run is to do.

    Attributes:
        since: Nothing posted before it; None: whatever was wanted before.
        limit: About so many new posts a channel.
        sweep: Look at every post again, for edits and deletions.
    """

    since: datetime | None = None
    limit: int | None = None
    sweep: bool = False


@dataclass(slots=True)
class ChannelReport:
    """What became of one channel.

    Attributes:
        is_complete: Its newest post is reached and no gap is left.
        error: Why it was left before.
        until_at: When Telegram lets it go on.
    """

    channel: Channel
    kept: Kept = field(default_factory=Kept)
    is_complete: bool = False
    error: ArchiveError | None = None
    until_at: datetime | None = None


class Syncer:
    """Reads channels of one account into one archive.

    Args:
        files: Reads attached files; None: they stay unread.
        on_step: Called after each answer that was stored.
    """

    def __init__(
        self,
        database: Database,
        history: History,
        directory: Directory,
        gate: Gate,
        *,
        files: FileReader | None = None,
        on_step: Callable[[Step], None] | None = None,
    ) -> None:
        self._files = files
        self._database, self._directory, self._gate = database, directory, gate
        self._pages = Pages(history, gate)
        self._on_step = on_step
        self._works: dict[ChannelId, ChannelSync] = {}

    @property
    def gate(self) -> Gate:
        """Where the stop signal goes."""
        return self._gate

    async def follow(self, name: str, *, comments: bool = False) -> list[Followed]:
        """Begins to follow a channel; its discussion group too, if `comments`.

        Raises:
            ChannelNotFound: Nothing goes by that name.
            TelegramError: It could not be asked.
        """
        find = self._directory.find
        found = [await self._gate.ask(0, "contacts.resolveUsername", lambda: find(name))]
        if found[0].migrated_to is not None:
            found += await self._migrated(found[0].migrated_to)
        if comments and found[0].channel.kind == "channel":
            found += await self._discussion(found[0].key)
        return [await self._keep(one, found) for one in found]

    async def _migrated(self, key: ChannelKey) -> list[FoundChannel]:
        own = await self._gate.ask(0, "messages.getDialogs", self._directory.own)
        return [one for one in own if one.channel.channel_id == key.channel_id]

    async def _discussion(self, key: ChannelKey) -> list[FoundChannel]:
        linked = self._directory.linked
        found = await self._gate.ask(
            key.channel_id, "channels.getFullChannel", lambda: linked(key)
        )
        return [found] if found else []

    async def _keep(self, one: FoundChannel, found: Sequence[FoundChannel]) -> Followed:
        channel_id, now = one.channel.channel_id, self._gate.clock.now()
        async with self._database.writing() as connection:
            await store_channel(connection, one.channel, now=now)
            await follow(connection, one.key, now=now)
            if one.migrated_to is not None:
                await change(connection, channel_id, migrated_to=one.migrated_to.channel_id)
            elif len(found) > 1:
                other = next(o for o in found if o is not one)
                await change(connection, channel_id, linked_id=other.channel.channel_id)
            return (await followed(connection, channel_id))[0]

    async def followed(self) -> list[Followed]:
        """Every channel that is followed, by title."""
        async with self._database.reading() as connection:
            return await followed(connection)

    async def run(
        self, wanted: Wanted, *, only: Collection[ChannelId] | None = None
    ) -> list[ChannelReport]:
        """Brings channels up to date, a request of each in turn.

        Args:
            only: None: all that can be read.

        Raises:
            SessionLost: Nothing can be read any more; what was read is stored.
        """
        chosen = [
            one
            for one in await self.followed()
            if (one.channel_id in only if only is not None else one.state is ChannelState.ACTIVE)
        ]
        reports = [ChannelReport(channel=one.channel) for one in chosen]
        tasks = [
            asyncio.ensure_future(self._one(one, wanted, report))
            for one, report in zip(chosen, reports, strict=True)
        ]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._database.checkpoint()
        return reports

    async def _one(self, one: Followed, wanted: Wanted, report: ChannelReport) -> None:
        work = self.work(one.channel_id)
        work.kept = report.kept
        try:
            if wanted.since is not None:
                await self._since(one, wanted.since, work)
            if not await work.catch_up(limit=wanted.limit):
                return
            await work.fill_gaps()
            await self.read_files(one)
            if wanted.sweep:
                await work.sweep()
            report.is_complete = True
        except SessionLost:
            raise
        except ChannelBusy as error:
            report.error, report.until_at = error, error.until_at
        except (TelegramError, Stopped) as error:
            report.error = error
            await self.note_error(one.channel_id, error)

    async def _since(self, one: Followed, since: datetime, work: ChannelSync) -> None:
        floor_id = await self._pages.before(one.key, since)
        if one.cursor_id == 0:
            async with self._database.writing() as connection:
                await change(connection, one.channel_id, floor_id=floor_id, cursor_id=floor_id)
        else:
            await work.widen(floor_id)

    async def read_files(self, one: Followed) -> None:
        """Reads what is written in the files of a channel's posts, if that is wanted."""
        if self._files is not None:
            await self._files.read(one.key)

    def work(self, channel_id: ChannelId) -> ChannelSync:
        """The one worker of a channel, so that nothing is done to it twice at a time."""
        if channel_id not in self._works:
            self._works[channel_id] = ChannelSync(
                channel_id,
                database=self._database,
                pages=self._pages,
                clock=self._gate.clock,
                on_step=self._on_step,
            )
        return self._works[channel_id]

    async def note_error(self, channel_id: ChannelId, error: ArchiveError) -> None:
        """Remembers why a channel could not be read; without access it is left alone."""
        values: dict[str, object] = {"last_error": str(error)}
        if isinstance(error, NoAccess):
            values |= {
                "state": ChannelState.NO_ACCESS.value,
                "reason": error.reason,
                "state_since": self._gate.clock.now(),
            }
        if isinstance(error, Stopped):
            return
        log.warning("channel.not_read", channel=channel_id, reason=type(error).__name__)
        async with self._database.writing() as connection:
            await change(connection, channel_id, **values)

    async def note_access(self, one: Followed) -> None:
        """A channel that could not be read has been read again."""
        if one.state is not ChannelState.NO_ACCESS:
            return
        async with self._database.writing() as connection:
            await follow(connection, one.key, now=self._gate.clock.now())
