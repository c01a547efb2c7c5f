"""Hashes that tell whether two texts are the same: to the letter, or to a reader."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence

from ingest.text.wording import Word, wording

MIN_COPY_WORDS = 5
"""Shorter posts («Доброе утро!») repeat by themselves and are no copies of each other."""


def content_hash(text: str) -> str:
    """32 hex digits that change whenever a letter does; for caches and versions."""
    encoded = unicodedata.normalize("NFC", text).encode("utf-8", "replace")
    return hashlib.blake2b(encoded, digest_size=16).hexdigest()


def copy_hash(text: str) -> str | None:
    """32 hex digits that copies share, whatever their emoji, marks, case and spacing.

    The invitation to subscribe at the end is no part of it, and a number's minus is.
    None for a text of under `MIN_COPY_WORDS` words: too short to be told a copy.
    """
    return copy_hash_of(wording(text))


def copy_hash_of(words: Sequence[Word]) -> str | None:
    """`copy_hash` of a text that is cut into words already."""
    if len(words) < MIN_COPY_WORDS:
        return None
    joined = " ".join(word.text for word in words)
    return hashlib.blake2b(joined.encode("utf-8", "replace"), digest_size=16).hexdigest()


def text_key(copied: str) -> int:
    """A `copy_hash` as a number that fits into a column: its first 60 bits.

    Two texts of a million share a key with a chance of one in two million.
    """
    return int(copied[:15], 16)
