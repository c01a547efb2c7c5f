"""One Telegram account: a connection, calls that always end, and events as hints."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telethon import TelegramClient, errors, events
from telethon.tl.functions.users import GetUsersRequest
from telethon.tl.types import InputDocumentFileLocation, InputUserSelf

from ingest.sources.telegram.faults import FAULTS, UNKNOWN_KEY, translated
from ingest.sources.telegram.live import hint_of
from ingest.sources.telegram.session import load_session, only_client
from ingest.sources.telegram_errors import (
    NoCredentials,
    SessionLost,
    Unanswered,
)
from ingest.sources.telegram_types import Hint, HintKind

if TYPE_CHECKING:
    from telethon.sessions import StringSession
    from telethon.tl import TLRequest

    from ingest.settings import Settings


_SLOWEST_BYTES_S = 50_000
"""A download that is slower than this is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSettings:
    """What opening an account needs.

    Attributes:
        session: A session as text, instead of the file in `directory`.
        timeout_s: Longest wait for one answer; Telethon itself would wait for ever.
    """

    api_id: int
    api_hash: str
    directory: Path
    session: str | None = None
    timeout_s: float = 30.0


def account_settings(settings: Settings) -> AccountSettings:
    """The part of the settings that is about the Telegram account.

    Raises:
        NoCredentials: API_ID or API_HASH is missing.
    """
    if settings.api_id is None or settings.api_hash is None:
        raise NoCredentials
    return AccountSettings(
        api_id=settings.api_id,
        api_hash=settings.api_hash.get_secret_value(),
        directory=settings.data_dir,
        session=settings.session.get_secret_value() if settings.session else None,
        timeout_s=settings.telegram_timeout_s,
    )


class _Telethon(logging.Handler):
    """Hears what Telethon only logs: that the server does not know our key."""

    def __init__(self) -> None:
        super().__init__()
        self.has_unknown_key = False

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, errors.InvalidBufferError) and error.code == UNKNOWN_KEY:
            self.has_unknown_key = True


class Account:
    """A connected account. Use `open_account`.

    Attributes:
        hints: What events said; listen with `listen`.
    """

    def __init__(self, client: TelegramClient, heard: _Telethon, timeout_s: float) -> None:
        self._client, self._heard, self._timeout_s = client, heard, timeout_s
        self._connecting = asyncio.Lock()
        self.hints: asyncio.Queue[Hint] = asyncio.Queue()

    async def connect(self) -> None:
        """Connects, unless it is.

        Raises:
            SessionLost: Telegram no longer knows the session.
            Unanswered: The network or Telegram is down.
        """
        async with self._connecting:
            if self._client.is_connected():
                return
            await self._within(self._client.connect(), "connect")
            # Whatever was sent while we were away is not told: everything is looked through.
            self.hints.put_nowait(Hint(kind=HintKind.MISSED))

    async def check(self) -> None:
        """Makes sure that the session is good, with one call.

        Raises:
            SessionLost: It is not.
        """
        await self.call(GetUsersRequest([InputUserSelf()]))

    async def call(self, request: TLRequest) -> Any:
        """The answer to one request; a failed one is never repeated here.

        Raises:
            FloodWait: Telegram asks to wait.
            SessionLost: The session is over.
            NoAccess: The channel cannot be read.
            Unanswered: No answer within the time, or a failure of theirs.
            Unreadable: An answer that cannot be parsed.
        """
        method = method_name(request)
        await self.connect()
        # Not by calling the client: that repeats and waits on its own account, and refuses a
        # method that was flooded once, for every channel. Waits are the business of `Gate`.
        answer = self._client._sender.send(request)
        return await self._within(answer, method)

    async def download(self, document: Any) -> bytes:
        """A file, from whichever data centre has it.

        Raises:
            TelegramError: As `call`.
        """
        await self.connect()
        wait_s = self._timeout_s + document.size / _SLOWEST_BYTES_S
        place = InputDocumentFileLocation(
            document.id, document.access_hash, document.file_reference, thumb_size=""
        )
        downloading = self._client.download_file(
            place, bytes, dc_id=document.dc_id, file_size=document.size
        )
        file: bytes = await self._within(downloading, "upload.getFile", wait_s=wait_s)
        return file

    async def _within(self, work: Any, method: str, *, wait_s: float | None = None) -> Any:
        try:
            async with asyncio.timeout(wait_s or self._timeout_s):
                return await work
        except TimeoutError:
            if self._heard.has_unknown_key:
                raise SessionLost("unknown") from None
            why = f"nothing came within {wait_s or self._timeout_s:g} s"
            raise Unanswered(method, why) from None
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # Telethon cancels what is on its way when its connection is lost for good.
            raise Unanswered(method, "the connection was lost") from None
        except FAULTS as error:
            raise translated(error, method) from error

    def listen(self) -> None:
        """From now on events become hints."""

        async def hear(update: Any) -> None:
            hint = hint_of(update)
            if hint is not None:
                self.hints.put_nowait(hint)

        self._client.add_event_handler(hear, events.Raw())


def method_name(request: TLRequest) -> str:
    """``messages.getHistory`` of a GetHistoryRequest, as the API documents it."""
    kind = type(request)
    name = kind.__name__.removesuffix("Request")
    space = kind.__module__.rpartition(".")[2]
    return f"{space}.{name[0].lower()}{name[1:]}"


def make_client(
    settings: AccountSettings, session: StringSession, *, retries: int = 1
) -> tuple[Any, _Telethon]:
    """A client that waits for nothing by itself, and what listens to its log."""
    heard = _Telethon()
    log = logging.getLogger(f"telethon.of.{id(heard):x}")
    log.addHandler(heard)
    client = TelegramClient(
        session,
        settings.api_id,
        settings.api_hash,
        flood_sleep_threshold=0,
        request_retries=retries,
        raise_last_call_error=True,
        connection_retries=3,
        timeout=10,
        catch_up=False,  # it drops what is too much for it: our history passes are the truth
        base_logger=log,
    )
    return client, heard


@asynccontextmanager
async def open_account(settings: AccountSettings) -> AsyncIterator[Account]:
    """The account of the settings, connected, for this process alone.

    Raises:
        NotLoggedIn: There is no session.
        SessionInUse: Another process has it.
        SessionLost: Telegram ended it; nothing was tried twice.
        Unanswered: The network or Telegram is down.
    """
    session = await asyncio.to_thread(load_session, settings.directory, settings.session)
    async with only_client(settings.directory):
        client, heard = make_client(settings, session)
        account = Account(client, heard, settings.timeout_s)
        try:
            await account.check()
            yield account
        finally:
            await close_client(client)


async def close_client(client: Any) -> None:
    """Disconnects; a connection that is broken already is no news."""
    with contextlib.suppress(OSError, errors.RPCError, asyncio.TimeoutError):
        async with asyncio.timeout(5):
            await client.disconnect()
