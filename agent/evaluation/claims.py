"""How well verification tells supported claims from others, on labelled claims."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from agent.evaluation.datasets import BadDataset, read_rows
from agent.evaluation.metrics import interval, percentile
from agent.verification.checking import Post, Strictness, check
from ingest.text.sentences import sentences

LABELS = ("supported", "not_supported", "refuted")
_NO_DAY = date(2000, 1, 1)
"""Of evidence without a date; its «вчера» is then compared as a word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledClaim:
    """A claim, what it is said to rest on, and whether it does.

    Attributes:
        label: One of `LABELS`.
        source: Which set it comes from.
    """

    id: str
    claim: str
    evidence: str
    label: str
    source: str
    posted_on: date = _NO_DAY

    @property
    def is_supported(self) -> bool:
        """What verification has to find."""
        return self.label == "supported"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRow:
    """A claim with what verification found."""

    row: LabelledClaim
    supported: bool
    support: float
    problems: tuple[str, ...]
    took_ms: float


def load_claims(path: Path) -> list[LabelledClaim]:
    """The claims of a file.

    Raises:
        BadDataset: It cannot be read.
    """
    claims = []
    for number, row in read_rows(path):
        try:
            claims.append(_claim(row))
        except (KeyError, TypeError, ValueError) as error:
            raise BadDataset(f"{path}, line {number}: not a labelled claim ({error})") from error
    return claims


def _claim(row: dict[str, Any]) -> LabelledClaim:
    label = row["label"]
    if label not in LABELS:
        raise ValueError(f"label {label!r}")
    posted_on = row.get("posted_on")
    return LabelledClaim(
        id=str(row["id"]),
        claim=_unescaped(row["claim"]),
        evidence=_unescaped(row["evidence"]),
        label=label,
        source=str(row.get("source") or "claims"),
        posted_on=date.fromisoformat(posted_on) if posted_on else _NO_DAY,
    )


def _unescaped(text: str) -> str:
    """A text without the quotation marks that CSV puts around one that has some of its own."""
    if text.startswith('"') and text.endswith('"') and '""' in text[1:-1]:
        text = text[1:-1]
    return text.replace('""', '"')


def check_claims(
    claims: Sequence[LabelledClaim], *, strictness: Strictness = Strictness()
) -> Iterator[CheckedRow]:
    """Checks one claim after the other. CPU work of milliseconds for each."""
    for one in claims:
        began = time.perf_counter()
        parts = tuple(one.evidence[span.start : span.end] for span in sentences(one.evidence))
        finding = check(
            one.claim, Post(sentences=parts, posted_on=one.posted_on), strictness=strictness
        )
        yield CheckedRow(
            row=one,
            supported=not finding.problems,
            support=finding.support,
            problems=finding.problems,
            took_ms=1000 * (time.perf_counter() - began),
        )


def rows(checked: Sequence[CheckedRow]) -> Iterator[dict[str, Any]]:
    """A line for each claim: its id and whether it is supported."""
    for one in checked:
        yield {
            "id": one.row.id,
            "supported": one.supported,
            "support": round(one.support, 3),
            "problems": list(one.problems),
        }


def summary(checked: Sequence[CheckedRow]) -> dict[str, Any]:
    """Figures over all claims, and over each source."""
    sources = dict.fromkeys(one.row.source for one in checked)
    spent = [one.took_ms for one in checked]
    return _figures(checked) | {
        "precision_95%": interval([float(o.row.is_supported) for o in checked if o.supported]),
        "by_source": {
            source: _figures([one for one in checked if one.row.source == source])
            for source in sources
        },
        "latency_ms": {
            "p50": round(percentile(spent, 0.5), 2),
            "p95": round(percentile(spent, 0.95), 2),
            "mean": round(statistics.fmean(spent), 2) if spent else 0.0,
        },
    }


def _figures(checked: Sequence[CheckedRow]) -> dict[str, Any]:
    passed = [one for one in checked if one.supported]
    true = [one for one in checked if one.row.is_supported]
    false = [one for one in checked if not one.row.is_supported]
    right_passed = sum(one.row.is_supported for one in passed)
    right_held = sum(not one.supported for one in false)
    recall, held = _share(right_passed, len(true)), _share(right_held, len(false))
    return {
        "claims": len(checked),
        "precision": _share(right_passed, len(passed)),
        "recall": recall,
        "false_held_back": held,
        "refuted_held_back": _share(
            sum(not one.supported for one in checked if one.row.label == "refuted"),
            sum(one.row.label == "refuted" for one in checked),
        ),
        "accuracy": _share(right_passed + right_held, len(checked)),
        "balanced_accuracy": (recall + held) / 2,
    }


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0
