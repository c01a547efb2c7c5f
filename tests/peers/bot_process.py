"""A bot that runs in a process of its own, to be stopped and killed.

Importing the bot takes seconds, so the processes are forked from a server that has done it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import sys
from collections.abc import Awaitable, Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

from agent.types import Answer, Question, Refusal
from bot.app import Limits, run_bot
from bot.errors import BotError
from ingest.settings import Settings
from tests.peers.bot_api import TOKEN
from tests.peers.scripted_agent import answer_to, scripted

LAST_WORDS = "last_words.txt"
LIMITS = Limits(
    grace_s=5,
    poll_s=5,
    request_s=5,
    backoff_s=0.1,
    calls_per_s=200,
    chat_calls_per_s=5,
    established_s=1,
)


def start_bot(url: str, directory: Path, users: tuple[int, ...]) -> BaseProcess:
    """Starts a bot; its exit code says how it ended."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.peers.bot_process"])
    process = context.Process(target=_main, args=(url, directory, users), daemon=True)
    process.start()
    return process


def _main(url: str, directory: Path, users: tuple[int, ...]) -> None:
    settings = Settings(
        _env_file=None, data_dir=directory, bot_token=TOKEN, bot_api_url=url, owner_ids=users
    )
    try:
        asyncio.run(run_bot(settings, open_agent=scripted(_thinks()), limits=LIMITS))
    except BotError as error:
        (directory / LAST_WORDS).write_text(str(error))
        sys.exit(1)


def _thinks() -> Callable[[Question], Awaitable[Answer | Refusal]]:
    async def think(question: Question) -> Answer:
        await asyncio.sleep(random.uniform(0.02, 0.2))
        return answer_to(question)

    return think
