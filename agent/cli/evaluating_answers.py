"""`citegram eval answers`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.rows import file_argument, rows_option, write_rows
from ingest.cli.console import fail, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from agent.evaluation.answers import Outcome
    from agent.evaluation.datasets import Example
    from ingest.settings import Settings

_COLUMNS = (
    ("cites_gold", "cites gold"),
    ("states_facts", "facts"),
    ("right", "both"),
    ("wrongly_refused", "refused"),
)


@click.command("answers")
@file_argument
@click.option("--limit", type=click.IntRange(1), help="Ask only so many questions.")
@rows_option
@json_option
def answers_command(file: Path, limit: int | None, rows: Path | None, as_json: bool) -> None:
    """How right the answers to FILE's questions are, and what is refused."""
    from agent.evaluation.answers import rows as rows_of  # noqa: PLC0415 - `--help`
    from agent.evaluation.answers import summary  # noqa: PLC0415 - `--help`
    from agent.evaluation.datasets import BadDataset, load_questions  # noqa: PLC0415 - `--help`

    settings = load_settings()
    try:
        examples = load_questions(file, zone=settings.zone)[:limit]
    except BadDataset as error:
        fail(str(error))
    if not examples:
        fail(f"{file} has no questions")
    outcomes = run(lambda: _answers(settings, examples))
    write_rows(rows, rows_of(outcomes))
    figures = summary(outcomes)
    if as_json:
        print_json(figures)
        return
    _show(figures)


async def _answers(settings: Settings, examples: list[Example]) -> list[Outcome]:
    from agent.evaluation.answers import run_answers  # noqa: PLC0415 - `--help`
    from agent.wiring import open_agent  # noqa: PLC0415 - loads the archive's libraries

    async with open_agent(settings) as services:
        return await run_answers(examples, services.answer, on_progress=_teller(len(examples)))


def _teller(total: int) -> Callable[[int], None]:
    def tell(done: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {total} questions ", nl=False, err=True)

    return tell


def _show(figures: dict[str, Any]) -> None:
    click.echo(f"{'':16}{'n':>5}" + "".join(f"{title:>12}" for _, title in _COLUMNS))
    for name, part in {"all": figures, **figures["by_type"]}.items():
        if part["answerable"]:
            values = "".join(f"{_written(part[key]):>12}" for key, _ in _COLUMNS)
            click.echo(f"{name:16}{part['answerable']:5}{values}")
    if figures["unanswerable"]:
        click.echo(f"\nunanswerable{'n':>9}{'refused':>12}{'or corrected':>14}")
    for name, part in {"all": figures, **figures["by_type"]}.items():
        if part["unanswerable"]:
            refused, or_corrected = part["refused"], part["refused_or_corrected"]
            click.echo(f"{name:16}{part['unanswerable']:5}{refused:12.3f}{or_corrected:14.3f}")
    click.echo("\nthreshold   wrongly refused   wrongly answered")
    for point in figures["trade_off"]:
        refused, answered = point["wrongly_refused"], point["wrongly_answered"]
        click.echo(f"{point['threshold']:9.2f}{_written(refused):>18}{_written(answered):>19}")
    spent = figures["latency_ms"]
    click.echo(f"\nan answer takes p50 {spent['p50']:.0f} ms, p95 {spent['p95']:.0f} ms")


def _written(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
