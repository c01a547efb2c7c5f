"""What `citegram channels --available` shows: the channels that the account is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.settings import Settings
    from ingest.sources.telegram_types import FoundChannel


@dataclass(frozen=True, slots=True, kw_only=True)
class Available:
    """A channel or group of the account, and whether it is followed."""

    found: FoundChannel
    is_followed: bool

    def row(self) -> dict[str, Any]:
        """The same for machines."""
        channel = self.found.channel
        return {
            "channel_id": channel.channel_id,
            "username": channel.username,
            "title": channel.title,
            "kind": channel.kind,
            "followed": self.is_followed,
        }

    def line(self) -> str:
        """The same for people."""
        channel = self.found.channel
        name = f"@{channel.username}" if channel.username else str(channel.channel_id)
        return f"{'*' if self.is_followed else ' '} {channel.title} ({name}), {channel.kind}"


async def available_channels(settings: Settings) -> Sequence[Available]:
    """The channels and groups that the account is in, the last used first.

    Raises:
        TelegramError: The account cannot be asked.
    """
    from ingest.sync.wiring import open_syncing  # noqa: PLC0415 - `--help` needs none
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with (
        open_archive(settings) as services,
        open_syncing(settings, services.database) as syncing,
    ):
        followed = {one.channel_id for one in await syncing.syncer.followed()}
        own = await syncing.syncer.gate.ask(0, "messages.getDialogs", syncing.directory.own)
        return [
            Available(found=one, is_followed=one.channel.channel_id in followed) for one in own
        ]
