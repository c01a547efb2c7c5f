"""`citegram sync` against a loopback Telegram that serves real exports: rate, equality, kills.

    python -m tests.benchmarks.telegram_sync FOLDER [--messages 20000] [--kills 200]

FOLDER holds exports of Telegram Desktop, each in a folder of its own, whose name becomes the
channel's username. With fewer messages than asked for, channels are served again under other ids.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ingest.sources.desktop_json import read_export
from ingest.types import Message
from tests.peers.mtproto_fixtures import Channel, load_export
from tests.peers.mtproto_server import MTProtoServer

_SYNC = "from ingest.cli.syncing import sync_command; sync_command()"
_COPY_SHIFT = 20_000_000_000

Facts = tuple[str, object, object, object]
"""Text, forward's origin, reply, time of edit."""


@dataclass
class Served:
    """What the server serves, and what has to be in the archive."""

    channels: list[Channel]
    expected: dict[tuple[int, int], Facts]


def serve_exports(folder: Path, count: int) -> Served:
    """Channels of the exports, until they have so many messages."""
    served = Served([], {})
    for copy, path in _paths(folder):
        if len(served.expected) >= count:
            break
        raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
        raw["id"] = int(raw["id"]) + copy * _COPY_SHIFT
        raw["messages"] = raw["messages"][: count - len(served.expected)]
        name = path.parent.name[:28] + (f"_{copy}" if copy else "")
        wanted = {int(one["id"]) for one in raw["messages"]}
        served.channels.append(load_export(raw, username=name))
        for message in read_export(path, zone=ZoneInfo("UTC")):
            if isinstance(message, Message) and message.message_id in wanted:
                served.expected[int(raw["id"]), message.message_id] = _facts(message)
    return served


def _paths(folder: Path) -> Iterator[tuple[int, Path]]:
    found = sorted(folder.glob("*/result.json"))
    for copy in range(9):
        for path in found:
            yield copy, path


def _facts(message: Message) -> Facts:
    forward = message.forward
    origin = (forward.channel_id or forward.name) if forward else None
    return message.text, origin, message.reply_to, message.edited_at


def archived(path: Path) -> dict[tuple[int, int], Facts]:
    """The same facts out of the archive."""
    query = (
        "SELECT channel_id, message_id, text, forward_channel_id, forward_name, reply_to, "
        "edited_at FROM messages WHERE deleted_at IS NULL"
    )
    with sqlite3.connect(path) as connection:
        rows = connection.execute(query).fetchall()
    return {(r[0], r[1]): (r[2], r[3] or r[4], r[5], r[6]) for r in rows}


def compare(path: Path, served: Served) -> dict[str, int]:
    """How many messages are missing, too many, or different."""
    held = archived(path)
    wanted = {
        key: (text, origin, reply, edited.strftime("%Y-%m-%d %H:%M:%S.%f") if edited else None)
        for key, (text, origin, reply, edited) in served.expected.items()
        for edited in [edited]
    }
    return {
        "missing": len(wanted.keys() - held.keys()),
        "too_many": len(held.keys() - wanted.keys()),
        "different": sum(held[key] != wanted[key] for key in wanted.keys() & held.keys()),
    }


async def sync(server: MTProtoServer, folder: Path, *arguments: str) -> asyncio.subprocess.Process:
    """Starts `citegram sync`."""
    environment = {
        **os.environ,
        "CITEGRAM_DATA_DIR": str(folder),
        "CITEGRAM_API_ID": "1",
        "CITEGRAM_API_HASH": "x",
        "CITEGRAM_SESSION": server.session_string(),
        "CITEGRAM_SYNC_PAUSE_S": "0",
        "CITEGRAM_EMBEDDER": "none",
    }
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", _SYNC, *arguments, "--json",
        env=environment, cwd=Path(__file__).parents[2],
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def measure(served: Served, count_kills: int) -> None:
    """Prints the figures."""
    server = MTProtoServer()
    for channel in served.channels:
        server.add_channel(channel)
    await server.start()
    names = [f"@{channel.username}" for channel in served.channels]
    with tempfile.TemporaryDirectory() as one:
        began_at = time.perf_counter()
        process = await sync(server, Path(one), *names)
        _, errors = await process.communicate()
        took_s = time.perf_counter() - began_at
        print(errors.decode(), end="")
        calls = server.count("messages.getHistory") + server.count("channels.getMessages")
        print(
            f"{len(served.expected):,} messages, {len(names)} channels: {took_s:.1f} s with "
            f"start and end, {len(served.expected) / took_s:,.0f}/s, {calls} requests,",
            compare(Path(one) / "citegram.sqlite", served),
        )
        if count_kills:
            await _kill(server, served, names, count=count_kills, whole_s=took_s)
    await server.stop()


async def _kill(
    server: MTProtoServer, served: Served, names: list[str], *, count: int, whole_s: float
) -> None:
    """Kills the sync again and again; each life gets a share of the time that all of it takes."""
    chance, killed, folder = random.Random(7), 0, Path(tempfile.mkdtemp())
    server.calls.clear()
    for _ in range(count):
        asked = server.count("messages.getHistory")
        process = await sync(server, folder, *names)
        # Not before it reads: to be killed while Python starts would prove little.
        while (  # noqa: ASYNC110 - another process does it
            server.count("messages.getHistory") == asked and process.returncode is None
        ):
            await asyncio.sleep(0.02)
        await asyncio.sleep(chance.uniform(0, max(0.2, 2 * whole_s / count)))
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        await process.communicate()
    process = await sync(server, folder, *names)
    await process.communicate()
    path = folder / "citegram.sqlite"
    with sqlite3.connect(path) as connection:
        integrity = connection.execute("PRAGMA integrity_check").fetchone()[0]
        queued = connection.execute("SELECT count(*) FROM outbox").fetchone()[0]
        gaps = connection.execute("SELECT count(*) FROM sync_gaps").fetchone()[0]
    newest = (count + 1) * len(names)  # each run looks at each channel's newest posts once
    pages = server.count("messages.getHistory") - newest
    print(
        f"{killed} of {count} runs killed, then one whole: {compare(path, served)}, "
        f"integrity {integrity}, {queued:,} queued for the index, {gaps} gaps, "
        f"at most {pages} pages asked"
    )


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=0)
    arguments = parser.parse_args()
    served = serve_exports(arguments.folder, arguments.messages)
    asyncio.run(measure(served, arguments.kills))


if __name__ == "__main__":
    main()
