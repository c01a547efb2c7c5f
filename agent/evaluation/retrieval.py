"""How well the right posts are found: `citegram eval retrieval`."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agent.evaluation.datasets import Example
from agent.evaluation.metrics import DEPTHS, interval, ndcg, percentile, reciprocal_rank
from agent.trace import Trace
from agent.types import Candidate, Question

Result = tuple[Candidate, ...]
"""One place of a ranking: a post with its copies, the one to show first."""

Finder = Callable[[Question, Trace], Awaitable[Sequence[Result]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was found for one question.

    Attributes:
        hits: The shown post of each place, as "channel:message_id".
        ranks: Of each needed set (one without `gold_sets`): the place of its first post; None
            where it was not found. Empty where nothing is to be found: such a question has hits,
            but counts in no figure.
    """

    example: Example
    hits: tuple[str, ...]
    ranks: tuple[int | None, ...]
    timings_ms: dict[str, float]

    def recall(self, depth: int) -> float:
        """The share of the needed sets among the first `depth` places."""
        found = sum(rank is not None and rank <= depth for rank in self.ranks)
        return found / len(self.ranks)


async def run_retrieval(
    examples: Sequence[Example],
    find: Finder,
    *,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Outcome]:
    """Asks every question, one after the other, as a user would."""
    outcomes = []
    for number, example in enumerate(examples, start=1):
        trace = Trace()
        results = await find(example.question, trace)
        outcomes.append(_outcome(example, results, trace))
        on_progress(number)
    return outcomes


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of all questions together and by type, as JSON."""
    by_type: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_type[outcome.example.type].append(outcome)
    return {
        "questions": len(outcomes),
        **_figures(outcomes),
        "latency_ms": _latency(outcomes),
        "by_type": {
            name: {"questions": len(some), **_figures(some)} for name, some in by_type.items()
        },
    }


Change = tuple[float, float, float]
"""A difference and the interval in which 95 % of resampled differences lie."""


def difference(outcomes: Sequence[Outcome], others: Sequence[Outcome]) -> dict[str, Change]:
    """What is gained (or lost, below zero) by the second of two runs of the same questions.

    The intervals are of the differences question by question: much narrower than those of the
    two figures, since a hard question is hard in both runs.
    """
    pairs = list(zip(outcomes, others, strict=True))
    values = {
        "recall@5": [other.recall(5) - one.recall(5) for one, other in pairs],
        "recall@10": [other.recall(10) - one.recall(10) for one, other in pairs],
        "mrr@10": [_first(other) - _first(one) for one, other in pairs],
    }
    return {name: _change(some) for name, some in values.items()}


def _change(values: Sequence[float]) -> Change:
    low, high = interval(values)
    return round(statistics.fmean(values), 4), round(low, 3), round(high, 3)


def _first(outcome: Outcome) -> float:
    return reciprocal_rank([rank for rank in outcome.ranks if rank is not None])


def scored(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those that have something to be found."""
    return [one for one in outcomes if one.ranks]


def rows(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A line for each question: its id and what was found."""
    return [{"id": one.example.id, "hits": list(one.hits)} for one in outcomes]


def _outcome(example: Example, results: Sequence[Result], trace: Trace) -> Outcome:
    places = [frozenset(_key(one) for one in result) for result in results]
    needed: tuple[frozenset[str], ...] = ()
    if example.answerable and example.gold:
        needed = example.gold_sets or (example.gold,)
    ranks = tuple(
        next((rank for rank, place in enumerate(places, start=1) if place & gold), None)
        for gold in needed
    )
    return Outcome(
        example=example,
        hits=tuple(_key(result[0]) for result in results),
        ranks=ranks,
        timings_ms=dict(trace.timings_ms),
    )


def _key(candidate: Candidate) -> str:
    return f"{candidate.channel.name}:{candidate.message.message_id}"


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for depth in DEPTHS:
        values = [one.recall(depth) for one in outcomes]
        low, high = interval(values)
        figures[f"recall@{depth}"] = round(statistics.fmean(values), 4)
        figures[f"recall@{depth}_95%"] = [round(low, 3), round(high, 3)]
    found = [[rank for rank in one.ranks if rank is not None] for one in outcomes]
    figures["mrr@10"] = round(statistics.fmean(reciprocal_rank(ranks) for ranks in found), 4)
    figures["ndcg@10"] = round(
        statistics.fmean(
            ndcg(ranks, len(one.ranks)) for ranks, one in zip(found, outcomes, strict=True)
        ),
        4,
    )
    return figures


def _latency(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    by_stage: defaultdict[str, list[float]] = defaultdict(list)
    for outcome in outcomes:
        for stage, spent_ms in outcome.timings_ms.items():
            by_stage[stage].append(spent_ms)
        # Parts of a stage have a dot in their name and are in the stage's own figure already.
        whole = sum(ms for stage, ms in outcome.timings_ms.items() if "." not in stage)
        by_stage["total"].append(whole)
    return {
        stage: {
            "p50": round(percentile(values, 0.5), 1),
            "p95": round(percentile(values, 0.95), 1),
        }
        for stage, values in by_stage.items()
    }
