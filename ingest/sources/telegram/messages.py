"""A message as Telegram sends it -> a Message of the archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from telethon.tl import types

from ingest.sources.desktop_json_values import as_text, storable
from ingest.sources.telegram.media import read_media, read_reactions
from ingest.sources.telegram.service import read_service
from ingest.sources.telegram_types import Poison
from ingest.types import (
    Attachment,
    ChannelId,
    Entity,
    Forward,
    Message,
    MessageId,
    MessageKind,
)

_MAX_ID = 2**31 - 1  # Source: `id:int` of `message` in Telegram's API schema.

_MISREAD = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError)
"""What reading a message of an unforeseen shape can raise."""

# Source: SerializeText in tdesktop's export_output_json.cpp, for the names.
_ENTITIES: Mapping[type, tuple[str, str | None]] = {
    types.MessageEntityBold: ("bold", None),
    types.MessageEntityItalic: ("italic", None),
    types.MessageEntityUnderline: ("underline", None),
    types.MessageEntityStrike: ("strikethrough", None),
    types.MessageEntitySpoiler: ("spoiler", None),
    types.MessageEntityCode: ("code", None),
    types.MessageEntityPre: ("pre", "language"),
    types.MessageEntityBlockquote: ("blockquote", None),
    types.MessageEntityUrl: ("link", None),
    types.MessageEntityTextUrl: ("text_link", "url"),
    types.MessageEntityMention: ("mention", None),
    types.MessageEntityMentionName: ("mention_name", "user_id"),
    types.MessageEntityHashtag: ("hashtag", None),
    types.MessageEntityCashtag: ("cashtag", None),
    types.MessageEntityEmail: ("email", None),
    types.MessageEntityPhone: ("phone", None),
    types.MessageEntityBotCommand: ("bot_command", None),
    types.MessageEntityBankCard: ("bank_card", None),
    types.MessageEntityCustomEmoji: ("custom_emoji", "document_id"),
}


class People:
    """The names that an answer tells beside its messages."""

    def __init__(self, users: Sequence[Any], chats: Sequence[Any]) -> None:
        self._users = {user.id: user for user in users}
        self._chats = {chat.id: chat for chat in chats}

    def of(self, peer: Any) -> tuple[str | None, str | None]:
        """Name, and the peer as Telegram Desktop writes it (``user1``); None: unknown."""
        match peer:
            case types.PeerUser():
                user = self._users.get(peer.user_id)
                parts = (getattr(user, "first_name", None), getattr(user, "last_name", None))
                return as_text(" ".join(part for part in parts if part)), f"user{peer.user_id}"
            case types.PeerChannel():
                return self._title(peer.channel_id), f"channel{peer.channel_id}"
            case types.PeerChat():
                return self._title(peer.chat_id), f"chat{peer.chat_id}"
        return None, None

    def _title(self, chat_id: int) -> str | None:
        return as_text(getattr(self._chats.get(chat_id), "title", None))


def read_message(
    raw: Any,
    channel_id: ChannelId,
    people: People,
) -> Message | Poison:
    """The message, or why it cannot be read; never raises."""
    try:
        return _Reading(raw, channel_id, people).message()
    except _MISREAD as error:
        return Poison(MessageId(_id_of(raw)), f"cannot be read: {type(error).__name__}")


def _id_of(raw: Any) -> int:
    number = getattr(raw, "id", None)
    return number if isinstance(number, int) else 0


@dataclass(frozen=True, slots=True)
class _Reading:
    """One message being read."""

    raw: Any
    channel_id: ChannelId
    people: People

    def message(self) -> Message | Poison:
        raw = self.raw
        if not 0 < raw.id <= _MAX_ID:
            return Poison(MessageId(raw.id), "its id is impossible")
        if raw.date is None or raw.date.timestamp() <= 0:
            return Poison(MessageId(raw.id), "it has no date")
        if isinstance(raw, types.MessageService):
            return self._service()
        text = storable(raw.message or "")
        kind, attachment = read_media(raw.media, has_text=bool(text))
        author, author_id = self._sender()
        return Message(
            channel_id=self.channel_id,
            message_id=MessageId(raw.id),
            posted_at=_utc(raw.date),
            kind=kind,
            text=text,
            entities=read_entities(raw.message or "", raw.entities),
            edited_at=_utc(raw.edit_date) if raw.edit_date and not raw.edit_hide else None,
            author=author,
            author_id=author_id,
            forward=self._forward(),
            reply_to=self._reply_to(),
            album_id=raw.grouped_id,
            topic_id=self._topic(),
            attachment=None if attachment == Attachment() else attachment,
            reactions=read_reactions(raw.reactions),
            views=raw.views,
        )

    def _service(self) -> Message:
        author, author_id = self._sender()
        attachment = read_service(self.raw.action)
        is_topic = attachment.action == "topic_created"
        return Message(
            channel_id=self.channel_id,
            message_id=MessageId(self.raw.id),
            posted_at=_utc(self.raw.date),
            kind=MessageKind.SERVICE,
            author=author,
            author_id=author_id,
            reply_to=self._reply_to(),
            topic_id=self.raw.id if is_topic else self._topic(),
            attachment=attachment,
        )

    def _sender(self) -> tuple[str | None, str | None]:
        """Author and author's id; a channel is not the author of its own posts."""
        signature = as_text(getattr(self.raw, "post_author", None))
        name, peer = self.people.of(self.raw.from_id)
        if peer is None or peer == f"channel{self.channel_id}":
            return signature, None
        return name or signature, peer

    def _forward(self) -> Forward | None:
        header = self.raw.fwd_from
        if header is None:
            return None
        name, _ = self.people.of(header.from_id)
        is_channel = isinstance(header.from_id, types.PeerChannel)
        return Forward(
            name=as_text(header.from_name) or name,
            channel_id=ChannelId(header.from_id.channel_id) if is_channel else None,
            message_id=MessageId(header.channel_post) if header.channel_post else None,
            author=as_text(header.post_author),
            posted_at=_utc(header.date) if header.date else None,
        )

    def _reply_to(self) -> MessageId | None:
        header = self.raw.reply_to
        if not isinstance(header, types.MessageReplyHeader):
            return None  # to a story
        if header.reply_to_peer_id is not None and not self._is_own(header.reply_to_peer_id):
            return None
        number = header.reply_to_msg_id
        return MessageId(number) if number is not None and 0 < number <= _MAX_ID else None

    def _is_own(self, peer: Any) -> bool:
        return getattr(peer, "channel_id", None) == self.channel_id

    def _topic(self) -> int | None:
        header = self.raw.reply_to
        if not getattr(header, "forum_topic", None):
            return None
        top: int | None = header.reply_to_top_id or header.reply_to_msg_id
        return top


def read_entities(text: str, raw: Sequence[Any] | None) -> tuple[Entity, ...]:
    """Telegram's marks, which count UTF-16 units, over the text's code points.

    Marks that begin or end outside the text are cut to it; empty ones are dropped.

    Source: core.telegram.org/api/entities#entity-length.
    """
    if not raw:
        return ()
    units = text.encode("utf-16-le", "replace")
    found: list[Entity] = []
    for mark in raw:
        start = _position(text, units, mark.offset)
        end = _position(text, units, mark.offset + mark.length)
        if start >= end:
            continue
        name, value = _ENTITIES.get(type(mark), ("unknown", None))
        told = getattr(mark, value, None) if value else None
        found.append(
            Entity(
                start=start,
                end=end,
                type=name,
                value=as_text(str(told)) if told is not None else None,
            )
        )
    return tuple(found)


def _position(text: str, units: bytes, offset: int) -> int:
    """The code point at a UTF-16 offset; within a pair, the one that the pair belongs to."""
    if offset <= 0:
        return 0
    if len(units) == 2 * len(text):
        return min(offset, len(text))
    return len(units[: 2 * offset].decode("utf-16-le", "ignore"))


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
