"""Telegram's own way to export much: a takeout session, which is made to wait less."""

from __future__ import annotations

from typing import Any

import structlog
from telethon.tl import functions

from ingest.sources.telegram.account import Account
from ingest.sources.telegram_errors import FloodWait, Refused, TelegramError

log = structlog.get_logger(__name__)


class Takeout:
    """Calls through a takeout session while there is one, else plainly.

    Source: core.telegram.org/api/takeout.
    """

    def __init__(self, account: Account) -> None:
        self._account = account
        self._id: int | None = None

    async def begin(self) -> str | None:
        """Asks for a session.

        Returns:
            Why there is none, as a sentence; None: there is one. Reading goes on either way.

        Raises:
            TelegramError: As `Account.call`, but for what keeps only the takeout from working.
        """
        request = functions.account.InitTakeoutSessionRequest(
            message_chats=True,  # or supergroups that were groups once stay out
            message_megagroups=True,
            message_channels=True,
        )
        try:
            self._id = (await self._account.call(request)).id
        except FloodWait as error:
            hours = -(-error.wait_s // 3600)
            return (
                f"Telegram allows a takeout in {hours} h, or at once if you confirm it in the "
                "service message it has just sent you; reading slowly meanwhile"
            )
        except Refused as error:
            return f"Telegram refuses a takeout ({error.reason}); reading slowly instead"
        return None

    async def call(self, request: Any) -> Any:
        """The answer to one request; a session that has ended is done without.

        Raises:
            TelegramError: As `Account.call`.
        """
        if self._id is not None:
            wrapped = functions.InvokeWithTakeoutRequest(self._id, request)
            try:
                return await self._account.call(wrapped)
            except Refused as error:
                if not error.reason.startswith("TAKEOUT"):
                    raise
                log.warning("takeout.ended", reason=error.reason)
                self._id = None
        return await self._account.call(request)

    async def finish(self, *, success: bool) -> None:
        """Ends the session, if there is one; that this fails is no news for anybody."""
        if self._id is None:
            return
        request = functions.account.FinishTakeoutSessionRequest(success=success or None)
        wrapped = functions.InvokeWithTakeoutRequest(self._id, request)
        self._id = None
        try:
            await self._account.call(wrapped)
        except TelegramError as error:
            log.info("takeout.not_finished", reason=str(error))
