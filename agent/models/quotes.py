"""Finds the words that a model calls a quote in the post they are said to come from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from agent.models.posts import CITATION_MARK
from ingest.text.normalise import searchable

_MIN_LETTERS = 3
"""Of a quote: "да" stands everywhere and proves nothing."""

_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ`"), "'")
_QUOTATION_MARKS = dict.fromkeys(map(ord, '«»„“”‟"'), "")
_ALIKE = _DASHES | _APOSTROPHES | _QUOTATION_MARKS
_EDGES = " .,;:!?…-*_'"


def find_quote(quote: str, text: str) -> str | None:
    """The part of `text` that is `quote`, as it stands there; None: it does not.

    Case, white space, kinds of dashes and of quotation marks, hidden characters and
    citation-like marks are not compared; whole words are.
    """
    wanted, _ = _folded(quote)
    wanted = wanted.strip(_EDGES)
    if sum(char.isalnum() for char in wanted) < _MIN_LETTERS:
        return None
    folded, places = _folded(text)
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded)
    if found is None:
        return None
    return text[places[found.start()][0] : places[found.end() - 1][1]]


def _folded(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The compared form of a text, and for each of its characters where it comes from."""
    chars: list[str] = []
    places: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        for char in searchable(text[start:end]).translate(_ALIKE):
            plain = " " if char.isspace() else char
            if plain == " " and (not chars or chars[-1] == " "):
                continue
            chars.append(plain)
            places.append((start, end))
    return "".join(chars), places


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """The characters with the accents that follow them, citation-like marks left out."""
    marks = {match.start(): match.end() for match in CITATION_MARK.finditer(text)}
    at = 0
    while at < len(text):
        if at in marks:
            at = marks[at]
            continue
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        yield at, end
        at = end
