"""Digests: a line for each of the main stories, day by day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agent.lines import Line
from agent.models.extractive.choosing import alike
from ingest.types import MessageRef

MAX_STORIES = 10
_SHORTEST = 4
"""Words of a line that tells of something: shorter ones are headings of lists and signatures."""


def headlines(lines: Sequence[Line]) -> list[Line]:
    """The heading line of each post, oldest post first, each story once."""
    chosen: list[Line] = []
    seen = set()
    for line in lines:
        is_bare = len(line.terms) < _SHORTEST
        if line.is_noise or is_bare or line.evidence.id in seen:
            continue
        seen.add(line.evidence.id)
        if not any(alike(line, other) for other in chosen):
            chosen.append(line)
    return sorted(chosen[:MAX_STORIES], key=_posted)


def _posted(line: Line) -> tuple[datetime, MessageRef]:
    lead = line.evidence.story.lead
    return lead.message.posted_at, lead.ref
