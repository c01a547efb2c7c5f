"""A number with what it counts, and whether it is what another says."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

_APPROXIMATELY = Decimal("0.06")
_FURTHEST = Decimal(3)
"""«Более 3 млрд» is said of 3.5 and hardly of 10: further off, it is another figure."""
_FURTHEST_UNNAMED = Decimal("1.3")
"""The same where nothing tells that both count the same."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text with what it counts.

    Attributes:
        values: Readings of it in the base unit: «3,500» may be 3500 or 3.5.
        unit: Of the base unit; None where none is written.
        bound: 1: more than it, -1: less than it, 0: as it is.
        is_inclusive: Of a bound: "at least", not "more than".
        is_about: Said to be approximate.
        literal: Digits as written, without grouping, a dot for the comma; "" for words.
        noun: Lemma of the word behind it, where that is no unit.
        start: Where it begins in the text that was given.
    """

    values: tuple[Decimal, ...]
    unit: str | None
    start: int
    end: int
    bound: int = 0
    is_inclusive: bool = False
    is_about: bool = False
    literal: str = ""
    noun: str | None = None
    is_ordinal: bool = False
    is_worded: bool = False


def says(evidence: Quantity, claimed: Quantity, *, units: frozenset[str]) -> bool:
    """Whether a quantity of the evidence is what a claim's quantity says.

    Args:
        units: What the evidence measures anywhere: a figure of a table has its unit elsewhere.
    """
    if evidence.unit != claimed.unit:
        is_elsewhere = evidence.unit is None and claimed.unit in units
        if claimed.unit is not None and not is_elsewhere:
            return False
    if evidence.unit is None and claimed.unit is None and _is_version(evidence, claimed):
        return evidence.literal == claimed.literal
    if claimed.bound and evidence.bound == -claimed.bound:
        return False
    return any(
        _fits(value, wanted, evidence, claimed)
        for value in evidence.values
        for wanted in claimed.values
    )


def _is_version(one: Quantity, other: Quantity) -> bool:
    """3.1 and 3.10 are one number and two versions."""
    return all("." in found.literal for found in (one, other))


def _fits(value: Decimal, wanted: Decimal, evidence: Quantity, claimed: Quantity) -> bool:
    if value == wanted:
        is_strict = claimed.bound and not claimed.is_inclusive
        return not is_strict or evidence.bound == claimed.bound or evidence.is_about
    if claimed.is_about:
        return abs(value - wanted) <= _APPROXIMATELY * max(abs(value), abs(wanted))
    if claimed.bound and wanted and value and evidence.bound != claimed.bound:
        further = value / wanted if claimed.bound > 0 else wanted / value
        same = claimed.unit is not None or claimed.noun == evidence.noun
        return 1 < further <= (_FURTHEST if same else _FURTHEST_UNNAMED)
    return False
