"""The straight line from a question to an answer or a refusal, under one deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from agent.ports import Archive, Drafter, LateInteraction, Planner, Search
from agent.relations import is_overview
from agent.stages.decide import contradictions, ground, nearest
from agent.stages.dedup import fold
from agent.stages.rerank import Ranking, Reranker, RerankLimits, RerankWeights
from agent.stages.retrieve import Candidates, Fusion, Retriever
from agent.stages.suffice import Sufficiency, judge_sufficiency
from agent.stages.verify import verify
from agent.trace import Trace
from agent.types import (
    Answer,
    Coverage,
    Draft,
    Evidence,
    Plan,
    Question,
    Refusal,
    RefusalReason,
    Story,
)
from agent.wording import knowledge_gap, model_unsupported, refusal_message
from ingest.errors import ArchiveError
from ingest.types import Channel, ChannelId

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long and how much.

    Attributes:
        evidence: Stories that a drafter gets.
        overview: The same where all of a period or of a channel is asked for.
    """

    deadline_s: float = 60.0
    evidence: int = 8
    overview: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the searching half of the line found: all stories, the most relevant first."""

    plan: Plan
    stories: tuple[Story, ...]
    errors: tuple[str, ...]


class Agent:
    """Answers questions from the archive, or says why it cannot.

    Args:
        plain: Drafts once more, without a model, when nothing that the model wrote is supported.
    """

    def __init__(
        self,
        *,
        planner: Planner,
        search: Search,
        archive: Archive,
        drafter: Drafter,
        plain: Drafter | None = None,
        limits: Limits = Limits(),
        fusion: Fusion = Fusion(),
        late: LateInteraction | None = None,
        weights: RerankWeights = RerankWeights(),
        rerank_limits: RerankLimits = RerankLimits(),
    ) -> None:
        self._planner, self._archive = planner, archive
        self._drafter, self._plain = drafter, plain
        self._retrieve = Retriever(search, archive, fusion)
        self._rerank_stories = Reranker(late, weights, rerank_limits)
        self._limits = limits

    async def __call__(self, question: Question, trace: Trace | None = None) -> Answer | Refusal:
        """The answer, or a refusal with its reason; never an exception of the archive's."""
        trace = trace or Trace()
        line = _Line(question, trace)
        try:
            async with asyncio.timeout(self._limits.deadline_s):
                reply = await self._answer(line)
        except TimeoutError:
            reply = line.refuse(RefusalReason.DEADLINE)
        except ArchiveError as error:
            reply = replace(line.refuse(RefusalReason.UNAVAILABLE), errors=(str(error),))
        reply = replace(reply, timings_ms=dict(trace.timings_ms))
        log.info("question.answered", **_outcome(reply), **trace.facts, ms=trace.timings_ms)
        return reply

    async def find(self, question: Question, trace: Trace | None = None) -> Found | Refusal:
        """The searching half alone: what `citegram search` shows.

        Raises:
            ArchiveError: The archive or its index cannot be used.
        """
        line = _Line(question, trace or Trace())
        refusal = await self._plan(line)
        if refusal is not None:
            return refusal
        found, stories = await self._stories(line)
        ranking = await self._rerank(line, stories)
        return Found(plan=line.plan, stories=ranking.stories, errors=found.errors)

    async def _answer(self, line: _Line) -> Answer | Refusal:
        refusal = await self._plan(line)
        if refusal is not None:
            return refusal
        found, stories = await self._stories(line)
        line.errors = found.errors
        line.rounds = 1
        if not stories:
            return line.refuse(RefusalReason.NOTHING_FOUND)
        count = self._limits.overview if is_overview(line.plan) else self._limits.evidence
        evidence = (await self._rerank(line, stories)).evidence[:count]
        with line.trace.stage("suffice"):
            enough = await asyncio.to_thread(
                judge_sufficiency, line.plan, evidence, encoder=found.encoder
            )
        line.trace.facts["sufficiency"] = round(enough.score, 3)
        if not enough.is_enough:
            return line.refuse_with(RefusalReason.INSUFFICIENT, evidence, enough)
        with line.trace.stage("draft"):
            draft = await self._drafter(line.question, line.plan, evidence)
        return await self._settle(line, draft, evidence, enough)

    async def _plan(self, line: _Line) -> Refusal | None:
        """Fills in the line's plan and coverage; or says at once why there is no use."""
        if not line.question.text.strip():
            return line.refuse(RefusalReason.EMPTY_QUESTION)
        with line.trace.stage("plan"):
            channels = _in_scope(await self._archive.channels(), line.question.scope)
            line.channels = channels
            line.plan = await asyncio.to_thread(self._planner, line.question, channels)
        with line.trace.stage("coverage"):
            line.coverage = await self._archive.coverage(_searched(line.plan, line.question))
        if line.plan.filters.unknown_channels:
            return line.refuse(RefusalReason.UNKNOWN_CHANNEL)
        if not line.coverage.count_messages:
            return line.refuse(RefusalReason.EMPTY_ARCHIVE)
        if _is_before(line.plan, line.coverage) and not line.plan.is_about_posting:
            # «Кто победил в 1999 году?», asked of posts that begin later: they tell of the past.
            with line.trace.stage("plan"):
                line.plan = await asyncio.to_thread(
                    self._planner, line.question, line.channels, dated=False
                )
        if _is_before(line.plan, line.coverage) or _is_after(line.plan, line.coverage):
            return line.refuse(RefusalReason.OUTSIDE_COVERAGE)
        return None

    async def _stories(self, line: _Line) -> tuple[Candidates, tuple[Story, ...]]:
        with line.trace.stage("retrieve"):
            found = await self._retrieve(line.plan, line.channels, line.question.scope)
        for name, spent_ms in found.timings_ms.items():
            line.trace.timings_ms[f"retrieve.{name}"] = round(spent_ms, 2)
        with line.trace.stage("dedup"):
            copies = await self._archive.copies(
                [one.ref for one in found.found], [one.channel_id for one in line.channels]
            )
            stories = await asyncio.to_thread(fold, found.found, copies, line.channels)
        line.trace.facts |= {"candidates": len(found.found), "stories": len(stories)}
        return found, stories

    async def _rerank(self, line: _Line, stories: Sequence[Story]) -> Ranking:
        return await self._rerank_stories(line.plan, stories, line.trace)

    async def _settle(
        self, line: _Line, draft: Draft, evidence: Sequence[Evidence], enough: Sufficiency
    ) -> Answer | Refusal:
        """Verifies the draft and says what is left of it."""
        line.errors += draft.errors
        with line.trace.stage("verify"):
            verdict = await asyncio.to_thread(verify, draft, evidence)
        grounded = ground(draft, verdict, evidence)
        if not draft.complete and not grounded.claims:
            return line.refuse_with(RefusalReason.INSUFFICIENT, evidence, enough)
        if not grounded.claims and draft.mode == "llm" and self._plain is not None:
            line.errors += (model_unsupported(line.plan.language),)
            with line.trace.stage("draft"):
                plain = await self._plain(line.question, line.plan, evidence)
            return await self._settle(line, plain, evidence, enough)
        if not grounded.claims:
            return line.refuse_with(RefusalReason.UNSUPPORTED, evidence, enough)
        return Answer(
            claims=grounded.claims,
            citations=grounded.citations,
            grounding=grounded.grounding,
            confidence=round(grounded.support * enough.score, 3),
            mode=draft.mode,
            filters=line.plan.filters,
            coverage=line.coverage,
            rounds=line.rounds,
            errors=line.errors,
            contradictions=contradictions(draft.disputes, grounded.citations, evidence),
            language=line.plan.language,
        )


class _Line:
    """One question on its way, with what is known so far: a refusal can happen anywhere."""

    def __init__(self, question: Question, trace: Trace) -> None:
        self.question, self.trace = question, trace
        self.plan = Plan(queries=(question.text,), language=question.language or "ru")
        self.channels: tuple[Channel, ...] = ()
        self.coverage = Coverage()
        self.errors: tuple[str, ...] = ()
        self.rounds = 0

    def refuse(self, reason: RefusalReason) -> Refusal:
        """A refusal that needs no evidence."""
        return Refusal(
            reason=reason,
            message=refusal_message(
                reason,
                self.plan.language,
                filters=self.plan.filters,
                missing=", ".join(self.plan.filters.unknown_channels),
            ),
            filters=self.plan.filters,
            coverage=self.coverage,
            rounds=self.rounds,
            errors=self.errors,
            language=self.plan.language,
        )

    def refuse_with(
        self, reason: RefusalReason, evidence: Sequence[Evidence], enough: Sufficiency
    ) -> Refusal:
        """A refusal that shows the nearest posts and what they lack."""
        return replace(
            self.refuse(reason),
            nearest=nearest(evidence),
            knowledge_gap=knowledge_gap(enough.missing, self.plan.language, lacks=enough.lacks),
        )


def _in_scope(
    channels: Sequence[Channel], scope: frozenset[ChannelId] | None
) -> tuple[Channel, ...]:
    return tuple(one for one in channels if scope is None or one.channel_id in scope)


def _searched(plan: Plan, question: Question) -> frozenset[ChannelId] | None:
    if plan.filters.channels:
        return frozenset(channel.channel_id for channel in plan.filters.channels)
    return question.scope


def _is_before(plan: Plan, coverage: Coverage) -> bool:
    """Whether the period is over before the archive begins."""
    ends, begins = plan.posted_before, coverage.posted_from
    return ends is not None and begins is not None and ends <= begins


def _is_after(plan: Plan, coverage: Coverage) -> bool:
    """Whether the period begins after all that the archive has."""
    begins, ends = plan.posted_from, coverage.posted_to
    return begins is not None and ends is not None and begins > ends


def _outcome(reply: Answer | Refusal) -> dict[str, str | float | int]:
    if isinstance(reply, Refusal):
        return {"status": "refused", "reason": reply.reason.value}
    return {
        "status": "answered",
        "mode": reply.mode,
        "claims": len(reply.claims),
        "confidence": reply.confidence,
    }
