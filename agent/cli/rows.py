"""What the `eval` commands share: their file, their `--rows`, and how those are written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

file_argument = click.argument("file", type=click.Path(path_type=Path))

rows_option = click.option(
    "--rows",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a JSON line for each row of FILE: its id, and what came of it.",
)


def write_rows(path: Path | None, rows: Iterable[Mapping[str, object]]) -> None:
    """Writes a line for each row, if a file was asked for."""
    if path is not None:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_text("".join(lines), "utf-8")
