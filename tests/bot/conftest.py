"""A loopback Telegram and a bot on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app import Limits, RunningBot, open_bot
from ingest.settings import Settings
from tests.peers.bot_api import TOKEN, USER_ID, BotApi, serve_bot_api
from tests.peers.scripted_agent import Script, answer_at_once, scripted

QUICK = Limits(
    grace_s=2, poll_s=5, request_s=3, agent_slack_s=1, backoff_s=0.05, chat_calls_per_s=50
)


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    async with serve_bot_api() as served:
        yield served


@pytest.fixture
def settings(api: BotApi, tmp_path: Path) -> Settings:
    return Settings(
        _env_file=None,
        data_dir=tmp_path / "archive",
        bot_token=TOKEN,
        bot_api_url=api.url,
        owner_ids=(USER_ID,),
        allowed_ids=(2002,),
        answer_deadline_s=1,
    )


RunBot = Callable[..., AbstractAsyncContextManager[RunningBot]]


@pytest.fixture
def running(settings: Settings) -> RunBot:
    """Runs the real bot, polling and all, with a scripted agent, while the context is open."""

    @asynccontextmanager
    async def run(script: Script = answer_at_once, **limits: float) -> AsyncIterator[RunningBot]:
        chosen = replace(QUICK, **limits)
        async with open_bot(settings, open_agent=scripted(script), limits=chosen) as bot:
            task = asyncio.create_task(bot.run())
            try:
                yield bot
            finally:
                bot.stop.set()
                await task

    return run
