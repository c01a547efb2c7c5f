"""Stories -> evidence: looks closer at the best stories and cuts them into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rank_bm25 import BM25Plus

from agent.relevance import Weights, terms_of, weigh
from agent.types import Evidence, EvidenceId, Plan, Story
from ingest.text.lemmas import query_terms
from ingest.text.sentences import sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankWeights:
    """What each feature adds to the relevance. Set by hand; figures in tests/benchmarks."""

    fused: float = 1.0
    dense: float = 8.0
    sentence: float = 0.1
    coverage: float = 0.5
    phrase: float = 1.0


@dataclass(frozen=True, slots=True)
class _Closer:
    """A story, read closely."""

    story: Story
    text: str
    sentences: tuple[str, ...]
    terms: tuple[tuple[str, ...], ...]
    """Of each sentence."""


def rerank(
    plan: Plan, stories: Sequence[Story], weights: RerankWeights = RerankWeights()
) -> tuple[Evidence, ...]:
    """Every story with what of it bears on the question, most relevant first.

    Pure CPU work of some tens of milliseconds: call it off the loop.
    """
    closer = [_look(story) for story in stories]
    if not closer:
        return ()
    question = plan.queries[0]
    asked = weigh(question, [[t for part in one.terms for t in part] for one in closer])
    best_sentences = _best_sentences(question, closer)
    judged = [
        _judge(plan, one, asked, best, weights)
        for one, best in zip(closer, best_sentences, strict=True)
    ]
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


def _judge(
    plan: Plan, one: _Closer, asked: Weights, best_sentence: float, weights: RerankWeights
) -> tuple[_Closer, dict[str, float]]:
    coverage = asked.coverage(term for part in one.terms for term in part)
    folded = one.text.casefold()
    phrases = [phrase.casefold() in folded for phrase in plan.must_phrases]
    phrase = sum(phrases) / len(phrases) if phrases else 0.0
    features = {
        "fused": one.story.score,
        "dense": one.story.lead.dense or 0.0,
        "lexical": one.story.lead.lexical or 0.0,
        "sentence": best_sentence,
        "coverage": coverage,
        "phrase": phrase,
    }
    features["relevance"] = (
        weights.fused * one.story.score
        + weights.dense * features["dense"]
        + weights.sentence * best_sentence
        + weights.coverage * coverage
        + weights.phrase * phrase
    )
    return one, features
