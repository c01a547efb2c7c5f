"""Draft -> verdict: does the cited text say what the claim says?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rank_bm25 import BM25Plus

from agent.relevance import terms_of
from agent.types import CheckedClaim, Claim, Draft, Evidence, EvidenceId, Verdict
from ingest.text.normalise import searchable
from ingest.text.tokens import TokenKind, tokens

MIN_SUPPORT = 0.6
"""Share of a claim's terms that the evidence has to have. Source: requirements of ReAct-RAG."""

_NEGATION = re.compile(
    r"\b(?:не|ни|нет|без|нельзя|никогда|not|no|never|without|n't|cannot)\b", re.IGNORECASE
)
_SPACE = re.compile(r"\s+")


def verify(draft: Draft, evidence: Sequence[Evidence]) -> Verdict:
    """Checks every claim against each piece of evidence that it cites.

    A claim is supported by a piece that has its numbers, its names, its negation and most of
    its words. A quote of a whole sentence is supported by the piece that has the sentence.
    """
    known = {one.id: one for one in evidence}
    return Verdict(checked=tuple(_check(claim, known) for claim in draft.claims))


def _check(claim: Claim, known: Mapping[EvidenceId, Evidence]) -> CheckedClaim:
    supported: list[tuple[float, EvidenceId]] = []
    problems: list[str] = []
    for evidence_id in dict.fromkeys(claim.evidence_ids):
        one = known.get(evidence_id)
        if one is None:
            problems.append(f"cites {evidence_id}, which was never given")
            continue
        support, problem = _support(claim, one)
        if problem is None:
            supported.append((support, evidence_id))
        else:
            problems.append(f"{evidence_id}: {problem}")
    supported.sort(reverse=True)
    return CheckedClaim(
        claim=claim,
        supported_by=tuple(evidence_id for _, evidence_id in supported),
        support=supported[0][0] if supported else 0.0,
        problems=tuple(problems),
    )


def _support(claim: Claim, one: Evidence) -> tuple[float, str | None]:
    """How well a piece supports a claim, and what speaks against it."""
    if _same(claim.text, one.sentences):
        return 1.0, None
    missing = _literals(claim.text) - _literals(one.text)
    if missing:
        return 0.0, f"does not have {', '.join(sorted(missing))}"
    sentence = _closest(claim.text, one.sentences)
    if bool(_NEGATION.search(claim.text)) != bool(_NEGATION.search(sentence)):
        return 0.0, "one of the two is negated"
    claimed = set(terms_of(claim.text))
    share = len(claimed & set(terms_of(one.text))) / (len(claimed) or 1)
    if share < MIN_SUPPORT:
        return share, f"has only {share:.0%} of its words"
    return share, None


def _same(text: str, sentences: Iterable[str]) -> bool:
    plain = _plain(text)
    return any(plain == _plain(sentence) for sentence in sentences)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", searchable(text)).strip(' .!?…"«»')


def _literals(text: str) -> set[str]:
    """Numbers, versions and @names: what has to stand in the evidence to the letter."""
    exact = {TokenKind.NUMBER, TokenKind.CODE, TokenKind.MENTION}
    return {token.text for token in tokens(text) if token.kind in exact}


def _closest(text: str, sentences: Sequence[str]) -> str:
    """The sentence that a claim most likely rests on, by BM25."""
    corpus = [terms_of(sentence) or [""] for sentence in sentences]
    if not corpus:
        return ""
    scores = BM25Plus(corpus).get_scores(terms_of(text))
    return sentences[max(range(len(sentences)), key=lambda index: float(scores[index]))]
