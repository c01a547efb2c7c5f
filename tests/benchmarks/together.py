"""Everything at once on one data directory, and everything killed: what is left must agree.

    python -m tests.benchmarks.together EXPORTS [--kills 20] [--models DIR]

EXPORTS is a folder of Telegram Desktop exports. First the bot, an import and two `ask` run side by
side, and the time is taken until a new post is found. Then the index process, the importer and the
bot are killed (SIGKILL) at random moments, so many times each, and `doctor` has the last word.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from ingest.index.lifecycle import find_running
from ingest.index.link import IndexLink
from tests.peers.bot_api import TOKEN, USER_ID, BotApi, serve_bot_api

DICE = random.Random(7)  # the same moments in every run, as far as a machine allows


class Stand:
    """A data directory, its environment, and the processes on it."""

    def __init__(self, folder: Path, api: BotApi) -> None:
        self.folder, self.api = folder, api
        self._env = os.environ | {
            "CITEGRAM_DATA_DIR": str(folder),
            "CITEGRAM_BOT_TOKEN": TOKEN,
            "CITEGRAM_BOT_API_URL": api.url,
            "CITEGRAM_OWNER_IDS": str(USER_ID),
        }

    async def start(self, *words: str) -> asyncio.subprocess.Process:
        """Starts a command of citegram."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", *words),
            env=self._env,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )

    async def run(self, *words: str) -> tuple[int, str, str]:
        """Runs a command to its end: exit code, output, complaints."""
        process = await self.start(*words)
        out, err = await process.communicate()
        return process.returncode or 0, out.decode(), err.decode()


async def together(stand: Stand, exports: list[Path]) -> None:
    """The bot, an import and two questions side by side; then one new post."""
    bot = await stand.start("bot")
    importing = stand.run("import", *map(str, exports[:3]), "--username-from-folder")
    asked = [stand.run("ask", "Что нового?", "--json") for _ in range(2)]
    question = stand.api.user_says("Что писали про Python?")
    replies = await asyncio.gather(importing, *asked)
    for name, (code, _, err) in zip(("import", "ask", "ask"), replies, strict=True):
        print(f"  {name}: exit {code}, complaints: {err.strip() or 'none'}")
    await stand.api.until(lambda: stand.api.replies_to(question), within_s=120)
    print(f"  bot: answered {len(stand.api.replies_to(question))} time(s)")
    for number in range(3):
        print(f"  a new post is found {await _until_found(stand, number):.2f} s after its import")
    bot.send_signal(signal.SIGTERM)
    await bot.communicate()
    print(f"  bot: exit {bot.returncode} after SIGTERM")


async def _until_found(stand: Stand, number: int) -> float:
    word = f"зюзюкинск{'абвгд'[number] * 3}"
    message = {
        "id": 1000 + number,
        "type": "message",
        "date_unixtime": str(int(time.time())),
        "text": f"В городе {word} открыли новый мост через реку, пишет корреспондент.",
    }
    export = {"name": "New", "type": "public_channel", "id": 4242, "messages": [message]}
    path = stand.folder / f"new{number}.json"
    path.write_text(json.dumps(export), "utf-8")
    code, _, err = await stand.run("import", str(path), "--username", "newposts")
    assert code == 0, err
    started_at = time.monotonic()
    async with IndexLink(stand.folder) as link:
        while True:
            body = {
                **{"text": word, "channels": None, "posted_from": None, "posted_before": None},
                **{"limit": 5, "dense": False, "lexical": True},
            }
            if (await link.request("POST", "/search", body))["hits"]:
                return time.monotonic() - started_at
            await asyncio.sleep(0.02)


async def killed(stand: Stand, exports: list[Path], kills: int) -> None:
    """Kills each process so many times while posts come in, and lets the rest be done."""
    for round_ in range(kills):
        path = exports[round_ % len(exports)]
        importing = await stand.start("import", str(path), "--username-from-folder")
        bot = await stand.start("bot")
        await asyncio.sleep(DICE.uniform(0.5, 4.0))
        index = await find_running(stand.folder)
        if index is not None:
            os.kill(index.pid, signal.SIGKILL)
        for process in (importing, bot):
            await asyncio.sleep(DICE.uniform(0.0, 0.5))
            if process.returncode is None:
                process.kill()
            await process.communicate()
        print(f"\r  {round_ + 1} of {kills} rounds", end="", flush=True)
    print()
    code, _, err = await stand.run("import", *map(str, exports), "--username-from-folder")
    assert code == 0, err
    while True:
        backlog = json.loads((await stand.run("status", "--json"))[1])["backlog"]
        if not backlog["words"]:
            break
        await asyncio.sleep(1)
    code, out, err = await stand.run("doctor", "--json")
    report = json.loads(out)
    if report["index"] is None:
        sys.exit(f"  doctor could not read the index: {out}{err}")
    figures = {name: report["index"][name] for name in ("missing", "ghost", "stale", "pending")}
    print(f"  doctor: exit {code}, {figures} of {report['index']['passages']} passages")
    again = await stand.run("import", *map(str, exports), "--username-from-folder", "--json")
    summary = json.loads(again[1])["channels"]
    print(f"  importing again adds {sum(c['added'] for c in summary)}")


async def main() -> None:
    """Runs both parts and prints what came of them."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("exports", type=Path)
    words.add_argument("--kills", type=int, default=20)
    words.add_argument("--models", type=Path, help="a models folder to copy, to save unpacking")
    chosen = words.parse_args()
    exports = sorted(chosen.exports.glob("*/result.json"))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if chosen.models:
            shutil.copytree(chosen.models, Path(folder) / "models")
        async with serve_bot_api() as api:
            stand = Stand(Path(folder), api)
            print("side by side:")
            await together(stand, exports)
            print(f"{chosen.kills} rounds of kills:")
            await killed(stand, exports, chosen.kills)


if __name__ == "__main__":
    asyncio.run(main())
