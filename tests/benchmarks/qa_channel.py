"""Turns a reading-comprehension set into a channel and a question set of ours.

    python tests/benchmarks/qa_channel.py paragraphs.jsonl questions.jsonl OUT

`paragraphs.jsonl` has {"id", "text"} and `questions.jsonl` {"id", "question", "gold": [paragraph
ids], "answerable"} a line. OUT gets qa/result.json, to be imported with
``--username-from-folder``, and questions.jsonl, for ``citegram eval``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

FIRST_POSTED_AT = 1_700_000_000


def main(paragraphs: Path, questions: Path, out: Path) -> None:
    """Writes the two files."""
    numbers: dict[str, int] = {}
    messages = []
    for number, row in enumerate(_rows(paragraphs), start=1):
        numbers[row["id"]] = number
        posted_at = FIRST_POSTED_AT + 3600 * number
        messages.append(
            {
                "id": number,
                "type": "message",
                "date": "2023-11-14T22:13:20",
                "date_unixtime": str(posted_at),
                "text": row["text"],
            }
        )
    export = {"name": "Reading", "type": "public_channel", "id": 900, "messages": messages}
    (out / "qa").mkdir(parents=True, exist_ok=True)
    (out / "qa" / "result.json").write_text(json.dumps(export, ensure_ascii=False), "utf-8")
    asked = [json.dumps(_asked(row, numbers), ensure_ascii=False) for row in _rows(questions)]
    (out / "questions.jsonl").write_text("\n".join(asked) + "\n", "utf-8")


def _asked(row: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    renamed = {
        field: [f"qa:{numbers[one]}" for one in row[field]]
        for field in ("gold", "gold_en")
        if field in row
    }
    return row | renamed


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
