"""Takeout sessions: used, finished, and done without when Telegram does not want them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.sources.telegram.reading import TelegramHistory
from ingest.sources.telegram.takeout import Takeout
from ingest.sync.syncer import Syncer, Wanted
from tests.peers.telegram_archive import Rig, channel, present, rig, stored


async def through_takeout(here: Rig) -> str | None:
    """Syncs as `citegram sync --takeout` does; why there was no session."""
    takeout = Takeout(here.account)
    history = TelegramHistory(takeout)
    why_not = await takeout.begin()
    syncer = Syncer(here.database, history, here.syncer._directory, here.gate)
    await syncer.follow("@news")
    (report,) = await syncer.run(Wanted())
    assert report.is_complete
    await takeout.finish(success=True)
    return why_not


async def test_history_is_read_through_the_session(tmp_path: Path) -> None:
    """Every page goes through it, and it is finished at the end."""
    news = channel(count=250)
    async with rig(tmp_path, news) as here:
        assert await through_takeout(here) is None
        assert here.server.takeouts_finished == [True]
        assert here.server.count_wrapped == here.server.count("messages.getHistory") + 1
        assert await stored(here.database) == present(news)


@pytest.mark.parametrize(
    ("code", "word", "told"),
    [(420, "TAKEOUT_INIT_DELAY_86400", "24 h"), (403, "TAKEOUT_REQUIRED", "refuses")],
)
async def test_a_refused_session_is_done_without(
    tmp_path: Path, code: int, word: str, told: str
) -> None:
    """The person is told, and reading goes on slowly."""
    news = channel(count=250)
    async with rig(tmp_path, news) as here:
        here.server.fault("account.initTakeoutSession", "error", [code, word])
        assert told in str(await through_takeout(here))
        assert await stored(here.database) == present(news)


async def test_a_session_that_ends_on_the_way(tmp_path: Path) -> None:
    """A takeout that Telegram ends costs nothing."""
    news = channel(count=550)
    async with rig(tmp_path, news) as here:
        here.server.fault("messages.getHistory", "error", [400, "TAKEOUT_INVALID"], after=2)
        await through_takeout(here)
        assert await stored(here.database) == present(news)
