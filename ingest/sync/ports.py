"""What syncing wants of a source of channels."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from ingest.sources.telegram_types import MAX_PAGE, ChannelKey, FoundChannel, Page
from ingest.types import MessageId


class History(Protocol):
    """Reads posts, one request a call; raises the errors of `telegram_errors`."""

    async def page(self, key: ChannelKey, *, after: int, limit: int = MAX_PAGE) -> Page:
        """The oldest posts with ids above `after`."""

    async def by_ids(self, key: ChannelKey, ids: Sequence[int]) -> Page:
        """Some posts; those that are gone come as `empty`."""

    async def newest(self, key: ChannelKey) -> Page:
        """The newest posts."""

    async def before(self, key: ChannelKey, at: datetime) -> MessageId:
        """The id of the last post before a time, or 0."""


class Directory(Protocol):
    """Finds channels; raises the errors of `telegram_errors`."""

    async def find(self, name: str) -> FoundChannel:
        """The channel of a name, link or id."""

    async def own(self) -> list[FoundChannel]:
        """The channels that the account is in."""

    async def linked(self, key: ChannelKey) -> FoundChannel | None:
        """The discussion group of a channel."""
