"""`citegram eval copies`: every form of a pair, the figures, and what a bad file gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import main

BRIDGE = "Мост через Сольву открыли: реконструкция длилась 250 дней, проезд бесплатный для всех."
OTHER = BRIDGE.replace("250", "270")
ROWS = [
    {"id": "texts", "a": BRIDGE, "b": "⚡️ " + BRIDGE, "label": "OK"},
    {
        "id": "titled",
        "a": {"title": "Мост открыт", "text": BRIDGE},
        "b": {"title": "Мост закрыт", "text": OTHER},
        "label": "BAD",
    },
    {
        "id": "posts",
        "a": {"channel": "city", "id": 1, "text": BRIDGE},
        "b": {"channel": "news", "id": 2, "text": BRIDGE + "\n\n— Подписаться"},
        "silver": "dup",
    },
    {"id": "kin", "a": BRIDGE, "b": "Мост открыли, проезд теперь для всех.", "silver": "partial"},
    {
        "id": "forward",
        "a": {"channel": "city", "id": 1, "text": "Старый текст"},
        "b": {"text": "Новый", "forward": {"channel": "city", "id": 1}},
        "same": True,
    },
]


def written(path: Path, rows: list[object]) -> Path:
    file = path / "pairs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def test_figures_and_rows(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    file = written(tmp_path, list(ROWS))
    result = CliRunner().invoke(main, ["eval", "copies", str(file), "--json", "--rows", str(rows)])
    assert 0 == result.exit_code, result.output
    figures = json.loads(result.output)
    assert (5, 3, 1.0, 1.0, []) == tuple(
        figures[name] for name in ("pairs", "folded", "recall", "precision", "wrongly_folded")
    )
    assert {"pairs": 1, "folded": 0} == figures["by_label"]["partial"]
    expected = {"texts": True, "titled": False, "posts": True, "kin": False, "forward": True}
    told = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    assert expected == {row["id"]: row["same"] for row in told}


def test_a_pair_that_must_not_fold_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, [{"id": "p7", "a": BRIDGE, "b": BRIDGE, "label": "BAD"}])
    result = CliRunner().invoke(main, ["eval", "copies", str(file)])
    assert 0 == result.exit_code
    assert "wrongly folded: p7" in result.output


@pytest.mark.parametrize("row", [{"id": 1, "a": BRIDGE}, {"a": {"title": "x"}, "b": BRIDGE}, []])
def test_a_file_without_pairs_is_refused_with_its_line(tmp_path: Path, row: object) -> None:
    result = CliRunner().invoke(main, ["eval", "copies", str(written(tmp_path, [row]))])
    assert 0 != result.exit_code
    assert "line 1" in result.output
