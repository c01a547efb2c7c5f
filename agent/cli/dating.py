"""`citegram dates`: how a period in words is understood."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from ingest.cli.console import json_option, load_settings, print_json


@click.command("dates")
@click.argument("text", nargs=-1, required=True)
@click.option("--now", metavar="TIME", help="The time to look back from (ISO 8601).")
@click.option("--tz", metavar="ZONE", help="The asker's zone; default: CITEGRAM_TIMEZONE.")
@json_option
def dates_command(text: tuple[str, ...], now: str | None, tz: str | None, as_json: bool) -> None:
    """Show which days TEXT speaks of, Russian or English; archives are asked about the past."""
    from agent.dates import find_dates  # noqa: PLC0415 - `--help` needs no grammar

    settings = load_settings()
    try:
        zone = ZoneInfo(tz) if tz else settings.zone
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise click.BadParameter("write the zone like Europe/Moscow", param_hint="--tz") from error
    try:
        moment = datetime.fromisoformat(now) if now else datetime.now(zone)
    except ValueError as error:
        raise click.BadParameter("write the time like 2026-10-01", param_hint="--now") from error
    moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    found = find_dates(" ".join(text), now=moment, zone=zone)
    first = found.from_on.isoformat() if found.from_on else None
    last = found.to_on.isoformat() if found.to_on else None
    if as_json:
        print_json({"from": first, "to": last, "phrase": found.phrase, "kind": found.kind})
    elif found.phrase is None:
        click.echo("no date filter")
    else:
        click.echo(f"{first or '…'} — {last or '…'} ({found.phrase}, {found.kind})")
