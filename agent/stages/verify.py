"""Draft -> verdict: does the cited text say what the claim says?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, tzinfo

from agent.types import CheckedClaim, Claim, Draft, Evidence, EvidenceId, Verdict
from agent.verification.checking import Closeness, Finding, Post, Strictness, check
from agent.verification.quotes import stands_in
from agent.verification.words import read

_JOINT = re.compile(r";\s+|,\s+(?:а|но|тогда как|while|whereas|but|and)\s+", re.IGNORECASE)
_MIN_PART_WORDS = 3
"""Content words without which a part of a claim says nothing that could be checked."""


def verify(
    draft: Draft,
    evidence: Sequence[Evidence],
    *,
    zone: tzinfo = UTC,
    strictness: Strictness = Strictness(),
    closeness: Closeness | None = None,
) -> Verdict:
    """Checks every claim against each piece of evidence that it cites.

    A claim is supported by a piece that has its figures, dates, names and quotations, asserts
    what it asserts, of whom it asserts it, and has most of its words; or by several pieces, if
    each of its parts is supported by one. A whole sentence of a piece is supported by it.

    Args:
        zone: In which a post's day, and so its «вчера», is counted.
        closeness: Compares texts by meaning: lets paraphrases and translations pass that words
            alone cannot prove. Figures, names and negation are checked all the same.

    Returns:
        A checked claim for each claim, in order. Pure CPU work of milliseconds for each claim.
    """
    posts = {one.id: _post(one, zone) for one in evidence}
    line = _Line(posts, strictness, closeness)
    return Verdict(checked=tuple(line.check(claim) for claim in draft.claims))


class _Line:
    """The evidence of one draft, and how strictly it is read."""

    def __init__(
        self,
        posts: Mapping[EvidenceId, Post],
        strictness: Strictness,
        closeness: Closeness | None,
    ) -> None:
        self._posts, self._strictness, self._closeness = posts, strictness, closeness

    def check(self, claim: Claim) -> CheckedClaim:
        cited = tuple(dict.fromkeys(claim.evidence_ids))
        known = [one for one in cited if one in self._posts]
        problems = [f"cites {one}, which was never given" for one in cited if one not in known]
        if claim.quote is not None and known and not self._is_quoted(claim.quote, known):
            problems.append("its quote stands in no post that it cites")
            return CheckedClaim(
                claim=claim, supported_by=(), support=0.0, problems=tuple(problems)
            )
        findings = {one: self._against(claim.text, one) for one in known}
        supported = {one: found.support for one, found in findings.items() if not found.problems}
        for one, found in findings.items():
            problems.extend(f"{one}: {problem}" for problem in found.problems)
        if not supported:
            supported = self._in_parts(claim.text, known)
        order = sorted(supported, key=lambda one: -supported[one])
        return CheckedClaim(
            claim=claim,
            supported_by=tuple(order),
            support=round(max(supported.values(), default=0.0), 3),
            problems=tuple(problems),
        )

    def _against(self, text: str, evidence_id: EvidenceId) -> Finding:
        return check(
            text,
            self._posts[evidence_id],
            strictness=self._strictness,
            closeness=self._closeness,
        )

    def _is_quoted(self, quote: str, known: Sequence[EvidenceId]) -> bool:
        return any(stands_in(quote, "\n".join(self._posts[one].sentences)) for one in known)

    def _in_parts(self, text: str, known: Sequence[EvidenceId]) -> dict[EvidenceId, float]:
        """The pieces that support a claim together, each a part; none if a part is left."""
        parts = _JOINT.split(text)
        if len(parts) == 1 or len(known) == 1:
            return {}
        supported: dict[EvidenceId, float] = {}
        for part in parts:
            if sum(word.is_content for word in read(part).words) < _MIN_PART_WORDS:
                return {}
            findings = {one: self._against(part, one) for one in known}
            holds = {one: found.support for one, found in findings.items() if not found.problems}
            if not holds:
                return {}
            best = max(holds, key=lambda one: holds[one])
            supported[best] = min(holds[best], supported.get(best, 1.0))
        return supported


def _post(one: Evidence, zone: tzinfo) -> Post:
    lead = one.story.lead
    forward = lead.message.forward
    sources = (
        lead.channel.title,
        lead.channel.username,
        lead.message.author,
        forward.name if forward else None,
        forward.author if forward else None,
    )
    return Post(
        sentences=one.sentences,
        posted_on=lead.message.posted_at.astimezone(zone).date(),
        sources=tuple(source for source in sources if source),
    )
