"""Late interaction in the index: words are kept as posts come, change and go."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from qdrant_client import AsyncQdrantClient

from ingest.index.collection import Built, open_collection
from ingest.index.encode import TokenVectors, Vectors
from ingest.index.encoders.hashing import HashingEncoder
from ingest.index.late_service import LateInteraction, open_late
from ingest.index.late_store import FILE_NAME, LateStore
from ingest.index.request import Place
from ingest.index.wire import places_json, places_of
from ingest.index.writer import IndexWriter
from ingest.settings import Settings
from ingest.store.archive import Archive
from ingest.store.engine import Database
from ingest.store.forgetting import Target, forget
from ingest.store.outbox import Outbox
from ingest.store.writing import store_channel, store_messages
from ingest.types import Channel, ChannelId, Message, MessageId, MessageKind, MessageRef

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.filterwarnings(
    "ignore:Payload indexes have no effect"  # an index in memory has none
)

CHANNEL = ChannelId(1)
FILLER = " ".join(f"слово{number}" for number in range(300))
BRIDGE = "Паромный мост открыли после ремонта."
WEATHER = "Завтра обещают дождь и сильный ветер."


class TokenHashing(HashingEncoder):
    """Hashed words as token vectors: no sense in them, but the same word is the same."""

    def __init__(self) -> None:
        super().__init__()
        self.encoded: list[str] = []

    def encode_tokens(
        self, texts: Sequence[str], *, kind: Literal["query", "passage"]
    ) -> list[TokenVectors]:
        return self.encode_both(texts, kind=kind)[1]

    def encode_both(
        self, texts: Sequence[str], *, kind: Literal["query", "passage"]
    ) -> tuple[Vectors, list[TokenVectors]]:
        if kind == "passage":
            self.encoded += texts
        found = []
        for text in texts:
            spans = [match.span() for match in re.finditer(r"\w+", text)]
            words = [text[start:end] for start, end in spans]
            found.append(
                TokenVectors(
                    token_ids=np.full(len(words), 100),
                    vectors=self.encode_passages(words),
                    spans=np.array(spans, np.int64).reshape(-1, 2),
                )
            )
        return self.encode_passages(texts), found


def post(number: int, text: str) -> Message:
    return Message(
        channel_id=CHANNEL,
        message_id=MessageId(number),
        posted_at=NOW,
        kind=MessageKind.TEXT,
        text=text,
    )


async def keep(database: Database, *batch: Message) -> None:
    async with database.writing() as connection:
        await store_channel(connection, Channel(channel_id=CHANNEL, title="Новости"), now=NOW)
        await store_messages(connection, CHANNEL, list(batch), now=NOW, is_current=True)


def place(number: int) -> Place:
    return Place(MessageRef(CHANNEL, MessageId(number)), 0)


class Index:
    """A writer over an index in memory, and what it keeps."""

    def __init__(self, database: Database, client: AsyncQdrantClient, path: Path) -> None:
        self.encoder = TokenHashing()
        self.store = LateStore(path, encoder=self.encoder.name, dimension=self.encoder.dimension)
        self.late = LateInteraction(self.encoder, self.store)
        self.writer = IndexWriter(
            client=client,
            archive=Archive(database),
            outbox=Outbox(database),
            encoder=self.encoder,
            expects_vectors=True,
            late=self.store,
        )

    async def scores(self, question: str, *numbers: int) -> list[float | None]:
        return await asyncio.to_thread(self.late, question, [place(one) for one in numbers])

    async def drain(self) -> None:
        while await self.writer.drain_words() or await self.writer.drain_vectors():
            pass


@pytest.fixture
async def index(database: Database, tmp_path: Path):
    client = AsyncQdrantClient(":memory:")
    encoder = HashingEncoder()
    await open_collection(client, Built(encoder=encoder.name, dimension=encoder.dimension))
    opened = await asyncio.to_thread(Index, database, client, tmp_path / FILE_NAME)
    yield opened
    await asyncio.to_thread(opened.store.close)
    await client.close()


async def test_new_posts_can_be_compared(index: Index, database: Database) -> None:
    """The post that has the question's words scores higher; unknown posts have no score."""
    await keep(database, post(1, FILLER), post(2, BRIDGE), post(3, WEATHER))
    await index.drain()

    scores = await index.scores("Когда открыли мост?", 2, 3, 77)

    assert scores[2] is None
    assert scores[0] is not None
    assert scores[1] is not None
    assert scores[0] > scores[1]


async def test_an_edited_post_is_compared_by_its_new_words(
    index: Index, database: Database
) -> None:
    await keep(database, post(1, FILLER), post(2, BRIDGE), post(3, WEATHER))
    await index.drain()
    before = (await index.scores("дождь", 2))[0]
    await keep(database, post(2, WEATHER))
    await index.drain()
    after = (await index.scores("дождь", 2))[0]
    assert before is not None
    assert after is not None
    assert before < after


async def test_a_forgotten_post_leaves_no_words(index: Index, database: Database) -> None:
    await keep(database, post(1, FILLER), post(2, BRIDGE))
    await index.drain()
    await forget(database, Target(channel_id=CHANNEL, message_id=MessageId(2)), now=NOW)
    await index.drain()
    assert [None] == await index.scores("мост", 2)


async def test_a_reindex_encodes_nothing_twice(index: Index, database: Database) -> None:
    """Words that are kept stay, like vectors: only what has none is encoded."""
    await keep(database, post(1, FILLER), post(2, BRIDGE))
    await index.drain()
    encoded = list(index.encoder.encoded)
    await Outbox(database).enqueue_all()
    await index.drain()
    assert encoded == index.encoder.encoded
    assert None not in await index.scores("мост", 1, 2)


async def test_an_archive_of_few_words_comes_to_rest(index: Index, database: Database) -> None:
    """Too few words for a mean: nothing is kept, and nothing waits for it for ever."""
    await keep(database, post(1, BRIDGE))
    await index.drain()
    assert [None] == await index.scores("мост", 1)


def test_the_setting_removes_the_file(settings: Settings) -> None:
    encoder = TokenHashing()
    late = open_late(settings, encoder)
    assert late is not None
    late.close()
    path = settings.data_dir / "index" / FILE_NAME
    assert path.exists()

    off = settings.model_copy(update={"reranker": "features"})
    assert open_late(off, encoder) is None
    assert not path.exists()


def test_an_encoder_without_tokens_has_no_late_interaction(settings: Settings) -> None:
    assert open_late(settings, HashingEncoder()) is None
    assert open_late(settings, None) is None


def test_places_cross_the_border_unchanged() -> None:
    places = [place(1), Place(MessageRef(ChannelId(-1001), MessageId(5)), 300)]
    assert places == places_of(places_json(places))
