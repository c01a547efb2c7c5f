"""`citegram eval copies`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent.cli.rows import file_argument, rows_option, write_rows
from ingest.cli.console import fail, json_option, print_json


@click.command("copies")
@file_argument
@rows_option
@json_option
def copies_command(file: Path, rows: Path | None, as_json: bool) -> None:
    """How well copies in FILE's pairs of posts are told from other posts."""
    from agent.evaluation.copies import load_pairs, run_copies, summary  # noqa: PLC0415 - `--help`
    from agent.evaluation.copies import rows as rows_of  # noqa: PLC0415 - `--help`
    from agent.evaluation.datasets import BadDataset  # noqa: PLC0415 - `--help`

    try:
        pairs = load_pairs(file)
    except BadDataset as error:
        fail(str(error))
    if not pairs:
        fail(f"{file} has no pairs")
    outcomes = run_copies(pairs)
    write_rows(rows, rows_of(outcomes))
    figures = summary(outcomes)
    if as_json:
        print_json(figures)
        return
    _show(figures)


def _show(figures: dict[str, Any]) -> None:
    for name in ("recall", "precision"):
        share = figures[name]
        click.echo(f"{name:12}{'—' if share is None else f'{share:.3f}'}")
    for label, part in figures["by_label"].items():
        click.echo(f"{label:16}{part['folded']:6} of {part['pairs']} folded")
    if figures["wrongly_folded"]:
        click.echo(f"wrongly folded: {', '.join(figures['wrongly_folded'])}")
