"""Fetches updates and confirms only those that are safely stored.

aiogram's own loop confirms an update even when its handler failed. This one advances the
offset only past updates whose handlers returned, so Telegram keeps the others (for 24 hours).
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import structlog
from aiogram import Bot, Dispatcher
from aiogram.exceptions import (
    AiogramError,
    TelegramConflictError,
    TelegramRetryAfter,
    TelegramUnauthorizedError,
)
from aiogram.methods import GetUpdates
from aiogram.types import Update
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from bot.errors import AnotherPoller, TokenUnusable
from bot.redaction import where
from bot.stopping import unless_stopped

STORAGE_ERRORS = (SQLAlchemyError, OSError)
"""What a handler raises when nothing can be stored: the update must come again."""

_NEWCOMERS_PATIENCE_S = 1.5
_OWNERS_PATIENCE_S = 60.0
_MAX_BACKOFF_S = 30.0

log = structlog.get_logger(__name__)


class GetRawUpdates(GetUpdates):
    """`GetUpdates` whose updates are parsed one by one, so that no odd one blocks the rest."""

    __returning__ = list[dict[str, Any]]
    __api_method__ = "getUpdates"


class Polling:
    """Feeds a dispatcher with the updates of one bot.

    When two bots poll with one token, Telegram ends the calls of each in turn. The one that
    had polled for `established_s` before was here first: it outlasts the newcomer.
    """

    def __init__(
        self,
        bot: Bot,
        dispatcher: Dispatcher,
        *,
        timeout_s: int = 30,
        backoff_s: float = 1.0,
        established_s: float = 10.0,
    ) -> None:
        self._bot, self._dispatcher = bot, dispatcher
        self._timeout_s, self._backoff_s = timeout_s, backoff_s
        self._established_s = established_s
        self._offset: int | None = None
        self._polled_since: float | None = None
        self._conflict_since: float | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Polls until `stop`.

        Raises:
            AnotherPoller: Somebody else polls with the same token.
            TokenUnusable: Telegram does not accept the token any more.
        """
        failures = 0
        while not stop.is_set():
            try:
                updates = await unless_stopped(stop, self._fetch())
                for update in updates or ():
                    await self._feed(update)
            except STORAGE_ERRORS as error:
                log.error("updates.not_stored", error=type(error).__name__, at=where(error))  # noqa: TRY400 - no texts
                failures += 1
            except (TelegramConflictError, TelegramUnauthorizedError) as error:
                self._give_up_or_wait(error)
                failures = 1
            except AiogramError as error:
                failures += 1
                log.warning("updates.not_fetched", error=type(error).__name__)
                if isinstance(error, TelegramRetryAfter):
                    await unless_stopped(stop, asyncio.sleep(error.retry_after))
            else:
                failures = 0
                self._conflict_since = None
            if failures:
                wait_s = min(_MAX_BACKOFF_S, self._backoff_s * 2 ** min(failures - 1, 16))
                await unless_stopped(stop, asyncio.sleep(wait_s))

    async def _fetch(self) -> list[dict[str, Any]]:
        # The first call returns at once: it tells a bot that polls from one that never could.
        timeout_s = self._timeout_s if self._polled_since is not None else 0
        method = GetRawUpdates(offset=self._offset, timeout=timeout_s, allowed_updates=["message"])
        # Telegram answers after `timeout_s` at the latest; the rest is for the way.
        updates = await self._bot(method, request_timeout=timeout_s + 15)
        self._polled_since = self._polled_since or monotonic()
        return updates  # type: ignore[return-value]  # see GetRawUpdates

    async def _feed(self, raw: dict[str, Any]) -> None:
        update_id = int(raw["update_id"])
        try:
            update = Update.model_validate(raw, context={"bot": self._bot})
        except ValidationError as error:
            log.error(  # noqa: TRY400 - the error would print the update
                "update.unreadable", update=update_id, mistakes=error.error_count()
            )
        else:
            await self._handle(update)
        self._offset = update_id + 1

    async def _handle(self, update: Update) -> None:
        try:
            await self._dispatcher.feed_update(self._bot, update)
        except STORAGE_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - it would fail again, and block all others
            name = type(error).__name__
            log.error("update.failed", update=update.update_id, error=name, at=where(error))  # noqa: TRY400 - no texts

    def _give_up_or_wait(self, error: TelegramConflictError | TelegramUnauthorizedError) -> None:
        if isinstance(error, TelegramUnauthorizedError):
            raise TokenUnusable("is not valid any more") from None
        now = monotonic()
        self._conflict_since = self._conflict_since or now
        is_owner = self._polled_since is not None and (
            self._conflict_since - self._polled_since > self._established_s
        )
        log.error("updates.conflict", established=is_owner)
        if now - self._conflict_since >= (
            _OWNERS_PATIENCE_S if is_owner else _NEWCOMERS_PATIENCE_S
        ):
            raise AnotherPoller from None
