"""Messages and channels as rows of the tables, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import Row

from ingest.text.fingerprint import content_hash
from ingest.text.language import guess_language
from ingest.types import (
    Attachment,
    Channel,
    ChannelId,
    Entity,
    Forward,
    Message,
    MessageId,
    MessageKind,
    PollOption,
    Reaction,
    Visibility,
)

Values = dict[str, Any]
"""Column -> value, as SQLAlchemy takes and gives it."""


def message_values(message: Message) -> Values:
    """The columns of a message."""
    forward = message.forward or Forward()
    body = message.body()
    return {
        "channel_id": message.channel_id,
        "message_id": message.message_id,
        "posted_at": message.posted_at,
        "edited_at": message.edited_at,
        "kind": message.kind.value,
        "lang": guess_language(body),
        "author": message.author,
        "author_id": message.author_id,
        "text": message.text,
        "entities": _entities(message.entities),
        "attachment": _attachment(message.attachment),
        "reactions": [[r.emoji, r.count] for r in message.reactions] or None,
        "views": message.views,
        "reply_to": message.reply_to,
        "album_id": message.album_id,
        "topic_id": message.topic_id,
        "forward_name": forward.name,
        "forward_channel_id": forward.channel_id,
        "forward_message_id": forward.message_id,
        "forward_author": forward.author,
        "forward_posted_at": forward.posted_at,
        "content_hash": content_hash(body),
    }


def message_of(row: Row[Any] | Mapping[str, Any]) -> Message:
    """The message that a row of `messages` holds."""
    values = cast("Mapping[str, Any]", row if isinstance(row, Mapping) else row._mapping)
    return Message(
        channel_id=ChannelId(values["channel_id"]),
        message_id=MessageId(values["message_id"]),
        posted_at=values["posted_at"],
        edited_at=values["edited_at"],
        kind=MessageKind(values["kind"]),
        author=values["author"],
        author_id=values["author_id"],
        text=values["text"],
        entities=tuple(
            Entity(start=start, end=end, type=kind, value=value)
            for start, end, kind, value in values["entities"] or ()
        ),
        attachment=_attachment_of(values["attachment"]),
        reactions=tuple(Reaction(emoji=e, count=n) for e, n in values["reactions"] or ()),
        views=values["views"],
        reply_to=values["reply_to"],
        album_id=values["album_id"],
        topic_id=values["topic_id"],
        forward=_forward_of(values),
    )


def channel_of(row: Row[Any]) -> Channel:
    """The channel that a row of `channels` holds."""
    return Channel(
        channel_id=ChannelId(row.channel_id),
        title=row.title,
        username=row.username,
        visibility=Visibility(row.visibility),
        kind=row.kind,
    )


def _entities(entities: tuple[Entity, ...]) -> list[list[int | str | None]] | None:
    return [[e.start, e.end, e.type, e.value] for e in entities] or None


def _attachment(attachment: Attachment | None) -> Values | None:
    """Only what is there: most of an attachment's fields are empty."""
    if attachment is None:
        return None
    values = {
        field.name: value
        for field in dataclasses.fields(attachment)
        if (value := getattr(attachment, field.name)) not in (None, ())
        and field.name != "document_text"  # kept apart: see `store.documents`
    }
    if attachment.poll_options:
        values["poll_options"] = [[o.text, o.count_voters] for o in attachment.poll_options]
    return values


def _attachment_of(values: Values | None) -> Attachment | None:
    if values is None:
        return None
    options = tuple(
        PollOption(text=text, count_voters=count) for text, count in values.get("poll_options", ())
    )
    return Attachment(**{**values, "poll_options": options})


def _forward_of(values: Mapping[str, Any]) -> Forward | None:
    forward = Forward(
        name=values["forward_name"],
        channel_id=cast("ChannelId | None", values["forward_channel_id"]),
        message_id=cast("MessageId | None", values["forward_message_id"]),
        author=values["forward_author"],
        posted_at=values["forward_posted_at"],
    )
    return None if forward == Forward() else forward
