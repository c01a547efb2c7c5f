"""Question sets: one JSON object a line, in the form that README describes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from agent.types import Question, Turn

_POST = re.compile(r"\b\w+:\d+\b")
"""A post as "channel:message_id" in a remark."""


class BadDataset(Exception):
    """A question set cannot be read; the message names file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question and what is known of its answer.

    Attributes:
        gold: Posts that answer, as "channel:message_id"; any of them will do.
        gold_sets: Where there are some, one post of each is needed.
        must: Facts that the answer has to state; "a|b": either.
        corrected_by: Posts that refute what an unanswerable question takes for granted.
    """

    id: str
    question: Question
    type: str
    answerable: bool
    gold: frozenset[str]
    gold_sets: tuple[frozenset[str], ...]
    must: tuple[str, ...]
    corrected_by: frozenset[str]
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
        must=_facts(row),
        corrected_by=frozenset(_POST.findall(row.get("note") or "")),
        channels=tuple(row.get("channels") or ()),
        from_on=row.get("from"),
        to_on=row.get("to"),
    )


def _facts(row: dict[str, Any]) -> tuple[str, ...]:
    """What has to be stated: `must`, or one of the `answers` of sets that give those."""
    answers = row.get("answers") or ()
    return tuple(row.get("must") or (["|".join(answers)] if answers else ()))


def _turn(written: str | dict[str, str]) -> Turn:
    """An earlier exchange: its question, or {role, content}."""
    if isinstance(written, str):
        return Turn(question=written)
    if written["role"] == "assistant":
        return Turn(question="", answer=written["content"])
    return Turn(question=written["content"])
