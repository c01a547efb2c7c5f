"""What reading Telegram gives, in the archive's own words."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from ingest.types import Channel, ChannelId, Message, MessageId

MAX_PAGE = 100
"""Messages of one answer. Source: telethon, client/messages.py (`_MAX_CHUNK_SIZE`)."""


@dataclass(frozen=True, slots=True)
class ChannelKey:
    """What Telegram wants to see before it gives a channel's posts.

    Attributes:
        access_hash: Good for one account only; 0 for a basic group, which needs none.
    """

    channel_id: ChannelId
    access_hash: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundChannel:
    """A channel as the account sees it.

    Attributes:
        is_member: Only then Telegram sends events about it.
        linked_id: Its discussion group, or the channel that it discusses, where known.
        migrated_to: The supergroup that a basic group has become.
    """

    channel: Channel
    key: ChannelKey
    is_member: bool = False
    is_forum: bool = False
    linked_id: ChannelId | None = None
    migrated_to: ChannelKey | None = None


@dataclass(frozen=True, slots=True)
class Poison:
    """A message that could not be read, and why, in words that hold none of its text."""

    message_id: MessageId
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One answer with messages, oldest first.

    Attributes:
        empty: Ids that Telegram named without a message.
        channel: The channel's title and name as of now, if the answer told them.
        is_certain: What it lacks is not there: it was asked for by its ids. A page of history
            can leave posts out.
    """

    messages: tuple[Message, ...] = ()
    poison: tuple[Poison, ...] = ()
    empty: tuple[MessageId, ...] = ()
    channel: Channel | None = None
    is_certain: bool = False

    @property
    def ids(self) -> frozenset[int]:
        """Every id that the answer names."""
        return frozenset(
            (
                *(m.message_id for m in self.messages),
                *(p.message_id for p in self.poison),
                *self.empty,
            )
        )

    @property
    def last_id(self) -> int:
        """The newest id of the answer; 0 when it is empty."""
        return max(self.ids, default=0)

    def between(self, after: int, last_id: int) -> Page:
        """The part with ids above `after` and up to `last_id`."""
        return Page(
            messages=tuple(m for m in self.messages if after < m.message_id <= last_id),
            poison=tuple(p for p in self.poison if after < p.message_id <= last_id),
            empty=tuple(i for i in self.empty if after < i <= last_id),
            channel=self.channel,
            is_certain=self.is_certain,
        )

    def __or__(self, other: Page) -> Page:
        """Both together; certain if both are."""
        return Page(
            messages=(*self.messages, *other.messages),
            poison=(*self.poison, *other.poison),
            empty=(*self.empty, *other.empty),
            channel=self.channel or other.channel,
            is_certain=self.is_certain and other.is_certain,
        )


class HintKind(enum.StrEnum):
    """What an event says has happened."""

    NEW = "new"
    EDITED = "edited"
    DELETED = "deleted"
    MISSED = "missed"
    """Something, in one channel or (channel id None) in any of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """An event, which is believed only so far that it makes us look."""

    kind: HintKind
    channel_id: ChannelId | None = None
    ids: frozenset[int] = field(default_factory=frozenset)
