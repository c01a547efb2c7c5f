"""`citegram export`: a channel back as an export of Telegram Desktop."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ingest.cli.console import fail, load_settings, run

if TYPE_CHECKING:
    from ingest.settings import Settings
    from ingest.types import Channel, Message


@click.command("export")
@click.argument("channel")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; standard output without it.",
)
def export_command(channel: str, out: Path | None) -> None:
    """Write CHANNEL (a @name, id or title) as Desktop-style JSON; importing it changes nothing."""
    settings = load_settings()
    found, messages = run(lambda: _read(settings, channel))
    from ingest.sources.desktop_writer import write_export  # noqa: PLC0415 - see above

    if out is None:
        write_export(found, messages, sys.stdout)
        return
    part = out.with_name(f".{out.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            count = write_export(found, messages, file)
        part.replace(out)
    except OSError as error:
        fail(f"{out} cannot be written: {error.strerror}")
    click.echo(f"{count:,} messages written to {out}", err=True)


async def _read(settings: Settings, name: str) -> tuple[Channel, list[Message]]:
    from ingest.wiring import open_archive  # noqa: PLC0415 - `--help` needs none

    async with open_archive(settings) as services:
        channel = await services.archive.channel(name)
        pages = services.archive.stream(channel.channel_id)
        return channel, [message async for page in pages for message in page]
