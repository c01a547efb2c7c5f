"""What stops the bot as a whole.

    BotError                 one sentence for the owner; the process exits with code 1
      TokenUnusable          the token is missing, malformed or refused by Telegram
      TelegramUnreachable    the Bot API server does not answer at the start
      AlreadyRunning         another bot process works in the same data directory
      AnotherPoller          somebody else polls with the same token

No message carries the token.
"""

from __future__ import annotations

from pathlib import Path


class BotError(Exception):
    """Base of the errors that the owner is told in one sentence."""


class TokenUnusable(BotError):
    """The token is missing, malformed or refused by Telegram."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return (
            f"the bot's token {self.why}; get it from @BotFather and set CITEGRAM_BOT_TOKEN "
            "in the environment or in .env"
        )


class TelegramUnreachable(BotError):
    """The Bot API server does not answer at the start."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        return (
            f"Telegram's Bot API does not answer ({self.why}); check the network, "
            "and CITEGRAM_BOT_API_URL if it is set"
        )


class AlreadyRunning(BotError):
    """Another bot process works in the same data directory."""

    def __init__(self, directory: Path, pid: int | None) -> None:
        super().__init__(directory, pid)
        self.directory, self.pid = directory, pid

    def __str__(self) -> str:
        who = f"process {self.pid}" if self.pid else "another process"
        return f"the bot already runs on {self.directory} ({who}); stop it first"


class AnotherPoller(BotError):
    """Somebody else polls with the same token, so that neither would get every question."""

    def __str__(self) -> str:
        return (
            "another bot process somewhere uses the same token (Telegram says 409 Conflict); "
            "stop it, or make a token of its own at @BotFather"
        )
