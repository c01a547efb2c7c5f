"""What the Russian dictionary knows of a word: whether it is one, and what kind of word."""

from __future__ import annotations

import functools
import re
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_GRAMMEME = re.compile(r"[^\s,]+")
_MARGINAL = 0.06
"""Readings of a word that are rarer than this share of its uses are not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordKind:
    """What a Russian word can be. A word that the dictionary lacks is guessed to be a noun.

    Attributes:
        is_known: The dictionary has it, in any form.
        is_organisation: Every reading of it names an organisation or a brand («ТАСС»).
        is_place, is_person: It may be a place; a person's name or surname.
        is_nominative: It may stand as a title does, uninflected.
        is_plural: It may be a plural.
    """

    is_known: bool
    is_noun: bool = True
    is_verb: bool = False
    is_organisation: bool = False
    is_place: bool = False
    is_person: bool = False
    is_nominative: bool = True
    is_plural: bool = False


_UNKNOWN = WordKind(is_known=False)
_lock = threading.Lock()


@functools.lru_cache(maxsize=8192)
def word_kind(word: str) -> WordKind:
    """The kinds of one word in its searchable form; words of other alphabets are unknown."""
    if not _CYRILLIC.search(word):
        return _UNKNOWN
    with _lock:  # the analyzer's own caches are not made for threads
        analyzer = _analyzer()
        if not analyzer.word_is_known(word):
            return _UNKNOWN
        parses = [parse for parse in analyzer.parse(word) if parse.score >= _MARGINAL]
    tags = [frozenset(_GRAMMEME.findall(str(parse.tag))) for parse in parses]
    return WordKind(
        is_known=True,
        is_noun=any("NOUN" in tag for tag in tags),
        is_verb=any(tag & {"VERB", "INFN"} for tag in tags),
        is_organisation=all(tag & {"Orgn", "Trad"} for tag in tags),
        is_place=any("Geox" in tag for tag in tags),
        is_person=any(tag & {"Surn", "Name"} for tag in tags),
        is_nominative=any("nomn" in tag for tag in tags),
        is_plural=any(tag >= {"nomn", "plur"} for tag in tags),
    )


@functools.cache
def _analyzer() -> MorphAnalyzer:
    from pymorphy3 import MorphAnalyzer  # noqa: PLC0415 - dictionaries load with it

    return MorphAnalyzer(lang="ru")
