"""Telegram's waits and failures: obeyed to the second, shown, kept, and nothing lost."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from ingest.store.floods import FloodStore
from ingest.sync.errors import ChannelBusy
from ingest.sync.syncer import Wanted
from tests.peers.mtproto_faults import Fault
from tests.peers.telegram_archive import channel, present, rig, serving, stored

HISTORY, BY_IDS = "messages.getHistory", "channels.getMessages"
WAITS_S = (1, 2, 3, 5, 7, 30, 59, 60, 61, 300, 900, 3600, 7200, 43_200, 86_400)
KINDS = ("FLOOD_WAIT_{}", "FLOOD_PREMIUM_WAIT_{}", "SLOWMODE_WAIT_{}")

# Every wait in every kind, and another method than the history: 50 floods, two pages apart.
SCHEDULE = [
    Fault(HISTORY, "error", [420, kind.format(wait_s)], after=2 if at % 3 else 1)
    for at, (wait_s, kind) in enumerate((w, k) for w in WAITS_S for k in KINDS)
] + [Fault(BY_IDS, "error", [420, kind.format(90)]) for kind in (*KINDS, *KINDS[:2])]


async def test_scripted_waits_are_obeyed(tmp_path: Path) -> None:
    """Waits from a second to a day, of three kinds: no call comes early, no post is lost."""
    news, other = channel(1, count=4000), channel(2, count=900, name="other")
    for one in (news, other):
        one.hidden = {40, 41}
    async with rig(tmp_path, news, other) as here:
        await here.syncer.follow("@news")
        await here.syncer.follow("@other")
        here.server.faults.add(*SCHEDULE)
        reports = await here.syncer.run(Wanted())

        assert [report.is_complete for report in reports] == [True, True]
        assert await stored(here.database) == present(news, other)
        assert not list(here.server.faults.left())
        assert here.server.faults.count_floods == len(SCHEDULE)
        assert here.server.faults.early == []
        # Some end unseen, while the other channel is waiting for longer.
        assert len(here.waits) > len(SCHEDULE) // 2
        assert await FloodStore(here.database).all() == []


async def test_waits_survive_a_restart(tmp_path: Path) -> None:
    """A wait longer than the run is ready for ends it; the next process does not call early."""
    news = channel(count=350)
    async with serving(news) as server:
        async with rig(tmp_path, server=server, max_wait_s=100) as here:
            server.faults.clock = here.clock.monotonic
            await here.syncer.follow("@news")
            server.fault(HISTORY, "flood_wait", 5000, after=2)
            (report,) = await here.syncer.run(Wanted())
            assert isinstance(report.error, ChannelBusy)
            assert report.until_at is not None
            assert len(await stored(here.database)) == 100

        async with rig(tmp_path, server=server, max_wait_s=100) as here:
            calls = server.count(HISTORY)
            (report,) = await here.syncer.run(Wanted())
            assert isinstance(report.error, ChannelBusy)
            assert server.count(HISTORY) == calls

            await here.clock.sleep(5001)
            await here.gate.load()
            (report,) = await here.syncer.run(Wanted())
            assert report.is_complete
            assert await stored(here.database) == present(news)


async def test_short_waits_in_a_row_are_a_flood(tmp_path: Path) -> None:
    """Six waits of a second without an answer between them are taken for a longer one."""
    news = channel(count=150)
    async with rig(tmp_path, news) as here:
        await here.syncer.follow("@news")
        here.server.fault(HISTORY, "flood_wait", 1, times=7)
        (report,) = await here.syncer.run(Wanted())

        assert report.is_complete
        assert [int(wait.wait_s) for wait in here.waits] == [1, 1, 1, 1, 1, 300, 600]
        assert here.server.faults.early == []


async def test_a_flood_without_end_stops_cleanly(tmp_path: Path) -> None:
    """A method that never opens again ends the channel's turn, and the others go on."""
    news, other = channel(1, count=150), channel(2, count=150, name="other")
    async with rig(tmp_path, news, other, max_wait_s=3600) as here:
        await here.syncer.follow("@news")
        await here.syncer.follow("@other")
        here.server.fault(HISTORY, "flood_wait", 3, times=-1, channel=news.id)
        reports = {r.channel.username: r for r in await here.syncer.run(Wanted())}

        assert isinstance(reports["news"].error, ChannelBusy)
        assert reports["other"].is_complete
        assert await stored(here.database) == present(other)


@pytest.mark.parametrize("action", ["drop", "drop_after", "truncate"])
async def test_broken_connections_lose_nothing(tmp_path: Path, action: str) -> None:
    """Connections that break before, after and in the middle of an answer."""
    news = channel(count=550)
    async with rig(tmp_path, news) as here:
        await here.syncer.follow("@news")
        here.server.faults.add(*(Fault(HISTORY, action, after=2) for _ in range(2)))
        (report,) = await here.syncer.run(Wanted())

        assert report.error is None
        assert await stored(here.database) == present(news)
        assert not list(here.server.faults.left())


async def test_a_silent_server_is_asked_again(tmp_path: Path) -> None:
    """A request that is never answered ends by our own timeout, and is repeated."""
    news = channel(count=250)
    async with rig(tmp_path, news, timeout_s=0.5) as here:
        await here.syncer.follow("@news")
        here.server.fault(HISTORY, "ignore", after=1)
        (report,) = await here.syncer.run(Wanted())

        assert report.error is None
        assert await stored(here.database) == present(news)


async def test_their_failures_once_and_for_ever(tmp_path: Path) -> None:
    """RPC_CALL_FAIL once costs nothing; for ever it ends the channel's turn with a sentence."""
    news, other = channel(1, count=150), channel(2, count=150, name="other")
    async with rig(tmp_path, news, other) as here:
        await here.syncer.follow("@news")
        await here.syncer.follow("@other")
        here.server.fault(HISTORY, "error", [500, "RPC_CALL_FAIL"], channel=other.id)
        here.server.fault(HISTORY, "error", [500, "RPC_CALL_FAIL"], times=-1, channel=news.id)
        reports = {r.channel.username: r for r in await here.syncer.run(Wanted())}

        assert "RPC_CALL_FAIL" in str(reports["news"].error)
        assert reports["other"].is_complete
        state = {one.channel.username: one.last_error for one in await here.syncer.followed()}
        assert "RPC_CALL_FAIL" in str(state["news"])


async def test_requests_are_paced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any flood, requests are a second apart, whatever channel they are about."""
    channels = [channel(n, count=250, name=f"news{n}") for n in (1, 2, 3)]
    async with rig(tmp_path, *channels, pause_s=1) as here:
        for one in channels:
            await here.syncer.follow(f"@{one.username}")
        asked: list[tuple[float, int]] = []
        call = here.account.call

        async def heard(request: Any) -> Any:
            asked.append((here.clock.monotonic(), request.peer.channel_id))
            return await call(request)

        monkeypatch.setattr(here.account, "call", heard)
        await here.syncer.run(Wanted())

        pauses_s = [b - a for (a, _), (b, _) in itertools.pairwise(asked)]
        assert min(pauses_s) > 0.99
        assert {one for _, one in asked[:6]} == {one.id for one in channels}
