"""`citegram eval dates`: what counts as right."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from bot.cli import main

ROWS = [
    {"id": "a", "text": "вчера", "now": "2026-10-01", "from": "2026-09-30", "to": "2026-09-30"},
    {
        "id": "b",
        "text": "в понедельник",
        "now": "2026-10-01",
        "from": "2026-10-05",
        "to": "2026-10-05",
        "past": {"from": "2026-09-28", "to": "2026-09-28"},
        "kind": "day",
    },
    {"id": "c", "text": "глава 5"},
    {"id": "d", "text": "вчера", "now": "2026-10-01", "from": "2026-01-01", "to": "2026-01-01"},
]


def evaluate(tmp_path: Path, rows: list[dict[str, object]]) -> tuple[int, str, str]:
    path = tmp_path / "dates.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    out = str(tmp_path / "rows.jsonl")
    result = CliRunner().invoke(main, ["eval", "dates", str(path), "--rows", out, "--json"])
    return result.exit_code, result.stdout, result.stderr


def test_looking_back_is_as_right_and_wrong_days_are_not(tmp_path: Path) -> None:
    code, out, _ = evaluate(tmp_path, list(ROWS))
    figures = json.loads(out)
    assert (0, 0.75, 4) == (code, figures["exact"], figures["rows"])
    written = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert ["2026-09-30", "2026-09-28", None, "2026-09-30"] == [row["from"] for row in written]
    assert ["a", "b", "c", "d"] == [row["id"] for row in written]


def test_a_row_without_its_text_is_named(tmp_path: Path) -> None:
    code, _, err = evaluate(tmp_path, [{"id": "a"}])
    assert 1 == code
    assert "needs id, text and now" in err
