"""`citegram eval claims`: figures of verification against labelled claims."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agent.cli.rows import file_argument, rows_option, write_rows
from ingest.cli.console import fail, json_option, print_json


@click.command("claims")
@file_argument
@click.option("--limit", type=click.IntRange(1), help="Check only so many claims.")
@rows_option
@json_option
def claims_command(file: Path, limit: int | None, rows: Path | None, as_json: bool) -> None:
    """How well FILE's claims are told apart: {"id", "claim", "evidence", "label"} a line.

    A label is "supported", "not_supported" or "refuted".
    """
    from agent.evaluation.claims import check_claims, load_claims, summary  # noqa: PLC0415 - `--help`
    from agent.evaluation.claims import rows as rows_of  # noqa: PLC0415 - `--help`
    from agent.evaluation.datasets import BadDataset  # noqa: PLC0415 - `--help`

    try:
        claims = load_claims(file)[:limit]
    except BadDataset as error:
        fail(str(error))
    if not claims:
        fail(f"{file} has no claim")
    checked = list(check_claims(claims))
    write_rows(rows, rows_of(checked))
    figures = summary(checked)
    if as_json:
        print_json(figures)
    else:
        _show(figures)


def _show(figures: dict[str, Any]) -> None:
    names = ("precision", "recall", "false_held_back", "accuracy", "balanced_accuracy")
    click.echo(f"{'':34}{'n':>6}" + "".join(f"{name:>19}" for name in names))
    for name, part in {"all": figures, **figures["by_source"]}.items():
        values = "".join(f"{part[one]:19.3f}" for one in names)
        click.echo(f"{name[:33]:34}{part['claims']:6}{values}")
    low, high = figures["precision_95%"]
    click.echo(f"precision of all lies in {low:.3f} … {high:.3f} (95 %)")
    spent = figures["latency_ms"]
    click.echo(f"a claim takes p50 {spent['p50']:.1f} ms, p95 {spent['p95']:.1f} ms")
