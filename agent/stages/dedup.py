"""Candidates -> stories: forwards and copies of a post are one piece of evidence."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from datetime import datetime

from agent.types import Candidate, CopyRef, Story
from ingest.text.near_copies import holds
from ingest.types import Channel, MessageRef

Copies = Mapping[MessageRef, Collection[MessageRef]]
"""The other posts of the archive that tell the same as a post, earliest first."""


def fold(
    candidates: Sequence[Candidate], copies: Copies | None = None, channels: Sequence[Channel] = ()
) -> tuple[Story, ...]:
    """Folds candidates into stories, best first; each candidate is in exactly one.

    Two belong together when one is a forward of the other, both are forwards of the same post
    (whether the archive has it or not), they are parts of one album, or their texts are the
    same to a reader. A near-copy joins only a story that it is a copy of throughout: A like B
    and B like C do not make C the same as A. The order of the candidates is no matter.

    Args:
        candidates: Each post once.
        copies: What the archive knows of them; posts may be absent.
        channels: Where copies may be pointed to beside the candidates.
    """
    known = copies or {}
    groups = _joined(_same(candidates), known)
    found = {one.ref for one in candidates}
    places = {channel.channel_id: channel for channel in channels}
    stories = []
    for members in groups:
        lead = _lead(members)
        elsewhere = tuple(
            CopyRef(channel=places[ref.channel_id], message_id=ref.message_id)
            for ref in known.get(lead.ref, ())
            if ref not in found and ref.channel_id in places
        )
        others = tuple(one for one in members if one is not lead)
        score = max(one.score for one in members)
        stories.append(Story(lead=lead, others=others, score=score, elsewhere=elsewhere))
    return tuple(sorted(stories, key=lambda story: (-story.score, story.lead.ref)))


def _same(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates with a mark in common, the earliest first in each group and of the groups."""
    by_age = sorted(candidates, key=_age)
    groups = _Groups(len(by_age))
    seen: dict[Hashable, int] = {}
    for index, candidate in enumerate(by_age):
        for mark in _marks(candidate):
            groups.join(seen.setdefault(mark, index), index)
    return [[by_age[i] for i in members] for members in groups.all()]


def _marks(candidate: Candidate) -> Iterator[Hashable]:
    """What a candidate shares with those that surely are the same."""
    message = candidate.message
    yield candidate.ref
    if candidate.origin is not None:
        yield candidate.origin
    elif message.forward and message.forward.name and message.forward.posted_at:
        # Who hides behind a name only is told by the name and the second.
        yield ("hidden", message.forward.name, message.forward.posted_at)
    if message.album_id is not None:
        yield ("album", message.channel_id, message.album_id)
    if candidate.copy_hash:
        yield ("text", candidate.copy_hash)


def _joined(groups: Sequence[list[Candidate]], copies: Copies) -> list[list[Candidate]]:
    """Groups whose every part is a near-copy of every other; the earliest begin a story."""
    stories: list[list[list[Candidate]]] = []
    story_of: dict[MessageRef, int] = {}
    for group in groups:
        near = {
            story_of[ref] for one in group for ref in copies.get(one.ref, ()) if ref in story_of
        }
        fitting = (n for n in sorted(near) if all(_are_near(group, p, copies) for p in stories[n]))
        number = next(fitting, len(stories))
        if number == len(stories):
            stories.append([])
        stories[number].append(group)
        story_of.update((one.ref, number) for one in group)
    return [sorted((one for part in story for one in part), key=_age) for story in stories]


def _are_near(group: Sequence[Candidate], other: Sequence[Candidate], copies: Copies) -> bool:
    refs = {one.ref for one in other}
    return any(not refs.isdisjoint(copies.get(one.ref, ())) for one in group)


def _lead(members: Sequence[Candidate]) -> Candidate:
    """The original; without it, the earliest. But only one that says what was found."""
    best = max(members, key=lambda one: one.score)
    complete = [one for one in members if one is best or _says(one, best)]
    originals = [one for one in complete if one.message.forward is None]
    return (originals or complete)[0]


def _says(one: Candidate, best: Candidate) -> bool:
    """Whether a post has the passage that was found in another one, and not just its headline."""
    if one.copy_hash is not None and one.copy_hash == best.copy_hash:
        return True
    return holds(one.message.body(), best.message.body()[best.start : best.end])


def _age(candidate: Candidate) -> tuple[datetime, MessageRef]:
    return candidate.message.posted_at, candidate.ref


class _Groups:
    """Disjoint sets of numbers, each led by its smallest. Source: Tarjan, JACM 22(2), 1975."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        self._parents[second] = first

    def all(self) -> list[list[int]]:
        members: dict[int, list[int]] = {}
        for number in range(len(self._parents)):
            members.setdefault(self._root(number), []).append(number)
        return list(members.values())

    def _root(self, number: int) -> int:
        while self._parents[number] != number:
            self._parents[number] = self._parents[self._parents[number]]
            number = self._parents[number]
        return number
