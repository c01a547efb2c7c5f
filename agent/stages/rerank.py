"""Stories -> evidence: looks closer at the best stories and cuts them into sentences.

First all stories are compared word by word (late interaction, a few milliseconds in the index
process), then the nearest are read. Where one story is far ahead only the reading is done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rank_bm25 import BM25Plus

from agent.ports import LateInteraction
from agent.relevance import Weights, terms_of, weigh
from agent.trace import Trace
from agent.types import Evidence, EvidenceId, Plan, Story
from ingest.index.request import Place
from ingest.text.lemmas import query_terms
from ingest.text.sentences import sentences
from ingest.types import MessageRef

_TO_TELL = 2
"""Stories without which nothing is ahead of anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankWeights:
    """What each feature adds to the relevance.

    Set by hand; tests/benchmarks/fit_reranker.py shows what others would give. Answer types,
    first lines and names by themselves gave nothing on either set beside these.
    """

    fused: float = 1.0
    dense: float = 8.0
    late: float = 20.0
    sentence: float = 0.1
    coverage: float = 0.5
    phrase: float = 1.0

    def relevance(self, features: Mapping[str, float]) -> float:
        """The weighted sum of what has a weight."""
        return (
            self.fused * features["fused"]
            + self.dense * features["dense"]
            + self.late * features["late"]
            + self.sentence * features["sentence"]
            + self.coverage * features["coverage"]
            + self.phrase * features["phrase"]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankLimits:
    """How far the reranker looks.

    Attributes:
        compared: Stories that are compared word by word.
        read: The best of them, which are read.
        read_if_clear: Stories that are read where the first is far ahead.
        clear_by: How far, in fused score; None: never.
    """

    compared: int = 100
    read: int = 30
    read_if_clear: int = 12
    clear_by: float | None = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Evidence, most relevant first, and after it the stories that were not read."""

    evidence: tuple[Evidence, ...]
    rest: tuple[Story, ...]

    @property
    def stories(self) -> tuple[Story, ...]:
        """All stories in their order."""
        return (*(one.story for one in self.evidence), *self.rest)


class Reranker:
    """Orders stories by how well they bear on a question.

    Args:
        late: None: without comparing word by word.
    """

    def __init__(
        self,
        late: LateInteraction | None,
        weights: RerankWeights = RerankWeights(),
        limits: RerankLimits = RerankLimits(),
    ) -> None:
        self._late = late if weights.late else None
        self._weights, self._limits = weights, limits

    async def __call__(self, plan: Plan, stories: Sequence[Story], trace: Trace) -> Ranking:
        """The ranking of stories, the best fused first.

        Raises:
            ArchiveError: The index cannot be reached.
        """
        clear = is_clear(plan, stories, self._limits)
        trace.facts["rerank_skipped"] = clear
        scores: dict[MessageRef, float] = {}
        ordered = list(stories)
        if not clear:
            with trace.stage("late"):
                scores = await self._compare(plan, stories)
            ordered = _nearest_first(stories, scores, self._weights)
        count = self._limits.read_if_clear if clear else self._limits.read
        with trace.stage("rerank"):
            evidence = await asyncio.to_thread(
                rerank, plan, ordered[:count], self._weights, scores
            )
        return Ranking(evidence=evidence, rest=tuple(ordered[count:]))

    async def _compare(self, plan: Plan, stories: Sequence[Story]) -> dict[MessageRef, float]:
        some = stories[: self._limits.compared]
        if self._late is None or not some:
            return {}
        places = [Place(one.lead.ref, one.lead.start) for one in some]
        scores = await self._late(plan.queries[0], places)
        known = [score for score in scores if score is not None]
        if not known:
            return {}
        # Posts that wait for their words are taken for middling ones.
        mean = sum(known) / len(known)
        return {
            one.lead.ref: mean if score is None else score
            for one, score in zip(some, scores, strict=True)
        }


def is_clear(plan: Plan, stories: Sequence[Story], limits: RerankLimits) -> bool:
    """Whether the first story is so far ahead that comparing more would not change it.

    Only for questions that one story answers: others need the places below it as well.
    """
    if limits.clear_by is None or len(plan.queries) > 1 or plan.intent != "fact":
        return False
    if len(stories) < _TO_TELL:
        return False
    return stories[0].score - stories[1].score >= limits.clear_by


def _nearest_first(
    stories: Sequence[Story], scores: Mapping[MessageRef, float], weights: RerankWeights
) -> list[Story]:
    """By what is known before reading; stories that were not compared stay behind."""
    if not scores:
        return list(stories)
    compared = [one for one in stories if one.lead.ref in scores]
    compared.sort(
        key=lambda one: (
            -(
                weights.fused * one.score
                + weights.dense * (one.lead.dense or 0.0)
                + weights.late * scores[one.lead.ref]
            )
        )
    )
    return compared + [one for one in stories if one.lead.ref not in scores]


@dataclass(frozen=True, slots=True)
class _Closer:
    """A story, read closely."""

    story: Story
    text: str
    sentences: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    """Of each sentence."""


def rerank(
    plan: Plan,
    stories: Sequence[Story],
    weights: RerankWeights = RerankWeights(),
    late: Mapping[MessageRef, float] | None = None,
) -> tuple[Evidence, ...]:
    """Every story with what of it bears on the question, most relevant first.

    Pure CPU work of some tens of milliseconds: call it off the loop.

    Args:
        plan: What is asked.
        stories: Best first.
        weights: Of the features.
        late: Late interaction by the story's lead, of all stories or of none.
    """
    late = late or {}
    closer = [_look(story) for story in stories]
    if not closer:
        return ()
    question = plan.queries[0]
    asked = weigh(question, [[t for part in one.terms for t in part] for one in closer])
    best_sentences = _best_sentences(question, closer)
    judged = [
        (one, _features(plan, one, asked, best, late.get(one.story.lead.ref, 0.0)))
        for one, best in zip(closer, best_sentences, strict=True)
    ]
    for _, features in judged:
        features["relevance"] = weights.relevance(features)
    judged.sort(key=lambda pair: -pair[1]["relevance"])
    return tuple(
        Evidence(
            id=EvidenceId(f"e{number}"),
            story=one.story,
            text=one.text,
            sentences=one.sentences,
            relevance=features["relevance"],
            features=tuple(features.items()),
        )
        for number, (one, features) in enumerate(judged, start=1)
    )


def _look(story: Story) -> _Closer:
    body = story.lead.message.body()
    text = body[story.lead.start : story.lead.end] or body
    parts = tuple(text[span.start : span.end] for span in sentences(text))
    return _Closer(story, text, parts, tuple(tuple(terms_of(part)) for part in parts))


def _best_sentences(question: str, closer: Sequence[_Closer]) -> list[float]:
    """BM25 of each story's best sentence, over the best of all: in [0, 1]."""
    corpus = [list(part) or [""] for one in closer for part in one.terms]
    if not corpus:
        return [0.0] * len(closer)
    scores = iter(BM25Plus(corpus).get_scores(query_terms(question)))
    # BM25+ gives every text a floor for every term of the question; only what is above tells.
    raw = [[float(next(scores)) for _ in one.terms] for one in closer]
    floor = min(score for part in raw for score in part) if any(raw) else 0.0
    best = [max(part, default=floor) - floor for part in raw]
    highest = max(best)
    return [score / highest if highest > 0 else 0.0 for score in best]


def _features(
    plan: Plan, one: _Closer, asked: Weights, best_sentence: float, late: float
) -> dict[str, float]:
    folded = one.text.casefold()
    phrases = [phrase.casefold() in folded for phrase in plan.must_phrases]
    return {
        "fused": one.story.score,
        "dense": one.story.lead.dense or 0.0,
        "lexical": one.story.lead.lexical or 0.0,
        "late": late,
        "sentence": best_sentence,
        "coverage": asked.coverage(term for part in one.terms for term in part),
        "phrase": sum(phrases) / len(phrases) if phrases else 0.0,
    }
