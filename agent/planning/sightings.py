"""Finds where a question's words may be a channel's name, before asking whether they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agent.planning.dictionary import word_kind
from agent.planning.names import Name, NameBook, NameWord, Part, forms
from agent.planning.phrases import Quotation
from agent.planning.spelling import (
    Likeness,
    is_misheard,
    is_mistyped,
    is_same_stem,
    max_typos,
    sound,
    sounds_same,
)
from agent.planning.words import Word
from ingest.types import Channel

_BETWEEN = re.compile(r"[\s\-–—|•·/&,:'’]{0,4}")
_SHORTEST_JOINED = 6
"""Letters that two words must make together to be a name written apart: "Press TV"."""
_MAX_JOINED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """Words ``words[first:last]`` of a question that may be a name.

    Attributes:
        likeness: Of the word that is least like the name's.
        is_uninflected: Every word stands as in the title: it can be a sentence's subject.
        is_quoted: Quotation marks hold exactly these words.
    """

    name: Name
    first: int
    last: int
    likeness: Likeness
    is_uninflected: bool
    is_quoted: bool

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Whose name it would be."""
        return self.name.channels

    def rank(self) -> tuple[int, int, int]:
        """The larger one of two overlapping sightings is meant."""
        return self.last - self.first, self.likeness, -self.name.part


def sightings(
    text: str, words: Sequence[Word], book: NameBook, quoted: Sequence[Quotation]
) -> list[Sighting]:
    """Every possible name in a question, best first where they overlap; not yet resolved."""
    found: list[Sighting] = []
    for first in range(len(words)):
        for name, last, likeness in _names_at(text, words, first, book):
            holder = _holder(words[first].start, words[last - 1].end, quoted)
            if holder is not None and not _fills(holder, words, first, last):
                continue  # a piece of somebody's quoted words
            found.append(
                Sighting(
                    name=name,
                    first=first,
                    last=last,
                    likeness=likeness,
                    is_uninflected=_is_uninflected(words[first:last], name, likeness),
                    is_quoted=holder is not None,
                )
            )
    return sorted(found, key=Sighting.rank, reverse=True)


def _names_at(
    text: str, words: Sequence[Word], first: int, book: NameBook
) -> Iterator[tuple[Name, int, Likeness]]:
    for name in _candidates(words[first], book):
        last = first + len(name.words)
        if last > len(words) or not _adjacent(text, words[first:last]):
            continue
        alike = [
            likeness(word, meant)
            for word, meant in zip(words[first:last], name.words, strict=True)
        ]
        if min(alike):
            yield name, last, min(alike)
    yield from _written_apart(text, words, first, book)


def _candidates(word: Word, book: NameBook) -> Iterator[Name]:
    """Names whose first word may be this one."""
    seen = dict.fromkeys(
        name for form in forms(word.key, word.lemma) for name in book.first.get(form, ())
    )
    yield from seen
    if not max_typos(len(word.key)) or word_kind(word.key).is_known:
        return
    for key, names in book.first_words.items():
        if names[0] not in seen and _is_slip(word.key, key):
            yield from (name for name in names if name not in seen)


def _written_apart(
    text: str, words: Sequence[Word], first: int, book: NameBook
) -> Iterator[tuple[Name, int, Likeness]]:
    """Names whose words are written together or apart otherwise than in the title."""
    together = ""
    for last in range(first + 1, min(first + _MAX_JOINED, len(words)) + 1):
        together += words[last - 1].key
        if len(together) < _SHORTEST_JOINED or not _adjacent(text, words[first:last]):
            continue
        for name in book.joined.get(together, ()):
            if len(name.words) != last - first:
                yield name, last, Likeness.SAME


def likeness(word: Word, meant: NameWord) -> Likeness:
    """How much a word of a question is a word of a name."""
    if word.key == meant.key:
        return Likeness.SAME
    is_known = word_kind(word.key).is_known
    if word.is_cyrillic and not meant.key.isascii():
        same_stem = is_same_stem(word.key, meant.key)
        # The dictionary's first guess at a title may be wrong («Вести» is not «вести»), but two
        # words it knows under different lemmas are two words, unless a capital says otherwise.
        if word.lemma == meant.lemma or (same_stem and (not is_known or word.is_capital)):
            return Likeness.INFLECTED
    if sounds_same(word.key, meant.key) and (not is_known or word.is_proper):
        return Likeness.SOUNDS
    if not is_known and _is_slip(word.key, meant.key):
        return Likeness.MISTYPED
    return Likeness.NONE


def _is_slip(word: str, name: str) -> bool:
    return is_mistyped(word, name) or is_misheard(word, name)


def _adjacent(text: str, words: Sequence[Word]) -> bool:
    return all(_BETWEEN.fullmatch(text[word.end : after.start]) for word, after in pairwise(words))


def _holder(start: int, end: int, quoted: Sequence[Quotation]) -> Quotation | None:
    return next((q for q in quoted if q.start < start and end < q.end), None)


def _fills(quotation: Quotation, words: Sequence[Word], first: int, last: int) -> bool:
    return not any(
        quotation.start < word.start < quotation.end
        for index, word in enumerate(words)
        if not first <= index < last
    )


def _is_uninflected(words: Sequence[Word], name: Name, alike: Likeness) -> bool:
    if alike is Likeness.SOUNDS and name.part is Part.WORD:
        return sound(words[0].key) == sound(name.words[0].key)
    if alike is Likeness.SOUNDS:  # how the whole of a foreign name is heard is not so sure
        return True
    if alike is Likeness.MISTYPED or len(words) != len(name.words):
        return True
    return all(word.key == meant.key for word, meant in zip(words, name.words, strict=True))
