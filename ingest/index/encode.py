"""What the index asks of an encoder; `ingest.index.encoders` holds the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Turns texts into unit vectors. Blocking and thread-safe: call it off the loop."""

    @property
    def name(self) -> str:
        """What the collection records: another name means other vectors."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Longest passage it reads whole, in its own tokens, prefix and marks included."""

    def count_tokens(self, text: str) -> int:
        """How many tokens a passage takes, prefix and marks included."""

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, ``(n, dimension)`` in the order given."""

    def encode_query(self, text: str) -> Vectors:
        """The unit vector of a question, ``(dimension,)``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenVectors:
    """A text's tokens in context, for late interaction; its prefix and marks are left out.

    Attributes:
        token_ids: ``(n,) int64`` in the encoder's vocabulary; n may be 0.
        vectors: ``(n, dim) float32`` as the model gives them, not of unit length.
        spans: ``(n, 2) int64``, the code points ``[start, end)`` that a token covers.
    """

    token_ids: NDArray[np.int64]
    vectors: Vectors
    spans: NDArray[np.int64]


@runtime_checkable
class TokenEncoder(Protocol):
    """An encoder that also gives every token's vector. Blocking and thread-safe."""

    def encode_tokens(
        self, texts: Sequence[str], *, kind: Literal["query", "passage"]
    ) -> list[TokenVectors]:
        """Token vectors of texts in the order given; a text is cut at `Encoder.max_tokens`."""

    def encode_both(
        self, texts: Sequence[str], *, kind: Literal["query", "passage"]
    ) -> tuple[Vectors, list[TokenVectors]]:
        """Unit vectors as `Encoder` gives them, and token vectors, from one run of the model."""
