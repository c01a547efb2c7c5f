"""Answers without a language model: the sentences that answer, verbatim."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.answer_type import AnswerType, answer_type, has_answer
from agent.ports import Similarity
from agent.relevance import Weights, terms_of, weigh
from agent.types import Claim, Draft, Evidence, Plan, Question

_LETTERS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveLimits:
    """How much is looked at, and how much is said.

    Attributes:
        evidence: Pieces of evidence whose sentences are looked at.
        sentences: Sentences that are compared by meaning: each costs about 10 ms.
        claims: Sentences of an answer at most.
        also: A further sentence has to score this share of the best one's score.
    """

    evidence: int = 6
    sentences: int = 48
    claims: int = 3
    also: float = 0.72


@dataclass(frozen=True, slots=True)
class _Sentence:
    evidence: Evidence
    position: int
    text: str
    terms: frozenset[str]
    score: float


class ExtractiveDrafter:
    """Quotes the sentences of the evidence that answer best.

    Args:
        similarity: Compares sentences with the question by meaning.
    """

    def __init__(
        self, similarity: Similarity, limits: ExtractiveLimits = ExtractiveLimits()
    ) -> None:
        self._similarity, self._limits = similarity, limits

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        """A draft whose every claim is a sentence of one piece of evidence."""
        del question  # the plan has all of it that matters here
        asked = plan.queries[0]
        pairs = [
            (one, position, text)
            for one in evidence[: self._limits.evidence]
            for position, text in enumerate(one.sentences)
            if _LETTERS.search(text)
        ][: self._limits.sentences]
        if not pairs:
            return Draft(claims=(), mode="extractive", complete=False)
        similar = await self._similarity(asked, [text for _, _, text in pairs])
        found = await asyncio.to_thread(self._score, asked, pairs, similar)
        chosen = self._choose(found)
        return Draft(
            claims=tuple(
                Claim(text=one.text, evidence_ids=(one.evidence.id,), quote=one.text)
                for one in chosen
            ),
            mode="extractive",
        )

    def _score(
        self,
        asked: str,
        pairs: Sequence[tuple[Evidence, int, str]],
        similar: Sequence[float] | None,
    ) -> list[_Sentence]:
        wanted = answer_type(asked)
        terms = [terms_of(text) for _, _, text in pairs]
        weights = weigh(asked, terms)
        whole = {one.id: self._covered(weights, one) for one, _, _ in pairs}
        top = max(one.relevance for one, _, _ in pairs)
        low = min(one.relevance for one, _, _ in pairs)
        spread = (top - low) or 1.0
        closeness = _rescaled(similar) if similar is not None else [0.0] * len(pairs)
        found = []
        for (one, position, text), has, close in zip(pairs, terms, closeness, strict=True):
            score = (
                0.9 * weights.coverage(has)
                + 0.5 * whole[one.id]
                + 0.8 * close
                + 0.5 * (one.relevance - low) / spread
                + (0.45 if wanted is not AnswerType.ANY and has_answer(text, wanted) else 0.0)
                - (0.3 if text.rstrip().endswith("?") else 0.0)
            )
            found.append(_Sentence(one, position, text, frozenset(has), score))
        return sorted(found, key=lambda sentence: -sentence.score)

    def _covered(self, weights: Weights, one: Evidence) -> float:
        return weights.coverage(term for text in one.sentences for term in terms_of(text))

    def _choose(self, found: Sequence[_Sentence]) -> list[_Sentence]:
        """The best sentence, and others nearly as good that say something else."""
        chosen = [found[0]]
        for sentence in found[1:]:
            if len(chosen) >= self._limits.claims:
                break
            if sentence.score < self._limits.also * found[0].score:
                break
            if not any(_alike(sentence, other) for other in chosen):
                chosen.append(sentence)
        order = {one.evidence.id: number for number, one in reversed(list(enumerate(chosen)))}
        return sorted(chosen, key=lambda one: (order[one.evidence.id], one.position))


def _alike(one: _Sentence, other: _Sentence) -> bool:
    """Whether two sentences say much the same: most of the shorter one's terms are shared."""
    shorter = min(len(one.terms), len(other.terms)) or 1
    return len(one.terms & other.terms) / shorter > 0.7  # noqa: PLR2004 - measured on reposts


def _rescaled(values: Sequence[float]) -> list[float]:
    """Into [0, 1], the least similar to 0."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]
