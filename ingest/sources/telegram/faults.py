"""Telethon's errors in our words: at this border they end."""

from __future__ import annotations

import asyncio
import struct
from typing import TYPE_CHECKING, Any

from telethon import errors

from ingest.sources.telegram_errors import (
    FloodWait,
    NoAccess,
    Refused,
    SessionLost,
    TelegramError,
    Unanswered,
    Unreadable,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

TRANSPORT_FLOOD, UNKNOWN_KEY = 429, 404
"""Source: core.telegram.org/mtproto/mtproto-transports#transport-errors."""

_TRANSPORT_FLOOD_S = 60
"""Telegram names no time there; a minute is what its clients wait."""

_UNREADABLE = (
    errors.TypeNotFoundError,
    struct.error,
    BufferError,
    EOFError,
    ValueError,
    TypeError,
    IndexError,
    OverflowError,
)
"""What Telethon's parser raises over bytes that it does not understand."""

FAULTS = (
    errors.RPCError,
    errors.InvalidBufferError,
    errors.AuthKeyNotFound,
    errors.SecurityError,
    OSError,
    TimeoutError,
    asyncio.IncompleteReadError,
    *_UNREADABLE,
)
"""Everything that a call is known to raise."""

_LOST: Mapping[type[Exception], str] = {
    errors.AuthKeyDuplicatedError: "duplicated",
    errors.SessionRevokedError: "revoked",
    errors.SessionExpiredError: "revoked",
    errors.AuthKeyUnregisteredError: "revoked",
    errors.UserDeactivatedBanError: "banned",
    errors.UserDeactivatedError: "banned",
    errors.FrozenMethodInvalidError: "frozen",
    errors.AuthKeyInvalidError: "unknown",
    errors.AuthKeyPermEmptyError: "unknown",
    errors.AuthKeyNotFound: "unknown",
}

_THEIR_FAULT = (
    errors.ServerError,
    errors.RpcCallFailError,
    errors.RpcMcgetFailError,
    errors.InterdcCallErrorError,
    errors.InterdcCallRichErrorError,
    errors.TimedOutError,
)

_NO_ACCESS = (
    errors.ChannelPrivateError,
    errors.ChannelInvalidError,
    errors.ChatForbiddenError,
    errors.PeerIdInvalidError,
    errors.UserBannedInChannelError,
    errors.ChatAdminRequiredError,
    errors.ChatIdInvalidError,
)


def translated(error: BaseException, method: str) -> TelegramError:
    """The error of ours that one of `FAULTS` means."""
    for kind, reason in _LOST.items():
        if isinstance(error, kind):
            return SessionLost(reason)
    if isinstance(error, errors.InvalidBufferError):
        return _of_transport(error, method)
    if isinstance(error, errors.RPCError):
        return _of_rpc(error, method)
    if isinstance(error, _UNREADABLE):
        return Unreadable(method, type(error).__name__)
    return Unanswered(method, type(error).__name__)


def _of_rpc(error: Any, method: str) -> TelegramError:
    if isinstance(error, errors.FloodError):
        return FloodWait(method, max(1, int(getattr(error, "seconds", 0) or _TRANSPORT_FLOOD_S)))
    if isinstance(error, _NO_ACCESS):
        return NoAccess(word(error))
    if isinstance(error, _THEIR_FAULT):
        return Unanswered(method, word(error))
    if isinstance(error, errors.UnauthorizedError | errors.AuthKeyError):
        return SessionLost("unknown")
    return Refused(method, word(error))


def _of_transport(error: Any, method: str) -> TelegramError:
    if error.code == TRANSPORT_FLOOD:
        return FloodWait(method, _TRANSPORT_FLOOD_S)
    return SessionLost("unknown") if error.code == UNKNOWN_KEY else Unanswered(method, "transport")


def word(error: BaseException) -> str:
    """Telegram's own word for an error, e.g. ``CHANNEL_PRIVATE``."""
    kind = type(error)
    told = getattr(error, "message", None)
    if kind.__module__ == errors.rpcbaseerrors.__name__ and isinstance(told, str):
        return told  # one that Telethon has no class for
    name = kind.__name__.removesuffix("Error")
    return "".join(f"_{c}" if c.isupper() and at else c for at, c in enumerate(name)).upper()
