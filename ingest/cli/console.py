"""What all commands share: running, failing with one sentence, and printing for machines."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TypeVar

import click

from ingest.settings import Settings, SettingsError, load

EXIT_FAILED, EXIT_USAGE, EXIT_REFUSED = 1, 2, 3
"""Exit codes beside 0: could not be done; asked wrongly; the archive has no answer."""

T = TypeVar("T")

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


def load_settings() -> Settings:
    """The settings of this process; mistakes in them end it with a line each and exit code 2."""
    from ingest.logs import configure_logs  # noqa: PLC0415 - `--help` needs no logs

    try:
        settings = load()
    except SettingsError as error:
        for line in error.lines:
            click.echo(line, err=True)
        sys.exit(EXIT_USAGE)
    configure_logs(settings.log_level)
    return settings


def run(use_case: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Runs an asynchronous use case; errors that have a sentence end with it and exit code 1."""
    from ingest.errors import ArchiveError  # noqa: PLC0415 - `--help` needs none

    try:
        return asyncio.run(use_case())
    except ArchiveError as error:
        fail(str(error))


def fail(sentence: str) -> NoReturn:
    """Ends the command with one sentence and exit code 1."""
    click.echo(sentence, err=True)
    sys.exit(EXIT_FAILED)


def print_json(value: object) -> None:
    """Prints a value as one JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))
