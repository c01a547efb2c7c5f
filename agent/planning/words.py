"""Cuts a question into words that remember where and how they were written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.planning.vocabulary import EMPTY
from ingest.text.lemmas import lemma
from ingest.text.normalise import searchable, untangle, without_invisible

Span = tuple[int, int]
"""A piece of the question: half-open, in code points."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_SENTENCE_END = re.compile(r"[.!?…\n]\s*[\"«“„(—–-]*\s*$")
_SPACES = re.compile(r"\s+")
_LOUD = 0.6
"""Share of words in capitals from which on a capital letter says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word of a question.

    Attributes:
        text: As it was written.
        key: In its searchable form, without an ending after an apostrophe ("Habr's").
        start, end: Where it stands in the cleaned question.
        is_capital: Written with a capital letter that means something: in a question that
            shouts, no capital does.
        opens: It begins a sentence, where anything has a capital letter.
        follows_hyphen: It is a later part of a compound.
    """

    text: str
    key: str
    lemma: str
    start: int
    end: int
    is_capital: bool
    opens: bool
    follows_hyphen: bool

    @property
    def is_proper(self) -> bool:
        """Written as names are: a capital letter inside a sentence, or Latin in any place."""
        return self.is_capital and not self.opens

    @property
    def is_cyrillic(self) -> bool:
        """It has Cyrillic letters."""
        return bool(_CYRILLIC.search(self.key))

    @property
    def is_empty(self) -> bool:
        """It says nothing of what the question is about."""
        return self.lemma in EMPTY or self.key in EMPTY


def clean(text: str) -> str:
    """A question on one line, in composed characters, nothing invisible; the case stays."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", without_invisible(text))).strip()


def words_of(text: str) -> tuple[Word, ...]:
    """The words of a cleaned text in reading order; hyphens and underscores divide words."""
    found = list(_WORD.finditer(text))
    loud = sum(match.group().isupper() and len(match.group()) > 1 for match in found)
    shouts = len(found) > 1 and loud >= _LOUD * len(found)
    return tuple(_word(text, match, shouts=shouts) for match in found)


def _word(text: str, match: re.Match[str], *, shouts: bool) -> Word:
    written = match.group()
    key = untangle(searchable(written)).replace("’", "'")
    head, ending, _ = key.partition("'")
    if ending and not _CYRILLIC.search(head):
        key = head  # "Habr's", «Cybred'а»; but «п'ять» is one Ukrainian word
    before = text[: match.start()]
    return Word(
        text=written,
        key=key,
        lemma=lemma(key),
        start=match.start(),
        end=match.end(),
        is_capital=written[0].isupper() and not shouts,
        opens=not _WORD.search(before) or bool(_SENTENCE_END.search(before)),
        follows_hyphen=before.endswith("-") and before[-2:-1].isalnum(),
    )


def outside(words: Iterable[Word], spans: Sequence[Span]) -> tuple[Word, ...]:
    """The words that touch none of the spans."""
    return tuple(
        word
        for word in words
        if not any(start < word.end and word.start < end for start, end in spans)
    )


def spelled(words: Iterable[Word]) -> str:
    """Some words of one or more questions as a text; compounds stay together."""
    text = ""
    previous: Word | None = None
    for word in words:
        is_part = word.follows_hyphen and previous is not None and previous.end + 1 == word.start
        text += ("-" if is_part else " " if text else "") + word.text
        previous = word
    return text


_LOOSE = " ,;:–—-"
_MARKS = (".", ",", ";", ":", "?", "!", ")", "»", "…")


def without(text: str, spans: Iterable[Span]) -> str:
    """The text without some pieces, and without the commas and dashes that only held them."""
    kept, position = "", 0
    for start, end in sorted(spans):
        kept = _joined(kept, text[position : max(start, position)])
        position = max(end, position)
    return _joined(kept, text[position:], is_last=True) if position else text


def _joined(left: str, right: str, *, is_last: bool = False) -> str:
    left, right = left.rstrip(), right.lstrip() if left or is_last else right
    if left.endswith("(") and right.startswith(")"):
        left, right = left[:-1].rstrip(), right[1:].lstrip()
    if left.endswith(",") and right.startswith(","):  # a parenthesis: «…, по данным X, …»
        left, right = left[:-1], right[1:].lstrip()
    if not left or left[-1] in _LOOSE:
        right = right.lstrip(_LOOSE)
    if not right or right[0] in ".?!…":
        left = left.rstrip(_LOOSE)
    return left + (" " if left and right and not right.startswith(_MARKS) else "") + right
