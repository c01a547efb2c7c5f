"""Signs in: by phone, code and password, or by a QR code; writes the session file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from telethon import errors
from telethon.sessions import StringSession

from ingest.sources.telegram.account import AccountSettings, close_client, make_client
from ingest.sources.telegram.faults import FAULTS, translated
from ingest.sources.telegram.session import load_session, only_client, save_session
from ingest.sources.telegram_errors import (
    FloodWait,
    LoginFailed,
    NotLoggedIn,
    SessionLost,
    TelegramError,
)

TRIES = 3
"""Codes and passwords that may be mistyped; Telegram soon makes one wait for more."""

QR_TRIES = 10
"""QR codes shown before giving up; each is good for about half a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How the person in front of the terminal is asked.

    Attributes:
        code: Told how the code was sent ("app", "sms"), gives what was typed.
        password: Gives the two-step password; told whether the last one was wrong.
        show_qr: Shows a QR code for a link.
    """

    phone: Callable[[], Awaitable[str]]
    code: Callable[[str], Awaitable[str]]
    password: Callable[[bool], Awaitable[str]]
    show_qr: Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedIn:
    """Who is logged in, and where the session is kept."""

    name: str
    user_id: int
    path: Path


async def log_in(
    settings: AccountSettings, asking: Asking, *, by_qr: bool = False, start: str | None = None
) -> LoggedIn:
    """Signs in and keeps the session; an earlier good session is taken as it is.

    Args:
        start: A session as text to start from, which names another server than Telegram's.

    Raises:
        LoginFailed: What was typed is refused.
        SessionInUse: Another process uses the session.
        FloodWait: Telegram asks to wait before the next try.
        TelegramError: Telegram could not be reached.
    """
    async with only_client(settings.directory), _client(settings, start) as client:
        me = await _told(client.get_me(), settings)
        if me is None:
            signing = _by_qr(client, asking) if by_qr else _by_code(client, asking)
            # A person needs minutes to find a code; each question to Telegram is short.
            me = await _translated(signing)
        session = StringSession()
        session.set_dc(client.session.dc_id, client.session.server_address, client.session.port)
        session.auth_key = client.session.auth_key
        path = await asyncio.to_thread(save_session, settings.directory, session)
        name = " ".join(part for part in (me.first_name, me.last_name) if part)
        return LoggedIn(name=name or str(me.id), user_id=me.id, path=path)


@asynccontextmanager
async def _client(settings: AccountSettings, start: str | None) -> AsyncIterator[Any]:
    """A connected client: with the kept session if it is still good, else with a new one."""
    try:
        session = await asyncio.to_thread(load_session, settings.directory, settings.session)
    except NotLoggedIn:
        session = StringSession(start)
    client, _ = make_client(settings, session, retries=3)
    try:
        try:
            await _told(client.connect(), settings)
        except SessionLost:
            await close_client(client)
            client, _ = make_client(settings, _forgotten(session), retries=3)
            await _told(client.connect(), settings)
        yield client
    finally:
        await close_client(client)


def _forgotten(session: StringSession) -> StringSession:
    """The same server without the key that it has ended."""
    fresh = StringSession()
    fresh.set_dc(session.dc_id, session.server_address, session.port)
    return fresh


async def _by_code(client: Any, asking: Asking) -> Any:
    phone = await asking.phone()
    try:
        sent = await client.send_code_request(phone)
    except errors.PhoneNumberInvalidError:
        raise LoginFailed(
            "Telegram knows no such phone number; write it like +79991234567"
        ) from None
    except (errors.PhoneNumberBannedError, errors.PhoneNumberFloodError) as error:
        raise LoginFailed(f"Telegram refuses this number: {type(error).__name__}") from None
    how = type(sent.type).__name__.removeprefix("SentCodeType").lower()
    for _ in range(TRIES):
        code = await asking.code(how)
        try:
            return await client.sign_in(phone, code.strip(), phone_code_hash=sent.phone_code_hash)
        except errors.SessionPasswordNeededError:
            return await _by_password(client, asking)
        except errors.PhoneCodeInvalidError:
            continue
        except errors.PhoneCodeExpiredError:
            raise LoginFailed("the code has expired; run `citegram login` again") from None
        except errors.PhoneNumberUnoccupiedError:
            raise LoginFailed("this number has no Telegram account") from None
    raise LoginFailed(f"{TRIES} wrong codes; wait a little and run `citegram login` again")


async def _by_password(client: Any, asking: Asking) -> Any:
    for attempt in range(TRIES):
        password = await asking.password(attempt > 0)
        try:
            return await client.sign_in(password=password)
        except errors.PasswordHashInvalidError:
            continue
    raise LoginFailed(f"{TRIES} wrong passwords; nothing was kept, run `citegram login` again")


async def _by_qr(client: Any, asking: Asking) -> Any:
    login = await client.qr_login()
    for _ in range(QR_TRIES):
        asking.show_qr(login.url)
        try:
            return await login.wait()
        except errors.SessionPasswordNeededError:
            return await _by_password(client, asking)
        except TimeoutError:
            await login.recreate()
    raise LoginFailed("nobody scanned the code; run `citegram login --qr` again")


async def _told(work: Any, settings: AccountSettings) -> Any:
    async with asyncio.timeout(settings.timeout_s):
        return await _translated(work)


async def _translated(work: Any) -> Any:
    try:
        return await work
    except TelegramError:
        raise
    except FAULTS as error:
        told = translated(error, "auth.signIn")
        if isinstance(told, FloodWait):
            minutes = -(-told.wait_s // 60)
            raise LoginFailed(f"too many tries: Telegram asks to wait {minutes} min") from error
        raise told from error
