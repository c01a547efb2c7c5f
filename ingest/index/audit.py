"""Compares the index with the archive, passage by passage: what `citegram doctor` reports."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from qdrant_client import AsyncQdrantClient, models

from ingest.index.schema import COLLECTION, DENSE, IndexedPassage
from ingest.index.writer import Cutter, cut_message
from ingest.store.archive import Archive
from ingest.store.outbox import Outbox
from ingest.types import ChannelId, Message, MessageId, MessageRef

_PAGE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Passages that differ between archive and index, not counting those in the queue.

    Attributes:
        missing: In the archive, not in the index.
        ghost: In the index, not (or no longer) in the archive.
        stale: In both, with another text.
        without_vector: In the index, to be found by words only.
        pending: Messages in the queue: the index knows that it is behind with them.
    """

    passages: int
    missing: int
    ghost: int
    stale: int
    without_vector: int
    pending: int


async def audit(
    client: AsyncQdrantClient, archive: Archive, outbox: Outbox, cut_body: Cutter
) -> Audit:
    """Reads all of both; about a second per ten thousand posts."""
    expected: dict[str, tuple[str, MessageRef]] = {}
    async for page in archive.stream():
        passages = await asyncio.to_thread(_cut_all, page, cut_body)
        for passage in passages:
            ref = MessageRef(passage.message.channel_id, passage.message.message_id)
            expected[passage.point_id] = (passage.hash, ref)
    pending = await outbox.pending()
    missing = {point for point, (_, ref) in expected.items() if ref not in pending}
    ghost = stale = 0
    offset = None
    while True:
        points, offset = await client.scroll(
            COLLECTION,
            limit=_PAGE,
            offset=offset,
            with_payload=["channel_id", "message_id", "hash"],
            with_vectors=False,
        )
        for point in points:
            payload = point.payload or {}
            ref = MessageRef(ChannelId(payload["channel_id"]), MessageId(payload["message_id"]))
            if ref in pending:
                continue
            known = expected.get(str(point.id))
            missing.discard(str(point.id))
            ghost += known is None
            stale += known is not None and known[0] != payload["hash"]
        if offset is None:
            break
    return Audit(
        passages=len(expected),
        missing=len(missing),
        ghost=ghost,
        stale=stale,
        without_vector=await _count_without_vector(client),
        pending=len(pending),
    )


def _cut_all(page: Sequence[Message], cut_body: Cutter) -> list[IndexedPassage]:
    return [passage for message in page for passage in cut_message(message, cut_body)]


async def _count_without_vector(client: AsyncQdrantClient) -> int:
    """Passages that only the lexical list finds; 0 where there is no other list."""
    config = (await client.get_collection(COLLECTION)).config.params.vectors
    if not isinstance(config, dict) or DENSE not in config:
        return 0
    without = models.Filter(must_not=[models.HasVectorCondition(has_vector=DENSE)])
    return (await client.count(COLLECTION, count_filter=without, exact=True)).count
