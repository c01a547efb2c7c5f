"""`citegram failures`: messages that could not be read, and another try at them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.settings import Settings
    from ingest.store.failures import Failure
    from ingest.types import ChannelId
    from ingest.wiring import ArchiveServices


@click.command("failures")
@click.argument("channel", required=False)
@click.option("--retry", is_flag=True, help="Ask Telegram for them again.")
@json_option
def failures_command(channel: str | None, retry: bool, as_json: bool) -> None:
    """List messages that could not be read or stored, and why."""
    settings = load_settings()
    before, found = run(lambda: _failures(settings, channel, retry=retry))
    if as_json:
        print_json(
            {
                "failures": [_row(one) for one in found],
                "cured": before - len(found) if retry else 0,
            }
        )
        return
    for one in found:
        place = one.link or f"{one.channel} {one.message_id or ''}"
        click.echo(f"{place}: {one.reason} ({one.count_attempts} tries)")
    if retry:
        click.echo(f"{before - len(found):,} cured, {len(found):,} left")
    elif not found:
        click.echo("No failures.")


async def _failures(
    settings: Settings, name: str | None, *, retry: bool
) -> tuple[int, Sequence[Failure]]:
    from ingest.store.failures import failures  # noqa: PLC0415 - `--help` needs none
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with open_archive(settings) as services:
        only = (await services.archive.channel(name)).channel_id if name else None
        found = await failures(services.database, only)
        before = len(found)
        if retry and found:
            await _retry(settings, services, found)
            found = await failures(services.database, only)
    return before, found


async def _retry(settings: Settings, services: ArchiveServices, found: Sequence[Failure]) -> None:
    from ingest.sync.wiring import open_syncing  # noqa: PLC0415 - only a retry needs Telegram

    ids: defaultdict[ChannelId, list[int]] = defaultdict(list)
    for one in found:
        if one.is_from_telegram and one.message_id is not None:
            ids[one.channel_id].append(one.message_id)
    async with open_syncing(settings, services.database) as syncing:
        known = {one.channel_id for one in await syncing.syncer.followed()}
        for channel_id in ids.keys() & known:
            await syncing.syncer.work(channel_id).reread(ids[channel_id])


def _row(one: Failure) -> dict[str, Any]:
    return {
        "channel": one.channel,
        "message_id": one.message_id,
        "reason": one.reason,
        "failed_at": one.failed_at.isoformat(),
        "tries": one.count_attempts,
        "url": one.link,
    }
