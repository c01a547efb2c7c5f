"""Reads holidays by their names: "last Easter", «в День Победы», "Christmas 2025"."""

from __future__ import annotations

from agent.dates.grammar import years
from agent.dates.grammar.found import Found
from agent.dates.holidays import ENGLISH_HOLIDAYS, RUSSIAN_HOLIDAYS, Holiday
from agent.dates.meanings import Role
from agent.dates.nodes import Yearly
from agent.dates.tokens import Token, Words

_MAX_ENDING_CHARS = 4  # of a Russian case: «масленицами»


Pattern = tuple[tuple[tuple[str, ...], ...], Holiday]
_KEY_CHARS = 2


def _by_beginning(*tables: dict[str, Holiday]) -> dict[str, list[Pattern]]:
    """The patterns by the first letters of their first words, for most words begin none."""
    found: dict[str, list[Pattern]] = {}
    for table in tables:
        for name, make in table.items():
            pattern = tuple(tuple(word.split("|")) for word in name.split())
            for key in {form[:_KEY_CHARS] for form in pattern[0]}:
                found.setdefault(key, []).append((pattern, make))
    return found


_PATTERNS = _by_beginning(RUSSIAN_HOLIDAYS, ENGLISH_HOLIDAYS)


def begins_holiday(token: Token) -> bool:
    """Tells whether a holiday's name may begin with the word."""
    return token.norm[:_KEY_CHARS] in _PATTERNS


def holiday(words: Words, at: int) -> Found | None:
    """A holiday, surely a date only with a year or its like; a preposition makes it one too."""
    start = words.skip(at, Role.THE)
    shift = words[start].meaning.shift
    place = start if shift is None else start + 1
    best: tuple[int, Holiday] | None = None
    for pattern, make in _PATTERNS.get(words[place].norm[:_KEY_CHARS], ()):
        length = len(pattern)
        if best and length <= best[0]:
            continue
        if all(_fits(words[place + i], forms) for i, forms in enumerate(pattern)):
            best = (length, make)
    if best is None:
        return None
    node = Yearly(make=best[1], shift=shift)
    if shift is not None:
        return Found(node=node, end=place + best[0])
    return years.with_year(words, node, place + best[0], is_firm=False)


def _fits(token: Token, forms: tuple[str, ...]) -> bool:
    return any(_is_form(token.norm, form) for form in forms)


def _is_form(norm: str, form: str) -> bool:
    if form.endswith("$") or form < "а" or len(form) < _MAX_ENDING_CHARS:
        return norm == form.removesuffix("$")
    return norm.startswith(form) and len(norm) - len(form) < _MAX_ENDING_CHARS
