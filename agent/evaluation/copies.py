"""How well copies are told from other posts: `citegram eval copies`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.evaluation.datasets import BadDataset, read_rows
from ingest.text.near_copies import is_copy

_SAME = frozenset({"dup", "ok", "copy", "forward", "paraphrase", "same"})
_DIFFERENT = frozenset({"bad", "different"})


@dataclass(frozen=True, slots=True)
class Post:
    """One side of a pair.

    Attributes:
        place: Its channel and id, where the set tells them.
        origin: Those of the post that it is a forward of.
    """

    text: str
    place: tuple[str, str] | None = None
    origin: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two posts and what the set says of them.

    Attributes:
        label: The set's own word.
        is_same: What it means; None: neither a copy for sure nor surely none.
    """

    id: str
    a: Post
    b: Post
    label: str
    is_same: bool | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A pair and whether it is folded."""

    pair: Pair
    same: bool


def load_pairs(path: Path) -> list[Pair]:
    """The pairs of a file.

    Raises:
        BadDataset: It cannot be read.
    """
    pairs = []
    for number, row in read_rows(path):
        try:
            pairs.append(_pair(row, number))
        except (KeyError, TypeError, ValueError) as error:
            raise BadDataset(f"{path}, line {number}: not a pair of posts ({error})") from error
    return pairs


def run_copies(pairs: Sequence[Pair]) -> list[Outcome]:
    """Whether each pair is folded into one story. CPU work only."""
    return [Outcome(pair, _is_same(pair.a, pair.b)) for pair in pairs]


def rows(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A line for each pair: its id and whether it is folded."""
    return [{"id": one.pair.id, "same": one.same} for one in outcomes]


def summary(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The figures as JSON; a share of nothing is null.

    `recall`: of the pairs that are the same, the folded ones. `precision`: of the folded pairs
    that the set is sure about, those that are the same.
    """
    same = [one.same for one in outcomes if one.pair.is_same]
    folded = [one for one in outcomes if one.same and one.pair.is_same is not None]
    pairs = Counter(one.pair.label for one in outcomes)
    folded_by = Counter(one.pair.label for one in outcomes if one.same)
    return {
        "pairs": len(outcomes),
        "folded": sum(one.same for one in outcomes),
        "recall": _share(sum(same), len(same)),
        "precision": _share(sum(bool(one.pair.is_same) for one in folded), len(folded)),
        "wrongly_folded": [one.pair.id for one in folded if not one.pair.is_same],
        "by_label": {
            label: {"pairs": count, "folded": folded_by[label]}
            for label, count in sorted(pairs.items())
        },
    }


def _is_same(a: Post, b: Post) -> bool:
    """As `fold` sees it: one post's forwards are one story, whatever their words."""
    sources = [post.origin or post.place for post in (a, b)]
    if (a.origin or b.origin) and sources[0] == sources[1]:
        return True
    return is_copy(a.text, b.text)


def _pair(row: dict[str, Any], number: int) -> Pair:
    label, is_same = _label(row)
    return Pair(
        id=str(row.get("id", number)),
        a=_post(row["a"]),
        b=_post(row["b"]),
        label=label,
        is_same=is_same,
    )


def _post(written: str | dict[str, Any]) -> Post:
    if isinstance(written, str):
        return Post(written)
    parts = (written.get("title"), written["text"])
    return Post(
        text="\n".join(part for part in parts if part),
        place=_place(written),
        origin=_place(written.get("forward") or {}),
    )


def _place(written: dict[str, Any]) -> tuple[str, str] | None:
    if "channel" in written and "id" in written:
        return str(written["channel"]), str(written["id"])
    return None


def _label(row: dict[str, Any]) -> tuple[str, bool | None]:
    """The set's own word for a pair, and what it means."""
    written = row.get("silver", row.get("label", row.get("same", row.get("same_event"))))
    if isinstance(written, bool):
        return ("same" if written else "different"), written
    label = str(written)
    if label.casefold() in _SAME:
        return label, True
    return label, False if label.casefold() in _DIFFERENT else None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
