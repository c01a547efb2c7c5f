"""Finds which channels a question restricts the search to, ours and unknown ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.planning.addresses import Reader
from agent.planning.handles import handles
from agent.planning.names import NameBook
from agent.planning.phrases import Quotation
from agent.planning.sightings import Sighting, sightings
from agent.planning.spelling import Likeness
from agent.planning.strangers import described, strangers
from agent.planning.words import Span, Word
from ingest.types import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedChannels:
    """What a question says about channels.

    Attributes:
        channels: Those it restricts the search to, in the order of their naming.
        unknown: Channels it names plainly that are not among ours, as it writes them.
        spans: Pieces of the question that only address channels.
        names: The names themselves: no dates and no phrases are to be looked for in them.
    """

    channels: tuple[Channel, ...] = ()
    unknown: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    names: tuple[Span, ...] = ()

    @property
    def is_empty(self) -> bool:
        """The question names no channel."""
        return not self.channels and not self.unknown


def named_channels(
    text: str, words: Sequence[Word], quoted: Sequence[Quotation], book: NameBook
) -> NamedChannels:
    """The channels that a cleaned question addresses; never one that it only speaks of."""
    found: list[tuple[Span, tuple[Channel, ...]]] = []
    unknown: dict[str, Span] = {}
    for handle in handles(text, book):
        if handle.is_topic:
            continue
        if handle.channel is None:
            unknown[handle.written] = handle.span
        else:
            found.append((handle.span, (handle.channel,)))
    taken = [span for span, _ in found] + list(unknown.values())
    names = list(taken)
    for sighting, span in _addressed(text, words, sightings(text, words, book, quoted)):
        if not _overlaps(span, taken):
            found.append((span, sighting.channels))
            names.append((words[sighting.first].start, words[sighting.last - 1].end))
    taken = [span for span, _ in found] + list(unknown.values())
    for span, channels in described(text, words, book):
        if not _overlaps(span, taken):
            found.append((span, channels))
    found.extend((_whole(text, head), (channel,)) for head, channel in book.wide if head in text)
    taken = [span for span, _ in found] + list(unknown.values())
    for span, name in strangers(text, words, quoted):
        if not _overlaps(span, taken):
            unknown.setdefault(name, span)
            names.append(span)
    found.sort(key=lambda pair: pair[0])
    return NamedChannels(
        channels=tuple(dict.fromkeys(channel for _, having in found for channel in having)),
        unknown=tuple(unknown),
        spans=tuple(sorted([span for span, _ in found] + list(unknown.values()))),
        names=tuple(names),
    )


def _addressed(
    text: str, words: Sequence[Word], seen: list[Sighting]
) -> list[tuple[Sighting, Span]]:
    """The sightings that are addresses, and the names that are listed beside them."""
    reader = Reader(text, words)
    accepted: list[tuple[Sighting, Span]] = []
    waiting: list[Sighting] = []
    for sighting in seen:
        span = reader.span(sighting)
        if span is None:
            waiting.append(sighting)
        elif _is_free(sighting, accepted) and not _is_ambiguous(sighting, seen):
            accepted.append((sighting, span))
    is_growing = bool(accepted)
    while is_growing:
        is_growing = False
        for sighting in waiting:
            if _is_free(sighting, accepted) and any(
                reader.joins(sighting, a) for a, _ in accepted
            ):
                accepted.append((sighting, reader.plain(sighting)))
                is_growing = True
    return accepted


def _is_free(sighting: Sighting, accepted: Sequence[tuple[Sighting, Span]]) -> bool:
    return all(sighting.last <= a.first or a.last <= sighting.first for a, _ in accepted)


def _is_ambiguous(sighting: Sighting, seen: Sequence[Sighting]) -> bool:
    """A mistyped or transliterated name that is as near to another channel's."""
    return sighting.likeness <= Likeness.SOUNDS and any(
        (other.first, other.last) == (sighting.first, sighting.last)
        and other.likeness >= sighting.likeness
        and set(other.channels) != set(sighting.channels)
        for other in seen
    )


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _whole(text: str, piece: str) -> Span:
    start = text.index(piece)
    return start, start + len(piece)
