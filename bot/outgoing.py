"""Every call to the Bot API passes here: paced, quiet for as long as Telegram says, redacted."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from aiogram.client.session.middlewares.base import (
    BaseRequestMiddleware,
    NextRequestMiddlewareType,
)
from aiogram.exceptions import (
    AiogramError,
    TelegramNetworkError,
    TelegramRetryAfter,
)
from aiogram.methods import GetUpdates, SendChatAction
from aiogram.methods.base import Response, TelegramMethod, TelegramType
from aiolimiter import AsyncLimiter

from bot.redaction import redact

if TYPE_CHECKING:
    from aiogram import Bot

_MAX_REMEMBERED_CHATS = 2_000
_TYPING_TIMEOUT_S = 3
_OVERALL_BURST = 5
_BURST = 3
"""A placeholder, its edit, and a notice may follow each other at once."""


class Outgoing(BaseRequestMiddleware):
    """Paces calls below Telegram's limits and remembers which chats must be left alone.

    The limits are 30 messages a second over all chats, one a second in a chat with short
    bursts, 20 a minute in a group. Source: core.telegram.org/bots/faq. A limiter lets
    `max_rate` calls through at once and then refills, so each is set low enough that burst
    and refill together stay within the limit.
    """

    def __init__(self, *, calls_per_s: float = 25.0, chat_calls_per_s: float = 1.0) -> None:
        self._overall = AsyncLimiter(_OVERALL_BURST, time_period=_OVERALL_BURST / calls_per_s)
        self._chat_calls_per_s = chat_calls_per_s
        self._chats: OrderedDict[int, AsyncLimiter] = OrderedDict()
        self._closed_until: dict[int, float] = {}

    def closed_chats(self) -> frozenset[int]:
        """Chats that must not be written to now."""
        now = monotonic()
        self._closed_until = {c: until for c, until in self._closed_until.items() if until > now}
        return frozenset(self._closed_until)

    def close(self, chat_id: int, wait_s: float) -> None:
        """Leaves a chat alone for that long."""
        until = monotonic() + wait_s
        self._closed_until[chat_id] = max(until, self._closed_until.get(chat_id, 0))

    def next_opening_s(self) -> float | None:
        """Seconds until the next chat may be written to again; None: none is closed."""
        if not self._closed_until:
            return None
        return max(0.0, min(self._closed_until.values()) - monotonic())

    async def __call__(
        self,
        make_request: NextRequestMiddlewareType[TelegramType],
        bot: Bot,
        method: TelegramMethod[TelegramType],
    ) -> Response[TelegramType]:
        """Makes the call when its turn has come.

        Raises:
            TelegramRetryAfter: The chat is closed, by this answer or by an earlier one.
        """
        if isinstance(method, SendChatAction):
            return cast("Response[TelegramType]", await self._typing(make_request, bot, method))
        chat_id = getattr(method, "chat_id", None)
        if isinstance(chat_id, int):
            await self._turn(chat_id, method)
        elif not isinstance(method, GetUpdates):
            await self._overall.acquire()
        try:
            return await make_request(bot, method)
        except TelegramRetryAfter as error:
            if isinstance(chat_id, int):
                self.close(chat_id, error.retry_after)
            raise
        except TelegramNetworkError as error:
            # aiohttp's errors may hold the address, and with it the token.
            raise TelegramNetworkError(method, redact(error.message)) from None

    async def _turn(self, chat_id: int, method: TelegramMethod[Any]) -> None:
        await self._limiter(chat_id).acquire()
        await self._overall.acquire()
        if chat_id in self.closed_chats():
            wait_s = round(self._closed_until[chat_id] - monotonic()) + 1
            raise TelegramRetryAfter(method, "this chat is closed for a while", wait_s)

    def _limiter(self, chat_id: int) -> AsyncLimiter:
        limiter = self._chats.get(chat_id)
        if limiter is None:
            if chat_id < 0:
                limiter = AsyncLimiter(5, time_period=20)
            else:
                limiter = AsyncLimiter(_BURST, time_period=_BURST / self._chat_calls_per_s)
            self._chats[chat_id] = limiter
        self._chats.move_to_end(chat_id)
        if len(self._chats) > _MAX_REMEMBERED_CHATS:
            self._chats.popitem(last=False)
        return limiter

    async def _typing(
        self, make_request: NextRequestMiddlewareType[Any], bot: Bot, method: SendChatAction
    ) -> Response[bool]:
        """Shows "typing…", a courtesy: no trouble with it may delay or fail an answer."""
        sent = False
        if method.chat_id not in self.closed_chats():
            try:
                async with asyncio.timeout(_TYPING_TIMEOUT_S):
                    await self._overall.acquire()
                    await make_request(bot, cast("TelegramMethod[Any]", method))
                sent = True
            except TelegramRetryAfter as error:
                self.close(int(method.chat_id), error.retry_after)
            except (AiogramError, TimeoutError):
                pass
        return Response[bool](ok=True, result=sent)
