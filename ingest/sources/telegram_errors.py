"""What can go wrong between us and Telegram, without a word of the library that talks to it.

ArchiveError
  TelegramError         the base of all of these
    NoCredentials       the settings lack API_ID or API_HASH
    NotLoggedIn         there is no session yet
    SessionUnsafe       others can read the session file
    SessionInUse        another process uses the session
    SessionLost         Telegram ended the session: only a new login helps
    FloodWait           Telegram asks to wait
    NoAccess            the channel cannot be read with this account
    ChannelNotFound     no channel has that name, or the link has expired
    Unanswered          no answer, or a failure on their side: worth another try
    Refused             a request that will never be answered: its name is gone, say
    Unreadable          an answer holds something that nobody here can read
    LoginFailed         a code, password or number was refused
"""

from __future__ import annotations

from pathlib import Path

from ingest.errors import ArchiveError


class TelegramError(ArchiveError):
    """Base of everything that goes wrong with Telegram."""


class NoCredentials(TelegramError):
    """The settings lack what Telegram wants of every program."""

    def __str__(self) -> str:
        return (
            "CITEGRAM_API_ID and CITEGRAM_API_HASH are not set; "
            "get both at https://my.telegram.org/apps"
        )


class NotLoggedIn(TelegramError):
    """There is no session."""

    def __str__(self) -> str:
        return "not logged in to Telegram; run `citegram login`"


class SessionUnsafe(TelegramError):
    """Somebody else could read the session, which is the whole account."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"others can read {self.path}, which opens the account; run: chmod 600 {self.path}"


class SessionInUse(TelegramError):
    """Another process uses the session: two would make Telegram end it."""

    def __init__(self, pid: int | None) -> None:
        super().__init__(pid)
        self.pid = pid

    def __str__(self) -> str:
        who = f"process {self.pid}" if self.pid else "another process"
        return f"the Telegram session is in use by {who}; stop it first, or let it do the work"


_LOST = {
    "duplicated": "the session was used from two places at once and Telegram ended it",
    "revoked": "the session was ended from another device",
    "banned": "Telegram has banned or deleted this account",
    "frozen": "Telegram has frozen this account",
    "unknown": "Telegram does not know this session any more",
}


class SessionLost(TelegramError):
    """Telegram ended the session. Trying again can only make it worse.

    Attributes:
        reason: "duplicated", "revoked", "banned", "frozen" or "unknown".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        what = _LOST.get(self.reason, _LOST["unknown"])
        if self.reason in {"banned", "frozen"}:
            return f"{what}; what is in the archive can still be asked"
        return f"{what}; run `citegram login` (the archive can still be asked)"


class FloodWait(TelegramError):
    """Telegram asks to wait before this method is called again."""

    def __init__(self, method: str, wait_s: int) -> None:
        super().__init__(method, wait_s)
        self.method, self.wait_s = method, wait_s

    def __str__(self) -> str:
        return f"Telegram asks to wait {self.wait_s} s before {self.method}"


_NO_ACCESS = {
    "CHANNEL_PRIVATE": "it is private and this account is not, or no longer, a member",
    "CHANNEL_INVALID": "this account has never seen it",
    "PEER_ID_INVALID": "this account has never seen it",
    "USER_BANNED_IN_CHANNEL": "this account is banned there",
}


class NoAccess(TelegramError):
    """The channel cannot be read with this account (any more).

    Attributes:
        reason: Telegram's own word for it, e.g. ``CHANNEL_PRIVATE``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the channel cannot be read: {_NO_ACCESS.get(self.reason, self.reason)}"


class ChannelNotFound(TelegramError):
    """A name or a link leads to no channel."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(name, why)
        self.name, self.why = name, why

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


class Unanswered(TelegramError):
    """No answer, or a failure on Telegram's side."""

    def __init__(self, method: str, why: str) -> None:
        super().__init__(method, why)
        self.method, self.why = method, why

    def __str__(self) -> str:
        return f"Telegram did not answer {self.method}: {self.why}"


class Refused(TelegramError):
    """Telegram refuses a request; asking again would change nothing.

    Attributes:
        reason: Telegram's own word for it, e.g. ``USERNAME_NOT_OCCUPIED``.
    """

    def __init__(self, method: str, reason: str) -> None:
        super().__init__(method, reason)
        self.method, self.reason = method, reason

    def __str__(self) -> str:
        return f"Telegram refuses {self.method}: {self.reason}"


class Unreadable(TelegramError):
    """An answer holds something that this program cannot read."""

    def __init__(self, method: str, why: str) -> None:
        super().__init__(method, why)
        self.method, self.why = method, why

    def __str__(self) -> str:
        return f"an answer to {self.method} cannot be read: {self.why}"


class LoginFailed(TelegramError):
    """What was typed is refused."""
