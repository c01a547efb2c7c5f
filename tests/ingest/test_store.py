"""Storing messages and reading them back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, text, update

from ingest.errors import DatabaseUnusable, UnknownChannel
from ingest.store.archive import Archive
from ingest.store.engine import Database, open_database
from ingest.store.models import archive_facts, message_versions, messages, outbox
from ingest.store.outbox import Outbox
from ingest.store.queueing import Stage
from ingest.store.writing import Stored, store_channel, store_messages
from ingest.types import (
    Attachment,
    Channel,
    ChannelId,
    Entity,
    Forward,
    Message,
    MessageId,
    MessageKind,
    MessageRef,
    PollOption,
    Reaction,
    Visibility,
)

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
CHANNEL = Channel(
    channel_id=ChannelId(77),
    title="Мосты",
    username="mosty",
    visibility=Visibility.PUBLIC,
)
FULL = Message(
    channel_id=CHANNEL.channel_id,
    message_id=MessageId(5),
    posted_at=NOW - timedelta(days=3),
    edited_at=NOW - timedelta(days=2),
    kind=MessageKind.POLL,
    text="Кто за мост?",
    entities=(
        Entity(start=0, end=3, type="bold"),
        Entity(start=4, end=6, type="text_link", value="x"),
    ),
    author="Мария",
    author_id="user5",
    forward=Forward(
        name="Сольва", channel_id=ChannelId(8), message_id=MessageId(3), posted_at=NOW
    ),
    reply_to=MessageId(2),
    album_id=5,
    topic_id=1,
    attachment=Attachment(
        poll_question="За?", poll_options=(PollOption(text="Да", count_voters=3),)
    ),
    reactions=(Reaction(emoji="👍", count=4),),
    views=120,
)


def message(number: int, words: str = "Мост открыт", **changes: object) -> Message:
    plain = Message(
        channel_id=CHANNEL.channel_id,
        message_id=MessageId(number),
        posted_at=NOW + timedelta(minutes=number),
        kind=MessageKind.TEXT,
        text=words,
    )
    return replace(plain, **changes)


async def store(database: Database, batch: Sequence[Message]) -> Stored:
    async with database.writing() as connection:
        await store_channel(connection, CHANNEL, now=NOW)
        return await store_messages(connection, CHANNEL.channel_id, batch, now=NOW)


async def read(database: Database, number: int) -> Message:
    ref = MessageRef(CHANNEL.channel_id, MessageId(number))
    return (await Archive(database).messages([ref]))[ref]


async def versions(database: Database) -> list[str]:
    async with database.reading() as connection:
        return list((await connection.execute(select(message_versions.c.text))).scalars())


async def queued(database: Database) -> list[int]:
    async with database.reading() as connection:
        query = select(outbox.c.message_id).order_by(outbox.c.seq)
        return list((await connection.execute(query)).scalars())


async def test_everything_of_a_message_comes_back(database: Database) -> None:
    assert Stored(added=1) == await store(database, [FULL])
    assert await read(database, 5) == FULL


async def test_storing_again_changes_nothing(database: Database) -> None:
    batch = [FULL, message(6), message(7)]
    await store(database, batch)
    assert Stored(unchanged=3) == await store(database, batch)
    assert await queued(database) == [5, 6, 7]


async def test_a_changed_text_makes_a_version_and_reaches_the_index(database: Database) -> None:
    await store(database, [message(1, "12 миллионов")])
    later = message(1, "14 миллионов", edited_at=NOW + timedelta(hours=1))
    assert Stored(updated=1) == await store(database, [later])
    assert later == await read(database, 1)
    assert await versions(database) == ["12 миллионов"]
    assert await queued(database) == [1, 1]


async def test_views_change_without_version_or_index(database: Database) -> None:
    await store(database, [message(1, views=10)])
    assert Stored(updated=1) == await store(database, [message(1, views=20)])
    assert await versions(database) == []
    assert await queued(database) == [1]


async def test_a_poorer_source_erases_nothing(database: Database) -> None:
    """An export without views, author or reactions leaves those that are known."""
    await store(database, [FULL])
    poor = replace(
        FULL, views=None, author=None, reactions=(), forward=None, attachment=None, entities=()
    )
    poor = replace(poor, attachment=FULL.attachment)
    assert Stored(unchanged=1) == await store(database, [poor])
    assert await read(database, 5) == FULL


async def test_an_older_state_becomes_history(database: Database) -> None:
    """Importing an old export after a new one keeps the newest text and learns the old one."""
    newest = message(1, "после", edited_at=NOW + timedelta(hours=2))
    await store(database, [newest])
    assert Stored(unchanged=1) == await store(database, [message(1, "до")])
    assert newest == await read(database, 1)
    assert await versions(database) == ["до"]
    await store(database, [message(1, "до")])
    assert await versions(database) == ["до"]


async def test_nothing_is_stored_of_a_transaction_that_fails(database: Database) -> None:

    async def store_and_fail() -> None:
        async with database.writing() as connection:
            await store_channel(connection, CHANNEL, now=NOW)
            await store_messages(connection, CHANNEL.channel_id, [FULL], now=NOW)
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power"):
        await store_and_fail()
    assert await queued(database) == []
    assert await Archive(database).channels() == ()


async def test_concurrent_writers_lose_no_update(database: Database) -> None:
    """Sixteen tasks that read, think and write all leave their mark: each has its turn."""
    async with database.writing() as connection:
        await connection.execute(insert(archive_facts).values(name="count", value="0"))

    async def add_one() -> None:
        async with database.writing() as connection:
            value = (await connection.execute(select(archive_facts.c.value))).scalar_one()
            await asyncio.sleep(0)
            await connection.execute(update(archive_facts).values(value=str(int(value) + 1)))

    async with asyncio.TaskGroup() as tasks:
        for _ in range(16 * 5):
            tasks.create_task(add_one())
    async with database.reading() as connection:
        assert (await connection.execute(select(archive_facts.c.value))).scalar_one() == "80"


async def test_readers_cannot_write(database: Database) -> None:
    async with database.reading() as connection:
        with pytest.raises(Exception, match="readonly"):
            await connection.execute(insert(archive_facts).values(name="a", value="b"))


async def test_naive_times_are_refused(database: Database) -> None:
    with pytest.raises(Exception, match="naive"):
        await store(database, [message(1, posted_at=datetime(2026, 1, 1))])  # noqa: DTZ001 - the point


async def test_a_checkpoint_keeps_what_is_committed(database: Database) -> None:
    await store(database, [FULL])
    await database.checkpoint()
    assert await read(database, 5) == FULL


async def test_a_foreign_file_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_text("these are my notes, not a database. " * 50)
    before = path.read_bytes()
    with pytest.raises(DatabaseUnusable, match=r"notes\.sqlite"):
        async with open_database(path):
            pass
    assert before == path.read_bytes()


async def test_deleted_messages_are_not_read(database: Database) -> None:
    await store(database, [message(1), message(2)])
    async with database.writing() as connection:
        await connection.execute(
            update(messages).where(messages.c.message_id == 1).values(deleted_at=NOW)
        )
    archive = Archive(database)
    refs = [MessageRef(CHANNEL.channel_id, MessageId(n)) for n in (1, 2)]
    assert {refs[1]} == (await archive.messages(refs)).keys()
    assert [[m.message_id for m in page] async for page in archive.stream()] == [[2]]


async def test_pages_follow_each_other(database: Database) -> None:
    await store(database, [message(n) for n in range(1, 8)])
    pages = [[m.message_id for m in page] async for page in Archive(database).stream(page=3)]
    assert pages == [[1, 2, 3], [4, 5, 6], [7]]


@pytest.mark.parametrize("name", ["mosty", "@Mosty", "https://t.me/mosty", "77", "мосты"])
async def test_a_channel_goes_by_many_names(database: Database, name: str) -> None:
    await store(database, [FULL])
    assert await Archive(database).channel(name) == CHANNEL


async def test_an_unknown_channel_is_named(database: Database) -> None:
    with pytest.raises(UnknownChannel, match="«nobody»"):
        await Archive(database).channel("nobody")


async def test_status_counts_live_posts_only(database: Database) -> None:
    service = message(3, "", kind=MessageKind.SERVICE)
    await store(database, [message(1), message(2), service])
    (status,) = await Archive(database).status()
    assert (2, NOW + timedelta(minutes=1), NOW + timedelta(minutes=2)) == (
        status.count_messages,
        status.posted_from,
        status.posted_to,
    )


async def test_a_username_belongs_to_one_channel(database: Database) -> None:
    """When another channel turns up under a name, the name is its own from then on."""
    await store(database, [FULL])
    heir = replace(CHANNEL, channel_id=ChannelId(99), title="Наследник")
    async with database.writing() as connection:
        await store_channel(connection, heir, now=NOW)
    assert heir == await Archive(database).channel("mosty")


async def test_the_outbox_coalesces_and_orders(database: Database) -> None:
    await store(database, [message(1), message(2)])
    await store(database, [message(1, "новый текст")])
    box = Outbox(database)
    due = await box.due(Stage.TEXT, limit=10)
    assert [(one.ref.message_id, one.is_new) for one in due] == [(1, False), (2, True)]
    await box.done(due, still_without_vectors=[one.ref for one in due])
    assert await box.due(Stage.TEXT, limit=10) == []
    newest_first = await box.due(Stage.VECTOR, limit=10)
    assert [one.ref.message_id for one in newest_first] == [2, 1]


async def test_positions_of_the_outbox_are_never_used_again(database: Database) -> None:
    """Otherwise a drainer that is slow would strike off a row that it never saw."""
    await store(database, [message(1)])
    box = Outbox(database)
    (first,) = await box.due(Stage.TEXT, limit=10)
    await box.done([first], still_without_vectors=())
    await store(database, [message(2)])
    (second,) = await box.due(Stage.TEXT, limit=10)
    assert second.positions > first.positions


async def test_everything_is_queued_for_an_empty_index(database: Database) -> None:
    await store(database, [message(1), message(2)])
    assert await Outbox(database).enqueue_all() == 2
    async with database.reading() as connection:
        assert (await connection.execute(select(func.count()).select_from(outbox))).scalar() == 2


async def test_the_write_ahead_log_is_on(database: Database) -> None:
    async with database.reading() as connection:
        mode = (await connection.execute(text("PRAGMA journal_mode"))).scalar_one()
        synchronous = (await connection.execute(text("PRAGMA synchronous"))).scalar_one()
    full = 2
    assert ("wal", full) == (mode, synchronous)
