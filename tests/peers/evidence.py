"""Posts as evidence, in one line each."""

from __future__ import annotations

from datetime import UTC, datetime

from agent.types import Candidate, Evidence, EvidenceId, Plan, Question, Story
from ingest.text.sentences import sentences
from ingest.types import Channel, ChannelId, Message, MessageId, MessageKind

ASKED_AT = datetime(2024, 11, 1, 12, tzinfo=UTC)


def post(
    name: str, text: str, *, channel: str = "Хабр", relevance: float = 1.0, day: int = 7
) -> Evidence:
    """A post of October 2024 that made it to the drafter under the id `name`."""
    where = Channel(channel_id=ChannelId(1), title=channel, username="habr")
    message = Message(
        channel_id=where.channel_id,
        message_id=MessageId(day),
        posted_at=datetime(2024, 10, day, 9, tzinfo=UTC),
        kind=MessageKind.TEXT,
        text=text,
    )
    lead = Candidate(
        message=message,
        channel=where,
        start=0,
        end=len(text),
        dense=None,
        lexical=None,
        score=relevance,
    )
    return Evidence(
        id=EvidenceId(name),
        story=Story(lead=lead, score=relevance),
        text=text,
        sentences=tuple(text[span.start : span.end] for span in sentences(text)),
        relevance=relevance,
    )


def question(text: str) -> Question:
    """A question of 1 November 2024."""
    return Question(text=text, now=ASKED_AT)


def plan(text: str, *, language: str = "ru") -> Plan:
    """The simplest plan of a question."""
    return Plan(queries=(text,), language="en" if language == "en" else "ru")
