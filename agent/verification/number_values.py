"""Reads the value of a number, written in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from agent.verification.number_tokens import Token
from agent.verification.numerals import NUMERALS
from agent.verification.units import MAGNITUDES, ONLY_AFTER_DIGITS, UNITS

_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_MAX_DIGITS = 24
"""Longer rows of digits count nothing."""
_HUNDRED = Decimal(100)


def number(tokens: Sequence[Token], at: int) -> tuple[tuple[Decimal, ...], int] | None:
    """The number that begins at a token, and where the text goes on; None: there is none.

    It is digits with magnitudes, or numerals in a row. «3,500» has two readings.
    """
    token = tokens[at]
    if token.kind == "number":
        if len(token.text) > _MAX_DIGITS:
            return None
        values, after = readings(token.text), at + 1
        magnitude, after = _magnitude(tokens, after)
        return tuple(value * magnitude for value in values), after
    if token.kind != "word" or not (token.lemma in NUMERALS or _is_bare_magnitude(token)):
        return None
    return _worded(tokens, at)


def _is_bare_magnitude(token: Token) -> bool:
    """«Миллион рублей» is 1,000,000; «миллионы людей» are no figure."""
    is_one = token.plain in {"тысяча", "тысячу", "миллион", "миллиард", "триллион", "сотню"}
    return is_one or token.plain in {"million", "billion", "trillion", "thousand", "hundred"}


def _worded(tokens: Sequence[Token], at: int) -> tuple[tuple[Decimal, ...], int]:
    total, current = Decimal(0), Decimal(0)
    while at < len(tokens):
        token = tokens[at]
        if _joins(tokens, at, current):
            at += 1
            continue
        if token.kind != "word":
            break
        if token.lemma in NUMERALS:
            current += NUMERALS[token.lemma]
        elif token.lemma in MAGNITUDES and token.plain not in ONLY_AFTER_DIGITS:
            scaled = (current or Decimal(1)) * MAGNITUDES[token.lemma]
            if MAGNITUDES[token.lemma] == _HUNDRED:  # "two hundred thousand" goes on
                current = scaled
            else:
                total, current = total + scaled, Decimal(0)
        else:
            break
        at += 1
    return (total + current,), at


def _joins(tokens: Sequence[Token], at: int, current: Decimal) -> bool:
    """Whether a token is the dash of "twenty-five"."""
    is_dash = tokens[at].kind == "dash" and at + 1 < len(tokens)
    is_ten = bool(current) and current % 10 == 0
    return is_dash and is_ten and tokens[at + 1].lemma in NUMERALS


def readings(written: str) -> tuple[Decimal, ...]:
    """What digits with points and commas may mean."""
    bare = re.sub(r"[ ’']", "", written)
    if not re.search(r"[.,]", bare):
        return (Decimal(bare),)
    decimals = bare.replace(",", ".")
    found = []
    if _THOUSANDS.fullmatch(bare) and not bare.startswith("0"):
        found.append(Decimal(re.sub(r"[.,]", "", bare)))
    if decimals.count(".") == 1:
        found.append(Decimal(decimals))
    mixed = re.fullmatch(r"(\d{1,3}(?:,\d{3})+)\.(\d+)", bare)
    if mixed:
        found.append(Decimal(f"{mixed[1].replace(',', '')}.{mixed[2]}"))
    return tuple(found) or (Decimal(re.sub(r"\D", "", bare)),)


def _magnitude(tokens: Sequence[Token], at: int) -> tuple[Decimal, int]:
    product = Decimal(1)
    while at < len(tokens) and tokens[at].kind == "word":
        token = tokens[at]
        name = token.plain if token.plain in MAGNITUDES else token.lemma
        if name not in MAGNITUDES:
            break
        if name in ONLY_AFTER_DIGITS and not (
            tokens[at - 1].end == token.start and _is_scaled(tokens, at)
        ):
            break
        product *= MAGNITUDES[name]
        at = at + 1
        if at < len(tokens) and tokens[at].text == ".":
            at += 1
    return product, at


def _is_scaled(tokens: Sequence[Token], at: int) -> bool:
    """Whether «k» or «m» behind digits scales them: «5m» alone is five metres."""
    is_money = at > 1 and tokens[at - 2].plain in UNITS
    return is_money or tokens[at].plain not in {"m"}
