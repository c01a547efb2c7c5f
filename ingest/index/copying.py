"""Finds the copies of posts as they come, for the index process as it drains the outbox."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ingest.store.archive import Archive
from ingest.store.copies import Copies, CopyMark, FreshText
from ingest.text.bands import MIN_SHARED, bands
from ingest.text.fingerprint import copy_hash_of, text_key
from ingest.text.near_copies import MAX_WORDS, are_copies
from ingest.text.wording import Word, wording
from ingest.types import Message, MessageKind, MessageRef

COMMON_BAND = 400
"""Texts: a run of words that so many begin or end with is a channel's habit."""

MAX_COMPARED = 48
"""Texts that one is compared with, the likeliest first: some 20 ms at worst."""

_TEXTS_REMEMBERED = 4096
_EXAMPLES = 3

Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class _Text:
    """A text that is new, ready to be compared."""

    key: int
    words: Words
    bands: tuple[int, ...]


class CopyFinder:
    """Keeps `Copies` up to the archive. One task at a time."""

    def __init__(self, archive: Archive, copies: Copies) -> None:
        self._archive, self._copies = archive, copies
        self._remembered: OrderedDict[int, Words] = OrderedDict()

    async def look(self, found: Collection[Message], gone: Collection[MessageRef]) -> None:
        """Files some posts that are new or changed, and drops those that are gone."""
        marked = await asyncio.to_thread(lambda: [_marked(one) for one in found])
        cut = {mark.text_key: words for mark, words in marked if mark.text_key is not None}
        known = await self._copies.known(cut)
        fresh = await asyncio.to_thread(
            lambda: [_text(key, words) for key, words in cut.items() if key not in known]
        )
        texts = await self._compare(fresh)
        await self._copies.file([mark for mark, _ in marked], gone, texts)

    async def _compare(self, fresh: Sequence[_Text]) -> list[FreshText]:
        likely = await self._likely(fresh)
        await self._recall({key for keys in likely.values() for key in keys}, fresh)
        return await asyncio.to_thread(
            lambda: [
                FreshText(key=one.key, bands=one.bands, near=self._near(one, likely[one.key]))
                for one in fresh
            ]
        )

    async def _likely(self, fresh: Sequence[_Text]) -> dict[int, list[int]]:
        """The texts that each may be a copy of, the likeliest first."""
        every = {band for one in fresh for band in one.bands}
        holders = await self._copies.holders(every, at_most=COMMON_BAND)
        for one in fresh:
            for band in one.bands:
                holders.setdefault(band, []).append(one.key)
        return {one.key: _sharing(one, holders) for one in fresh}

    async def _recall(self, keys: Collection[int], fresh: Iterable[_Text]) -> None:
        """Has the words of some texts at hand."""
        for one in fresh:
            self._remember(one.key, one.words)
        missing = [key for key in keys if key not in self._remembered]
        if not missing:
            return
        posts = await self._copies.posts(missing)
        refs = {ref for some in posts.values() for ref in some[:_EXAMPLES]}
        held = await self._archive.messages(refs)
        for message in held.values():
            mark, words = await asyncio.to_thread(_marked, message)
            if mark.text_key is not None:
                self._remember(mark.text_key, words)

    def _near(self, one: _Text, likely: Iterable[int]) -> frozenset[int]:
        return frozenset(
            key
            for key in likely
            if (words := self._remembered.get(key)) is not None and are_copies(one.words, words)
        )

    def _remember(self, key: int, words: Words) -> None:
        self._remembered[key] = words
        self._remembered.move_to_end(key)
        # What the batch at hand needs must not be lost on the way: a batch is far smaller.
        while len(self._remembered) > _TEXTS_REMEMBERED:
            self._remembered.popitem(last=False)


def _marked(message: Message) -> tuple[CopyMark, Words]:
    words = wording(message.body()) if message.kind is not MessageKind.SERVICE else ()
    copied = copy_hash_of(words)
    forward, origin = message.forward, None
    if forward and forward.channel_id is not None and forward.message_id is not None:
        origin = MessageRef(forward.channel_id, forward.message_id)
    mark = CopyMark(
        ref=MessageRef(message.channel_id, message.message_id),
        text_key=text_key(copied) if copied else None,
        origin=origin,
    )
    return mark, words


def _text(key: int, words: Words) -> _Text:
    # Books and documents are copies only to the letter.
    return _Text(key, words, bands(words) if len(words) <= MAX_WORDS else ())


def _sharing(one: _Text, holders: Mapping[int, Sequence[int]]) -> list[int]:
    shared = Counter(key for band in one.bands for key in holders.get(band, ()))
    del shared[one.key]
    return [key for key, count in shared.most_common(MAX_COMPARED) if count >= MIN_SHARED]
