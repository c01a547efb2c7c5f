"""Late interaction: how near each word of a question is to the nearest word of a passage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.index.encode import TokenVectors, Vectors

AXES: Final = 96
"""Directions that are kept of a token's vector; tests/benchmarks/late_interaction.py has the
figures of others."""

MIN_TOKENS_TO_FIT: Final = 4096
"""Fewer tokens tell too little of the directions of a few hundred dimensions."""

_LIMIT: Final = 127
_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """Where an encoder's token vectors lie, and along which directions they differ.

    All tokens of a model point much the same way: without the mean they are told apart, and
    most of their differences lie in a quarter of the dimensions.

    Attributes:
        mean: ``(dim,) float32``.
        axes: ``(dim, k) float32``, orthonormal columns, the widest first.
    """

    mean: Vectors
    axes: Vectors

    @classmethod
    def fit(cls, vectors: Vectors, *, axes: int = AXES) -> Basis:
        """The mean and the principal directions of some token vectors, ``(n, dim)``.

        Source: Pearson, Philosophical Magazine 2(11), 1901 (principal components).
        """
        unit = _unit(vectors)
        mean = unit.mean(axis=0)
        centred = (unit - mean).astype(np.float64)
        _, directions = np.linalg.eigh(centred.T @ centred)
        widest = directions[:, ::-1][:, :axes]
        return cls(mean=mean.astype(np.float32), axes=widest.astype(np.float32))

    def project(self, vectors: Vectors) -> Vectors:
        """Unit rows ``(n, k)``: the vectors less the mean, along the axes."""
        projected: Vectors = (_unit(vectors) - self.mean) @ self.axes
        return _unit(projected)

    def pack(self) -> bytes:
        """As bytes for `unpack`."""
        return np.vstack([self.mean, self.axes.T]).astype(np.float32).tobytes()

    @classmethod
    def unpack(cls, packed: bytes, *, dimension: int) -> Basis:
        """What `pack` wrote."""
        rows = np.frombuffer(packed, np.float32).reshape(-1, dimension)
        return cls(mean=rows[0], axes=np.ascontiguousarray(rows[1:].T))


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text's words in context.

    Attributes:
        vectors: ``(n, dim) float32``, each the mean of a word's tokens.
        weights: ``(n,) float32``, how much each word tells; positive, the sum is 1 (n > 0).
    """

    vectors: Vectors
    weights: NDArray[np.float32]


def words_of(text: str, tokens: TokenVectors) -> Words:
    """Joins tokens into words; marks and emoji that stand alone are left out.

    A word is as rare as its rarest token, and a token as rare as its place in the vocabulary
    says: vocabularies are in order of frequency, which falls as one over the rank.

    Source: Zipf, Human Behavior and the Principle of Least Effort, 1949.
    """
    groups = _groups(text, tokens.spans)
    if not groups:
        return Words(vectors=tokens.vectors[:0], weights=np.zeros(0, np.float32))
    rarity = np.log1p(tokens.token_ids.astype(np.float32))
    starts = np.array([group[0] for group in groups])
    counts = np.array([len(group) for group in groups], np.float32)
    kept = np.concatenate(groups)
    firsts = np.concatenate([[0], np.cumsum(counts[:-1])]).astype(np.int64)
    assert len(starts) == len(firsts)
    vectors = np.add.reduceat(_unit(tokens.vectors[kept]), firsts, axis=0) / counts[:, None]
    weights = np.maximum.reduceat(rarity[kept], firsts)
    return Words(vectors=vectors, weights=weights / weights.sum())


def quantise(vectors: Vectors) -> NDArray[np.int8]:
    """Unit rows in a byte a dimension, each row with its own scale, which cosines do not need."""
    peaks = np.maximum(np.abs(vectors).max(axis=-1, keepdims=True), _NOTHING)
    return np.rint(vectors / peaks * _LIMIT).astype(np.int8)


def max_sim(
    question: Vectors, weights: NDArray[np.float32], passages: Sequence[NDArray[np.int8]]
) -> list[float | None]:
    """Each passage's mean, by weight, of the best cosine that a question's word finds in it.

    Args:
        question: ``(m, k) float32``, unit rows.
        weights: ``(m,)``, adding up to 1.
        passages: ``(n, k) int8`` each, as `quantise` made them.

    Returns:
        Scores in [-1, 1] in the order given; None for a passage or a question without words.

    Source: Khattab and Zaharia, SIGIR 2020 (ColBERT's MaxSim); the weights are ours.
    """
    if not len(question) or not any(len(one) for one in passages):
        return [None] * len(passages)
    # One product for all: a hundred small ones would take longer to call than to do.
    rows = np.concatenate([one for one in passages if len(one)]).astype(np.float32)
    cosines = question @ _unit(rows).T
    lengths = np.array([len(one) for one in passages if len(one)])
    firsts = np.concatenate([[0], np.cumsum(lengths[:-1])])
    best = np.maximum.reduceat(cosines, firsts, axis=1)
    scores = iter((weights @ best).tolist())
    return [next(scores) if len(one) else None for one in passages]


def _groups(text: str, spans: NDArray[np.int64]) -> list[list[int]]:
    """Tokens by word: a word goes on while letters and digits touch."""
    groups: list[list[int]] = []
    previous_end = -1
    for number, (start, end) in enumerate(spans.tolist()):
        piece = text[start:end]
        if not any(letter.isalnum() for letter in piece):
            previous_end = -1
            continue
        if start == previous_end and not piece[0].isspace():
            groups[-1].append(number)
        else:
            groups.append([number])
        previous_end = end
    return groups


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, _NOTHING)
    return unit
