"""What the index still has to learn: read, done, and the vectors that are known already."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import delete, func, insert, select, text

from ingest.store.engine import Database
from ingest.store.models import embeddings, outbox
from ingest.store.queueing import Stage
from ingest.types import ChannelId, MessageId, MessageRef

Vector = NDArray[np.float32]

_IDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A message that the index has to look at again.

    Attributes:
        positions: The outbox rows that say so: what `done` takes.
        is_new: The index can hold nothing of it yet.
    """

    ref: MessageRef
    positions: tuple[int, ...]
    is_new: bool


class Outbox:
    """The queue between the archive and its index. One process drains it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, stage: Stage, *, limit: int) -> list[Due]:
        """The next messages of a stage: text oldest first, vectors newest first."""
        order = outbox.c.seq if stage is Stage.TEXT else outbox.c.seq.desc()
        query = select(outbox).where(outbox.c.stage == stage.value).order_by(order).limit(limit)
        found: dict[MessageRef, list[tuple[int, bool]]] = {}
        async with self._database.reading() as connection:
            for row in await connection.execute(query):
                ref = MessageRef(ChannelId(row.channel_id), MessageId(row.message_id))
                found.setdefault(ref, []).append((row.seq, row.is_new))
        return [
            Due(
                ref=ref,
                positions=tuple(seq for seq, _ in rows),
                is_new=all(is_new for _, is_new in rows),
            )
            for ref, rows in found.items()
        ]

    async def done(
        self, due: Sequence[Due], *, still_without_vectors: Collection[MessageRef]
    ) -> None:
        """Strikes off what the index has acknowledged; some of it goes on to the next stage."""
        positions = [seq for one in due for seq in one.positions]
        next_stage = [
            {
                "channel_id": one.ref.channel_id,
                "message_id": one.ref.message_id,
                "stage": Stage.VECTOR.value,
                "is_new": False,
            }
            for one in due
            if one.ref in still_without_vectors
        ]
        async with self._database.writing() as connection:
            for start in range(0, len(positions), _IDS_AT_ONCE):
                some = positions[start : start + _IDS_AT_ONCE]
                await connection.execute(delete(outbox).where(outbox.c.seq.in_(some)))
            if next_stage:
                await connection.execute(insert(outbox), next_stage)

    async def pending(self) -> frozenset[MessageRef]:
        """The messages that are queued for their words."""
        query = select(outbox.c.channel_id, outbox.c.message_id).where(
            outbox.c.stage == Stage.TEXT.value
        )
        async with self._database.reading() as connection:
            rows = await connection.execute(query)
            return frozenset(MessageRef(ChannelId(c), MessageId(m)) for c, m in rows)

    async def enqueue_all(self) -> int:
        """Queues every message anew, for an index that starts empty; how many."""
        async with self._database.writing() as connection:
            await connection.execute(delete(outbox))
            await connection.execute(
                text(
                    "INSERT INTO outbox (channel_id, message_id, stage, is_new) "
                    "SELECT channel_id, message_id, 'text', true FROM messages "
                    "WHERE deleted_at IS NULL ORDER BY posted_at"
                )
            )
            count = await connection.execute(select(func.count()).select_from(outbox))
            return int(count.scalar_one())

    async def vectors(self, hashes: Collection[str], encoder: str) -> dict[str, Vector]:
        """The vectors that are known of some passages, by the hash of their text."""
        wanted, found = list(set(hashes)), {}
        async with self._database.reading() as connection:
            for start in range(0, len(wanted), _IDS_AT_ONCE):
                rows = await connection.execute(
                    select(embeddings.c.content_hash, embeddings.c.vector)
                    .where(embeddings.c.encoder == encoder)
                    .where(embeddings.c.content_hash.in_(wanted[start : start + _IDS_AT_ONCE]))
                )
                found.update({name: _unpack(packed) for name, packed in rows})
        return found

    async def keep_vectors(self, vectors: Mapping[str, Vector], encoder: str) -> None:
        """Remembers vectors, so that no text is encoded twice."""
        known = await self.vectors(vectors.keys(), encoder)
        rows = [
            {"content_hash": name, "encoder": encoder, "vector": _pack(vector)}
            for name, vector in vectors.items()
            if name not in known
        ]
        if rows:
            async with self._database.writing() as connection:
                await connection.execute(insert(embeddings), rows)


def _pack(vector: Vector) -> bytes:
    # Half precision: rankings are the same to the third decimal at half the size.
    return np.asarray(vector, np.float16).tobytes()


def _unpack(packed: bytes) -> Vector:
    return np.frombuffer(packed, np.float16).astype(np.float32)
