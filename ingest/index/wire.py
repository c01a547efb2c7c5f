"""Searches and their results as JSON, both ways, between the index process and its clients."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ingest.index.request import Hit, Place, SearchRequest, SearchResult
from ingest.types import ChannelId, MessageId, MessageRef

Json = dict[str, Any]
"""A JSON object; this module is the border where it becomes typed."""


def request_json(request: SearchRequest) -> Json:
    """A search as JSON."""
    return {
        "text": request.text,
        "channels": None if request.channels is None else sorted(request.channels),
        "posted_from": _seconds(request.posted_from),
        "posted_before": _seconds(request.posted_before),
        "limit": request.limit,
        "dense": request.dense,
        "lexical": request.lexical,
    }


def request_of(body: Json) -> SearchRequest:
    """The search that `request_json` wrote."""
    channels = body["channels"]
    return SearchRequest(
        text=body["text"],
        channels=None if channels is None else frozenset(ChannelId(one) for one in channels),
        posted_from=_time(body["posted_from"]),
        posted_before=_time(body["posted_before"]),
        limit=body["limit"],
        dense=body["dense"],
        lexical=body["lexical"],
    )


def result_json(result: SearchResult) -> Json:
    """A result as JSON; hits as lists, for there are hundreds."""
    return {
        "hits": [
            [
                *(hit.ref.channel_id, hit.ref.message_id, hit.start, hit.end),
                *(hit.content_hash, hit.copy_hash, hit.dense, hit.lexical),
            ]
            for hit in result.hits
        ],
        "timings_ms": result.timings_ms,
        "encoder": result.encoder,
        "dense_missing": result.dense_missing,
    }


def result_of(body: Json) -> SearchResult:
    """The result that `result_json` wrote."""
    return SearchResult(
        hits=tuple(_hit_of(written) for written in body["hits"]),
        timings_ms=body["timings_ms"],
        encoder=body["encoder"],
        dense_missing=body["dense_missing"],
    )


def places_json(places: Sequence[Place]) -> list[list[int]]:
    """Passages' places as JSON."""
    return [[one.ref.channel_id, one.ref.message_id, one.start] for one in places]


def places_of(written: Sequence[Sequence[int]]) -> list[Place]:
    """The places that `places_json` wrote."""
    return [
        Place(MessageRef(ChannelId(channel), MessageId(message)), start)
        for channel, message, start in written
    ]


def _hit_of(written: list[Any]) -> Hit:
    channel, message, start, end, content_hash, copy_hash, dense, lexical = written
    return Hit(
        ref=MessageRef(ChannelId(channel), MessageId(message)),
        start=start,
        end=end,
        content_hash=content_hash,
        copy_hash=copy_hash,
        dense=dense,
        lexical=lexical,
    )


def _seconds(moment: datetime | None) -> float | None:
    return moment.timestamp() if moment else None


def _time(seconds: float | None) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds is not None else None
