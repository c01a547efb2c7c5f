"""`citegram bot`: the Telegram bot, until it is stopped."""

from __future__ import annotations

import asyncio
import sys

import click

from ingest.cli.console import fail, load_settings


@click.command("bot")
def bot_command() -> None:
    """Run the Telegram bot: CITEGRAM_BOT_TOKEN and CITEGRAM_OWNER_IDS are needed."""
    settings = load_settings()
    from bot.app import run_bot  # noqa: PLC0415 - aiogram takes seconds to load
    from bot.errors import BotError  # noqa: PLC0415
    from ingest.errors import ArchiveError  # noqa: PLC0415

    try:
        sys.exit(asyncio.run(run_bot(settings)))
    except (ArchiveError, BotError) as error:
        fail(str(error))
