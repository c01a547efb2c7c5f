"""The agent with parts left out: what each of them is good for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.ports import Planner
from agent.stages.rerank import RerankLimits, RerankWeights
from agent.stages.retrieve import Fusion
from agent.types import Plan, Question
from ingest.types import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What of fusing and reranking is left."""

    fusion: Fusion
    weights: RerankWeights
    limits: RerankLimits


def parts_left(without: Collection[str]) -> Left:
    """The parameters that leave some parts out.

    Args:
        without: Of "bm25", "dense", "late", "rerank" and "skip"; others are no matter.
    """
    fusion, weights, limits = Fusion(), RerankWeights(), RerankLimits()
    if "bm25" in without:
        fusion = replace(fusion, dense=1.0, lexical=0.0)
    if "dense" in without:
        fusion = replace(fusion, dense=0.0, lexical=1.0)
        weights = replace(weights, dense=0.0, late=0.0)
    if "late" in without:
        weights = replace(weights, late=0.0)
    if "rerank" in without:
        weights = RerankWeights(dense=0.0, late=0.0, sentence=0.0, coverage=0.0, phrase=0.0)
    if "skip" in without:
        limits = replace(limits, clear_by=None)
    return Left(fusion=fusion, weights=weights, limits=limits)


class Unfiltered:
    """A planner whose plans lack the filters of some kinds.

    Args:
        planner: Who plans.
        without: Of "dates" and "channels"; others are no matter.
    """

    def __init__(self, planner: Planner, *, without: Collection[str]) -> None:
        self._planner, self._without = planner, frozenset(without)

    def __call__(
        self, question: Question, channels: Sequence[Channel], *, dated: bool = True
    ) -> Plan:
        """The plan; the words of a filter that is left out stay left out of the query."""
        plan = self._planner(question, channels, dated=dated)
        if "dates" in self._without:
            open_end = replace(plan.filters, from_on=None, to_on=None, date_phrase=None)
            plan = replace(plan, filters=open_end, posted_from=None, posted_before=None)
        if "channels" in self._without:
            plan = replace(plan, filters=replace(plan.filters, channels=()))
        return plan
