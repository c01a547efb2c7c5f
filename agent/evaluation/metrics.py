"""Figures of merit of ranked lists, with their uncertainty."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence

DEPTHS = (1, 5, 10, 50)


def reciprocal_rank(ranks: Sequence[int], depth: int = 10) -> float:
    """1 / the best rank, from 1; 0 if that is deeper than `depth`.

    Source: Voorhees, TREC-8 Question Answering Track, 1999 (MRR is its mean).
    """
    best = min(ranks, default=depth + 1)
    return 1 / best if best <= depth else 0.0


def ndcg(ranks: Sequence[int], count_relevant: int, depth: int = 10) -> float:
    """Discounted gain of relevant results at `ranks` over the best possible one, in [0, 1].

    Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002; binary gains.
    """
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= depth)
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(count_relevant, depth) + 1))
    return min(1.0, gained / ideal) if ideal else 0.0


def interval(values: Sequence[float], *, rounds: int = 1000) -> tuple[float, float]:
    """The middle 95 % of the means of resamples: how far the mean can be trusted.

    The resampling is seeded, so that equal values have equal intervals.
    Source: Efron, Annals of Statistics 7(1), 1979 (percentile bootstrap).
    """
    if not values:
        return 0.0, 0.0
    dice = random.Random(20261001)  # noqa: S311 - resampling, not secrets
    means = sorted(statistics.fmean(dice.choices(values, k=len(values))) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that `share` of all values do not exceed; 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
