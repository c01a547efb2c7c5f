"""Syncing over the real wire: backfill, gaps, edits, deletions, poison, lost access."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select
from telethon.tl import types as ty

from ingest.store.models import ingest_failures, message_versions, outbox, sync_gaps
from ingest.sync.syncer import Wanted
from tests.peers.mtproto_faults import Fault
from tests.peers.telegram_archive import Rig, channel, present, rig, stored


async def _sync(here: Rig, name: str = "@news", **wanted: object) -> None:
    await here.syncer.follow(name)
    reports = await here.syncer.run(Wanted(**wanted))  # type: ignore[arg-type]
    assert [report.error for report in reports] == [None] * len(reports)


async def _count(here: Rig, table: object) -> int:
    async with here.database.reading() as connection:
        return len((await connection.execute(select(table))).all())  # type: ignore[call-overload]


async def test_backfill_stores_everything_once(tmp_path: Path) -> None:
    """A channel of some pages is stored whole, and a second run stores nothing."""
    news = channel(count=250)
    async with rig(tmp_path, news) as here:
        await _sync(here)
        assert await stored(here.database) == present(news)

        again = await here.syncer.run(Wanted())
        assert again[0].kept.added == 0
        assert again[0].is_complete


async def test_holes_are_recorded_and_filled(tmp_path: Path) -> None:
    """Posts that the history leaves out are found by their ids; deleted ones leave no gap."""
    news = channel(count=300)
    news.hidden = {50, 150, 151}
    news.delete(*range(60, 80))
    async with rig(tmp_path, news) as here:
        await _sync(here)
        assert await stored(here.database) == present(news)
        assert await _count(here, sync_gaps) == 0


@pytest.mark.parametrize("action", ["empty", "hollow"])
async def test_pages_without_messages_end_nothing(tmp_path: Path, action: str) -> None:
    """An answer without a message, or with shells only, is passed and looked at again later."""
    news = channel(count=450)
    async with rig(tmp_path, news) as here:
        here.server.faults.add(Fault("messages.getHistory", action, after=2))
        await _sync(here)
        assert await stored(here.database) == present(news)
        assert not list(here.server.faults.left())


async def test_since_bounds_and_widens(tmp_path: Path) -> None:
    """Posts before the date are not fetched, until an earlier date is asked for."""
    news = channel(count=300)
    async with rig(tmp_path, news) as here:
        middle = datetime.fromtimestamp(1_700_000_000 + 60 * 200, UTC)
        await _sync(here, since=middle)
        assert {number for _, number in await stored(here.database)} == set(range(200, 301))

        await _sync(here, since=datetime(2001, 1, 1, tzinfo=UTC))
        assert await stored(here.database) == present(news)


async def test_limit_stops_and_goes_on(tmp_path: Path) -> None:
    """A limited run stores the oldest posts; the next goes on after them."""
    news = channel(count=300)
    async with rig(tmp_path, news) as here:
        await _sync(here, limit=130)
        assert {number for _, number in await stored(here.database)} == set(range(1, 131))

        await _sync(here)
        assert await stored(here.database) == present(news)


async def test_a_sweep_finds_edits_and_deletions(tmp_path: Path) -> None:
    """What changed unheard is found: texts, versions, deletions, the index's queue."""
    news = channel(count=300)
    async with rig(tmp_path, news) as here:
        await _sync(here)
        queued = await _count(here, outbox)
        news.edit(5, "another text")
        news.delete(7, 299)
        await _sync(here, sweep=True)

        assert await stored(here.database) == present(news)
        assert {number for _, number in await stored(here.database, deleted=True)} == {7, 299}
        assert await _count(here, message_versions) == 1
        assert await _count(here, outbox) == queued + 3


async def test_edits_without_another_text_make_no_version(tmp_path: Path) -> None:
    """Reactions, hidden edits and previews change no version and wake no encoder."""
    news = channel(count=20)
    async with rig(tmp_path, news) as here:
        page = {"id": 1, "url": "https://a.b", "display_url": "a.b", "hash": 0}
        news.messages[4].media = ty.MessageMediaWebPage(ty.WebPage(**page, title="One"))
        await _sync(here)
        queued = await _count(here, outbox)
        news.messages[3].edit_date, news.messages[3].edit_hide = 1_800_000_000, True
        news.messages[3].views = 10**6
        news.messages[4].media = ty.MessageMediaWebPage(ty.WebPage(**page, title="Two"))
        await _sync(here, sweep=True)

        assert await _count(here, message_versions) == 0
        assert await _count(here, outbox) == queued


async def test_lost_access_stops_one_channel_only(tmp_path: Path) -> None:
    """A channel that became private is marked and left alone; the other goes on."""
    news, other = channel(1, count=150), channel(2, count=150, name="other")
    async with rig(tmp_path, news, other) as here:
        await _sync(here)
        await _sync(here, "https://t.me/other/12")
        news.private = True
        other.post("fresh")
        reports = {r.channel.username: r for r in await here.syncer.run(Wanted())}

        assert "private" in str(reports["news"].error)
        assert reports["other"].kept.added == 1
        state = {one.channel.username: one.state for one in await here.syncer.followed()}
        assert state == {"news": "no_access", "other": "active"}
        assert await _count(here, ingest_failures) == 0


async def test_comments_topics_and_senders(tmp_path: Path) -> None:
    """The discussion group comes with the channel on request; topics and senders are kept."""
    news = channel(1, count=3)
    talk = channel(2, name=None, megagroup=True, forum=True)
    talk.post("hello", **{"from": "Ann", "from_id": "user7"})
    talk.messages[1].reply_to = ty.MessageReplyHeader(reply_to_msg_id=40, forum_topic=True)
    news.linked = talk
    async with rig(tmp_path, news, talk) as here:
        await here.syncer.follow("t.me/news", comments=True)
        await here.syncer.run(Wanted())

        assert await stored(here.database) == present(news, talk)
        followed = {one.channel_id: one.linked_id for one in await here.syncer.followed()}
        assert followed == {news.id: talk.id, talk.id: news.id}
