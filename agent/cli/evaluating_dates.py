"""`citegram eval dates`."""

from __future__ import annotations

from pathlib import Path

import click

from agent.cli.rows import file_argument, rows_option, write_rows
from ingest.cli.console import fail, json_option, load_settings, print_json


@click.command("dates")
@file_argument
@rows_option
@json_option
def dates_command(file: Path, rows: Path | None, as_json: bool) -> None:
    """How exactly the periods in FILE's texts are understood."""
    from agent.evaluation.datasets import BadDataset, read_rows  # noqa: PLC0415 - `--help`
    from agent.evaluation.dates import rows_of, run_dates, summary  # noqa: PLC0415 - `--help`

    settings = load_settings()
    try:
        outcomes = run_dates([row for _, row in read_rows(file)], settings.zone)
    except BadDataset as error:
        fail(str(error))
    except (KeyError, TypeError, ValueError) as error:
        fail(f"{file}: each line needs id, text and now ({error!r} in one of them)")
    if not outcomes:
        fail(f"{file} has no rows")
    write_rows(rows, rows_of(outcomes))
    figures = summary(outcomes)
    if as_json:
        print_json(figures)
        return
    click.echo(f"{figures['exact']:.3f} of {figures['rows']} rows exactly right")
    for kind, part in figures["by_kind"].items():
        click.echo(f"  {kind:16}{part['rows']:5}{part['exact']:8.3f}")
    spent = figures["latency_ms"]
    click.echo(f"p50 {spent['p50']:.2f} ms, p95 {spent['p95']:.2f} ms")
