"""Runs an ONNX model that fastembed has loaded: sorted batches, prefixes, token vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ingest.errors import EncoderUnavailable
from ingest.index.encode import TokenVectors, Vectors
from ingest.index.encoders.prefixes import Prefixes

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Encoding

_TOKENS_A_BATCH: Final = 1024
"""Padding included. Measured on two cores: 256 to 2048 are within a tenth of each other, larger
ones leave the caches and slow down."""

_TEXTS_A_WINDOW: Final = 512
"""Sorted by length together; enough for even batches, few enough to hold their tokens."""

_HIDDEN_STATE_RANK: Final = 3


class FastembedEncoder:
    """An `Encoder` and `TokenEncoder` over one loaded session."""

    def __init__(self, model: TextEmbedding, *, name: str, prefixes: Prefixes) -> None:
        """Takes a loaded model and asks it for its dimension with one short text."""
        self._embedding, self._onnx = model, model.model
        self._name, self._prefixes = name, prefixes
        self._max_tokens = int(self._onnx.tokenizer.truncation["max_length"])
        self._dimension = len(next(iter(model.embed(["."]))))

    @property
    def name(self) -> str:
        """What was given: the model and its edition."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """The tokenizer's limit, prefix and marks included."""
        return self._max_tokens

    def count_tokens(self, text: str) -> int:
        """Tokens of a whole passage, past the limit too, prefix and marks included."""
        encoding = self._onnx.tokenizer.encode(self._prefixes.passage + text)
        # The tokenizer cuts at the limit and keeps what it cut off, each piece with marks anew.
        rest = sum(_count_real(piece) - _count_marks(piece) for piece in encoding.overflowing)
        return _count_real(encoding) + rest

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(n, dimension)`` in the order given; a text is cut at the limit."""
        vectors = np.empty((len(texts), self._dimension), np.float32)
        prefixed = [self._prefixes.passage + text for text in texts]
        for rows in self._batches(prefixed):
            batch = [prefixed[row] for row in rows]
            vectors[rows] = list(self._embedding.passage_embed(batch, batch_size=len(batch)))
        return _unit(vectors)

    def encode_query(self, text: str) -> Vectors:
        """The question's unit vector, ``(dimension,)``."""
        (vector,) = self._embedding.query_embed([self._prefixes.query + text])
        return _unit(np.asarray(vector, np.float32))

    def encode_tokens(
        self, texts: Sequence[str], *, kind: Literal["query", "passage"]
    ) -> list[TokenVectors]:
        """Token vectors from the last hidden state.

        Raises:
            EncoderUnavailable: The model gives one vector a text and nothing finer.
        """
        return self.encode_both(texts, kind=kind)[1]

    def encode_both(
        self, texts: Sequence[str], *, kind: Literal["query", "passage"]
    ) -> tuple[Vectors, list[TokenVectors]]:
        """Unit vectors and token vectors, from one run of the model.

        Raises:
            EncoderUnavailable: The model gives one vector a text and nothing finer.
        """
        prefix = self._prefixes.query if kind == "query" else self._prefixes.passage
        prefixed = [prefix + text for text in texts]
        vectors = np.empty((len(texts), self._dimension), np.float32)
        found: dict[int, TokenVectors] = {}
        for rows in self._batches(prefixed):
            batch = [prefixed[row] for row in rows]
            output = self._onnx.onnx_embed(batch)
            if output.model_output.ndim != _HIDDEN_STATE_RANK:
                raise EncoderUnavailable(
                    f"{self._name} gives no token vectors; set CITEGRAM_RERANKER=features"
                )
            # fastembed's own pooling, so that the vectors are those of `encode_passages`.
            vectors[rows] = list(self._onnx._post_process_onnx_output(output))
            encodings = self._onnx.tokenizer.encode_batch(batch)
            for row, state, encoding in zip(rows, output.model_output, encodings, strict=True):
                found[row] = _text_tokens(state, encoding, prefix_chars=len(prefix))
        return _unit(vectors), [found[row] for row in range(len(texts))]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        """Positions of texts of like length, together below the batch's tokens."""
        for start in range(0, len(texts), _TEXTS_A_WINDOW):
            window = self._onnx.tokenizer.encode_batch(texts[start : start + _TEXTS_A_WINDOW])
            lengths = [_count_real(encoding) for encoding in window]
            batch: list[int] = []
            for place in sorted(range(len(lengths)), key=lengths.__getitem__):
                if batch and (len(batch) + 1) * lengths[place] > _TOKENS_A_BATCH:
                    yield batch
                    batch = []
                batch.append(start + place)
            yield batch


def _count_real(encoding: Encoding) -> int:
    return sum(encoding.attention_mask)


def _count_marks(encoding: Encoding) -> int:
    """Special tokens that are no padding."""
    pairs = zip(encoding.attention_mask, encoding.special_tokens_mask, strict=True)
    return sum(real and mark for real, mark in pairs)


def _text_tokens(
    state: NDArray[np.float32], encoding: Encoding, *, prefix_chars: int
) -> TokenVectors:
    spans = np.asarray(encoding.offsets, np.int64).reshape(-1, 2)
    # Padding and marks are special; what ends inside the prefix is the prefix.
    kept = (np.asarray(encoding.special_tokens_mask) == 0) & (spans[:, 1] > prefix_chars)
    return TokenVectors(
        token_ids=np.asarray(encoding.ids, np.int64)[kept],
        vectors=np.asarray(state[kept], np.float32),
        spans=np.maximum(spans[kept] - prefix_chars, 0),
    )


def _unit(vectors: Vectors) -> Vectors:
    """The vectors at length one; fastembed leaves that to the model in some families."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return unit
