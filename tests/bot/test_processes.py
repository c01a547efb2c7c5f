"""The bot as a real process: killed, stopped, started twice."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from bot.texts import ru
from tests.peers.bot_api import BotApi
from tests.peers.bot_process import LAST_WORDS, start_bot

USERS = tuple(range(5001, 5101))
COUNT_QUESTIONS = 200
ENDS = [signal.SIGTERM, signal.SIGKILL] * 6

pytestmark = pytest.mark.processes


async def _ended(process: BaseProcess, within_s: float = 20) -> int | None:
    await asyncio.to_thread(process.join, within_s)
    return process.exitcode


async def test_every_question_is_answered_once_whatever_kills_the_bot(
    api: BotApi, tmp_path: Path
) -> None:
    """200 questions, six SIGTERMs and six SIGKILLs: 200 answers, none missing, none twice."""
    asked: dict[int, tuple[int, str]] = {}
    dice = random.Random(20241007)
    exits: list[int | None] = []

    def answers(message_id: int) -> list[str]:
        replies = api.replies_to(message_id, asked[message_id][0])
        return [reply.text for reply in replies if reply.text != ru.SEARCHING]

    for number, end in enumerate(ENDS):
        process = await asyncio.to_thread(start_bot, api.url, tmp_path, USERS)
        first = number * COUNT_QUESTIONS // len(ENDS)
        for question in range(first, (number + 1) * COUNT_QUESTIONS // len(ENDS)):
            user, text = USERS[question % len(USERS)], f"вопрос {question}"
            asked[api.user_says(text, user_id=user)] = (user, text)
        # Until it is in the thick of it, then a little more: another moment each time.
        calls = len(api.calls)
        await api.until(lambda calls=calls: len(api.calls) > calls + 10, within_s=20)
        await asyncio.sleep(dice.uniform(0, 0.8))
        assert process.pid is not None
        os.kill(process.pid, end)
        exits.append(await _ended(process))

    process = await asyncio.to_thread(start_bot, api.url, tmp_path, USERS)
    await api.until(lambda: all(answers(message_id) for message_id in asked), within_s=60)
    process.terminate()
    exits.append(await _ended(process))

    said = {text: answers(message_id) for message_id, (_, text) in asked.items()}
    wrong = {
        question: texts
        for question, texts in said.items()
        if len(texts) != 1 or not texts[0].startswith(f"Ответ на «{question}».")
    }
    assert wrong == {}
    assert len(said) == COUNT_QUESTIONS
    assert exits == [0 if end is signal.SIGTERM else -signal.SIGKILL for end in ENDS] + [0]


async def test_a_second_bot_names_the_first(api: BotApi, tmp_path: Path) -> None:
    """In one data directory: the second exits at once with the first's pid; the first works on."""
    first = await asyncio.to_thread(start_bot, api.url, tmp_path, USERS)
    await api.until(lambda: api.count("getUpdates"), within_s=20)
    second = await asyncio.to_thread(start_bot, api.url, tmp_path, USERS)

    assert await _ended(second) == 1
    assert f"process {first.pid}" in (tmp_path / LAST_WORDS).read_text()
    asked = api.user_says("вопрос", user_id=USERS[0])
    await api.until(lambda: api.replies_to(asked, USERS[0]))
    first.terminate()
    assert await _ended(first) == 0


async def test_a_newcomer_with_the_same_token_leaves(api: BotApi, tmp_path: Path) -> None:
    """On another machine: Telegram's 409 ends the newcomer within seconds, not the first bot."""
    first = await asyncio.to_thread(start_bot, api.url, tmp_path / "one", USERS)
    await api.until(lambda: api.count("getUpdates") >= 2, within_s=20)
    await asyncio.sleep(1.1)  # it must have been there for a while to count as the first
    started = time.monotonic()
    second = await asyncio.to_thread(start_bot, api.url, tmp_path / "two", USERS)

    assert await _ended(second) == 1
    assert time.monotonic() - started < 10
    assert "409" in (tmp_path / "two" / LAST_WORDS).read_text()
    assert first.is_alive()
    first.terminate()
    assert await _ended(first) == 0
