"""`citegram channels` and `citegram status`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from ingest.index.rendezvous import Endpoint
    from ingest.settings import Settings
    from ingest.store.archive import Backlog, ChannelStatus


@click.command("channels")
@json_option
def channels_command(as_json: bool) -> None:
    """List the archive's channels: how many posts, from when to when."""
    settings = load_settings()
    held, _, _ = run(lambda: _status(settings))
    if as_json:
        print_json({"channels": [_channel(one) for one in held]})
        return
    if not held:
        click.echo("No channels yet: citegram import PATH, or citegram demo.")
    for one in held:
        click.echo(_line(one))


@click.command("status")
@json_option
def status_command(as_json: bool) -> None:
    """Show what is stored, what the index still has to learn, and whether it runs."""
    settings = load_settings()
    held, backlog, process = run(lambda: _status(settings))
    if as_json:
        print_json(
            {
                "channels": [_channel(one) for one in held],
                "messages": sum(one.count_messages for one in held),
                "backlog": {"words": backlog.count_text, "vectors": backlog.count_vector},
                "index_process": process.pid if process else None,
            }
        )
        return
    for one in held:
        click.echo(_line(one))
    total = sum(one.count_messages for one in held)
    click.echo(f"{total:,} posts in {len(held)} channels")
    click.echo(
        f"index: {backlog.count_text:,} posts wait for their words, "
        f"{backlog.count_vector:,} for their vectors; "
        + (f"process {process.pid} is running" if process else "its process is not running")
    )


async def _status(
    settings: Settings,
) -> tuple[tuple[ChannelStatus, ...], Backlog, Endpoint | None]:
    from ingest.index.lifecycle import find_running  # noqa: PLC0415 - `--help` needs none
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with open_archive(settings) as services:
        return (
            await services.archive.status(),
            await services.archive.backlog(),
            await find_running(settings.data_dir),
        )


def _line(one: ChannelStatus) -> str:
    name = f"@{one.channel.username}" if one.channel.username else str(one.channel.channel_id)
    failures = f", {one.count_failures:,} failures" if one.count_failures else ""
    return (
        f"{one.channel.title} ({name}): {one.count_messages:,} posts, "
        f"{_day(one.posted_from)} … {_day(one.posted_to)}{failures}"
    )


def _channel(one: ChannelStatus) -> dict[str, Any]:
    return {
        "channel": one.channel.name,
        "channel_id": one.channel.channel_id,
        "title": one.channel.title,
        "visibility": one.channel.visibility.value,
        "messages": one.count_messages,
        "from": _iso(one.posted_from),
        "to": _iso(one.posted_to),
        "synced_at": _iso(one.synced_at),
        "failures": one.count_failures,
    }


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "—"


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat().replace("+00:00", "Z") if moment else None
