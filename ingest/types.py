"""The archive's own words: channels, messages and what they carry.

Every value here is immutable. Times are aware UTC. Ids are Telegram's own.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import NewType

ChannelId = NewType("ChannelId", int)
"""A channel's bare id, as in ``t.me/c/<id>/<message>``; a basic group's is negative.

Source: core.telegram.org/api/bots/ids (channels and supergroups share one id space; basic
groups have another, so theirs are kept apart by the sign that the Bot API uses too).
"""

MessageId = NewType("MessageId", int)
"""A message's id inside its channel: positive, growing with time."""


class Visibility(enum.StrEnum):
    """Who may open a channel's posts by link."""

    PUBLIC = "public"
    PRIVATE = "private"


class MessageKind(enum.StrEnum):
    """What a message is, by the thing it chiefly carries."""

    TEXT = "text"
    PHOTO = "photo"
    VIDEO = "video"
    ANIMATION = "animation"
    AUDIO = "audio"
    VOICE = "voice"
    VIDEO_NOTE = "video_note"
    FILE = "file"
    STICKER = "sticker"
    POLL = "poll"
    CONTACT = "contact"
    LOCATION = "location"
    GAME = "game"
    INVOICE = "invoice"
    STORY = "story"
    GIVEAWAY = "giveaway"
    SERVICE = "service"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A marked part of a text: ``text[start:end]`` in code points, not UTF-16 units.

    Attributes:
        type: Telegram's name of the mark ("bold", "text_link", "custom_emoji", ...).
        value: What the mark points at: a link's address, an emoji's id, a language's name.
    """

    start: int
    end: int
    type: str
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forward:
    """Where a forwarded message comes from, as far as Telegram tells."""

    name: str | None = None
    channel_id: ChannelId | None = None
    message_id: MessageId | None = None
    author: str | None = None
    posted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PollOption:
    """One answer of a poll and how many chose it, if that is public."""

    text: str
    count_voters: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What a message carries beside its text; absent things are None or empty."""

    file_name: str | None = None
    mime_type: str | None = None
    size_bytes: int | None = None
    duration_s: int | None = None
    title: str | None = None
    performer: str | None = None
    emoji: str | None = None
    poll_question: str | None = None
    poll_options: tuple[PollOption, ...] = ()
    poll_closed: bool | None = None
    count_voters: int | None = None
    place: str | None = None
    address: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    contact: str | None = None
    phone: str | None = None
    action: str | None = None
    """A service message's action, e.g. ``pin_message``."""
    detail: str | None = None
    """A service message's own text: a topic's or a group's new title, say."""
    preview_title: str | None = None
    """The title of the page that the message links to, as Telegram shows it."""
    preview_description: str | None = None
    document_text: str | None = None
    """What is written in the attached file; it stands at the end of the message's body."""

    def words(self) -> str:
        """The attachment's own searchable words, a line each; "" when it has none."""
        song = " — ".join(part for part in (self.performer, self.title) if part)
        options = (f"• {option.text}" for option in self.poll_options)
        place = ", ".join(part for part in (self.place, self.address) if part)
        lines = (
            self.poll_question,
            *options,
            song,
            place,
            self.contact,
            self.file_name,
            self.preview_title,
            self.preview_description,
            self.document_text,
        )
        return "\n".join(line for line in lines if line)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """How many times one emoji (or ``custom:<id>``, or "paid") was left under a message."""

    emoji: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One post as its source gives it.

    ``None`` always means "the source does not say", never "it was taken away": storing a
    message again from a poorer source erases nothing.
    """

    channel_id: ChannelId
    message_id: MessageId
    posted_at: datetime
    kind: MessageKind
    text: str = ""
    entities: tuple[Entity, ...] = ()
    edited_at: datetime | None = None
    author: str | None = None
    """The signature, or the sender's name in a group; None for the channel itself."""
    author_id: str | None = None
    """The sender as Telegram Desktop writes it: ``user123``, ``channel456``."""
    forward: Forward | None = None
    reply_to: MessageId | None = None
    album_id: int | None = None
    topic_id: int | None = None
    attachment: Attachment | None = None
    reactions: tuple[Reaction, ...] = ()
    views: int | None = None

    def body(self) -> str:
        """Everything in it that can be searched and quoted: its text, then its attachment's."""
        words = self.attachment.words() if self.attachment else ""
        return "\n".join(part for part in (self.text, words) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel, supergroup or basic group of the archive."""

    channel_id: ChannelId
    title: str
    username: str | None = None
    visibility: Visibility = Visibility.PRIVATE
    kind: str = "channel"
    """"channel", "supergroup" or "group" (basic: its posts have no links)."""

    @property
    def name(self) -> str:
        """Its machine name: the username where there is one, else the id as text."""
        return self.username or str(self.channel_id)

    def link(self, message_id: MessageId) -> str | None:
        """The address that opens one of its posts; None where Telegram has none.

        Source: core.telegram.org/api/links#message-links.
        """
        if self.username:
            return f"https://t.me/{self.username}/{message_id}"
        if self.channel_id < 0:
            return None
        return f"https://t.me/c/{self.channel_id}/{message_id}"


@dataclass(frozen=True, slots=True, order=True)
class MessageRef:
    """Which message: its channel and its id in there."""

    channel_id: ChannelId
    message_id: MessageId
