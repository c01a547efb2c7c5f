"""Copies in the archive: found as posts come, in any order, and told with exact scope."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from ingest.index.copying import CopyFinder
from ingest.store.archive import Archive
from ingest.store.copies import Copies
from ingest.store.engine import Database
from ingest.store.models import copy_bands, copy_marks, near_copies
from ingest.store.stories import NEAR_FOR, Stories
from ingest.store.writing import store_channel, store_messages
from ingest.types import Channel, ChannelId, Forward, Message, MessageId, MessageKind, MessageRef

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
BRIDGE = "Мост через Сольву открыли: реконструкция длилась 250 дней, проезд бесплатный для всех."
REWORDED = "⚡️Друзья! " + BRIDGE
ANOTHER = BRIDGE.replace("250", "270")


def post(
    number: int,
    text: str = BRIDGE,
    *,
    channel: int = 1,
    hours: float = 0,
    forward: Forward | None = None,
) -> Message:
    return Message(
        channel_id=ChannelId(channel),
        message_id=MessageId(number),
        posted_at=NOW + timedelta(hours=hours),
        kind=MessageKind.TEXT,
        text=text,
        forward=forward,
    )


def ref(number: int, channel: int = 1) -> MessageRef:
    return MessageRef(ChannelId(channel), MessageId(number))


def forward_of(number: int, channel: int) -> Forward:
    return Forward(channel_id=ChannelId(channel), message_id=MessageId(number))


async def keep(database: Database, batch: Sequence[Message]) -> None:
    async with database.writing() as connection:
        for channel_id, some in itertools.groupby(batch, key=lambda one: one.channel_id):
            await store_channel(
                connection, Channel(channel_id=channel_id, title=f"Канал {channel_id}"), now=NOW
            )
            await store_messages(connection, channel_id, list(some), now=NOW, is_current=True)


async def come(finder: CopyFinder, database: Database, *batch: Message) -> None:
    """Messages are stored, and the index process comes to them."""
    await keep(database, batch)
    await finder.look(batch, [])


@pytest.fixture
def finder(database: Database) -> CopyFinder:
    return CopyFinder(Archive(database), Copies(database))


async def copies_of(
    database: Database, number: int, *, channel: int = 1, among: set[int] | None = None
) -> list[MessageRef]:
    channels = None if among is None else {ChannelId(one) for one in among}
    found = await Stories(database).copies([ref(number, channel)], channels)
    return list(found.get(ref(number, channel), ()))


async def test_copies_are_found_as_they_come(database: Database, finder: CopyFinder) -> None:
    """Near-copies and exact ones, earliest first; what differs in a number is none."""
    await come(finder, database, post(1), post(2, "Трамвай пятого маршрута вернулся на линию."))
    await come(
        finder, database, post(1, REWORDED, channel=2, hours=2), post(2, ANOTHER, channel=2)
    )
    await come(finder, database, post(1, BRIDGE.upper(), channel=3, hours=1))
    assert [ref(1, 3), ref(1, 2)] == await copies_of(database, 1)
    assert [] == await copies_of(database, 2, channel=2)


@pytest.mark.parametrize("seed", range(4))
async def test_the_order_of_arrival_is_no_matter(
    database: Database, finder: CopyFinder, seed: int
) -> None:
    """One at a time or all at once, newest or oldest first: the same copies are known."""
    every = [
        post(1),
        post(2, REWORDED, hours=1),
        post(3, ANOTHER, hours=2),
        post(4, BRIDGE + " Первым проехал трамвай.", hours=3),
        post(5, "Зоопарк показал посетителям новорождённого жирафа и двух его сестёр."),
    ]
    random.Random(seed).shuffle(every)
    for batch in (every[:seed], every[seed:]):
        await come(finder, database, *batch)
    assert [ref(2), ref(4)] == await copies_of(database, 1)
    assert [ref(1), ref(2)] == await copies_of(database, 4)
    assert [] == await copies_of(database, 3)


async def test_forwards_meet_by_their_origin(database: Database, finder: CopyFinder) -> None:
    """With the original here, and without it; the words are no matter."""
    await come(finder, database, post(1, "Коротко."))
    await come(finder, database, post(7, "Коротко", channel=2, hours=1, forward=forward_of(1, 1)))
    lost = forward_of(5, 99)
    await come(finder, database, post(8, "Раз", channel=2, forward=lost))
    await come(finder, database, post(9, "Два", channel=3, hours=1, forward=lost))
    assert [ref(7, 2)] == await copies_of(database, 1)
    assert [ref(1)] == await copies_of(database, 7, channel=2)
    assert [ref(9, 3)] == await copies_of(database, 8, channel=2)


async def test_only_asked_channels_are_told(database: Database, finder: CopyFinder) -> None:
    await come(finder, database, post(1))
    await come(finder, database, post(1, channel=2, hours=1), post(1, channel=3, hours=2))
    assert [ref(1, 3)] == await copies_of(database, 1, among={1, 3})
    assert [] == await copies_of(database, 1, among=set())


async def test_weeks_later_only_the_very_text_is_a_copy(
    database: Database, finder: CopyFinder
) -> None:
    """The same template tells of the next storm."""
    late = (NEAR_FOR + timedelta(hours=1)) / timedelta(hours=1)
    await come(finder, database, post(1), post(2, REWORDED, hours=late), post(3, hours=late))
    assert [ref(3)] == await copies_of(database, 1)


async def test_an_edit_changes_what_a_post_is_a_copy_of(
    database: Database, finder: CopyFinder
) -> None:
    await come(finder, database, post(1), post(2, REWORDED, hours=1))
    await come(finder, database, post(2, ANOTHER, hours=1))
    assert [] == await copies_of(database, 1)
    await come(finder, database, post(2, REWORDED, hours=1))
    assert [ref(2)] == await copies_of(database, 1)


async def test_nothing_is_left_of_what_is_gone(database: Database, finder: CopyFinder) -> None:
    """A forgotten post leaves neither marks nor traces of its text."""
    await come(finder, database, post(1), post(2, REWORDED, hours=1))
    await finder.look([], [ref(1), ref(2)])
    async with database.reading() as connection:
        for table in (copy_marks, copy_bands, near_copies):
            count = await connection.execute(select(func.count()).select_from(table))
            assert 0 == count.scalar_one(), table.name


async def test_looking_again_changes_nothing(database: Database, finder: CopyFinder) -> None:
    """A killed process begins its batch again; so does a full reindex."""
    batch = (post(1), post(2, REWORDED, hours=1))
    await come(finder, database, *batch)
    await CopyFinder(Archive(database), Copies(database)).look(batch, [])
    assert [ref(2)] == await copies_of(database, 1)
    await come(
        CopyFinder(Archive(database), Copies(database)), database, post(3, "🎉 " + REWORDED)
    )
    assert [ref(3), ref(2)] == await copies_of(database, 1)
