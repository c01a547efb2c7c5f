"""The commands over the real wire: sync, failures, forget, channels of the account, stopping."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner, Result

from ingest.cli.available import available_channels
from ingest.cli.failures import failures_command
from ingest.cli.forgetting import forget_command
from ingest.cli.syncing import sync_command
from ingest.settings import Settings
from ingest.store.engine import open_database
from ingest.store.sync_status import sync_status
from tests.peers.mtproto_poison import poison
from tests.peers.mtproto_server import MTProtoServer
from tests.peers.telegram_archive import channel, present, stored

T = TypeVar("T")


class Telegram:
    """A loopback Telegram in a thread of its own, for commands that have a loop of their own."""

    def __init__(self) -> None:
        self.server = MTProtoServer()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.do(self.server.start())

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def call(self, function: Callable[..., T], *arguments: Any) -> T:
        async def calling() -> T:
            return function(*arguments)

        return self.do(calling())

    def close(self) -> None:
        self.do(self.server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture
def telegram(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Telegram]:
    """Telegram, and settings that lead to it."""
    telegram = Telegram()
    monkeypatch.setenv("CITEGRAM_EMBEDDER", "none")
    monkeypatch.setenv("CITEGRAM_API_ID", "1")
    monkeypatch.setenv("CITEGRAM_API_HASH", "x")
    monkeypatch.setenv("CITEGRAM_SESSION", telegram.server.session_string())
    monkeypatch.setenv("CITEGRAM_SYNC_PAUSE_S", "0")
    yield telegram
    telegram.close()


def command(what: Any, *arguments: str) -> Result:
    return CliRunner().invoke(what, [*arguments])


def read(what: Any, *arguments: str, code: int = 0) -> Any:
    """What a command prints for machines."""
    result = command(what, *arguments, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def held(settings: Settings) -> dict[tuple[int, int], str]:
    async def reading() -> dict[tuple[int, int], str]:
        async with open_database(settings.database_path) as database:
            return await stored(database)

    return asyncio.run(reading())


def test_sync_follows_and_goes_on(telegram: Telegram, settings: Settings) -> None:
    """A named channel is fetched and followed; its name is asked for once only."""
    news = telegram.call(telegram.server.add_channel, channel(count=120))
    (report,) = read(sync_command, "@news")["channels"]
    assert (report["channel"], report["added"], report["complete"]) == ("news", 120, True)
    assert held(settings) == present(news)

    telegram.call(news.post, "fresh")
    assert read(sync_command)["channels"][0]["added"] == 1
    assert read(sync_command, "t.me/news")["channels"][0]["added"] == 0
    assert telegram.server.count("contacts.resolveUsername") == 1


def test_unknown_names_are_told(telegram: Telegram, settings: Settings) -> None:
    """A name that nobody has, a word that is none, an invite that the account did not take."""
    private = channel(2, name=None, invite="AbCdEf", joined=False)
    telegram.call(telegram.server.add_channel, private)
    for name, told in (
        ("@nobody_has_it", "nobody has this name"),
        ("what is this?", "neither an @name nor a link"),
        ("https://t.me/+AbCdEf", "join it in Telegram first"),
        ("https://t.me/+gone", "no longer good"),
        ("-100500", "channels --available"),
    ):
        result = command(sync_command, "--", name)
        assert result.exit_code == 1
        assert told in result.stderr
        assert "Traceback" not in result.output


def test_private_channels_of_the_account(telegram: Telegram, settings: Settings) -> None:
    """A private channel is found by its invite link, its id, or in the list."""
    private = channel(2, name=None, count=5, invite="AbCdEf")
    telegram.call(telegram.server.add_channel, private)
    (row,) = [one.row() for one in asyncio.run(available_channels(Settings()))]
    assert (row["channel_id"], row["followed"]) == (private.id, False)
    assert read(sync_command, "https://t.me/+AbCdEf")["channels"][0]["added"] == 5
    assert read(sync_command, str(private.id))["channels"][0]["added"] == 0


def test_failures_are_listed_and_retried(telegram: Telegram, settings: Settings) -> None:
    """What could not be read is listed with its link; once it can, a retry stores it."""
    news = channel(count=30)
    poison(news, 7, "media")
    telegram.call(telegram.server.add_channel, news)
    assert read(sync_command, "@news")["channels"][0]["failed"] == 1
    (failure,) = read(failures_command)["failures"]
    assert failure["url"] == "https://t.me/news/7"

    del news.messages[7]._bytes
    assert read(failures_command, "--retry") == {"failures": [], "cured": 1}
    assert held(settings) == present(news)


def test_forgotten_posts_stay_forgotten(telegram: Telegram, settings: Settings) -> None:
    """A post and an author leave the archive and its queue, and a sweep brings neither back."""
    news = channel(count=40)
    for number in (3, 4):
        news.messages[number].post_author = "Ann"
    telegram.call(telegram.server.add_channel, news)
    read(sync_command, "@news")
    began_at = time.monotonic()
    assert read(forget_command, "https://t.me/news/9", "--yes")["forgotten"] == 1
    answer = read(forget_command, "--author", "Ann", "--yes")
    assert answer == {"forgotten": 2, "gone_from_search": True}
    assert time.monotonic() - began_at < 15

    read(sync_command, "--sweep")
    assert {number for _, number in held(settings)} == set(range(1, 41)) - {3, 4, 9}


def test_a_forgotten_channel_is_followed_no_more(telegram: Telegram, settings: Settings) -> None:
    """Nothing of it is left, not even its name; asked for again it comes back."""
    news = telegram.call(telegram.server.add_channel, channel(count=40))
    read(sync_command, "@news")
    assert read(forget_command, "@news", "--yes")["forgotten"] == 40
    assert held(settings) == {}
    assert b"post 17 of 1" not in settings.database_path.read_bytes()
    assert read(sync_command) == {"channels": []}
    assert read(sync_command, "@news")["channels"][0]["added"] == 40
    assert held(settings) == present(news)


def test_without_an_account(telegram: Telegram, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without credentials or a session a sentence says what to do."""
    monkeypatch.delenv("CITEGRAM_SESSION")
    result = command(sync_command, "@news")
    assert (result.exit_code, "citegram login" in result.stderr) == (1, True)
    monkeypatch.delenv("CITEGRAM_API_HASH")
    result = command(sync_command, "@news")
    assert (result.exit_code, "my.telegram.org" in result.stderr) == (1, True)


def test_an_ended_session_is_remembered(telegram: Telegram, settings: Settings) -> None:
    """The status can tell why nothing new comes; a good session clears it."""
    telegram.call(telegram.server.add_channel, channel(count=5))
    telegram.server.fault("users.getUsers", "error", [406, "AUTH_KEY_DUPLICATED"], after=1)
    assert "two places at once" in command(sync_command, "@news").stderr

    async def lost() -> str | None:
        async with open_database(settings.database_path) as database:
            return (await sync_status(database)).session_lost

    assert "two places" in str(asyncio.run(lost()))
    read(sync_command, "@news")
    assert asyncio.run(lost()) is None


@pytest.mark.processes
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_stopped_anywhere_it_goes_on(
    telegram: Telegram, settings: Settings, number: signal.Signals
) -> None:
    """Asked to stop it ends at once with a sentence; killed or not, the next run goes on."""
    news = telegram.call(telegram.server.add_channel, channel(count=900))
    telegram.server.fault("messages.getHistory", "delay", 30, after=4)
    script = "from ingest.cli.syncing import sync_command; sync_command()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "@news"],
        cwd=Path(__file__).parents[2], env=dict(os.environ), stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 30
    while telegram.server.count("messages.getHistory") < 5:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=10)
    if number is signal.SIGTERM:
        assert process.returncode == 1
        assert "goes on from here" in errors
        assert "Traceback" not in errors
    assert 300 <= len(held(settings)) < 900
    read(sync_command)
    assert held(settings) == present(news)
