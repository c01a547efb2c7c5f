"""Answers without a language model: the sentences that answer, verbatim."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.answer_type import answer_type
from agent.lines import Line, lines_of
from agent.models.extractive.choosing import Choice, choose, corrections, in_reading_order
from agent.models.extractive.digests import MAX_STORIES, headlines
from agent.models.extractive.disputes import other_sides
from agent.models.extractive.scoring import Scored, SentenceWeights, score
from agent.ports import Similarity
from agent.relations import is_overview
from agent.types import Claim, Dispute, Draft, Evidence, Plan, Question

_DECORATION = re.compile(r"^[^\w«\"“(@#$€£₽+~≈№-]+|(?:\s+[#@][\w]+)+\W*$")
_SETTLED = 0.12
"""Share of a yes/no question that a sentence has to cover to settle it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractiveLimits:
    """How much is looked at.

    Attributes:
        evidence: Pieces of evidence whose sentences are looked at.
        sentences: Sentences that are compared by meaning: each costs about 10 ms.
    """

    evidence: int = 6
    sentences: int = 48


class ExtractiveDrafter:
    """Quotes the sentences of the evidence that answer best.

    Args:
        similarity: Compares sentences with the question by meaning.
    """

    def __init__(
        self,
        similarity: Similarity,
        limits: ExtractiveLimits = ExtractiveLimits(),
        *,
        weights: SentenceWeights = SentenceWeights(),
        choice: Choice = Choice(),
    ) -> None:
        self._similarity, self._limits = similarity, limits
        self._weights, self._choice = weights, choice

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        """A draft whose every claim is a sentence of one piece of evidence."""
        del question  # the plan has all of it that matters here
        if is_overview(plan):
            lines = await asyncio.to_thread(lines_of, evidence[:MAX_STORIES])
            return _draft(await asyncio.to_thread(headlines, lines))
        lines = await asyncio.to_thread(lines_of, evidence[: self._limits.evidence])
        lines = [line for line in lines if not line.is_noise][: self._limits.sentences]
        if not lines:
            return _draft(())
        asked = _asked(plan)
        cosines = [await self._cosines(part, lines) for part in asked]
        return await asyncio.to_thread(self._answer, plan, asked, lines, cosines)

    async def _cosines(self, asked: str, lines: Sequence[Line]) -> Mapping[str, float]:
        texts = list(dict.fromkeys(line.text for line in lines))
        similar = await self._similarity(asked, texts)
        return {} if similar is None else dict(zip(texts, similar, strict=True))

    def _answer(
        self,
        plan: Plan,
        asked: Sequence[str],
        lines: Sequence[Line],
        cosines: Sequence[Mapping[str, float]],
    ) -> Draft:
        scored = [
            score(part, lines, found, self._weights)
            for part, found in zip(asked, cosines, strict=True)
        ]
        if plan.intent == "yes_no" and max(one.around for one in scored[0]) < _SETTLED:
            return _draft(())
        if len(scored) > 1:
            return _draft(_of_parts(scored, self._choice))
        found = scored[0]
        sides = other_sides(found, answer_type(asked[0]))
        if not sides:
            return _draft(choose(found, self._choice))
        return _disputed(asked[0], found, sides)


def _asked(plan: Plan) -> tuple[str, ...]:
    """The question's parts, each to be answered; itself where it has none."""
    return plan.queries[1:] if len(plan.queries) > 2 else plan.queries[:1]  # noqa: PLR2004 - whole + one part is a follow-up's wording


def _of_parts(scored: Sequence[Sequence[Scored]], choice: Choice) -> list[Line]:
    """The best sentence for each part, with what corrects it."""
    chosen: list[Line] = []
    for found in scored:
        best = found[0]
        chosen += [best.line, *corrections(best, found)]
    for found in scored:  # room for one more of what the parts share
        chosen += [line for line in choose(found, choice) if line not in chosen][:1]
    return in_reading_order(dict.fromkeys(chosen))


def _disputed(asked: str, found: Sequence[Scored], sides: Sequence[Scored]) -> Draft:
    """Both sides, the newest first, each with what goes with it."""
    posts = sorted(
        (found[0], *sides),
        key=lambda one: one.line.evidence.story.lead.message.posted_at,
        reverse=True,
    )
    lines = [
        line for one in posts for line in in_reading_order([one.line, *corrections(one, found)])
    ]
    draft = _draft(lines)
    about = Dispute(about=asked, evidence_ids=tuple(one.line.evidence.id for one in posts))
    return Draft(claims=draft.claims, mode=draft.mode, disputes=(about,))


def _draft(lines: Sequence[Line]) -> Draft:
    return Draft(
        claims=tuple(
            Claim(text=said, evidence_ids=(line.evidence.id,), quote=said)
            for line in lines
            if (said := _plain(line.text))
        ),
        mode="extractive",
        complete=bool(lines),
    )


def _plain(text: str) -> str:
    """A sentence without the signs before it and the tags behind it."""
    return _DECORATION.sub("", text).strip()
