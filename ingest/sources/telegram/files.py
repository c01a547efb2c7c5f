"""Downloads the files of posts."""

from __future__ import annotations

from typing import Any

from telethon.tl import functions, types

from ingest.sources.telegram.account import Account
from ingest.sources.telegram.channels import input_channel
from ingest.sources.telegram_errors import Refused
from ingest.sources.telegram_types import ChannelKey


class TelegramFiles:
    """The files of an account's channels. Every method may raise what `Account.call` does."""

    def __init__(self, account: Account) -> None:
        self._account = account

    async def download(self, key: ChannelKey, message_id: int, *, max_bytes: int) -> bytes | None:
        """A post's file; None: it has none any more, or one that is too large.

        The post is asked for anew, since what opens its file is good for a few hours only.
        Source: core.telegram.org/api/file_reference.
        """
        wanted = [types.InputMessageID(message_id)]
        request: Any = functions.messages.GetMessagesRequest(wanted)
        if key.channel_id > 0:
            request = functions.channels.GetMessagesRequest(input_channel(key), wanted)
        answer = await self._account.call(request)
        media = getattr(answer.messages[0], "media", None) if answer.messages else None
        document = getattr(media, "document", None)
        if not isinstance(document, types.Document) or document.size > max_bytes:
            return None
        try:
            return await self._account.download(document)
        except Refused as error:
            if error.reason.startswith(("FILE_", "LOCATION_")):
                return None
            raise
