"""Verdict -> what may be said: the supported sentences, each with its footnotes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agent.types import (
    CheckedClaim,
    Citation,
    CitedClaim,
    Contradiction,
    Dispute,
    Draft,
    Evidence,
    EvidenceId,
    Grounding,
    Story,
    Verdict,
)

MAX_FOOTNOTES_PER_CLAIM = 3
"""More do not make a sentence truer, and hide it."""

QUOTE_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """The sentences that may be said, and what they rest on."""

    claims: tuple[CitedClaim, ...]
    citations: tuple[Citation, ...]
    grounding: Grounding
    support: float
    """Mean support of what is said, in [0, 1]; 0 if nothing is."""


def ground(draft: Draft, verdict: Verdict, evidence: Sequence[Evidence]) -> Grounded:
    """Numbers the footnotes of the supported claims in reading order; the rest is dropped."""
    known = {one.id: one for one in evidence}
    numbers: dict[EvidenceId, int] = {}
    quotes: dict[EvidenceId, str] = {}
    claims = []
    for checked in verdict.supported:
        cited = checked.supported_by[:MAX_FOOTNOTES_PER_CLAIM]
        for evidence_id in cited:
            numbers.setdefault(evidence_id, len(numbers) + 1)
            quotes.setdefault(evidence_id, _quote(checked, known[evidence_id]))
        claims.append(
            CitedClaim(
                text=checked.claim.text, citations=tuple(sorted(numbers[one] for one in cited))
            )
        )
    return Grounded(
        claims=tuple(claims),
        citations=_citations(numbers, quotes, known),
        grounding=_grounding(draft, verdict),
        support=_mean(checked.support for checked in verdict.supported),
    )


def citation(number: int, story: Story, quote: str) -> Citation:
    """A footnote to a story's lead, with the other places where the story stands."""
    lead = story.lead
    return Citation(
        number=number,
        channel=lead.channel,
        message_id=lead.message.message_id,
        posted_at=lead.message.posted_at,
        url=lead.channel.link(lead.message.message_id),
        quote=quote,
        author=lead.message.author,
        also_in=story.also_in,
    )


def nearest(evidence: Sequence[Evidence], count: int = 3) -> tuple[Citation, ...]:
    """The posts that came nearest, for a refusal to show."""
    return tuple(
        citation(number, one.story, shortened(one.sentences[0] if one.sentences else one.text))
        for number, one in enumerate(evidence[:count], start=1)
    )


def contradictions(
    disputes: Sequence[Dispute], citations: Sequence[Citation], evidence: Sequence[Evidence]
) -> tuple[Contradiction, ...]:
    """The disputes by the numbers of their footnotes; those of whom one side is left are none."""
    leads = {one.id: one.story.lead for one in evidence}
    numbers = {(one.channel.channel_id, one.message_id): one.number for one in citations}
    found = []
    for dispute in disputes:
        posts = [leads[one].message for one in dispute.evidence_ids if one in leads]
        sides = [numbers.get((post.channel_id, post.message_id)) for post in posts]
        cited = tuple(number for number in sides if number is not None)
        if len(cited) > 1:
            found.append(Contradiction(about=dispute.about, citations=cited))
    return tuple(found)


def shortened(text: str, limit: int = QUOTE_CHARS) -> str:
    """At most `limit` characters, cut between words and marked so."""
    if len(text) <= limit:
        return text
    return text[: limit - 1].rsplit(" ", 1)[0].rstrip(" ,;:—-") + "…"


def _citations(
    numbers: Mapping[EvidenceId, int],
    quotes: Mapping[EvidenceId, str],
    known: Mapping[EvidenceId, Evidence],
) -> tuple[Citation, ...]:
    return tuple(
        citation(number, known[evidence_id].story, quotes[evidence_id])
        for evidence_id, number in numbers.items()
    )


def _quote(checked: CheckedClaim, one: Evidence) -> str:
    """The words that say so: the claim's own quote if this piece has it, else its beginning."""
    quote = checked.claim.quote
    if quote and quote in one.text:
        return quote
    return shortened(one.sentences[0] if one.sentences else one.text)


def _grounding(draft: Draft, verdict: Verdict) -> Grounding:
    if not verdict.supported:
        return Grounding.UNSUPPORTED
    if len(verdict.supported) < len(draft.claims):
        return Grounding.PARTIALLY_SUPPORTED
    return Grounding.GROUNDED


def _mean(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every) if every else 0.0
