"""`citegram doctor`: what is configured, what is missing for what, and what is broken."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import EXIT_FAILED, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from ingest.doctor import Finding
    from ingest.settings import Settings

_MARKS = {"ok": "ok     ", "missing": "missing", "broken": "BROKEN "}


@click.command("doctor")
@json_option
def doctor_command(as_json: bool) -> None:
    """Check the settings, the archive and the index, passage by passage.

    Exit code 1: something is broken. What is merely not configured is no failure.
    """
    settings = load_settings()
    findings, audit = run(lambda: _examine(settings))
    if as_json:
        print_json(
            {
                "findings": [
                    {"about": one.about, "state": one.state, "says": one.says} for one in findings
                ],
                "index": audit,
            }
        )
    else:
        for one in findings:
            click.echo(f"{_MARKS[one.state]} {one.about}: {one.says}")
    if any(one.state == "broken" for one in findings):
        sys.exit(EXIT_FAILED)


async def _examine(settings: Settings) -> tuple[list[Finding], dict[str, Any] | None]:
    from ingest.doctor import examine  # noqa: PLC0415 - `--help` needs none

    return await examine(settings)
