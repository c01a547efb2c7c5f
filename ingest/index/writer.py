"""Drains the outbox into the index: words at once, vectors as fast as they can be made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

import structlog
from qdrant_client import AsyncQdrantClient, models

from ingest.index.copying import CopyFinder
from ingest.index.encode import Encoder, TokenEncoder, Vectors
from ingest.index.late import words_of
from ingest.index.late_store import LateStore
from ingest.index.schema import COLLECTION, IndexedPassage, passages_of
from ingest.store.archive import Archive
from ingest.store.copies import Copies
from ingest.store.outbox import Due, Outbox
from ingest.store.queueing import Stage
from ingest.text.language import guess_language
from ingest.text.passages import Passage, cut
from ingest.types import Message, MessageKind, MessageRef

log = structlog.get_logger(__name__)

TEXT_BATCH = 256
"""Messages: some 5 ms of writing to the index, so that searches get in between."""

VECTOR_BATCH = 64
"""Messages: about a second of encoding, the most that is lost when the process is killed."""

Cutter = Callable[[str], list[Passage]]


class IndexWriter:
    """Brings the index up to the archive, batch by batch. Safe to stop anywhere.

    Attributes:
        lock: Held while a batch is read and written, so that a slow one can't undo a quick one;
            hold it to exchange the collection.

    Args:
        encoder: None where it can't be loaded, or none is wanted.
        expects_vectors: Whether the collection has a place for vectors; then messages that
            can't have theirs now stay in the queue for them.
        late: Where passages' words are kept for late interaction; None: nowhere.
    """

    def __init__(
        self,
        *,
        client: AsyncQdrantClient,
        archive: Archive,
        outbox: Outbox,
        encoder: Encoder | None,
        expects_vectors: bool,
        late: LateStore | None = None,
    ) -> None:
        self._client = client
        self._archive, self._outbox = archive, outbox
        self._encoder, self._expects_vectors = encoder, expects_vectors
        self._late = late
        self._cut = cutter(encoder)
        self._copy_finder = CopyFinder(archive, Copies(archive.database))
        self.lock = asyncio.Lock()

    async def drain_words(self) -> int:
        """Makes the next new or changed messages searchable; how many (0: there are none)."""
        due = await self._outbox.due(Stage.TEXT, limit=TEXT_BATCH)
        if due:
            async with self.lock:
                await self._look_for_copies(due)
                await self._index(due, wait_for_words=self._late is not None)
        return len(due)

    async def drain_vectors(self) -> int:
        """Makes the vectors of the newest messages without; how many (0: all have theirs).

        Encoding takes a second, so it goes on beside `drain_words`. What became of a message
        meanwhile shows when it is read again for writing.
        """
        if self._encoder is None:
            return 0
        due = await self._outbox.due(Stage.VECTOR, limit=VECTOR_BATCH)
        if due:
            await self._encode(await self._passages(due), self._encoder)
            async with self.lock:
                # Words that are not there now have no mean yet: they come with a reindex.
                await self._index(due, wait_for_words=False)
        return len(due)

    async def _look_for_copies(self, due: Sequence[Due]) -> None:
        refs = [one.ref for one in due]
        found = await self._archive.messages(refs)
        await self._copy_finder.look(found.values(), [ref for ref in refs if ref not in found])

    async def _index(self, due: Sequence[Due], *, wait_for_words: bool) -> None:
        """Writes messages as they are now, with the vectors that are known."""
        passages = await self._passages(due)
        known: dict[str, Vectors] = {}
        if self._encoder is not None:
            known = await self._outbox.vectors([p.hash for p in passages], self._encoder.name)
        await self._write(due, passages, known)
        waiting: set[MessageRef] = set()
        if self._expects_vectors:
            lacking = {p.hash for p in passages if p.hash not in known}
            if wait_for_words:
                lacking |= await self._without_words(passages)
            waiting = {_ref(p.message) for p in passages if p.hash in lacking}
        await self._outbox.done(due, still_without_vectors=waiting)

    async def _encode(self, passages: Sequence[IndexedPassage], encoder: Encoder) -> None:
        """Puts the vectors that are missing into the cache."""
        known = await self._outbox.vectors([p.hash for p in passages], encoder.name)
        lacking = {p.hash for p in passages if p.hash not in known}
        lacking |= await self._without_words(passages)
        missing = {p.hash: p.passage.text for p in passages if p.hash in lacking}
        if missing:
            fresh = await asyncio.to_thread(self._encode_now, missing, encoder)
            await self._outbox.keep_vectors(fresh, encoder.name)

    def _encode_now(self, texts: Mapping[str, str], encoder: Encoder) -> dict[str, Vectors]:
        """The vectors of texts by hash; their words are kept on the way."""
        if self._late is None or not isinstance(encoder, TokenEncoder):
            return dict(zip(texts, encoder.encode_passages(list(texts.values())), strict=True))
        vectors, tokens = encoder.encode_both(list(texts.values()), kind="passage")
        pairs = zip(texts.items(), tokens, strict=True)
        self._late.keep({name: words_of(text, some).vectors for (name, text), some in pairs})
        return dict(zip(texts, vectors, strict=True))

    async def _without_words(self, passages: Sequence[IndexedPassage]) -> set[str]:
        if self._late is None:
            return set()
        return await asyncio.to_thread(self._late.missing, [p.hash for p in passages])

    async def _passages(self, due: Sequence[Due]) -> list[IndexedPassage]:
        found = await self._archive.messages([one.ref for one in due])
        return await asyncio.to_thread(self._cut_all, list(found.values()))

    def _cut_all(self, found: Sequence[Message]) -> list[IndexedPassage]:
        return [passage for message in found for passage in cut_message(message, self._cut)]

    async def _write(
        self,
        due: Sequence[Due],
        passages: Sequence[IndexedPassage],
        vectors: dict[str, Vectors],
    ) -> None:
        counts: dict[MessageRef, int] = {one.ref: 0 for one in due if not one.is_new}
        for passage in passages:
            ref = _ref(passage.message)
            if ref in counts:
                counts[ref] += 1
        if passages:
            points = await asyncio.to_thread(
                lambda: [passage.point(vectors.get(passage.hash)) for passage in passages]
            )
            await self._client.upsert(COLLECTION, points, wait=True)
        if counts:
            await self._client.delete(COLLECTION, _beyond(counts), wait=True)
        if self._late is not None:
            places: dict[MessageRef, list[tuple[int, str]]] = {one.ref: [] for one in due}
            for one in passages:
                places[_ref(one.message)].append((one.passage.start, one.hash))
            await asyncio.to_thread(self._late.place, places)


def cutter(encoder: Encoder | None) -> Cutter:
    """How posts are cut for an encoder; without one, into parts of the usual size."""
    if encoder is None:
        return lambda body: cut(body, max_tokens=512, count_tokens=lambda text: len(text) // 3)
    limit, count = encoder.max_tokens, encoder.count_tokens
    return lambda body: cut(body, max_tokens=limit, count_tokens=count)


def cut_message(message: Message, cut_body: Cutter) -> list[IndexedPassage]:
    """The passages of a message that belong into the index; service messages have none."""
    if message.kind is MessageKind.SERVICE:
        return []
    body = message.body()
    return passages_of(message, guess_language(body), cut_body(body))


def _ref(message: Message) -> MessageRef:
    return MessageRef(message.channel_id, message.message_id)


def _beyond(counts: dict[MessageRef, int]) -> models.Filter:
    """Passages that messages had once and have no more; all of those of deleted messages."""
    return models.Filter(
        should=[
            models.Filter(
                must=[
                    _is("channel_id", ref.channel_id),
                    _is("message_id", ref.message_id),
                    models.FieldCondition(key="passage", range=models.Range(gte=count)),
                ]
            )
            for ref, count in counts.items()
        ]
    )


def _is(key: str, value: int) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))
