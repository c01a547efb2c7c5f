"""Late interaction: how near each word of a question is to the nearest word of a passage.

Pure arithmetic; `ingest.index.late_store` keeps what it needs of the passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ingest.index.encode import TokenVectors, Vectors

Signs = NDArray[np.uint8]
"""``(n, dim / 8)``: the signs of the dimensions of n words, a bit each."""

_NOTHING: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text's words in context.

    Attributes:
        vectors: ``(n, dim) float32``, each the mean of the unit vectors of a word's tokens.
        weights: ``(n,) float32``, how much each word tells: positive, adding up to 1 if n > 0.
    """

    vectors: Vectors
    weights: NDArray[np.float32]


def words_of(text: str, tokens: TokenVectors) -> Words:
    """Joins a text's tokens into words; marks and emoji that stand alone are left out.

    Vocabularies are in order of frequency, and frequency falls as one over the rank, so that
    the logarithm of a token's number stands for its inverse document frequency: no statistics
    have to be kept, and the first post weighs as the last. A word is as rare as its rarest token.

    Source: Zipf, Human Behavior and the Principle of Least Effort, 1949.
    """
    groups = _groups(text, tokens.spans)
    if not groups:
        return Words(vectors=tokens.vectors[:0], weights=np.zeros(0, np.float32))
    kept = np.concatenate(groups)
    lengths = np.array([len(group) for group in groups])
    firsts = _firsts(lengths)
    sums = np.add.reduceat(_unit(tokens.vectors[kept]), firsts, axis=0)
    rarity = np.log1p(tokens.token_ids[kept]).astype(np.float32)
    weights = np.maximum.reduceat(rarity, firsts)
    return Words(
        vectors=(sums / lengths[:, None]).astype(np.float32),
        weights=(weights / max(float(weights.sum()), _NOTHING)).astype(np.float32),
    )


def signs_of(vectors: Vectors, mean: Vectors) -> Signs:
    """The signs of words less the mean of all words: 48 bytes a word instead of 1536.

    All words of a model point much the same way; only around their mean are they told apart.
    """
    return np.packbits(vectors > mean, axis=-1)


def max_sim(
    question: Words, mean: Vectors, passages: Sequence[Signs | None]
) -> list[float | None]:
    """Each passage's mean, by weight, of the nearest that it has to a question's words.

    Args:
        question: Its words as `words_of` gives them.
        mean: The one that `signs_of` took.
        passages: None where a passage is not known.

    Returns:
        Scores in [-1, 1] in the order given; None for what is not known or has no words.

    Source: Khattab and Zaharia, SIGIR 2020 (MaxSim); Charikar, STOC 2002 (signs for angles).
    """
    known = [one for one in passages if one is not None and len(one)]
    if not known or not len(question.vectors):
        return [None] * len(passages)
    dimension = question.vectors.shape[1]
    # One product for all: a hundred small ones take longer to call than to do.
    bits = np.unpackbits(np.concatenate(known), axis=-1, count=dimension).astype(np.float32)
    asked = _unit(question.vectors - mean)
    # With signs s = 2 bits - 1: a . s = 2 (a . bits) - sum(a).
    products = 2 * (asked @ bits.T) - asked.sum(axis=1, keepdims=True)
    cosines = products / np.sqrt(dimension)
    best = np.maximum.reduceat(cosines, _firsts(np.array([len(one) for one in known])), axis=1)
    scores = iter((question.weights @ best).tolist())
    return [next(scores) if one is not None and len(one) else None for one in passages]


def _firsts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where stretches of some lengths begin that follow each other."""
    return np.cumsum(lengths) - lengths


def _groups(text: str, spans: NDArray[np.int64]) -> list[list[int]]:
    """Tokens by word: a word goes on while letters and digits touch."""
    groups: list[list[int]] = []
    previous_end = -1
    for number, (start, end) in enumerate(spans.tolist()):
        piece = text[start:end]
        if not any(letter.isalnum() for letter in piece):
            previous_end = -1
        elif start == previous_end and not piece[0].isspace():
            groups[-1].append(number)
            previous_end = end
        else:
            groups.append([number])
            previous_end = end
    return groups


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, _NOTHING)
    return unit
