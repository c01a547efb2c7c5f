"""Cuts long posts into passages that an encoder reads whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ingest.text.sentences import Span, sentences

MAX_TITLE_CHARS = 200
"""A first line longer than this is no title, and is not repeated with each passage."""

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a post that is searched as one.

    Attributes:
        start, end: Where it stands in the post, in code points.
        text: What is encoded: the post's title, unless it is in there already, and the part.
    """

    start: int
    end: int
    text: str


def cut(body: str, *, max_tokens: int, count_tokens: Callable[[str], int]) -> list[Passage]:
    """Passages of a post, in order, together all of its sentences.

    Cuts fall between sentences; only a sentence that is too long alone is cut between words.
    No passage takes more than `max_tokens`, its title included, however the tokens fall.
    """
    spans = sentences(body)
    if not spans:
        return []
    if _surely_short(body, max_tokens) or count_tokens(body) <= max_tokens:
        return [Passage(spans[0].start, spans[-1].end, body.strip())]
    title = _title(body, spans, max_tokens, count_tokens)
    return list(_gather(body, spans, title, max_tokens, count_tokens))


def _surely_short(body: str, max_tokens: int) -> bool:
    """Spares counting: no tokeniser here makes more tokens than UTF-8 bytes and a few marks."""
    return len(body.encode("utf-8", "replace")) + 8 <= max_tokens


def _title(
    body: str, spans: Sequence[Span], max_tokens: int, count_tokens: Callable[[str], int]
) -> str:
    first = body[spans[0].start : spans[0].end]
    if len(first) > MAX_TITLE_CHARS or count_tokens(first) > max_tokens // 4:
        return ""
    return first


def _gather(
    body: str,
    spans: Sequence[Span],
    title: str,
    max_tokens: int,
    count_tokens: Callable[[str], int],
) -> Iterator[Passage]:
    def text_of(start: int, end: int) -> str:
        part = body[start:end]
        return f"{title}\n{part}" if title and start > spans[0].start else part

    def fits(start: int, end: int) -> bool:
        return count_tokens(text_of(start, end)) <= max_tokens

    pieces = [piece for span in spans for piece in _pieces(body, span, fits)]
    start, end = pieces[0].start, pieces[0].end
    for piece in pieces[1:]:
        if fits(start, piece.end):
            end = piece.end
            continue
        yield Passage(start, end, text_of(start, end))
        start, end = piece.start, piece.end
    yield Passage(start, end, text_of(start, end))


def _pieces(body: str, span: Span, fits: Callable[[int, int], bool]) -> Iterator[Span]:
    """The sentence itself; or, if it is too long alone, as few runs of its words as fit."""
    if fits(span.start, span.end):
        yield span
        return
    start = end = span.start
    for word in _WORD.finditer(body, span.start, span.end):
        if not fits(start, word.end()):
            if end > start:
                yield Span(start, end)
            start = word.start()
            while not fits(start, word.end()):  # a "word" of thousands of letters
                half = _longest(start, word.end(), fits)
                yield Span(start, half)
                start = half
        end = word.end()
    if end > start:
        yield Span(start, end)


def _longest(start: int, end: int, fits: Callable[[int, int], bool]) -> int:
    """The largest end that fits, at least one character on."""
    low, high = start + 1, end
    while low < high:
        middle = (low + high + 1) // 2
        if fits(start, middle):
            low = middle
        else:
            high = middle - 1
    return low
