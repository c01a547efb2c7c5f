"""`citegram eval dates`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ingest.cli.console import fail, json_option, load_settings, print_json


@click.command("dates")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--rows",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a line for each row: its id, and the days as they were understood.",
)
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
    if rows is not None:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows_of(outcomes))
        rows.write_text("".join(lines), "utf-8")
    figures = summary(outcomes)
    if as_json:
        print_json(figures)
        return
    click.echo(f"{figures['exact']:.3f} of {figures['rows']} rows exactly right")
    for kind, part in figures["by_kind"].items():
        click.echo(f"  {kind:16}{part['rows']:5}{part['exact']:8.3f}")
    spent = figures["latency_ms"]
    click.echo(f"p50 {spent['p50']:.2f} ms, p95 {spent['p95']:.2f} ms")
