"""Is the evidence enough to answer from? Told before anything is drafted."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from agent.answer_type import AnswerType, answer_type
from agent.lines import Line, gives, lines_of
from agent.relations import commands_the_bot, is_overview, lacks_relation
from agent.relevance import Weights, terms_of, weigh
from agent.types import Evidence, EvidenceId, Plan
from ingest.text.lemmas import query_terms, terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A logistic model of "these posts answer the question": what each feature adds.

    Attributes:
        dense: Of the best cosine: its scale is the encoder's own.
        near: Of the share of the question's words, by rarity, that the best sentence has with
            its title and the two sentences before it.
        apart: Of how much less of the question the best sentence covers that has the kind of
            thing asked for: a price in the post that is not the price of what is asked.
        strange: Of the share of the names in the question that no one of the best posts has.
        alien: If a question of three words or fewer has one that no post found has.
        no_reason: If a reason is asked for and the best posts give none: «почему» is often asked
            of what never happened.
        no_relation: If they do not speak of the relation that is asked for.
    """

    intercept: float
    dense: float
    near: float
    apart: float
    strange: float
    alien: float
    no_reason: float
    no_relation: float


# Rounded by hand from a fit to three sets: 14,000 posts, 240 paragraphs and the shipped sample;
# `strange` and `alien` are set by hand. tests/benchmarks/fit_sufficiency.py fits the like of it.
_BY_ENCODER: Mapping[str, Calibration] = {
    "multilingual-e5-small": Calibration(
        intercept=-22.4,
        dense=26.3,
        near=1.4,
        apart=-4.8,
        strange=-0.9,
        alien=-1.2,
        no_reason=-3.2,
        no_relation=-4.1,
    ),
}
_BY_WORDS = Calibration(
    intercept=-2.0,
    dense=0.0,
    near=5.0,
    apart=-4.8,
    strange=-0.9,
    alien=-1.2,
    no_reason=-2.0,
    no_relation=-3.0,
)
"""For encoders whose cosines were never looked at, and for search by words only."""

_NAME = re.compile(r"(?<=[\w,:—–-] )[«\"“(]?([A-ZА-ЯЁІЇЄҐ][\w-]+)|[«\"“]([^»\"”]+)[»\"”]")

THRESHOLD = 0.41
"""Where a tenth of the answerable questions over 14,000 posts is refused, and three quarters of
those that ask for what their posts leave out."""

_BEST = 3
_NEAREST = 5
_TYPED_IN = 2
"""Posts in one of which the kind of thing has to be: of 166 answerable questions' two best posts,
0.97 have it."""

_FIELD = 8
_APART = 0.2
"""From where on a refusal says that the kind of thing is what is missing."""

_SHORT = 3
_WORD = re.compile(r"[\w][\w-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What the evidence looks like beside the question; `Calibration` says what each means."""

    dense: float
    near: float
    apart: float
    strange: float
    alien: float
    no_reason: float
    no_relation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """Whether to answer.

    Attributes:
        score: In [0, 1].
        missing: Words of the question that no evidence has, as it writes them.
        lacks: The kind of thing that is asked for, where the nearest posts have none.
    """

    score: float
    is_enough: bool
    missing: tuple[str, ...]
    lacks: AnswerType | None = None


def judge_sufficiency(
    plan: Plan, evidence: Sequence[Evidence], *, encoder: str | None
) -> Sufficiency:
    """Judges the evidence by nearness in meaning, by words, and by the kind of thing asked for.

    Args:
        plan: What is asked.
        evidence: Most relevant first.
        encoder: Whose cosines the evidence has; None: nobody's.
    """
    if not evidence or commands_the_bot(plan.queries[0]):
        return Sufficiency(score=0.0, is_enough=False, missing=())
    found = features(plan, evidence)
    known = _BY_ENCODER.get((encoder or "").partition("/")[0], _BY_WORDS)
    # Of an overview, whatever was posted then and there is what is asked for.
    score = 1.0 if is_overview(plan) else logistic(known, found)
    return Sufficiency(
        score=score,
        is_enough=score >= THRESHOLD,
        missing=_missing(plan.queries[0], evidence),
        lacks=_lacks(plan.queries[0], found),
    )


def features(plan: Plan, evidence: Sequence[Evidence]) -> Features:
    """What the evidence looks like; at least one piece of it is needed."""
    asked = plan.queries[0]
    present = [terms(one.text) for one in evidence]
    nearest = max(one.story.lead.dense or 0.0 for one in evidence[:_NEAREST])
    wanted, words = answer_type(asked), frozenset(terms_of(asked))
    lines = [line for line in lines_of(evidence[:_FIELD]) if not line.is_noise]
    shares = weigh(asked, [sorted(line.terms) for line in lines])
    best = {one.id for one in evidence[:_TYPED_IN]}
    of_kind = [
        line for line in lines if wanted is AnswerType.ANY or gives(line.text, wanted, words)
    ]
    has_kind = any(line.evidence.id in best for line in of_kind)
    among = {one.id for one in evidence[:_BEST]}
    near = _nearest(shares, lines, among)
    is_reason = wanted is AnswerType.REASON
    return Features(
        dense=nearest,
        near=near,
        strange=_strange(asked, present[:_NEAREST]),
        alien=float(_is_alien(plan, present)),
        apart=near - _nearest(shares, of_kind, among),
        no_reason=float(not has_kind and is_reason),
        no_relation=float(
            len(plan.queries) == 1
            and lacks_relation(
                asked, [text for one in evidence[:_TYPED_IN] for text in one.sentences]
            )
        ),
    )


def logistic(known: Calibration, found: Features) -> float:
    """The probability, in (0, 1), that evidence that looks so answers."""
    raw = (
        known.intercept
        + known.dense * found.dense
        + known.near * found.near
        + known.apart * found.apart
        + known.strange * found.strange
        + known.alien * found.alien
        + known.no_reason * found.no_reason
        + known.no_relation * found.no_relation
    )
    return 1 / (1 + math.exp(-raw))


def _missing(asked: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The words of a question that no text has, as they are written there."""
    everything = {term for one in evidence for term in terms(one.text)}
    wanted = set(query_terms(asked))
    return tuple(
        dict.fromkeys(
            word
            for word in _WORD.findall(asked)
            if (own := set(terms(word))) and own <= wanted and not own & everything
        )
    )


def _lacks(asked: str, found: Features) -> AnswerType | None:
    kind = answer_type(asked)
    is_lacking = found.no_reason or found.no_relation or found.apart >= _APART
    return kind if is_lacking and kind is not AnswerType.ANY else None


def _is_alien(plan: Plan, present: Sequence[Sequence[str]]) -> bool:
    """Whether a short question has a word that no text has: a third of what it asks is not there.

    Within named channels and days few posts are searched, so that it says nothing there.
    """
    filters = plan.filters
    if len(plan.queries) > 1 or filters.channels or filters.from_on or filters.to_on:
        return False
    wanted = query_terms(plan.queries[0])
    everything = {term for found in present for term in found}
    return len(wanted) <= _SHORT and not everything.issuperset(wanted)


def _strange(asked: str, present: Sequence[Sequence[str]]) -> float:
    """The share of the names in a question that its best covering text lacks; 0 without names."""
    names = {term for name in _NAME.finditer(asked) for term in terms(name.group())}
    if not names:
        return 0.0
    return min(len(names - set(found)) for found in present) / len(names)


def _nearest(shares: Weights, lines: Sequence[Line], among: Set[EvidenceId]) -> float:
    """The largest share of the question that a sentence and what it goes on from cover."""
    return max(
        (shares.coverage(line.around) for line in lines if line.evidence.id in among), default=0.0
    )
