"""Messages that cannot be read are recorded, never silent, and hold nobody up."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select
from telethon.tl import types as ty

from ingest.store.models import ingest_failures
from ingest.sync.syncer import Wanted
from tests.peers.mtproto_poison import KINDS, poison
from tests.peers.telegram_archive import Rig, channel, present, rig, stored


async def failures(here: Rig) -> dict[int, str]:
    """Reasons by message."""
    async with here.database.reading() as connection:
        rows = await connection.execute(select(ingest_failures))
        return {row.message_id: row.reason for row in rows}


async def test_twenty_kinds_of_poison(tmp_path: Path) -> None:
    """Of 500 messages 20 are unreadable in 20 ways: 480 are stored, 20 recorded with reasons."""
    news = channel(count=500, megagroup=True)
    bad = {20 + 23 * at: kind for at, kind in enumerate(KINDS)}
    for message_id, kind in bad.items():
        poison(news, message_id, kind)
    async with rig(tmp_path, news) as here:
        await here.syncer.follow("@news")
        (report,) = await here.syncer.run(Wanted())

        assert report.is_complete
        assert set(await failures(here)) == set(bad)
        good = {key: text for key, text in present(news).items() if key[1] not in bad}
        assert await stored(here.database) == good


async def test_poison_that_is_cured_is_stored(tmp_path: Path) -> None:
    """A retry stores what can be read by now and takes it off the list; the rest stays."""
    news = channel(count=30, megagroup=True)
    poison(news, 5, "media")
    poison(news, 30, "entity")
    async with rig(tmp_path, news) as here:
        await here.syncer.follow("@news")
        await here.syncer.run(Wanted())
        assert set(await failures(here)) == {5, 30}

        del news.messages[5]._bytes
        await here.syncer.work(news.id).reread([5, 30])
        assert set(await failures(here)) == {30}
        assert (news.id, 5) in await stored(here.database)


@pytest.mark.parametrize(
    "text",
    ["a\0b", "👩‍👩‍👧‍👦" * 500, "\u202eabc\u202c", "я" * 4096],
    ids=["nul", "emoji", "rtl", "long"],
)
async def test_odd_texts_are_stored(tmp_path: Path, text: str) -> None:
    """Texts that trouble databases and counters of UTF-16 are stored with sound marks."""
    news = channel(count=1)
    units = len(text.encode("utf-16-le")) // 2
    news.messages[1].message = text
    news.messages[1].entities = [
        ty.MessageEntityBold(0, units),
        ty.MessageEntityItalic(units + 5, 9),
        ty.MessageEntityCode(0, -1),
    ]
    async with rig(tmp_path, news) as here:
        await here.syncer.follow("@news")
        await here.syncer.run(Wanted())
        ((_, kept),) = (await stored(here.database)).items()

        assert kept == text.replace("\0", "\ufffd")
        assert await failures(here) == {}
