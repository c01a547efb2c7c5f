"""`citegram reindex`: the search index anew, from the archive alone."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from ingest.cli.console import json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from ingest.settings import Settings

_LOOK_EVERY_S = 0.5


@click.command("reindex")
@click.option("--no-wait", is_flag=True, help="Leave the work to the index process.")
@json_option
def reindex_command(no_wait: bool, as_json: bool) -> None:
    """Empty the index and fill it anew.

    Needed after another encoder was configured. Vectors that are known are not made again;
    meanwhile search goes on with what is there.
    """
    settings = load_settings()
    queued = run(lambda: _reindex(settings, wait=not no_wait))
    if as_json:
        print_json({"queued": queued})
    else:
        click.echo(f"{queued:,} posts {'queued' if no_wait else 'indexed'}")


async def _reindex(settings: Settings, *, wait: bool) -> int:
    from ingest.index.lifecycle import stop  # noqa: PLC0415 - `--help` needs none
    from ingest.wiring import open_archive  # noqa: PLC0415

    # A process that runs may have been started under older settings.
    await stop(settings.data_dir)
    async with open_archive(settings) as services:
        queued = await services.index.reindex()
        while wait:
            status = await services.index.status()
            left = max(status.count_text, status.count_vector)
            if not left or (status.encoder is None and not status.count_text):
                break
            if sys.stderr.isatty():
                click.echo(f"\r{queued - left:,} of {queued:,} ", nl=False, err=True)
            await asyncio.sleep(_LOOK_EVERY_S)
    return queued
