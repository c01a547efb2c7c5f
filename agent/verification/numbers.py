"""Finds the quantities of a text, in digits and in words."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from agent.verification.counted import noun_behind, unit_behind
from agent.verification.number_tokens import Token, tokenise
from agent.verification.number_values import number, readings
from agent.verification.numerals import FACTORS, FRACTIONS, ORDINALS
from agent.verification.quantity import Quantity
from agent.verification.units import UNITS

_BOUNDS: dict[str, int] = {
    "более": 1, "больше": 1, "свыше": 1, "over": 1, "more": 1, "exceed": 1, "abov": 1,
    "минимум": 1, "least": 1, "менее": -1, "меньше": -1, "under": -1, "less": -1, "fewer": -1,
    "below": -1, "максимум": -1, "most": -1, "up": -1, "превысить": 1, "превышать": 1,
}  # fmt: skip
_APPROXIMATE = frozenset(
    "около примерно порядка порядок почти приблизительно about around near near approxim almost "
    "rough some чуть ~ ≈".split()
)
_INCLUSIVE = frozenset({"минимум", "least", "максимум", "most", "up"})
_TO = frozenset({"до", "to", "по"})
_BOUND_WORDS_BEFORE = 3


@functools.lru_cache(maxsize=8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a text in reading order. Dates are to be blanked out of it before."""
    tokens = tokenise(text)
    return tuple(_in_ranges(_found(tokens), tokens))


def _found(tokens: Sequence[Token]) -> Iterator[Quantity]:
    at = 0
    while at < len(tokens):
        read = _quantity(tokens, at)
        if read is None:
            at += 1
            continue
        quantity, at = read
        yield quantity


def _quantity(tokens: Sequence[Token], at: int) -> tuple[Quantity, int] | None:
    """The quantity that begins at a token, and where the next one may."""
    token = tokens[at]
    if token.kind == "word" and token.lemma in FACTORS:
        factor = (FACTORS[token.lemma],)
        return Quantity(factor, "times", token.start, token.end, is_worded=True), at + 1
    if token.kind == "word" and token.lemma in FRACTIONS and token.plain not in {"quarter"}:
        return _fraction(tokens, at)
    if token.kind == "word" and token.lemma in ORDINALS:
        value = (ORDINALS[token.lemma],)
        ordinal = Quantity(
            value, None, token.start, token.end, is_ordinal=True, is_worded=True,
            noun=noun_behind(tokens, at + 1)[0],
        )  # fmt: skip
        return ordinal, at + 1
    if token.kind == "number" and ":" in token.text:
        return _score(token), at + 1
    read = number(tokens, at)
    if read is None:
        return None
    values, after = read
    return _with_unit(tokens, at, after, values)


def _score(token: Token) -> Quantity:
    """«3:1», compared as a whole."""
    value = Decimal(re.sub(r"\D", "", token.text.replace(":", "000")))
    return Quantity((value,), "ratio", token.start, token.end, literal=token.text)


def _fraction(tokens: Sequence[Token], at: int) -> tuple[Quantity, int]:
    token = tokens[at]
    quantity = Quantity((FRACTIONS[token.lemma],), "share", token.start, token.end, is_worded=True)
    return _bounded(quantity, tokens, at), at + 1


def _with_unit(
    tokens: Sequence[Token], at: int, after: int, values: tuple[Decimal, ...]
) -> tuple[Quantity, int]:
    token = tokens[at]
    unit, end = unit_behind(tokens, after)
    before = tokens[at - 1] if at else None
    if before is not None and before.plain in set("$€₽£¥₴₸"):
        unit, end = UNITS[before.plain], max(end if unit == UNITS[before.plain] else after, after)
    noun = None
    is_ordinal = False
    if unit is None:
        noun, is_ordinal = noun_behind(tokens, after)
    literal = re.sub(r"[ ’']", "", token.text).replace(",", ".") if token.kind == "number" else ""
    factor = unit.factor if unit else Decimal(1)
    quantity = Quantity(
        values=tuple(value * factor for value in values),
        unit=unit.measures if unit else None,
        start=token.start,
        end=tokens[end - 1].end,
        literal=literal,
        noun=noun,
        is_ordinal=is_ordinal,
        is_worded=token.kind == "word",
    )
    return _bounded(quantity, tokens, at), end


def _bounded(quantity: Quantity, tokens: Sequence[Token], at: int) -> Quantity:
    """The quantity with what the words before it make of it: more than, at most, about."""
    bound, is_inclusive, is_about = 0, False, False
    for place in range(at - 1, max(-1, at - 1 - _BOUND_WORDS_BEFORE), -1):
        token = tokens[place]
        if token.kind == "number" or (token.kind == "other" and token.text not in "~≈("):
            break
        if token.lemma in _APPROXIMATE or token.plain in _APPROXIMATE or token.text in "~≈":
            is_about = True
        name = token.plain if token.plain in _BOUNDS else token.lemma
        if name in _BOUNDS and not bound:
            bound, is_inclusive = _BOUNDS[name], name in _INCLUSIVE
            if place and tokens[place - 1].plain in {"не", "no", "not"}:
                bound, is_inclusive = -bound, True
    return replace(quantity, bound=bound, is_inclusive=is_inclusive, is_about=is_about)


def _in_ranges(found: Iterator[Quantity], tokens: Sequence[Token]) -> list[Quantity]:
    """Gives the first figure of «2–3 млн» and of «от 2 до 3 млн» the unit of the second."""
    every = list(found)
    starts = {token.start: number for number, token in enumerate(tokens)}
    for place, (first, second) in enumerate(pairwise(every)):
        joint = tokens[starts[second.start] - 1]
        is_range = joint.kind == "dash" or joint.plain in _TO
        is_bare = first.unit is None and not first.is_worded
        if not (is_range and is_bare and joint.start - first.end <= 1 and first.literal):
            continue
        base = readings(second.literal)[0] if second.literal else Decimal(0)
        factor = second.values[0] / base if base else Decimal(1)
        every[place] = replace(
            first,
            values=tuple(value * factor for value in first.values),
            unit=second.unit,
            noun=first.noun or second.noun,
        )
    return every
