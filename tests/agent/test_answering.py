"""The line as a whole, over fakes of what is outside: deadlines, failures, dropped drafts."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from agent.answering import Agent, Limits
from agent.dates import find_dates
from agent.models.extractive import ExtractiveDrafter
from agent.stages.plan import RulePlanner
from agent.types import (
    Answer,
    Claim,
    Coverage,
    Draft,
    Evidence,
    Plan,
    Question,
    Refusal,
    RefusalReason,
)
from ingest.errors import IndexUnavailable
from ingest.index.request import Hit, SearchRequest, SearchResult
from ingest.types import Channel, ChannelId, Message, MessageId, MessageKind, MessageRef

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
CHANNEL = Channel(channel_id=ChannelId(1), title="Город", username="city")
TEXT = "Паромный мост открыли после ремонта. Реконструкция длилась 250 дней."
REF = MessageRef(CHANNEL.channel_id, MessageId(5))
ASKED = Question(text="Сколько дней длилась реконструкция Паромного моста?", now=NOW)


class OnePost:
    """An archive of one post and its index."""

    def __init__(self, failing: Exception | None = None) -> None:
        self._failing = failing

    async def __call__(self, request: SearchRequest) -> SearchResult:
        if self._failing:
            raise self._failing
        hit = Hit(
            ref=REF,
            start=0,
            end=len(TEXT),
            content_hash="",
            copy_hash=None,
            dense=None,
            lexical=9.0,
        )
        return SearchResult(hits=(hit,), timings_ms={})

    async def channels(self) -> Sequence[Channel]:
        return (CHANNEL,)

    async def messages(self, refs: Collection[MessageRef]) -> dict[MessageRef, Message]:
        post = Message(
            channel_id=CHANNEL.channel_id,
            message_id=REF.message_id,
            posted_at=NOW,
            kind=MessageKind.TEXT,
            text=TEXT,
        )
        return {REF: post} if REF in refs else {}

    async def coverage(self, channels: Collection[ChannelId] | None) -> Coverage:
        return Coverage(posted_from=NOW, posted_to=NOW, count_messages=1)

    async def copies(self, refs: Collection[MessageRef], channels: Collection[ChannelId]) -> None:
        return None


class Says:
    """A model that always writes the same."""

    def __init__(self, text: str) -> None:
        self._text = text

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        claim = Claim(text=self._text, evidence_ids=(evidence[0].id,))
        return Draft(claims=(claim,), mode="llm")


class Hangs:
    """A model that never answers."""

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


async def no_similarity(question: str, texts: Sequence[str]) -> None:
    return None


def agent(drafter: object, post: OnePost | None = None, deadline_s: float = 20) -> Agent:
    outside = post or OnePost()
    return Agent(
        planner=RulePlanner(find_dates),
        search=outside,
        archive=outside,
        drafter=drafter,
        plain=ExtractiveDrafter(no_similarity),
        limits=Limits(deadline_s=deadline_s),
    )


async def test_what_the_model_invents_gives_way_to_quotes() -> None:
    """A draft that no post supports is dropped whole; the post's own words stand in its place."""
    reply = await agent(Says("Реконструкция длилась 999 дней и стоила 5 млрд рублей."))(ASKED)
    assert isinstance(reply, Answer)
    assert "extractive" == reply.mode
    assert all(claim.text in TEXT for claim in reply.claims)
    assert "чего в постах нет" in reply.errors[0]


async def test_what_the_model_takes_from_the_post_is_kept() -> None:
    reply = await agent(Says("Реконструкция длилась 250 дней."))(ASKED)
    assert isinstance(reply, Answer)
    assert ("llm", ((1,),), ()) == (
        reply.mode,
        tuple(claim.citations for claim in reply.claims),
        reply.errors,
    )


async def test_a_model_that_hangs_ends_in_an_honest_sentence() -> None:
    reply = await agent(Hangs(), deadline_s=0.3)(ASKED)
    assert isinstance(reply, Refusal)
    assert RefusalReason.DEADLINE is reply.reason


async def test_an_index_that_is_gone_is_said() -> None:
    broken = OnePost(IndexUnavailable("the index process does not answer"))
    reply = await agent(Says("…"), broken)(ASKED)
    assert isinstance(reply, Refusal)
    assert RefusalReason.UNAVAILABLE is reply.reason
    assert ("the index process does not answer",) == reply.errors
