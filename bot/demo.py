"""`citegram demo`: the sample archive, and six questions that show what the answers are like."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from ingest.cli.console import load_settings, run

if TYPE_CHECKING:
    from agent.types import Answer, Refusal
    from agent.wiring import AgentServices
    from ingest.settings import Settings
    from ingest.types import Channel

_LOOK_EVERY_S = 0.1
_LONGEST_S = 120.0


@dataclass(frozen=True, slots=True)
class _Asked:
    question: str
    now: datetime
    shows: str


@click.command("demo")
def demo_command() -> None:
    """Import the sample archive (five invented channels) and ask it six questions.

    It lives in DATA_DIR/demo, apart from your own archive; no account, key or server is needed.
    """
    settings = load_settings()
    settings = settings.model_copy(
        update={"data_dir": settings.data_dir / "demo", "database_url": None}
    )
    run(lambda: _demo(settings))


async def _demo(settings: Settings) -> None:
    from agent.cli.showing import show_reply  # noqa: PLC0415 - `--help` needs none of it
    from agent.wiring import open_agent  # noqa: PLC0415

    async with open_agent(settings) as services:
        await _import(settings, services)
        for number, asked in enumerate(_questions(), start=1):
            click.secho(f"\n{number}. {asked.question}", bold=True)
            click.secho(f"   ({asked.shows}; asked on {asked.now:%d.%m.%Y})\n", dim=True)
            reply = await _ask(services, asked)
            show_reply(reply)
    click.echo(
        "\nThe channels are invented, so their links open nothing. Your own: export a channel in "
        "Telegram Desktop as JSON,\nthen: citegram import PATH --username NAME; citegram ask "
        "QUESTION"
    )


async def _import(settings: Settings, services: AgentServices) -> None:
    from bot.sample import sample_folder  # noqa: PLC0415 - `--help` needs none of it
    from ingest.pipeline import Importer  # noqa: PLC0415
    from ingest.sources.exports import find_exports  # noqa: PLC0415
    from ingest.store.archive import utc_now  # noqa: PLC0415

    importer = Importer(services.database, zone=settings.zone, clock=utc_now)
    count = 0
    for path in find_exports(sample_folder()):
        report = await importer(path, rename=partial(_renamed, username=path.parent.name))
        count += sum(one.count_messages for one in report.channels)
    click.echo(f"{count} messages of {len(await services.store.channels())} invented channels")
    await _indexed(services)


def _renamed(channel: Channel, username: str) -> Channel:
    return replace(channel, username=username)


async def _indexed(services: AgentServices) -> None:
    """Waits until the index knows everything, as a new archive does after some seconds."""
    click.echo("indexing (the first time, the bundled model is unpacked)…")
    async with asyncio.timeout(_LONGEST_S):
        while True:
            status = await services.index.status()
            if not status.count_text and (not status.count_vector or status.encoder is None):
                return
            await asyncio.sleep(_LOOK_EVERY_S)


def _questions() -> list[_Asked]:
    from bot.sample import sample_folder  # noqa: PLC0415 - `--help` needs none of it

    written = json.loads((sample_folder() / "demo.json").read_text("utf-8"))
    return [
        _Asked(one["question"], datetime.fromisoformat(one["now"]), one["shows"])
        for one in written
    ]


async def _ask(services: AgentServices, asked: _Asked) -> Answer | Refusal:
    from agent.types import Question  # noqa: PLC0415 - `--help` needs none of it

    return await services.answer(Question(text=asked.question, now=asked.now))
