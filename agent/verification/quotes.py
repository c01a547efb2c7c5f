"""Words that a claim gives as somebody's own: they have to stand in the post to the letter."""

from __future__ import annotations

import re

from ingest.text.normalise import searchable

_QUOTED = re.compile(r"«([^«»]{2,})»|“([^“”]{2,})”|„([^„“”]{2,})[“”]|\"([^\"\n]{2,})\"")
_MARKS = re.compile(r"[^\w%$€₽+]+")
_ELLIPSIS = re.compile(r"\s*(?:\[?…\]?|\[?\.{3}\]?)\s*")
_MIN_WORDS = 3
"""Shorter ones are mostly names and titles, which take case endings."""


def flattened(text: str) -> str:
    """Words and figures alone: what is left when marks, spaces and case do not matter."""
    return " ".join(_MARKS.sub(" ", searchable(text)).split())


def stands_in(quote: str, text: str) -> bool:
    """Whether the words of a quote stand in a text in a row; an ellipsis may skip some."""
    held = f" {flattened(text)} "
    at = 0
    for part in _ELLIPSIS.split(quote):
        wanted = flattened(part)
        if not wanted:
            continue
        found = held.find(f" {wanted} ", at)
        if found < 0:
            return False
        at = found + len(wanted)
    return True


def quoted(claim: str) -> list[str]:
    """The quotations of a claim that are long enough to be somebody's words."""
    found = ("".join(groups) for groups in _QUOTED.findall(claim))
    return [one for one in found if len(flattened(one).split()) >= _MIN_WORDS]
