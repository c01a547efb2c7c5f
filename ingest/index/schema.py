"""What one point of the index is: a passage, its two vectors and what it is filtered by."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from qdrant_client import models

from ingest.index.encode import Vectors
from ingest.text.fingerprint import content_hash, copy_hash
from ingest.text.lemmas import terms
from ingest.text.passages import Passage
from ingest.types import Message, MessageRef

COLLECTION = "posts"
SCHEMA_VERSION = 1
"""Grows whenever the points of older collections would be wrong."""

DENSE = "dense"
LEMMAS = "lemmas"

K1 = 0.8
B = 0.5
AVERAGE_TERMS = 100
"""BM25's parameters; the average length is fixed, so that old points never have to be rewritten.

Formula: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
Measured on fourteen thousand posts of nineteen channels: posts are short, so that repeating a
word tells less, and being long costs less, than in documents (k1 = 1.2, b = 0.75).
"""

_NAMESPACE = uuid.UUID("5c0b3f0e-6a6f-5a9e-9f5e-3a1f5ae1c7b4")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedPassage:
    """A passage ready for the index.

    Attributes:
        number: Its place among the passages of its message, from 0.
        hash: Of the text that is encoded: the key of its vector in the cache.
        copy_hash: Of the whole message: what its copies share.
    """

    message: Message
    lang: str | None
    number: int
    passage: Passage
    hash: str
    copy_hash: str | None

    @property
    def point_id(self) -> str:
        """Always the same for the same place, so that writing twice is writing once."""
        return point_id(MessageRef(self.message.channel_id, self.message.message_id), self.number)

    def point(self, dense: Vectors | None) -> models.PointStruct:
        """The point; without `dense` only the lexical list will find it."""
        vector: dict[str, models.Vector] = {LEMMAS: document_vector(self.passage.text)}
        if dense is not None:
            vector[DENSE] = dense.tolist()
        return models.PointStruct(id=self.point_id, vector=vector, payload=self._payload())

    def _payload(self) -> dict[str, object]:
        return {
            "channel_id": self.message.channel_id,
            "message_id": self.message.message_id,
            "passage": self.number,
            "posted_at": int(self.message.posted_at.timestamp()),
            "author": self.message.author,
            "lang": self.lang,
            "start": self.passage.start,
            "end": self.passage.end,
            "hash": self.hash,
            "copy": self.copy_hash,
        }


FILTERED_BY = {
    "channel_id": models.PayloadSchemaType.INTEGER,
    "message_id": models.PayloadSchemaType.INTEGER,
    "posted_at": models.PayloadSchemaType.INTEGER,
    "author": models.PayloadSchemaType.KEYWORD,
}
"""Payload keys that searches filter by, and their kinds."""


def passages_of(
    message: Message, lang: str | None, passages: Sequence[Passage]
) -> list[IndexedPassage]:
    """The passages of a message with their numbers and hashes."""
    same_for_copies = copy_hash(message.body())
    return [
        IndexedPassage(
            message=message,
            lang=lang,
            number=number,
            passage=passage,
            hash=content_hash(passage.text),
            copy_hash=same_for_copies,
        )
        for number, passage in enumerate(passages)
    ]


def point_id(ref: MessageRef, number: int) -> str:
    """The id of a message's passage: a name-based UUID (RFC 9562, version 5)."""
    return str(uuid.uuid5(_NAMESPACE, f"{ref.channel_id}/{ref.message_id}/{number}"))


def document_vector(text: str) -> models.SparseVector:
    """BM25's document side: the index multiplies it by the terms' idf."""
    counts = Counter(terms(text))
    length = sum(counts.values())
    norm = K1 * (1 - B + B * length / AVERAGE_TERMS)
    weights: dict[int, float] = {}
    for term, count in counts.items():
        # Two terms with one number (about one pair in 120,000 terms) count as one.
        weights[term_number(term)] = count * (K1 + 1) / (count + norm)
    return models.SparseVector(indices=list(weights), values=list(weights.values()))


def query_vector(query_terms: Iterable[str]) -> models.SparseVector:
    """BM25's query side: each term once."""
    numbers = list(dict.fromkeys(term_number(term) for term in query_terms))
    return models.SparseVector(indices=numbers, values=[1.0] * len(numbers))


def term_number(term: str) -> int:
    """The 32-bit number that stands for a term."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "big")
