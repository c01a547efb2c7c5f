"""What is forgotten is gone from everywhere it was copied to, and nothing else is."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import insert, select

from ingest.store.engine import Database
from ingest.store.forgetting import Target, forget
from ingest.store.models import answers, embeddings, message_versions, messages, outbox
from ingest.store.writing import store_channel, store_messages
from ingest.types import Channel, ChannelId, Message, MessageId, MessageKind

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NEWS = Channel(channel_id=ChannelId(5), title="News", username="news")


def post(number: int, text: str, author: str | None = None) -> Message:
    return Message(
        channel_id=NEWS.channel_id,
        message_id=MessageId(number),
        posted_at=NOW,
        kind=MessageKind.TEXT,
        text=text,
        author=author,
    )


async def _store(database: Database, *posts: Message) -> None:
    async with database.writing() as connection:
        await store_channel(connection, NEWS, now=NOW)
        await store_messages(connection, NEWS.channel_id, posts, now=NOW, is_current=True)


async def test_answers_versions_and_vectors_go_too(database: Database) -> None:
    """A post leaves its versions, its vector and the answers that quote it; others stay."""
    await _store(database, post(1, "first"), post(2, "second"), post(3, "second"))
    await _store(database, post(1, "first, edited"))
    async with database.writing() as connection:
        rows = (await connection.execute(select(messages))).all()
        hashes = {row.message_id: row.content_hash for row in rows}
        await connection.execute(
            insert(embeddings),
            [
                {"content_hash": value, "encoder": "e", "vector": b"v"}
                for value in set(hashes.values())
            ],
        )
        for cited in ([[5, 1]], [[5, 3]]):
            reply = {"parts": [{"text": "words"}], "cited": cited}
            await connection.execute(
                insert(answers).values(status="answered", reply=reply, answered_at=NOW)
            )

    for number in (1, 2):
        target = Target(channel_id=NEWS.channel_id, message_id=MessageId(number))
        assert await forget(database, target, now=NOW) == 1

    async with database.reading() as connection:
        assert (await connection.execute(select(message_versions))).all() == []
        kept = (await connection.execute(select(embeddings.c.content_hash))).scalars().all()
        assert kept == [hashes[3]]  # post 3 says the same as post 2 did
        replies = (await connection.execute(select(answers.c.reply))).scalars().all()
        assert [bool(reply["parts"]) for reply in replies] == [False, True]
        queued = (await connection.execute(select(outbox.c.message_id, outbox.c.is_new))).all()
        assert {(1, False), (2, False)} <= {tuple(row) for row in queued}


async def test_an_author_is_forgotten_in_every_channel(database: Database) -> None:
    """By name or id, also in what comes later; namesakes of part of the name stay."""
    await _store(database, post(1, "a", "Ann"), post(2, "b", "Annabel"), post(3, "c"))
    assert await forget(database, Target(author="Ann"), now=NOW) == 1
    await _store(database, post(1, "a", "Ann"), post(4, "d", "Ann"), post(5, "e"))
    async with database.reading() as connection:
        ids = (await connection.execute(select(messages.c.message_id))).scalars().all()
    assert sorted(ids) == [2, 3, 5]
