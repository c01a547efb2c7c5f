"""Plan -> candidates: every sub-query at once, both lists each, fused by their scores."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from agent.ports import Archive, Search
from agent.types import Candidate, Plan
from ingest.index.request import Hit, SearchRequest, SearchResult
from ingest.types import Channel, ChannelId, MessageRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """How the two lists make one.

    Attributes:
        dense, lexical: Weights of the standardised scores.
        depth: Passages taken of each list.
    """

    dense: float = 0.7
    lexical: float = 0.3
    depth: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What was found, best first, and how long the index took by part."""

    found: tuple[Candidate, ...]
    timings_ms: dict[str, float]
    encoder: str | None = None
    """Whose cosines the candidates have; None: nobody's."""
    errors: tuple[str, ...] = ()


class Retriever:
    """Finds the posts that a plan asks for."""

    def __init__(self, search: Search, archive: Archive, fusion: Fusion = Fusion()) -> None:
        self._search, self._archive, self._fusion = search, archive, fusion

    async def __call__(
        self, plan: Plan, channels: Sequence[Channel], scope: frozenset[ChannelId] | None
    ) -> Candidates:
        """The candidates of all of a plan's queries together.

        Args:
            channels: All that the archive has.
            scope: Channels that the asker may see; None: all.

        Raises:
            ArchiveError: The index cannot be reached.
        """
        allowed = _allowed(plan, scope)
        requests = [self._request(query, plan, allowed) for query in plan.queries]
        results = await self._search_all(requests)
        best = self._best_passages(results)
        messages = await self._archive.messages(best.keys())
        by_id = {channel.channel_id: channel for channel in channels}
        found = [
            Candidate(
                message=messages[ref],
                channel=by_id[ref.channel_id],
                start=hit.start,
                end=hit.end,
                dense=hit.dense,
                lexical=hit.lexical,
                score=score,
                copy_hash=hit.copy_hash,
            )
            for ref, (score, hit) in best.items()
            if ref in messages and ref.channel_id in by_id
        ]
        return Candidates(
            found=tuple(sorted(found, key=_order)),
            timings_ms=_longest(results),
            encoder=next((r.encoder for r in results if r.encoder), None),
            errors=tuple({r.dense_missing for r in results if r.dense_missing}),
        )

    async def _search_all(self, requests: Sequence[SearchRequest]) -> list[SearchResult]:
        """All searches at once; the first failure ends them and is raised as it is."""
        try:
            async with asyncio.TaskGroup() as tasks:
                running = [tasks.create_task(self._search(request)) for request in requests]
        except ExceptionGroup as group:
            raise group.exceptions[0] from group
        return [task.result() for task in running]

    def _request(
        self, query: str, plan: Plan, allowed: frozenset[ChannelId] | None
    ) -> SearchRequest:
        return SearchRequest(
            text=query,
            channels=allowed,
            posted_from=plan.posted_from,
            posted_before=plan.posted_before,
            limit=self._fusion.depth,
            dense=self._fusion.dense > 0,
            lexical=self._fusion.lexical > 0,
        )

    def _best_passages(
        self, results: Sequence[SearchResult]
    ) -> dict[MessageRef, tuple[float, Hit]]:
        """The best passage of each message over all queries, with its score."""
        best: dict[MessageRef, tuple[float, Hit]] = {}
        for result in results:
            for hit, score in fuse(result.hits, self._fusion):
                if hit.ref not in best or score > best[hit.ref][0]:
                    best[hit.ref] = (score, hit)
        return best


def fuse(hits: Sequence[Hit], fusion: Fusion) -> list[tuple[Hit, float]]:
    """A weighted sum of standardised scores for each hit, in the order given.

    A score is standardised over the hits of its own query: minus their mean, over their
    standard deviation. Unlike ranks, scores tell how far the best is ahead; ranks of a list
    that knows nothing of the question (other language, other words) would count as much as
    those of the list that does. Source: Kamps et al.; measured in tests/benchmarks.
    """
    dense = _standardised([hit.dense for hit in hits])
    lexical = _standardised([hit.lexical for hit in hits])
    return [
        (hit, fusion.dense * dense_part + fusion.lexical * lexical_part)
        for hit, dense_part, lexical_part in zip(hits, dense, lexical, strict=True)
    ]


def _standardised(scores: Sequence[float | None]) -> list[float]:
    """Zero mean and unit variance; what has no score counts as the lowest that has one."""
    known = [score for score in scores if score is not None]
    if not known:
        return [0.0] * len(scores)
    mean, deviation = statistics.fmean(known), statistics.pstdev(known)
    lowest = min(known)
    if deviation == 0:
        return [0.0] * len(scores)
    return [((lowest if score is None else score) - mean) / deviation for score in scores]


def _allowed(plan: Plan, scope: frozenset[ChannelId] | None) -> frozenset[ChannelId] | None:
    """The plan's channels, and never one outside the asker's scope."""
    if not plan.filters.channels:
        return scope
    wanted = frozenset(channel.channel_id for channel in plan.filters.channels)
    return wanted if scope is None else wanted & scope


def _order(candidate: Candidate) -> tuple[float, datetime, MessageRef]:
    return (-candidate.score, candidate.message.posted_at, candidate.ref)


def _longest(results: Sequence[SearchResult]) -> dict[str, float]:
    """Milliseconds by part of the slowest query: they ran side by side."""
    longest: dict[str, float] = {}
    for result in results:
        _merge(longest, result.timings_ms)
    return longest


def _merge(into: dict[str, float], other: Mapping[str, float]) -> None:
    for name, spent_ms in other.items():
        into[name] = max(into.get(name, 0.0), spent_ms)
