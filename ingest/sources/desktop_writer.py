"""Writes a channel as an export of Telegram Desktop, which `read_export` reads back exactly."""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import BinaryIO, TextIO, cast

import orjson

from ingest.sources.desktop_json_extras import FORMAT, channel_extras, message_extras
from ingest.sources.desktop_json_header import CHANNEL_TYPES, read_channel
from ingest.sources.desktop_json_media import MEDIA_TYPES
from ingest.sources.desktop_json_message import MessageReader, peer_of
from ingest.sources.desktop_json_text import VALUE_KEYS
from ingest.sources.desktop_json_values import JsonObject
from ingest.types import Attachment, Channel, Entity, Message, MessageKind, Reaction

_NOT_INCLUDED = "(File not included. Change data exporting settings to download.)"
_MEDIA_WORDS = {kind: word for word, kind in MEDIA_TYPES.items()}
_TYPE_WORDS = {known: word for word, known in CHANNEL_TYPES.items()}


def write_export(channel: Channel, messages: Iterable[Message], out: TextIO | BinaryIO) -> int:
    """Writes a channel's messages, one at a time, in the order given.

    What Desktop's format has no place for stands under the key ``citegram``, which other
    programs ignore. `date` fields are UTC.

    Returns:
        How many messages were written.

    Raises:
        ValueError: A message is of another channel.
    """
    # Each message is read back at once: whatever Desktop's own keys lost goes to the extras.
    reader = MessageReader(channel, UTC)
    _write(out, _head(channel))
    count = 0
    for message in messages:
        if message.channel_id != channel.channel_id:
            raise ValueError(f"message {message.message_id} is of another channel")
        raw = _desktop_form(message, channel)
        readable = reader.read(raw)
        if not isinstance(readable, Message):
            raise ValueError(f"message {message.message_id} cannot be exported: {readable.reason}")  # noqa: TRY004 - its value is at fault
        if extras := message_extras(message, readable):
            raw["citegram"] = extras
        _write(out, (b",\n  " if count else b"\n  ") + orjson.dumps(raw))
        count += 1
    _write(out, b"\n ]\n}\n")
    return count


def _write(out: TextIO | BinaryIO, piece: bytes) -> None:
    if isinstance(out, io.TextIOBase):
        out.write(piece.decode())
    else:
        cast("BinaryIO", out).write(piece)


def _head(channel: Channel) -> bytes:
    known = (channel.kind, channel.visibility)
    header: JsonObject = {
        "name": channel.title,
        "type": _TYPE_WORDS.get(known, f"private_{channel.kind}"),
        "id": abs(channel.channel_id),
    }
    readable = read_channel(header)
    if readable is None or readable.channel_id != channel.channel_id:
        raise ValueError(f"channel {channel.channel_id} cannot be exported as a {channel.kind}")
    header["citegram"] = {"format": FORMAT, **channel_extras(channel, readable)}
    lines = (
        f' "{key}": '.encode() + orjson.dumps(value) + b",\n" for key, value in header.items()
    )
    return b"{\n" + b"".join(lines) + b' "messages": ['


def _desktop_form(message: Message, channel: Channel) -> JsonObject:
    is_service = message.kind is MessageKind.SERVICE
    raw: JsonObject = {
        "id": message.message_id,
        "type": "service" if is_service else "message",
        **_time("date", message.posted_at),
        **_time("edited", message.edited_at),
        **_sender(message, channel),
        **_forward(message),
    }
    if message.reply_to is not None:
        raw["message_id" if is_service else "reply_to_message_id"] = message.reply_to
    media = _MEDIA.get(message.kind, _file_media)
    told = media(message, message.attachment or Attachment())
    raw |= {key: value for key, value in told.items() if value is not None}
    raw |= _text(message.text, message.entities)
    if message.reactions:
        raw["reactions"] = [_reaction(reaction) for reaction in message.reactions]
    return raw


def _time(key: str, at: datetime | None) -> JsonObject:
    if at is None:
        return {}
    at = at.astimezone(UTC)
    local = at.replace(tzinfo=None, microsecond=0).isoformat()
    return {key: local, f"{key}_unixtime": str(int(at.timestamp()))}


def _sender(message: Message, channel: Channel) -> JsonObject:
    key = "actor" if message.kind is MessageKind.SERVICE else "from"
    if message.author_id is not None:
        return {key: message.author, f"{key}_id": message.author_id}
    if message.author is not None and channel.kind != "channel":
        return {key: message.author}
    own: JsonObject = {key: channel.title, f"{key}_id": peer_of(channel)}
    return own if message.author is None else {**own, "author": message.author}


def _forward(message: Message) -> JsonObject:
    origin = message.forward
    if origin is None:
        return {}
    raw: JsonObject = {"forwarded_from": origin.name}
    if origin.channel_id is not None:
        raw["forwarded_from_id"] = f"channel{origin.channel_id}"
    return raw


def _text(text: str, entities: tuple[Entity, ...]) -> JsonObject:
    """Both of Desktop's forms of a text: a row of parts, where marks cannot overlap."""
    parts: list[JsonObject] = []
    end = 0
    for entity in sorted(entities, key=lambda entity: (entity.start, entity.end)):
        if not end <= entity.start < entity.end <= len(text):
            continue
        if end < entity.start:
            parts.append({"type": "plain", "text": text[end : entity.start]})
        end = entity.end
        parts.append({"type": entity.type, "text": text[entity.start : end], **_value(entity)})
    if end < len(text):
        parts.append({"type": "plain", "text": text[end:]})
    mixed = [part["text"] if part["type"] == "plain" else part for part in parts]
    is_plain = all(part["type"] == "plain" for part in parts)
    return {"text": text if is_plain else mixed, "text_entities": parts}


def _value(entity: Entity) -> JsonObject:
    key = VALUE_KEYS.get(entity.type)
    return {} if key is None or entity.value is None else {key: entity.value}


def _reaction(reaction: Reaction) -> JsonObject:
    if reaction.emoji == "paid":
        return {"type": "paid", "count": reaction.count}
    custom = reaction.emoji.removeprefix("custom:")
    if custom != reaction.emoji:
        return {"type": "custom_emoji", "count": reaction.count, "document_id": custom}
    return {"type": "emoji", "count": reaction.count, "emoji": reaction.emoji}


def _no_media(_message: Message, _carried: Attachment) -> JsonObject:
    return {}


def _service_media(_message: Message, carried: Attachment) -> JsonObject:
    return {
        "action": carried.action,
        "title": carried.detail,
        "duration_seconds": carried.duration_s,
    }


def _photo_media(_message: Message, carried: Attachment) -> JsonObject:
    return {"photo": _NOT_INCLUDED, "photo_file_size": carried.size_bytes}


def _file_media(message: Message, carried: Attachment) -> JsonObject:
    return {
        "file": _NOT_INCLUDED,
        "file_name": carried.file_name,
        "file_size": carried.size_bytes,
        "media_type": _MEDIA_WORDS.get(message.kind),
        "sticker_emoji": carried.emoji,
        "performer": carried.performer,
        "title": carried.title,
        "mime_type": carried.mime_type,
        "duration_seconds": carried.duration_s,
    }


def _poll_media(_message: Message, carried: Attachment) -> JsonObject:
    answers = [
        {"text": option.text}
        if option.count_voters is None
        else {"text": option.text, "voters": option.count_voters}
        for option in carried.poll_options
    ]
    poll = {
        "question": carried.poll_question or "",
        "closed": carried.poll_closed,
        "total_voters": carried.count_voters,
        "answers": answers,
    }
    return {"poll": poll}


def _contact_media(_message: Message, carried: Attachment) -> JsonObject:
    name, phone = carried.contact or "", carried.phone or ""
    return {"contact_information": {"first_name": name, "last_name": "", "phone_number": phone}}


def _location_media(_message: Message, carried: Attachment) -> JsonObject:
    point = {"latitude": carried.latitude, "longitude": carried.longitude}
    return {
        "place_name": carried.place,
        "address": carried.address,
        "location_information": point,
        "live_location_period_seconds": carried.duration_s,
    }


def _game_media(_message: Message, carried: Attachment) -> JsonObject:
    return {"game_title": carried.title or "", "game_description": carried.detail}


def _invoice_media(_message: Message, carried: Attachment) -> JsonObject:
    return {"invoice_information": {"title": carried.title, "description": carried.detail}}


def _giveaway_media(_message: Message, carried: Attachment) -> JsonObject:
    return {"giveaway_information": {"additional_prize": carried.detail}}


_MEDIA = {
    MessageKind.TEXT: _no_media,
    MessageKind.UNKNOWN: _no_media,
    MessageKind.SERVICE: _service_media,
    MessageKind.PHOTO: _photo_media,
    MessageKind.POLL: _poll_media,
    MessageKind.CONTACT: _contact_media,
    MessageKind.LOCATION: _location_media,
    MessageKind.GAME: _game_media,
    MessageKind.INVOICE: _invoice_media,
    MessageKind.GIVEAWAY: _giveaway_media,
}
