"""Cuts a text into the figures, words and signs that quantities are read from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.verification.words import form_of

_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:[ ’']\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:\.[^\W\d_]+)*|[%$€₽£¥₴₸°])"
    r"|(?P<dash>[-–—−])|(?P<other>[^\s])"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A figure, a word or sign of currency, a dash, or another sign."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def plain(self) -> str:
        """Case folded."""
        return self.text.casefold()

    @property
    def lemma(self) -> str:
        """A word's dictionary form; others as they are."""
        return form_of(self.plain).lemmas[0] if self.kind == "word" else self.text


def tokenise(text: str) -> list[Token]:
    """The tokens of a text, in order; white space gives none."""
    return [
        Token(match.lastgroup or "", match.group(), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]
