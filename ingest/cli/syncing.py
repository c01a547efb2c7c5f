"""`citegram sync` and `citegram watch`: channels straight from Telegram."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import EXIT_FAILED, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.settings import Settings
    from ingest.sync.gate import Gate
    from ingest.sync.syncer import ChannelReport, Syncer
    from ingest.types import ChannelId
    from ingest.wiring import ArchiveServices


@click.command("sync")
@click.argument("channels", nargs=-1, metavar="[CHANNEL]...")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Nothing posted before that day.")
@click.option("--limit", type=click.IntRange(1), help="About so many new posts a channel.")
@click.option("--comments", is_flag=True, help="The channels' discussion groups too.")
@click.option("--sweep", is_flag=True, help="Look at old posts again, for edits and deletions.")
@click.option("--takeout", is_flag=True, help="As an export: for very long channels.")
@json_option
def sync_command(
    channels: tuple[str, ...],
    since: datetime | None,
    limit: int | None,
    comments: bool,
    sweep: bool,
    takeout: bool,
    as_json: bool,
) -> None:
    """Fetch channels from Telegram, oldest posts first.

    CHANNEL is an @name, a t.me link, an invite link of a channel that the account is in, or the
    id of one of its chats. It is followed from then on: without CHANNEL, all that are followed
    are brought up to date. Stopped anywhere, the next run goes on from there.
    """
    from ingest.sync.syncer import Wanted  # noqa: PLC0415 - `--help` needs none

    settings = load_settings()
    at = since.replace(tzinfo=settings.zone) if since else None
    wanted = Wanted(since=at, limit=limit, sweep=sweep)
    reports = run(
        lambda: _sync(
            settings, channels, wanted, comments=comments, takeout=takeout, quiet=as_json
        )
    )
    if as_json:
        print_json({"channels": [_summary(one) for one in reports]})
    else:
        for one in reports:
            _show(one)
        if not reports:
            click.echo("No channel is followed yet: citegram sync @NAME.")
    if any(one.error for one in reports):
        sys.exit(EXIT_FAILED)


@click.command("watch")
@click.argument("channels", nargs=-1, metavar="[CHANNEL]...")
def watch_command(channels: tuple[str, ...]) -> None:
    """Keep followed channels up to date until stopped: new posts, edits, deletions.

    CHANNEL is followed from now on, as with `citegram sync`.
    """
    settings = load_settings()
    run(lambda: _watch(settings, channels))


async def _sync(
    settings: Settings,
    names: Sequence[str],
    wanted: Any,
    *,
    comments: bool,
    takeout: bool,
    quiet: bool,
) -> list[ChannelReport]:
    from ingest.cli.sync_progress import SyncProgress  # noqa: PLC0415 - `--help` needs none
    from ingest.sync.wiring import open_syncing  # noqa: PLC0415
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with open_archive(settings) as services:
        with SyncProgress(shown=not quiet and sys.stderr.isatty()) as progress:
            async with open_syncing(
                settings,
                services.database,
                on_step=progress.step,
                on_wait=progress.wait,
                on_no_takeout=_warn if takeout else None,
            ) as syncing:
                stop_on_signals(syncing.syncer.gate)
                only = await _followed(syncing.syncer, services, names, comments=comments)
                progress.name({f.channel_id: f.channel for f in await syncing.syncer.followed()})
                reports = await syncing.syncer.run(wanted, only=only)
        if settings.embedder and any(one.kept.read or one.kept.deleted for one in reports):
            await _wake(services)
    return reports


async def _followed(
    syncer: Syncer, services: ArchiveServices, names: Sequence[str], *, comments: bool
) -> set[ChannelId] | None:
    """The ids of the named channels, followed from now on; None: all that are followed."""
    from ingest.errors import UnknownChannel  # noqa: PLC0415 - `--help` needs none

    if not names:
        return None
    known = {one.channel_id for one in await syncer.followed()}
    chosen: set[ChannelId] = set()
    for name in names:
        try:
            # A name is asked of Telegram once: that is what it makes people wait for longest.
            channel_id = (await services.archive.channel(name)).channel_id
        except UnknownChannel:
            channel_id = None
        if channel_id in known and not comments:
            chosen.add(channel_id)
        else:
            found = await syncer.follow(name, comments=comments)
            chosen |= {one.channel_id for one in found}
    return chosen


async def _watch(settings: Settings, names: Sequence[str]) -> None:
    from ingest.sync.watching import Watcher  # noqa: PLC0415 - `--help` needs none
    from ingest.sync.wiring import open_syncing  # noqa: PLC0415
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with open_archive(settings) as services:
        stored = asyncio.Event()
        async with open_syncing(
            settings,
            services.database,
            max_wait_s=float("inf"),
            on_step=lambda step: stored.set() if step.kept.changed else None,
        ) as syncing:
            stop_on_signals(syncing.syncer.gate)
            await _followed(syncing.syncer, services, names, comments=False)
            syncing.account.listen()
            waking = asyncio.create_task(_keep_awake(services, stored))
            try:
                await Watcher(syncing.syncer, syncing.account.hints).run()
            finally:
                waking.cancel()
                await asyncio.gather(waking, return_exceptions=True)


async def _keep_awake(services: ArchiveServices, stored: asyncio.Event) -> None:
    """Has the index process running whenever something is stored: it leaves when idle."""
    while True:
        await stored.wait()
        stored.clear()
        await _wake(services)
        await asyncio.sleep(1)


async def _wake(services: ArchiveServices) -> None:
    from ingest.errors import IndexUnavailable  # noqa: PLC0415 - `--help` needs none

    try:
        await services.index.wake()
    except IndexUnavailable as error:
        click.echo(f"stored, but not yet searchable: {error}", err=True)


def _warn(sentence: str) -> None:
    click.echo(sentence, err=True)


def stop_on_signals(gate: Gate) -> None:
    """The first SIGTERM or Ctrl-C ends the work cleanly; the second one ends the process."""
    import signal  # noqa: PLC0415 - only where something runs for long

    loop = asyncio.get_running_loop()

    def stop(number: signal.Signals) -> None:
        loop.remove_signal_handler(number)
        gate.stop()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stop, number)


def _summary(one: ChannelReport) -> dict[str, Any]:
    return {
        "channel": one.channel.name,
        "channel_id": one.channel.channel_id,
        "added": one.kept.added,
        "updated": one.kept.updated,
        "unchanged": one.kept.unchanged,
        "deleted": one.kept.deleted,
        "failed": one.kept.failed,
        "complete": one.is_complete,
        "until": one.until_at.isoformat() if one.until_at else None,
        "error": str(one.error) if one.error else None,
    }


def _show(one: ChannelReport) -> None:
    kept = one.kept
    counts = f"{kept.added:,} added, {kept.updated:,} updated, {kept.deleted:,} deleted"
    failed = f", {kept.failed:,} unreadable (citegram failures)" if kept.failed else ""
    click.echo(f"{one.channel.title} ({one.channel.name}): {counts}{failed}")
    if one.error:
        click.echo(f"  {one.error}", err=True)
