"""Is the evidence enough to answer from? Told before anything is drafted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.relevance import weigh
from agent.types import Evidence, Plan
from ingest.text.lemmas import query_terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A logistic model of "these posts answer the question".

    Attributes:
        dense: Weight of the best cosine: its scale is the encoder's own.
        coverage: Weight of the share of the question's words, by rarity, that a post has.
    """

    intercept: float
    dense: float
    coverage: float


# Fitted to 105 answerable questions over 14,000 posts and to 632 answerable and 492
# unanswerable ones over 240 paragraphs; at the threshold 0.04 of the first, 0.02 of the second
# are refused, and 0.91 of the last.
_BY_ENCODER: Mapping[str, Calibration] = {
    "multilingual-e5-small": Calibration(intercept=-40.7, dense=48.6, coverage=1.6),
}
_BY_WORDS = Calibration(intercept=-2.5, dense=0.0, coverage=5.0)
"""For encoders whose cosines were never looked at, and for search by words only."""

THRESHOLD = 0.43
_BEST = 3
_NEAREST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """Whether to answer.

    Attributes:
        score: In [0, 1].
        missing: Words of the question that no evidence has.
    """

    score: float
    is_enough: bool
    missing: tuple[str, ...]


def judge_sufficiency(
    plan: Plan, evidence: Sequence[Evidence], *, encoder: str | None
) -> Sufficiency:
    """Judges the evidence by its nearness in meaning and by the words of the question it has.

    Args:
        plan: What is asked.
        evidence: Most relevant first.
        encoder: Whose cosines the evidence has; None: nobody's.
    """
    asked = plan.queries[0]
    present = [terms(one.text) for one in evidence]
    weights = weigh(asked, present)
    coverage = max((weights.coverage(found) for found in present[:_BEST]), default=0.0)
    nearest = max((one.story.lead.dense or 0.0 for one in evidence[:_NEAREST]), default=0.0)
    calibration = _BY_ENCODER.get((encoder or "").partition("/")[0], _BY_WORDS)
    raw = calibration.intercept + calibration.dense * nearest + calibration.coverage * coverage
    score = 1 / (1 + math.exp(-raw))
    everything = {term for found in present for term in found}
    return Sufficiency(
        score=score,
        is_enough=bool(evidence) and score >= THRESHOLD,
        missing=tuple(term for term in query_terms(asked) if term not in everything),
    )
