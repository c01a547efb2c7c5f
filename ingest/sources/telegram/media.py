"""What a message of Telegram's carries: its kind and its attachment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from telethon.tl import types

from ingest.sources.desktop_json_values import as_file_name, as_text
from ingest.types import Attachment, MessageKind, PollOption, Reaction

_Read = tuple[MessageKind, Attachment]


def read_media(
    media: Any,
    *,
    has_text: bool,
) -> tuple[MessageKind, Attachment | None]:
    """Kind and attachment; a thing that nobody here knows is kind UNKNOWN."""
    if media is None or isinstance(media, types.MessageMediaEmpty):
        return (MessageKind.TEXT if has_text else MessageKind.UNKNOWN), None
    if isinstance(media, types.MessageMediaWebPage):
        return (MessageKind.TEXT if has_text else MessageKind.UNKNOWN), _preview(media.webpage)
    reader = _READERS.get(type(media))
    return reader(media) if reader else (MessageKind.UNKNOWN, None)


def read_reactions(reactions: Any) -> tuple[Reaction, ...]:
    """The counted reactions."""
    found: list[Reaction] = []
    for result in getattr(reactions, "results", None) or ():
        match result.reaction:
            case types.ReactionEmoji():
                found.append(Reaction(emoji=result.reaction.emoticon, count=result.count))
            case types.ReactionCustomEmoji():
                emoji = f"custom:{result.reaction.document_id}"
                found.append(Reaction(emoji=emoji, count=result.count))
            case types.ReactionPaid():
                found.append(Reaction(emoji="paid", count=result.count))
    return tuple(found)


def _preview(page: Any) -> Attachment | None:
    """A link's preview; one that Telegram is still making has no words yet."""
    if not isinstance(page, types.WebPage):
        return None
    return Attachment(
        preview_title=as_text(page.title), preview_description=as_text(page.description)
    )


def _photo(media: Any) -> _Read:
    sizes = getattr(media.photo, "sizes", None) or ()
    bytes_of = (
        getattr(size, "size", 0) or max(getattr(size, "sizes", ()), default=0) for size in sizes
    )
    return MessageKind.PHOTO, Attachment(size_bytes=max(bytes_of, default=0) or None)


def _document(media: Any) -> _Read:
    document = media.document
    if not isinstance(document, types.Document):
        return MessageKind.FILE, Attachment()
    told = {type(attribute): attribute for attribute in document.attributes}
    named = told.get(types.DocumentAttributeFilename)
    audio = told.get(types.DocumentAttributeAudio)
    timed = audio or told.get(types.DocumentAttributeVideo)
    sticker = told.get(types.DocumentAttributeSticker)
    return _kind(told), Attachment(
        file_name=as_file_name(named.file_name) if named else None,
        mime_type=as_text(document.mime_type),
        size_bytes=document.size,
        duration_s=int(timed.duration) if timed else None,
        title=as_text(audio.title) if audio else None,
        performer=as_text(audio.performer) if audio else None,
        emoji=as_text(sticker.alt) if sticker else None,
    )


def _kind(told: Mapping[type, Any]) -> MessageKind:
    video = told.get(types.DocumentAttributeVideo)
    audio = told.get(types.DocumentAttributeAudio)
    if types.DocumentAttributeSticker in told:
        return MessageKind.STICKER
    if types.DocumentAttributeAnimated in told:
        return MessageKind.ANIMATION
    if video:
        return MessageKind.VIDEO_NOTE if video.round_message else MessageKind.VIDEO
    if audio:
        return MessageKind.VOICE if audio.voice else MessageKind.AUDIO
    return MessageKind.FILE


def _poll(media: Any) -> _Read:
    poll, results = media.poll, media.results
    counts = {r.option: r.voters for r in getattr(results, "results", None) or ()}
    return MessageKind.POLL, Attachment(
        poll_question=_plain(poll.question),
        poll_options=tuple(
            PollOption(text=_plain(a.text) or "", count_voters=counts.get(a.option))
            for a in poll.answers
        ),
        poll_closed=bool(poll.closed),
        count_voters=getattr(results, "total_voters", None),
    )


def _todo(media: Any) -> _Read:
    return MessageKind.UNKNOWN, Attachment(
        poll_question=_plain(media.todo.title),
        poll_options=tuple(PollOption(text=_plain(i.title) or "") for i in media.todo.list),
    )


def _contact(media: Any) -> _Read:
    names = (media.first_name, media.last_name)
    return MessageKind.CONTACT, Attachment(
        contact=as_text(" ".join(name for name in names if name)),
        phone=as_text(media.phone_number),
    )


def _place(media: Any) -> _Read:
    return MessageKind.LOCATION, Attachment(
        place=as_text(getattr(media, "title", None)),
        address=as_text(getattr(media, "address", None)),
        latitude=getattr(media.geo, "lat", None),
        longitude=getattr(media.geo, "long", None),
        duration_s=getattr(media, "period", None),
    )


def _game(media: Any) -> _Read:
    game = media.game
    return MessageKind.GAME, Attachment(
        title=as_text(game.title), detail=as_text(game.description)
    )


def _invoice(media: Any) -> _Read:
    return MessageKind.INVOICE, Attachment(
        title=as_text(media.title), detail=as_text(media.description)
    )


def _giveaway(media: Any) -> _Read:
    return MessageKind.GIVEAWAY, Attachment(detail=as_text(media.prize_description))


def _plain(text: Any) -> str | None:
    """A text with or without its marks, without them."""
    return as_text(getattr(text, "text", text))


_READERS: Mapping[type, Callable[[Any], _Read]] = {
    types.MessageMediaPhoto: _photo,
    types.MessageMediaDocument: _document,
    types.MessageMediaPoll: _poll,
    types.MessageMediaToDo: _todo,
    types.MessageMediaContact: _contact,
    types.MessageMediaGeo: _place,
    types.MessageMediaGeoLive: _place,
    types.MessageMediaVenue: _place,
    types.MessageMediaGame: _game,
    types.MessageMediaInvoice: _invoice,
    types.MessageMediaGiveaway: _giveaway,
    types.MessageMediaGiveawayResults: _giveaway,
    types.MessageMediaStory: lambda _media: (MessageKind.STORY, Attachment()),
    types.MessageMediaDice: lambda media: (
        MessageKind.UNKNOWN,
        Attachment(emoji=as_text(media.emoticon)),
    ),
}
