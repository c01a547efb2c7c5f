"""What stands behind a number: its unit, or the noun that it counts."""

from __future__ import annotations

from collections.abc import Sequence

from agent.verification.number_tokens import Token
from agent.verification.units import CASE_MATTERS, SQUARE, UNITS, Unit, squared
from agent.verification.words import form_of

_ADJECTIVES = frozenset({"ADJF", "PRTF"})
_ORDINAL_ENDINGS = frozenset("й го му м я ая ый ой ю е х th st nd rd".split())
_REACH = 3
"""Words behind a number among which its noun is looked for."""


def unit_behind(tokens: Sequence[Token], at: int) -> tuple[Unit | None, int]:
    """The unit behind a number; an adjective may stand between: «долларов», «новых рублей»."""
    if at < len(tokens) and tokens[at].kind == "dash":
        at += 1  # «25-летний», "5-year"
    if at < len(tokens) and {tokens[at].plain, tokens[at].lemma} & SQUARE:
        found = next(
            (one for one in range(at + 1, min(at + 3, len(tokens))) if _unit(tokens[one])), None
        )
        unit = _unit(tokens[found]) if found is not None else None
        if unit is not None and found is not None:
            return squared(unit), found + 1
    for place in range(at, min(at + 2, len(tokens))):
        token = tokens[place]
        unit = _unit(token) if token.kind == "word" else None
        if unit is not None:
            return unit, place + 1
        if token.kind != "word" or form_of(token.plain).pos not in _ADJECTIVES:
            break
    return None, at if tokens[at - 1].kind != "dash" else at - 1


def _unit(token: Token) -> Unit | None:
    if token.plain in CASE_MATTERS and token.text != token.plain:
        return None
    for name in (token.plain, *form_of(token.plain).lemmas):
        if name in UNITS:
            return UNITS[name]
    return None


def noun_behind(tokens: Sequence[Token], at: int) -> tuple[str | None, bool]:
    """The counted noun, and whether an ending makes the number an ordinal: «5-й», "5th"."""
    if at < len(tokens) and tokens[at].kind == "dash":
        at += 1
    if at >= len(tokens) or tokens[at].kind != "word":
        return None, False
    plain = tokens[at].plain
    if plain in _ORDINAL_ENDINGS:
        return None, True
    for token in tokens[at : at + _REACH]:
        if token.kind != "word":
            break
        form = form_of(token.plain)
        if form.pos == "NOUN" or token.plain.isascii():
            return form.lemmas[0], False
        if form.pos not in _ADJECTIVES:
            break
    return None, False
