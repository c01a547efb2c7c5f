"""`citegram channels` and `citegram status`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import json_option, load_settings, print_json, run
from ingest.cli.sync_lines import sync_json, sync_lines

if TYPE_CHECKING:
    from ingest.index.rendezvous import Endpoint
    from ingest.settings import Settings
    from ingest.store.archive import Backlog, ChannelStatus
    from ingest.store.sync_status import SyncStatus


@click.command("channels")
@click.option(
    "--available",
    is_flag=True,
    help="The channels of your Telegram account instead (needs login).",
)
@json_option
def channels_command(available: bool, as_json: bool) -> None:
    """List the archive's channels: how many posts, from when to when."""
    settings = load_settings()
    if available:
        _show_available(settings, as_json)
        return
    held = run(lambda: _held(settings))
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
    """Show what is stored, how far syncing and the index are, and what they wait for."""
    settings = load_settings()
    status = run(lambda: _status(settings))
    total = sum(one.count_messages for one in status.held)
    if as_json:
        backlog = status.backlog
        print_json(
            {
                "channels": [_channel(one) for one in status.held],
                "messages": total,
                "backlog": {"words": backlog.count_text, "vectors": backlog.count_vector},
                "index_process": status.process.pid if status.process else None,
                "sync": sync_json(status.sync, settings.sync_pause_s),
            }
        )
        return
    for one in status.held:
        click.echo(_line(one))
    click.echo(f"{total:,} posts in {len(status.held)} channels")
    for line in sync_lines(status.sync, settings.sync_pause_s, settings.zone):
        click.echo(line)
    click.echo(
        f"index: {status.backlog.count_text:,} posts wait for their words, "
        f"{status.backlog.count_vector:,} for their vectors; "
        + (
            f"process {status.process.pid} is running"
            if status.process
            else "its process is not running"
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Status:
    held: tuple[ChannelStatus, ...]
    backlog: Backlog
    process: Endpoint | None
    sync: SyncStatus


async def _held(settings: Settings) -> tuple[ChannelStatus, ...]:
    from ingest.wiring import open_archive  # noqa: PLC0415 - `--help` needs none

    async with open_archive(settings) as services:
        return await services.archive.status()


async def _status(settings: Settings) -> _Status:
    from ingest.index.lifecycle import find_running  # noqa: PLC0415 - `--help` needs none
    from ingest.store.sync_status import sync_status  # noqa: PLC0415
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with open_archive(settings) as services:
        return _Status(
            held=await services.archive.status(),
            backlog=await services.archive.backlog(),
            process=await find_running(settings.data_dir),
            sync=await sync_status(services.database),
        )


def _show_available(settings: Settings, as_json: bool) -> None:
    from ingest.cli.available import available_channels  # noqa: PLC0415 - loads telethon

    found = run(lambda: available_channels(settings))
    if as_json:
        print_json({"channels": [one.row() for one in found]})
        return
    for one in found:
        click.echo(one.line())


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
