"""Answers, refusals and search hits as JSON for machines."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from agent.types import Answer, Citation, CopyRef, Coverage, Filters, Refusal, Story
from ingest.types import Channel

Json = dict[str, Any]
"""A JSON object; this module writes them and nobody reads them back."""


def reply_json(reply: Answer | Refusal) -> Json:
    """What `citegram ask --json` prints."""
    common: Json = {
        "nearest": [_citation(one) for one in reply.nearest],
        "filters": filters_json(reply.filters),
        "coverage": _coverage(reply.coverage),
        "rounds": reply.rounds,
        "timings_ms": reply.timings_ms,
        "errors": list(reply.errors),
    }
    return (_answer(reply) if isinstance(reply, Answer) else _refusal(reply)) | common


def answer_text(answer: Answer) -> str:
    """The sentences with the numbers of their footnotes: ``Text [1][2]``, one a line."""
    return "\n".join(
        f"{claim.text} {''.join(f'[{number}]' for number in claim.citations)}"
        for claim in answer.claims
    )


def hit_json(story: Story) -> Json:
    """One story of `citegram search --json`."""
    lead = story.lead
    return {
        "channel": lead.channel.name,
        "channel_id": lead.channel.channel_id,
        "message_id": lead.message.message_id,
        "posted_at": _time(lead.message.posted_at),
        "url": lead.channel.link(lead.message.message_id),
        "text": lead.message.body(),
        "score": round(story.score, 4),
        "also_in": [_place(one.channel, one.message_id) for one in story.also_in],
    }


def filters_json(filters: Filters) -> Json:
    """The filters as they were understood; days are inclusive."""
    return {
        "channels": [channel.name for channel in filters.channels],
        "from": filters.from_on.isoformat() if filters.from_on else None,
        "to": filters.to_on.isoformat() if filters.to_on else None,
    }


def _answer(answer: Answer) -> Json:
    return {
        "status": "answered",
        "answer": answer_text(answer),
        "claims": [
            {"text": claim.text, "citations": list(claim.citations)} for claim in answer.claims
        ],
        "citations": [_citation(one) for one in answer.citations],
        "refusal": None,
        "contradictions": [
            {"about": one.about, "citations": list(one.citations)} for one in answer.contradictions
        ],
        "confidence": answer.confidence,
        "grounding": answer.grounding.value,
        "mode": answer.mode,
    }


def _refusal(refusal: Refusal) -> Json:
    return {
        "status": "refused",
        "answer": None,
        "claims": [],
        "citations": [],
        "refusal": {
            "reason": refusal.reason.value,
            "message": refusal.message,
            "knowledge_gap": refusal.knowledge_gap,
        },
        "contradictions": [],
        "confidence": 0.0,
        "grounding": "not_checked",
        "mode": None,
    }


def _citation(one: Citation) -> Json:
    return {
        "n": one.number,
        "channel": one.channel.name,
        "channel_id": one.channel.channel_id,
        "message_id": one.message_id,
        "posted_at": _time(one.posted_at),
        "url": one.url,
        "quote": one.quote,
        "author": one.author,
        "also_in": [_copy(copy) for copy in one.also_in],
    }


def _copy(copy: CopyRef) -> Json:
    return _place(copy.channel, copy.message_id)


def _place(channel: Channel, message_id: int) -> Json:
    return {"channel": channel.name, "message_id": message_id}


def _coverage(coverage: Coverage) -> Json:
    return {
        "from": _time(coverage.posted_from),
        "to": _time(coverage.posted_to),
        "synced_at": _time(coverage.synced_at),
        "messages": coverage.count_messages,
        "embedded": round(coverage.embedded_share, 4),
    }


def _time(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
