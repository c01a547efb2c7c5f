"""Candidates -> stories: forwards and copies of a post are one piece of evidence."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from agent.types import Candidate, Story


def fold(candidates: Sequence[Candidate]) -> tuple[Story, ...]:
    """Folds candidates into stories, best first; each candidate is in exactly one.

    Two belong together when one is a forward of the other, both are forwards of the same post
    (whether the archive has it or not), or their texts are the same to a reader.
    """
    groups = _Groups(len(candidates))
    seen: dict[Hashable, int] = {}
    for index, candidate in enumerate(candidates):
        for mark in _marks(candidate):
            groups.join(index, seen.setdefault(mark, index))
    stories = [_story([candidates[i] for i in members]) for members in groups.all()]
    return tuple(sorted(stories, key=lambda story: (-story.score, story.lead.ref)))


def _marks(candidate: Candidate) -> Iterator[Hashable]:
    """What a candidate shares with the rest of its story."""
    message = candidate.message
    yield ("post", message.channel_id, message.message_id)
    forward = message.forward
    if forward and forward.channel_id is not None and forward.message_id is not None:
        yield ("post", forward.channel_id, forward.message_id)
    if candidate.copy_hash:
        yield ("text", candidate.copy_hash)


def _story(members: Sequence[Candidate]) -> Story:
    """The original leads; without it, the earliest."""
    by_age = sorted(members, key=lambda one: (one.message.posted_at, one.ref))
    originals = [one for one in by_age if one.message.forward is None]
    lead = (originals or by_age)[0]
    return Story(
        lead=lead,
        others=tuple(one for one in by_age if one is not lead),
        score=max(one.score for one in members),
    )


class _Groups:
    """Disjoint sets of numbers. Source: Tarjan, JACM 22(2), 1975."""

    def __init__(self, count: int) -> None:
        self._parents = list(range(count))

    def join(self, one: int, other: int) -> None:
        self._parents[self._root(one)] = self._root(other)

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
