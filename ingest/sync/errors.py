"""Why a channel's turn ended before its end. What was read till then is stored."""

from __future__ import annotations

from datetime import datetime

from ingest.errors import ArchiveError


class ChannelBusy(ArchiveError):
    """Telegram wants a longer pause than this run is ready to sit out.

    Attributes:
        until_at: When it may go on, aware UTC.
    """

    def __init__(self, method: str, until_at: datetime) -> None:
        super().__init__(method, until_at)
        self.method, self.until_at = method, until_at

    def __str__(self) -> str:
        at = self.until_at.astimezone()
        return f"Telegram asks to wait until {at:%Y-%m-%d %H:%M}; the next run goes on from here"


class Stopped(ArchiveError):
    """Somebody asked the process to stop."""

    def __str__(self) -> str:
        return "stopped; the next run goes on from here"
