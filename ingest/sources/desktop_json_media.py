"""What a message of an export carries: its kind and its attachment."""

from __future__ import annotations

from ingest.sources.desktop_json_text import plain_text
from ingest.sources.desktop_json_values import (
    JsonObject,
    as_bool,
    as_count,
    as_exported_name,
    as_file_name,
    as_float,
    as_int,
    as_object,
    as_path,
    as_text,
    loads,
)
from ingest.types import Attachment, MessageKind, PollOption, Reaction

MEDIA_TYPES = {
    "sticker": MessageKind.STICKER,
    "video_message": MessageKind.VIDEO_NOTE,
    "voice_message": MessageKind.VOICE,
    "animation": MessageKind.ANIMATION,
    "video_file": MessageKind.VIDEO,
    "audio_file": MessageKind.AUDIO,
    "story": MessageKind.STORY,
}
"""The export's ``media_type`` words. Source: tdesktop's export_output_json.cpp."""

# The key that gives a kind away. First match wins: an invoice may carry a photo.
_KEYS = (
    ("poll", MessageKind.POLL),
    ("contact_information", MessageKind.CONTACT),
    ("location_information", MessageKind.LOCATION),
    ("place_name", MessageKind.LOCATION),
    ("live_location_period_seconds", MessageKind.LOCATION),
    ("game_title", MessageKind.GAME),
    ("invoice_information", MessageKind.INVOICE),
    ("giveaway_information", MessageKind.GIVEAWAY),
    ("giveaway_results", MessageKind.GIVEAWAY),
    ("story_id", MessageKind.STORY),
    ("todo_list", MessageKind.UNKNOWN),
    ("paid_stars_amount", MessageKind.UNKNOWN),
    ("photo", MessageKind.PHOTO),
    ("file", MessageKind.FILE),
)
_EMPTY = Attachment()


def read_media(message: JsonObject, *, has_text: bool) -> tuple[MessageKind, Attachment | None]:
    """A message's kind and attachment; never fails, an unknown thing is kind UNKNOWN."""
    word = message.get("type")
    if word == "service":
        return MessageKind.SERVICE, _service(message)
    kind = _kind(message, has_text=has_text)
    if kind is MessageKind.TEXT:
        return kind if word == "message" else MessageKind.UNKNOWN, None
    attachment = _SPECIAL.get(kind, _file)(message)
    return kind, None if attachment == _EMPTY else attachment


def read_reactions(value: object) -> tuple[Reaction, ...]:
    """The counted reactions; those that Desktop writes alike are added up."""
    counts: dict[str, int] = {}
    for reaction in value if isinstance(value, list) else ():
        told = as_object(reaction)
        count = as_count(told.get("count"))
        emoji = _emoji(told)
        if count is not None and emoji is not None:
            counts[emoji] = counts.get(emoji, 0) + count
    return tuple(Reaction(emoji=emoji, count=count) for emoji, count in counts.items())


def _emoji(reaction: JsonObject) -> str | None:
    match reaction.get("type"):
        case "paid":
            return "paid"
        case "custom_emoji":
            # Where the emoji's file was not exported its id is lost.
            return f"custom:{as_path(reaction.get('document_id')) or ''}"
        case _:
            return as_text(reaction.get("emoji"))


def _kind(message: JsonObject, *, has_text: bool) -> MessageKind:
    media_type = message.get("media_type")
    if media_type is not None:
        return (
            MEDIA_TYPES.get(media_type, MessageKind.UNKNOWN)
            if isinstance(media_type, str)
            else MessageKind.UNKNOWN
        )
    for key, kind in _KEYS:
        if key in message:
            return kind
    return MessageKind.TEXT if has_text else MessageKind.UNKNOWN


def _file(message: JsonObject) -> Attachment:
    # A photo has no name of its own; a file may have it under three keys, the sender's first.
    name = (
        as_file_name(message.get("file_name"))
        or as_file_name(message.get("original_name"))
        or as_exported_name(message.get("file"))
    )
    size = as_count(message.get("file_size"))
    todo = as_object(message.get("todo_list"))
    return Attachment(
        file_name=name,
        mime_type=as_text(message.get("mime_type")),
        size_bytes=as_count(message.get("photo_file_size")) if size is None else size,
        duration_s=as_count(message.get("duration_seconds")),
        title=as_text(message.get("title")),
        performer=as_text(message.get("performer")),
        emoji=as_text(message.get("sticker_emoji")),
        poll_question=plain_text(todo.get("title")),
        poll_options=_options(todo.get("answers"), are_counted=False),
    )


def _poll(message: JsonObject) -> Attachment:
    poll = as_object(message.get("poll"))
    total = as_count(poll.get("total_voters"))
    options = _options(poll.get("answers"), are_counted=True)
    # With votes in all and none for any option, the counts were hidden from the exporter.
    if total and not any(option.count_voters for option in options):
        options = _options(poll.get("answers"), are_counted=False)
    return Attachment(
        poll_question=plain_text(poll.get("question")),
        poll_options=options,
        poll_closed=as_bool(poll.get("closed")),
        count_voters=total,
    )


def _options(answers: object, *, are_counted: bool) -> tuple[PollOption, ...]:
    return tuple(
        PollOption(
            text=plain_text(answer.get("text")) or "",
            count_voters=as_count(answer.get("voters")) if are_counted else None,
        )
        for answer in map(as_object, answers if isinstance(answers, list) else ())
    )


def _contact(message: JsonObject) -> Attachment:
    contact = as_object(message.get("contact_information"))
    names = (as_text(contact.get("first_name")), as_text(contact.get("last_name")))
    return Attachment(
        contact=" ".join(name for name in names if name) or None,
        phone=as_text(contact.get("phone_number")),
    )


def _location(message: JsonObject) -> Attachment:
    point = as_object(message.get("location_information"))
    return Attachment(
        place=as_text(message.get("place_name")),
        address=as_text(message.get("address")),
        latitude=as_float(point.get("latitude")),
        longitude=as_float(point.get("longitude")),
        duration_s=as_count(message.get("live_location_period_seconds")),
    )


def _game(message: JsonObject) -> Attachment:
    return Attachment(
        title=as_text(message.get("game_title")),
        detail=as_text(message.get("game_description")),
    )


def _invoice(message: JsonObject) -> Attachment:
    told = message.get("invoice_information")
    if isinstance(told, str):
        # Desktop puts this one object into quotes, as if it were a text.
        try:
            told = loads(told.encode("utf-8", "replace"))
        except ValueError:
            told = None
    invoice = as_object(told)
    return Attachment(
        title=as_text(invoice.get("title")), detail=as_text(invoice.get("description"))
    )


def _giveaway(message: JsonObject) -> Attachment:
    start, results = message.get("giveaway_information"), message.get("giveaway_results")
    prize = as_object(start) or as_object(results)
    return Attachment(detail=as_text(prize.get("additional_prize")))


_SPECIAL = {
    MessageKind.POLL: _poll,
    MessageKind.CONTACT: _contact,
    MessageKind.LOCATION: _location,
    MessageKind.GAME: _game,
    MessageKind.INVOICE: _invoice,
    MessageKind.GIVEAWAY: _giveaway,
}

_DETAILS = ("title", "new_title", "information_text", "comment", "gift_text", "emoticon")


def _service(message: JsonObject) -> Attachment:
    details = (plain_text(message.get(key)) for key in _DETAILS)
    seconds = as_count(message.get("duration_seconds"))
    return Attachment(
        action=as_text(message.get("action")),
        detail=next(filter(None, details), None),
        duration_s=as_count(message.get("duration")) if seconds is None else seconds,
    )


def replied_by_service(message: JsonObject) -> int | None:
    """The message that a service message speaks of: the pinned one, say."""
    keys = ("message_id", "game_message_id", "invoice_message_id", "reply_to_message_id")
    return next((number for key in keys if (number := as_int(message.get(key)))), None)
