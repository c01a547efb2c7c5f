"""No model at all: hashed words and letter n-grams, rough and instant.

For tests and for machines too small for a model. It finds the same and similar spellings,
never the same meaning in other words.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.index.encode import Vectors

_WORD: Final = re.compile(r"\w+")
_NGRAM_CHARS: Final = 3
_LONGEST_WORD_CHARS: Final = 40
"""Longer "words" are links and keys; their beginning is enough."""

_WORD_WEIGHT: Final = 1.0
"""As much as all its pieces together: endings change, and a stem is found by its pieces."""

_MAX_TOKENS: Final = 512
_SIGN_BIT: Final = 31


class HashingEncoder:
    """An `Encoder` whose vectors are signed sums of hashed features, the same everywhere."""

    def __init__(self, dimension: int = 256) -> None:
        """Takes the vectors' length; a longer one confuses fewer words."""
        self._dimension = dimension

    @property
    def name(self) -> str:
        """Hashing, and the dimension."""
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """Where passages are cut, in words."""
        return _MAX_TOKENS

    def count_tokens(self, text: str) -> int:
        """Its words; nothing is ever cut, the limit only keeps passages short."""
        return len(_WORD.findall(text))

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(n, dimension)`` in the order given."""
        vectors = np.zeros((len(texts), self._dimension), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[:] = self.encode_query(text)
        return vectors

    def encode_query(self, text: str) -> Vectors:
        """The question's unit vector, ``(dimension,)``."""
        # Each word once: a post that repeats itself is not more about it.
        words = dict.fromkeys(_WORD.findall(text.casefold()))
        if not words:
            nothing = np.zeros(self._dimension, np.float32)
            nothing[0] = 1.0  # a unit vector too, the same for every wordless text
            return nothing
        features = [_features(word[:_LONGEST_WORD_CHARS], self._dimension) for word in words]
        places = np.concatenate([places for places, _ in features])
        weights = np.concatenate([weights for _, weights in features])
        total = np.bincount(places, weights, minlength=self._dimension)
        # Opposite signs could cancel out in a text of one word; then no direction is right.
        length = float(np.linalg.norm(total))
        return (total / length if length else total + self._dimension**-0.5).astype(np.float32)


@lru_cache(maxsize=1 << 16)
def _features(word: str, dimension: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Where a word and its n-grams fall, and with what weight."""
    bounded = f"<{word}>"
    starts = range(len(bounded) - _NGRAM_CHARS + 1)
    pieces = [bounded[start : start + _NGRAM_CHARS] for start in starts]
    hashes = np.array([zlib.crc32(piece.encode()) for piece in (bounded, *pieces)], np.int64)
    # A word weighs the same however many pieces it has.
    share = max(len(pieces), 1) ** -0.5
    weights = (1 - 2 * (hashes >> _SIGN_BIT)) * share
    weights[0] = math.copysign(_WORD_WEIGHT, weights[0])
    return hashes % dimension, weights
