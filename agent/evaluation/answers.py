"""How good the answers are, and what is refused: `citegram eval answers`."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agent.evaluation.datasets import Example
from agent.evaluation.facts import states
from agent.evaluation.metrics import percentile
from agent.trace import Trace
from agent.types import Answer, Citation, Question, Refusal, RefusalReason

Asker = Callable[[Question, Trace], Awaitable[Answer | Refusal]]

THRESHOLDS = tuple(number / 20 for number in range(1, 20))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one question.

    Attributes:
        sufficiency: In [0, 1]; None where it was refused before there was any evidence.
    """

    example: Example
    reply: Answer | Refusal
    sufficiency: float | None
    timings_ms: dict[str, float]

    @property
    def is_refused(self) -> bool:
        """There is no answer."""
        return isinstance(self.reply, Refusal)

    @property
    def cited(self) -> frozenset[str]:
        """The cited posts and their copies, as "channel:message_id"."""
        if isinstance(self.reply, Refusal):
            return frozenset()
        return frozenset(key for one in self.reply.citations for key in _keys(one))

    @property
    def gold_share(self) -> float:
        """1 if a gold post is cited; of a digest, the share of its sets that are."""
        if self.example.type == "digest" and self.example.gold_sets:
            sets = self.example.gold_sets
            return sum(bool(one & self.cited) for one in sets) / len(sets)
        return float(bool(self.example.gold & self.cited))

    @property
    def has_facts(self) -> bool:
        """The answer states every fact that it has to."""
        text = _text(self.reply)
        return not self.is_refused and all(states(text, fact) for fact in self.example.must)

    @property
    def is_correction(self) -> bool:
        """A false premise is answered from the post that refutes it."""
        return self.example.type == "false_premise" and bool(
            self.example.corrected_by & self.cited
        )

    def is_answered_at(self, threshold: float) -> bool:
        """Whether it would be answered if so much sufficiency were asked for.

        Below the threshold of the run, what would be drafted is not known; it counts.
        """
        if self.sufficiency is None:
            return not self.is_refused
        is_other = (
            isinstance(self.reply, Refusal) and self.reply.reason is not RefusalReason.INSUFFICIENT
        )
        return not is_other and self.sufficiency >= threshold


async def run_answers(
    examples: Sequence[Example],
    ask: Asker,
    *,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Outcome]:
    """Asks every question, one after the other, as a user would."""
    outcomes = []
    for number, example in enumerate(examples, start=1):
        trace = Trace()
        reply = await ask(example.question, trace)
        known = trace.facts.get("sufficiency")
        outcomes.append(
            Outcome(
                example=example,
                reply=reply,
                sufficiency=None if known is None else float(known),
                timings_ms=dict(trace.timings_ms),
            )
        )
        on_progress(number)
    return outcomes


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures of all questions together and by type, as JSON."""
    by_type: defaultdict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_type[outcome.example.type].append(outcome)
    totals = [
        sum(ms for stage, ms in outcome.timings_ms.items() if "." not in stage)
        for outcome in outcomes
    ]
    return {
        **_figures(outcomes),
        "by_type": {name: _figures(some) for name, some in by_type.items()},
        "trade_off": _trade_off(outcomes),
        "latency_ms": {
            "p50": round(percentile(totals, 0.5), 1),
            "p95": round(percentile(totals, 0.95), 1),
        },
    }


def rows(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A line for each question: what was said, on which posts, or why nothing was."""
    return [_row(one) for one in outcomes]


def _row(outcome: Outcome) -> dict[str, Any]:
    common = {"id": outcome.example.id, "sufficiency": outcome.sufficiency}
    reply = outcome.reply
    if isinstance(reply, Refusal):
        return common | {
            "status": "refused",
            "answer": None,
            "citations": [],
            "reason": reply.reason.value,
        }
    return common | {
        "status": "answered",
        "answer": _text(reply),
        "citations": [_keys(one)[0] for one in reply.citations],
        "reason": None,
    }


def _figures(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Shares of the answerable and of the unanswerable; None where there are none."""
    answerable = [one for one in outcomes if one.example.answerable]
    cited = [one.gold_share for one in answerable if one.example.gold]
    facts = [one.has_facts for one in answerable if one.example.must]
    rest = [one for one in outcomes if not one.example.answerable]
    return {
        "answerable": len(answerable),
        "cites_gold": _share(cited),
        "states_facts": _share(facts),
        "right": _share(
            [one.has_facts and one.gold_share > 0 for one in answerable if one.example.must]
        ),
        "wrongly_refused": _share([one.is_refused for one in answerable]),
        "unanswerable": len(rest),
        "refused": _share([one.is_refused for one in rest]),
        "refused_or_corrected": _share([one.is_refused or one.is_correction for one in rest]),
    }


def _trade_off(outcomes: Sequence[Outcome]) -> list[dict[str, float | None]]:
    """What other thresholds of sufficiency would refuse and answer."""
    answerable = [one for one in outcomes if one.example.answerable]
    rest = [one for one in outcomes if not one.example.answerable and not one.is_correction]
    return [
        {
            "threshold": threshold,
            "wrongly_refused": _share([not one.is_answered_at(threshold) for one in answerable]),
            "wrongly_answered": _share([one.is_answered_at(threshold) for one in rest]),
        }
        for threshold in THRESHOLDS
    ]


def _share(values: Sequence[float]) -> float | None:
    return round(statistics.fmean(values), 4) if values else None


def _text(reply: Answer | Refusal) -> str:
    return " ".join(claim.text for claim in reply.claims) if isinstance(reply, Answer) else ""


def _keys(one: Citation) -> list[str]:
    """The cited post, then its copies."""
    return [
        f"{one.channel.name}:{one.message_id}",
        *(f"{copy.channel.name}:{copy.message_id}" for copy in one.also_in),
    ]
