"""Hybrid search inside the index process: both lists, and both scores of every hit."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Iterable, Sequence

import numpy as np
from qdrant_client import AsyncQdrantClient, models

from ingest.index.encode import Encoder, Vectors
from ingest.index.request import Hit, SearchRequest, SearchResult
from ingest.index.schema import COLLECTION, DENSE, LEMMAS, query_vector
from ingest.text.lemmas import query_terms
from ingest.types import ChannelId, MessageId, MessageRef

_QUERIES_REMEMBERED = 512
"""Vectors of questions; follow-ups, second rounds and impatient users repeat them."""

_TEXTS_REMEMBERED = 4096
"""Vectors of sentences that were compared: 6 MB."""

_EXACTLY = models.SearchParams(
    quantization=models.QuantizationSearchParams(rescore=True, oversampling=2.0)
)
"""Where vectors are quantised, the best are scored again by the whole ones."""

_PAYLOAD = ["channel_id", "message_id", "start", "end", "hash", "copy"]


class HybridSearch:
    """Searches passages by words and by sense at once."""

    def __init__(
        self, client: AsyncQdrantClient, encoder: Encoder | None, *, why_not_dense: str | None
    ) -> None:
        self._client, self._encoder = client, encoder
        self._why_not_dense = why_not_dense
        self._texts: dict[str, Vectors] = {}
        self._encode = functools.lru_cache(maxsize=_QUERIES_REMEMBERED)(self._encode_now)

    async def __call__(self, request: SearchRequest) -> SearchResult:
        """Finds the best `request.limit` passages of each list, with both scores of each."""
        if request.channels is not None and not request.channels:
            return SearchResult(hits=(), timings_ms={})
        clock = _Clock()
        dense = await self._dense(request)
        clock.lap("encode")
        lexical = await self._lexical(request)
        clock.lap("lemmas")
        allowed = _filter(request)
        lists = [part for part in (dense, lexical) if part is not None]
        if not lists:
            return SearchResult(
                hits=(), timings_ms=clock.laps, dense_missing=self._missing(request)
            )
        found = await self._query(
            [part.request(limit=request.limit, only=allowed) for part in lists]
        )
        clock.lap("lists")
        hits = _Hits()
        for part, points in zip(lists, found, strict=True):
            hits.take(part.name, points)
        if len(lists) > 1:
            await self._complete(lists, hits, allowed)
            clock.lap("scores")
        return SearchResult(
            hits=hits.all(with_lexical=lexical is not None),
            timings_ms=clock.laps,
            encoder=self._encoder.name if self._encoder and dense is not None else None,
            dense_missing=self._missing(request),
        )

    async def similarity(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """Cosines of texts with a question, in their order; None without an encoder."""
        if self._encoder is None:
            return None
        if not texts:
            return []
        asked = await asyncio.to_thread(self._encode, question)
        if len(self._texts) > _TEXTS_REMEMBERED:
            self._texts.clear()
        missing = [text for text in dict.fromkeys(texts) if text not in self._texts]
        if missing:
            made = await asyncio.to_thread(self._encoder.encode_passages, missing)
            self._texts.update(zip(missing, made, strict=True))
        # Somebody else's question may have cleared the memory meanwhile: what is lost counts 0.
        nothing = np.zeros_like(asked)
        return [float(self._texts.get(text, nothing) @ asked) for text in texts]

    def _missing(self, request: SearchRequest) -> str | None:
        return self._why_not_dense if request.dense and self._encoder is None else None

    async def _dense(self, request: SearchRequest) -> _List | None:
        if not request.dense or self._encoder is None or not request.text.strip():
            return None
        vector = await asyncio.to_thread(self._encode, request.text)
        return _List(DENSE, vector.tolist())

    async def _lexical(self, request: SearchRequest) -> _List | None:
        if not request.lexical:
            return None
        found = await asyncio.to_thread(query_terms, request.text)
        return _List(LEMMAS, query_vector(found)) if found else None

    def _encode_now(self, text: str) -> Vectors:
        assert self._encoder is not None
        return np.asarray(self._encoder.encode_query(text), np.float32)

    async def _query(
        self, requests: Sequence[models.QueryRequest]
    ) -> list[list[models.ScoredPoint]]:
        answers = await self._client.query_batch_points(COLLECTION, requests)
        return [answer.points for answer in answers]

    async def _complete(
        self, lists: Sequence[_List], hits: _Hits, allowed: models.Filter | None
    ) -> None:
        """Asks each list for its scores of what only the other list brought."""
        wanted = [(part, hits.without(part.name)) for part in lists]
        requests = [
            part.request(limit=len(ids), only=_among(ids, allowed)) for part, ids in wanted if ids
        ]
        if not requests:
            return
        parts = [part for part, ids in wanted if ids]
        for part, points in zip(parts, await self._query(requests), strict=True):
            hits.take(part.name, points)


class _List:
    """One ranked list: the vector that it ranks by."""

    def __init__(self, name: str, vector: list[float] | models.SparseVector) -> None:
        self.name, self._vector = name, vector

    def request(self, *, limit: int, only: models.Filter | None) -> models.QueryRequest:
        return models.QueryRequest(
            query=models.NearestQuery(nearest=self._vector),
            using=self.name,
            filter=only,
            limit=limit,
            with_payload=_PAYLOAD,
            params=_EXACTLY,
        )


class _Hits:
    """Points by id, with their scores by list."""

    def __init__(self) -> None:
        self._payloads: dict[str, dict[str, int | str | None]] = {}
        self._scores: dict[str, dict[str, float]] = {}

    def take(self, name: str, points: Iterable[models.ScoredPoint]) -> None:
        for point in points:
            key = str(point.id)
            self._payloads.setdefault(key, point.payload or {})
            self._scores.setdefault(key, {})[name] = point.score

    def without(self, name: str) -> list[str]:
        return [key for key, scores in self._scores.items() if name not in scores]

    def all(self, *, with_lexical: bool) -> tuple[Hit, ...]:
        return tuple(
            self._hit(key, payload, with_lexical) for key, payload in self._payloads.items()
        )

    def _hit(self, key: str, payload: dict[str, int | str | None], with_lexical: bool) -> Hit:
        scores = self._scores[key]
        return Hit(
            ref=MessageRef(
                ChannelId(_int(payload["channel_id"])), MessageId(_int(payload["message_id"]))
            ),
            start=_int(payload["start"]),
            end=_int(payload["end"]),
            content_hash=str(payload["hash"]),
            copy_hash=None if payload["copy"] is None else str(payload["copy"]),
            dense=scores.get(DENSE),
            lexical=scores.get(LEMMAS, 0.0 if with_lexical else None),
        )


def _int(value: int | str | None) -> int:
    assert isinstance(value, int)  # we wrote it
    return value


class _Clock:
    """Milliseconds between laps."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._since = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = (now - self._since) * 1000
        self._since = now


def _filter(request: SearchRequest) -> models.Filter | None:
    must: list[models.Condition] = []
    if request.channels is not None:
        must.append(
            models.FieldCondition(
                key="channel_id",
                match=models.MatchAny(any=[int(one) for one in sorted(request.channels)]),
            )
        )
    if request.posted_from or request.posted_before:
        period = models.Range(
            gte=request.posted_from.timestamp() if request.posted_from else None,
            lt=request.posted_before.timestamp() if request.posted_before else None,
        )
        must.append(models.FieldCondition(key="posted_at", range=period))
    return models.Filter(must=must) if must else None


def _among(ids: Sequence[str], allowed: models.Filter | None) -> models.Filter:
    """Only some points, and still only what is allowed."""
    conditions: list[models.Condition] = [models.HasIdCondition(has_id=list(ids))]
    if allowed is not None:
        conditions.append(allowed)
    return models.Filter(must=conditions)
