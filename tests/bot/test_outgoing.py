"""The pace of calls to Telegram."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiogram import Bot
from aiogram.exceptions import TelegramBadRequest, TelegramNetworkError, TelegramRetryAfter
from aiogram.methods import SendChatAction, SendMessage
from aiogram.methods.base import Response

from bot.outgoing import Outgoing
from tests.peers.bot_api import TOKEN

Call = Callable[[Bot, Any], Awaitable[Response[Any]]]


async def accept(_bot: Bot, _method: Any) -> Response[Any]:
    return Response(ok=True, result=True)


def fail(error: Callable[[Any], Exception]) -> Call:
    async def call(_bot: Bot, method: Any) -> Response[Any]:
        raise error(method)

    return call


async def count_at_once(outgoing: Outgoing, chat_ids: list[int]) -> int:
    """How many of these messages go out without waiting."""
    calls = [
        asyncio.create_task(outgoing(accept, None, SendMessage(chat_id=chat_id, text="x")))
        for chat_id in chat_ids
    ]
    done, waiting = await asyncio.wait(calls, timeout=0.05)
    for call in waiting:
        call.cancel()
    return len(done)


@pytest.mark.parametrize(
    ("chat_ids", "count"),
    [([1] * 10, 3), ([-1] * 10, 5), ([*range(1, 60)], 5), ([1, 1, 1, 1, 2], 4)],
)
async def test_bursts_are_short(chat_ids: list[int], count: int) -> None:
    """Three messages in a chat, five in a group, five overall; a slow chat holds no other up."""
    outgoing = Outgoing(calls_per_s=1)

    assert await count_at_once(outgoing, chat_ids) == count


async def test_a_closed_chat_gets_no_call() -> None:
    """Not even an attempt, until the time that Telegram named; other chats do."""
    outgoing = Outgoing()
    flood = fail(lambda method: TelegramRetryAfter(method, "flood", 30))
    with pytest.raises(TelegramRetryAfter):
        await outgoing(flood, None, SendMessage(chat_id=1, text="x"))

    with pytest.raises(TelegramRetryAfter) as raised:
        await outgoing(fail(AssertionError), None, SendMessage(chat_id=1, text="x"))
    assert 29 <= raised.value.retry_after <= 31
    assert outgoing.closed_chats() == {1}
    assert (await outgoing(accept, None, SendMessage(chat_id=2, text="x"))).ok


async def test_typing_may_fail() -> None:
    """A courtesy that nobody depends on."""
    refuse = fail(lambda method: TelegramBadRequest(method, "no"))

    response = await Outgoing()(refuse, None, SendChatAction(chat_id=1, action="typing"))

    assert response.result is False


async def test_network_errors_carry_no_token() -> None:
    """Neither the error nor what it came from."""
    leak = fail(lambda method: TelegramNetworkError(method, f"https://x/bot{TOKEN}/getMe"))

    with pytest.raises(TelegramNetworkError) as raised:
        await Outgoing()(leak, None, SendMessage(chat_id=1, text="x"))

    assert TOKEN not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__
