"""Finds what a question quotes: channels' titles, and phrases that a post has to contain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.planning.words import Span, Word

_QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|„([^„“”]+)[“”]|\"([^\"]+)\"|‘([^‘’]+)’(?!\w)")
_MAX_PHRASES = 3
"""A post that has to contain more than this is asked for by nobody."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quoted piece: [start, end) with its quotation marks, and the text between them."""

    text: str
    start: int
    end: int

    @property
    def inner(self) -> Span:
        """The piece between the marks."""
        return self.start + 1, self.end - 1


def quotations(text: str) -> tuple[Quotation, ...]:
    """Everything in quotation marks, innermost where they are nested."""
    return tuple(
        Quotation(next(group for group in match.groups() if group), match.start(), match.end())
        for match in _QUOTED.finditer(text)
    )


def must_phrases(
    quoted: Iterable[Quotation], words: Sequence[Word], taken: Iterable[Span]
) -> tuple[str, ...]:
    """The quoted phrases a post has to contain: of two words or more, or a name.

    Args:
        quoted: What the question quotes.
        words: The question's words.
        taken: Pieces that name channels: quoted or not, they are no phrases.
    """
    named = list(taken)
    phrases: list[str] = []
    for quotation in quoted:
        if any(start < quotation.end and quotation.start < end for start, end in named):
            continue
        within = [w for w in words if quotation.start < w.start and w.end < quotation.end]
        # A single word in quotation marks is irony («митинг») unless it is written as a name.
        if len(within) > 1 or (within and within[0].text[0].isupper()):
            phrases.append(quotation.text.strip())
    return tuple(dict.fromkeys(phrases))[:_MAX_PHRASES]
