"""Pages of posts that always come: what cannot be read is narrowed down to its message."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ingest.sources.telegram_errors import Unreadable
from ingest.sources.telegram_types import MAX_PAGE, ChannelKey, Page, Poison
from ingest.sync.gate import Gate
from ingest.sync.ports import History
from ingest.types import MessageId

HISTORY, BY_IDS = "messages.getHistory", "channels.getMessages"
"""Methods as Telegram counts them in its waits."""


class Pages:
    """Reads pages through the gate.

    Every method may raise what `Gate.ask` does, but not `Unreadable`.
    """

    def __init__(self, history: History, gate: Gate) -> None:
        self._history, self._gate = history, gate

    async def after(self, key: ChannelKey, after: int, *, limit: int = MAX_PAGE) -> Page:
        """The oldest posts with ids above `after`; none: the history shows no more."""
        try:
            return await self._gate.ask(
                key.channel_id,
                HISTORY,
                lambda: self._history.page(key, after=after, limit=limit),
            )
        except Unreadable:
            # One message spoils the answer for all; asked for by id, it spoils its own only.
            found = await self.by_ids(key, range(after + 1, after + MAX_PAGE + 1))
        named = [m.message_id for m in found.messages] + [p.message_id for p in found.poison]
        if named:
            return found.between(after, max(named))
        if limit > 1:
            return await self.after(key, after, limit=limit // 2)
        return await self.after(key, after + MAX_PAGE, limit=1)

    async def newest(self, key: ChannelKey) -> Page | None:
        """The newest posts; None if one of them cannot be read."""
        try:
            return await self._gate.ask(key.channel_id, HISTORY, lambda: self._history.newest(key))
        except Unreadable:
            return None

    async def before(self, key: ChannelKey, at: datetime) -> MessageId:
        """The id of the last post before a time, or 0; also 0 if that one cannot be read."""
        try:
            return await self._gate.ask(
                key.channel_id, HISTORY, lambda: self._history.before(key, at)
            )
        except Unreadable:
            return MessageId(0)

    async def by_ids(self, key: ChannelKey, ids: Sequence[int]) -> Page:
        """Some posts, however many; what is gone comes as `empty`."""
        found = Page(is_certain=True)
        for start in range(0, len(ids), MAX_PAGE):
            found |= await self._some(key, ids[start : start + MAX_PAGE])
        return found

    async def _some(self, key: ChannelKey, ids: Sequence[int]) -> Page:
        try:
            return await self._gate.ask(
                key.channel_id, BY_IDS, lambda: self._history.by_ids(key, ids)
            )
        except Unreadable as error:
            if len(ids) == 1:
                bad = Poison(MessageId(ids[0]), f"cannot be read: {error.why}")
                return Page(poison=(bad,), is_certain=True)
        middle = len(ids) // 2
        return await self._some(key, ids[:middle]) | await self._some(key, ids[middle:])
