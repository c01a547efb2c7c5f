"""`citegram eval claims`: its figures and its rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.cli.evaluating import eval_command

ROWS = (
    {"id": "a", "claim": "Мост открыли в мае.", "evidence": "Мост открыли в мае.",
     "label": "supported"},
    {"id": "b", "claim": "Мост закрыли в мае.", "evidence": "Мост открыли в мае.",
     "label": "refuted"},
    {"id": "c", "claim": "Мэр ушёл в отставку.", "evidence": "Мост открыли в мае.",
     "label": "not_supported"},
    {"id": "d", "claim": "Открыли вчера.", "evidence": "Её открыли 4 мая.",
     "label": "supported", "posted_on": "2024-05-05"},
)  # fmt: skip


@pytest.fixture
def claims(tmp_path: Path) -> Path:
    path = tmp_path / "claims.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def test_figures_are_of_the_supported_first(claims: Path) -> None:
    result = CliRunner().invoke(eval_command, ["claims", str(claims), "--json"])
    figures = json.loads(result.stdout)
    assert (4, 1.0, 1.0, 1.0) == tuple(
        figures[name] for name in ("claims", "precision", "recall", "balanced_accuracy")
    )


def test_each_claim_gets_a_row(claims: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    CliRunner().invoke(eval_command, ["claims", str(claims), "--rows", str(out)])
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [("a", True), ("b", False), ("c", False), ("d", True)] == [
        (row["id"], row["supported"]) for row in rows
    ]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    path.write_text('{"id": 1, "claim": "x", "evidence": "y", "label": "maybe"}\n', "utf-8")
    result = CliRunner().invoke(eval_command, ["claims", str(path)])
    assert (1, True) == (result.exit_code, "line 1" in result.output)
