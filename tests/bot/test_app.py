"""What the owner is told when the bot cannot start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.app import open_bot
from bot.errors import AlreadyRunning, TelegramUnreachable, TokenUnusable
from bot.lock import LOCK_FILE, only_bot
from ingest.settings import Settings
from tests.bot.conftest import QUICK
from tests.peers.bot_api import TOKEN, BotApi
from tests.peers.scripted_agent import scripted


async def refused(settings: Settings) -> str:
    """Why the bot does not start."""
    with pytest.raises((TokenUnusable, TelegramUnreachable)) as raised:
        async with open_bot(settings, open_agent=scripted(), limits=QUICK):
            raise AssertionError("it started")
    chain: BaseException | None = raised.value
    while chain is not None:
        if not chain.__suppress_context__ or chain is raised.value:
            assert TOKEN not in repr(chain)
        chain = chain.__cause__
    return str(raised.value)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        (None, "the bot's token is missing"),
        ("not a token", "the bot's token is not one"),
        ("987654321:AAE-another-token-of-the-right-length", "is not accepted by Telegram"),
    ],
)
async def test_a_wrong_token_is_named(
    settings: Settings, token: str | None, expected: str
) -> None:
    """With the setting to change, and without the token."""
    settings = Settings.model_validate(
        {**settings.model_dump(exclude={"bot_token"}), "bot_token": token}
    )

    message = await refused(settings)

    assert expected in message
    assert "CITEGRAM_BOT_TOKEN" in message


@pytest.mark.parametrize(("kind", "value"), [("reset", 0), ("status", 500), ("garbage", 0)])
async def test_an_unreachable_telegram_is_named(
    api: BotApi, settings: Settings, kind: str, value: int
) -> None:
    """Whatever it does instead of answering."""
    api.fail("getMe", kind, value)

    assert "CITEGRAM_BOT_API_URL" in await refused(settings)


async def test_a_redirect_loop_does_not_show_the_token(api: BotApi, settings: Settings) -> None:
    """The error of aiohttp holds the address, and the address holds the token."""
    api.fail("getMe", "redirect", times=100)

    assert "TooManyRedirects" in await refused(settings)


async def test_only_one_bot_works_in_a_directory(tmp_path: Path) -> None:
    """The second learns the first's pid; when the first has gone, the next may start."""
    async with only_bot(tmp_path):
        with pytest.raises(AlreadyRunning) as raised:
            async with only_bot(tmp_path):
                raise AssertionError("two at once")
        assert raised.value.pid == os.getpid()
    async with only_bot(tmp_path):
        assert (tmp_path / LOCK_FILE).read_text() == f"{os.getpid()}\n"


async def test_a_menu_that_cannot_be_set_stops_nothing(api: BotApi, settings: Settings) -> None:
    """Questions matter more than the list of commands."""
    api.fail("setMyCommands", "status", 500)

    async with open_bot(settings, open_agent=scripted(), limits=QUICK):
        assert api.commands == {}
