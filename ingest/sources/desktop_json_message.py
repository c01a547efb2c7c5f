"""One object of an export's ``messages`` -> one Message, or the reason why not."""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING

from ingest.sources.desktop_json_events import MessageSkipped
from ingest.sources.desktop_json_extras import with_extras
from ingest.sources.desktop_json_media import read_media, read_reactions, replied_by_service
from ingest.sources.desktop_json_text import read_text
from ingest.sources.desktop_json_values import (
    JsonObject,
    as_count,
    as_int,
    as_peer,
    as_text,
    as_time,
    channel_of_peer,
)
from ingest.types import Channel, ChannelId, Forward, Message, MessageId, MessageKind

if TYPE_CHECKING:
    from datetime import datetime

_MAX_MESSAGE_ID = 2**31 - 1  # Source: `id:int` of `message` in Telegram's API schema.

# Source: kMigratedMessagesIdShift in tdesktop's export_data_types.cpp.
_MIGRATED_SHIFT = -1_000_000_000

_FORWARD_KEYS = ("forwarded_from", "forwarded_from_id", "saved_from")


class MessageReader:
    """Reads the messages of one channel.

    Args:
        zone: The zone of the machine that exported: old exports have local times only.
    """

    def __init__(self, channel: Channel, zone: tzinfo) -> None:
        self._channel = channel
        self._zone = zone
        self._own_peer = peer_of(channel)

    def read(self, raw: JsonObject, *, offset: int = 0) -> Message | MessageSkipped:
        """The message, or why there is none; never raises."""
        number = as_int(raw.get("id"))
        reason = _refused_id(raw, number)
        if number is None or reason is not None:
            return MessageSkipped(reason=reason or "bad_id", message_id=number, offset=offset)
        posted_at = self._time(raw, "date")
        if posted_at is None:
            reason = "unsupported" if raw.get("type") == "unsupported" else "bad_date"
            return MessageSkipped(reason=reason, message_id=number, offset=offset)
        message = self._message(raw, MessageId(number), posted_at)
        extras = raw.get("citegram")
        return with_extras(message, extras) if isinstance(extras, dict) else message

    def _message(self, raw: JsonObject, number: MessageId, posted_at: datetime) -> Message:
        text, entities = read_text(raw)
        kind, attachment = read_media(raw, has_text=bool(text))
        author, author_id = self._sender(raw, "actor" if "actor" in raw else "from")
        return Message(
            channel_id=self._channel.channel_id,
            message_id=number,
            posted_at=posted_at,
            kind=kind,
            text=text,
            entities=entities,
            edited_at=self._time(raw, "edited") if "edited" in raw else None,
            author=author,
            author_id=author_id,
            forward=_forward(raw) if any(key in raw for key in _FORWARD_KEYS) else None,
            reply_to=self._reply_to(raw, is_service=kind is MessageKind.SERVICE),
            album_id=as_int(raw.get("media_group_id")) or as_int(raw.get("grouped_id")),
            topic_id=as_count(raw.get("topic_id")),
            attachment=attachment,
            reactions=read_reactions(raw["reactions"]) if "reactions" in raw else (),
            views=as_count(raw.get("views")),
        )

    def _time(self, raw: JsonObject, key: str) -> datetime | None:
        return as_time(raw.get(f"{key}_unixtime"), raw.get(key), self._zone)

    def _sender(self, raw: JsonObject, key: str) -> tuple[str | None, str | None]:
        """Author and author's id; a channel is not the author of its own posts."""
        name, peer = as_text(raw.get(key)), as_peer(raw.get(f"{key}_id"))
        signature = as_text(raw.get("author"))
        is_own = peer == self._own_peer if peer else name == self._channel.title
        return (signature, None) if is_own else (name or signature, peer)

    def _reply_to(self, raw: JsonObject, *, is_service: bool) -> MessageId | None:
        peer = raw.get("reply_to_peer_id")
        # A reply to a message of another chat: its id means nothing in this one.
        if peer is not None and as_peer(peer) != self._own_peer:
            return None
        key = "reply_to_message_id"
        number = replied_by_service(raw) if is_service else as_int(raw.get(key))
        is_valid = number is not None and 0 < number <= _MAX_MESSAGE_ID
        return MessageId(number) if number is not None and is_valid else None


def peer_of(channel: Channel) -> str:
    """The channel as a sender, in Desktop's words."""
    word = "chat" if channel.channel_id < 0 else "channel"
    return f"{word}{abs(channel.channel_id)}"


def _refused_id(raw: JsonObject, number: int | None) -> str | None:
    if number is None:
        return "no_id" if raw.get("id") is None else "bad_id"
    if _MIGRATED_SHIFT < number < 0:
        return "before_migration"
    return None if 0 < number <= _MAX_MESSAGE_ID else "bad_id"


def _forward(raw: JsonObject) -> Forward:
    """The origin; a Forward without a name still says that the message is not its own."""
    name = as_text(raw.get("forwarded_from")) or as_text(raw.get("saved_from"))
    channel_id = channel_of_peer(as_peer(raw.get("forwarded_from_id")))
    if channel_id is None and (channel_id := channel_of_peer(name)):
        name = None
    return Forward(name=name, channel_id=ChannelId(channel_id) if channel_id else None)
