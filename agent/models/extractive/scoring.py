"""Scores sentences by how well each answers a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.answer_type import answer_type
from agent.lines import Line, gives
from agent.relevance import Weights, terms_of, weigh

_LONG_CHARS = 420


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceWeights:
    """What each feature of a sentence adds to its score.

    Set by hand on the shipped sample's questions and 105 others over 14,000 posts.

    Attributes:
        own: Share of the question's words, by rarity, that the sentence has itself.
        around: The same of it with its title and the two sentences before.
        story: The same of its whole post.
        meaning: Cosine with the question, rescaled to [0, 1] over the sentences.
        relevance: Of its post, rescaled to [0, 1] over the posts.
        typed: It has the kind of thing that is asked for.
        title: It is a title: those name the subject and seldom answer.
        asks: It is a question itself.
        long: It has more than some hundred characters: it answers among other things.
    """

    own: float = 0.5
    around: float = 0.5
    story: float = 0.8
    meaning: float = 0.7
    relevance: float = 1.2
    typed: float = 0.6
    title: float = -0.1
    asks: float = -0.5
    long: float = -0.15


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence with its score.

    Attributes:
        is_typed: It has the kind of thing that is asked for, and not only what the question
            has already; never where the question's words do not tell the kind.
        around: Share of the question that it and what it goes on from cover, in [0, 1].
        merit: The part of the score that is the sentence's own, and not its post's.
    """

    line: Line
    score: float
    is_typed: bool
    around: float
    merit: float


def score(
    asked: str,
    lines: Sequence[Line],
    cosines: Mapping[str, float],
    weights: SentenceWeights = SentenceWeights(),
) -> list[Scored]:
    """Every sentence with its score, the best first.

    Args:
        cosines: Of sentences with the question, by text; empty where there is no encoder.
    """
    question = weigh(asked, [sorted(line.terms) for line in lines])
    whole = _whole(question, lines)
    relevance = _rescaled({line.evidence.id: line.evidence.relevance for line in lines})
    closeness = _rescaled({line.text: cosines.get(line.text, 0.0) for line in lines})
    wanted, known = answer_type(asked), frozenset(terms_of(asked))
    found = []
    for line in lines:
        around = question.coverage(line.around)
        is_typed = gives(line.text, wanted, known)
        merit = (
            weights.own * question.coverage(line.terms)
            + weights.around * around
            + weights.meaning * closeness[line.text]
            + weights.typed * is_typed
            + weights.title * line.is_title
            + weights.asks * line.text.rstrip(' )»”"').endswith("?")
            + weights.long * (len(line.text) > _LONG_CHARS)
        )
        of_post = (
            weights.story * whole[line.evidence.id]
            + weights.relevance * relevance[line.evidence.id]
        )
        found.append(Scored(line, merit + of_post, is_typed, around, merit))
    return sorted(found, key=lambda one: -one.score)


def _whole(question: Weights, lines: Sequence[Line]) -> dict[str, float]:
    """The share of the question that each piece of evidence covers."""
    terms: dict[str, set[str]] = {}
    for line in lines:
        terms.setdefault(line.evidence.id, set()).update(line.terms)
    return {evidence_id: question.coverage(having) for evidence_id, having in terms.items()}


def _rescaled(values: Mapping[str, float]) -> dict[str, float]:
    """Into [0, 1], the least to 0; all to 0 where they are equal."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    return {key: (one - low) / (high - low) if high > low else 0.0 for key, one in values.items()}
