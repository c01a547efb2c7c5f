"""Events are hints: with them posts come at once, without them with the next pass."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ingest.sources.telegram_errors import SessionLost
from ingest.sync.clock import SystemClock
from ingest.sync.syncer import Wanted
from ingest.sync.watching import Rhythm, Watcher
from tests.peers.mtproto_fixtures import Channel
from tests.peers.telegram_archive import Rig, channel, present, rig, stored

QUICK = Rhythm(gather_s=0.01, refresh_s=0.05)
LOOKING = Rhythm(gather_s=0.01, refresh_s=0.05, pass_s=0.5, sweep_s=1)


@asynccontextmanager
async def watching(here: Rig, rhythm: Rhythm) -> AsyncIterator[asyncio.Task[None]]:
    """A watcher at work."""
    here.account.listen()
    task = asyncio.create_task(Watcher(here.syncer, here.account.hints, rhythm).run())
    try:
        yield task
    finally:
        here.gate.stop()
        await asyncio.gather(task, return_exceptions=True)


async def until_equal(here: Rig, *channels: Channel, seconds: float = 20) -> None:
    """Waits until the archive shows the channels as they are."""
    deadline = time.monotonic() + seconds
    while await stored(here.database) != present(*channels):
        assert time.monotonic() < deadline, "the archive is behind"
        await asyncio.sleep(0.05)


async def push(news: Channel, count: int) -> None:
    """Posts, edits and deletes, some at a time, as a channel lives."""
    for at in range(count):
        made = news.post(f"live {at}")
        if at % 3 == 0:
            news.edit(made.id - 1, f"edited {at}")
        if at % 5 == 0:
            news.delete(made.id - 2)
        if at % 20 == 0:
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("loses", "rhythm"),
    [
        (lambda _: False, QUICK),
        (lambda update: update.pts % 10 == 0, LOOKING),
        (lambda _: True, LOOKING),
    ],
    ids=["no event lost", "every tenth lost", "all lost"],
)
async def test_lost_events_are_made_good(
    tmp_path: Path, loses: Callable[[object], bool], rhythm: Rhythm
) -> None:
    """Posts, edits and deletions arrive whatever part of their events does."""
    news = channel(count=120)
    async with rig(tmp_path, news, clock=SystemClock()) as here:
        await here.syncer.follow("@news")
        await here.syncer.run(Wanted())
        here.server.loses = loses
        async with watching(here, rhythm):
            await push(news, 60)
            await until_equal(here, news)


async def test_what_was_missed_while_away(tmp_path: Path) -> None:
    """More posts than Telegram tells a returning client are all there after the start."""
    news = channel(count=10)
    async with rig(tmp_path, news, clock=SystemClock()) as here:
        await here.syncer.follow("@news")
        await here.syncer.run(Wanted())
        for at in range(1500):
            news.post(f"missed {at}", silent_push=True)
        async with watching(here, QUICK):
            await until_equal(here, news)


async def test_a_deletion_reaches_the_archive_at_once(tmp_path: Path) -> None:
    """A deleted post is out of the archive within seconds of its event."""
    news = channel(count=10)
    async with rig(tmp_path, news, clock=SystemClock()) as here:
        await here.syncer.follow("@news")
        async with watching(here, QUICK):
            await until_equal(here, news)
            news.delete(4)
            await until_equal(here, news, seconds=5)


async def test_a_lost_session_ends_the_watch(tmp_path: Path) -> None:
    """When Telegram ends the session nothing is tried again."""
    news = channel(count=10)
    async with rig(tmp_path, news, clock=SystemClock()) as here:
        await here.syncer.follow("@news")
        async with watching(here, QUICK) as task:
            await until_equal(here, news)
            here.server.fault("*", "error", [401, "SESSION_REVOKED"], times=-1)
            calls = here.server.count("messages.getHistory")
            news.post("unseen")
            with pytest.raises(SessionLost):
                await asyncio.wait_for(task, 10)
            assert here.server.count("messages.getHistory") <= calls + 1


async def test_channels_come_and_go(tmp_path: Path) -> None:
    """A channel that is followed later is watched too; one without access is left alone."""
    news, other = channel(1, count=10), channel(2, count=10, name="other")
    async with rig(tmp_path, news, other, clock=SystemClock()) as here:
        await here.syncer.follow("@news")
        async with watching(here, QUICK):
            await until_equal(here, news)
            await here.syncer.follow("@other")
            await until_equal(here, news, other)
            news.private = True
            other.post("fresh")
            news.server = None
            await until_equal(here, news, other)
