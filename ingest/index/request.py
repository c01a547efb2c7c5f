"""A hybrid search, and what it found: what goes between the index process and its users."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ingest.types import ChannelId, MessageRef


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """One hybrid search. The filter goes into every list, before any ranking.

    Attributes:
        channels: Only these; None: all. Empty: nothing is allowed, nothing is found.
        posted_from, posted_before: Half-open period, aware UTC.
        limit: How many passages of each list at most.
    """

    text: str
    channels: frozenset[ChannelId] | None = None
    posted_from: datetime | None = None
    posted_before: datetime | None = None
    limit: int = 100
    dense: bool = True
    lexical: bool = True


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage begins: in which message, at which code point of its body."""

    ref: MessageRef
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A passage of a message with its raw scores: cosine, and BM25 (0: no shared lemma).

    Attributes:
        start, end: The passage in the message's body, in code points.
        content_hash: Of the passage's text.
        copy_hash: What the message shares with its copies; None: too short to tell.
    """

    ref: MessageRef
    start: int
    end: int
    content_hash: str
    copy_hash: str | None
    dense: float | None
    lexical: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits in no particular order (fusion is the agent's), and how long each part took."""

    hits: tuple[Hit, ...]
    timings_ms: dict[str, float]
    encoder: str | None = None
    """Whose cosines these are; None: nobody's."""
    dense_missing: str | None = None
    """Why semantic search did not take part, if it did not: a plain sentence."""
