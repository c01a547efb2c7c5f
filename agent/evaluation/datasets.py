"""Question sets: one JSON object a line, in the form that README describes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from agent.types import Question, Turn


class BadDataset(Exception):
    """A question set cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question and what is known of its answer.

    Attributes:
        gold: Posts that answer, as "channel:message_id"; any of them will do.
        gold_sets: Where there are some, one post of each is needed.
        must: Facts that the answer has to state; "a|b": either.
    """

    id: str
    question: Question
    type: str
    answerable: bool
    gold: frozenset[str]
    gold_sets: tuple[frozenset[str], ...]
    must: tuple[str, ...]
    channels: tuple[str, ...]
    from_on: str | None
    to_on: str | None


def load_questions(path: Path, *, zone: tzinfo, field: str = "question") -> list[Example]:
    """The questions of a file.

    Args:
        zone: In which the days of `now` are.
        field: Which of a row's texts is asked: "question", or "question_en" where there is one.

    Raises:
        BadDataset: It cannot be read.
    """
    examples = []
    for number, row in read_rows(path):
        try:
            examples.append(_example(row, zone, field))
        except (KeyError, TypeError, ValueError) as error:
            raise BadDataset(
                f"{path}, line {number}: not a question of a set ({error})"
            ) from error
    return examples


def read_rows(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The lines of a JSONL file with their numbers, empty ones passed over.

    Raises:
        BadDataset: It is no such file.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadDataset(f"{path} cannot be read: {error}") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadDataset(f"{path}, line {number}: not JSON") from error
        if not isinstance(row, dict):
            raise BadDataset(f"{path}, line {number}: not a JSON object")
        rows.append((number, row))
    return rows


def _example(row: dict[str, Any], zone: tzinfo, field: str) -> Example:
    now = row.get("now")
    moment = datetime.fromisoformat(now) if now else datetime.now(zone)
    question = Question(
        text=row[field],
        now=moment if moment.tzinfo else moment.replace(hour=12, tzinfo=zone),
        history=tuple(_turn(one) for one in row.get("history") or ()),
    )
    return Example(
        id=str(row["id"]),
        question=question,
        type=row.get("type") or row.get("source") or "question",
        answerable=bool(row.get("answerable", True)),
        gold=frozenset(row.get("gold") or ()),
        gold_sets=tuple(frozenset(one) for one in row.get("gold_sets") or ()),
        must=tuple(row.get("must") or ()),
        channels=tuple(row.get("channels") or ()),
        from_on=row.get("from"),
        to_on=row.get("to"),
    )


def _turn(written: str | dict[str, str]) -> Turn:
    """An earlier exchange: its question, or {role, content}."""
    if isinstance(written, str):
        return Turn(question=written)
    if written["role"] == "assistant":
        return Turn(question="", answer=written["content"])
    return Turn(question=written["content"])
