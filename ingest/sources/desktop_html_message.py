"""One message of an HTML export -> one Message, or the reason why not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from ingest.sources.desktop_html_text import read_html_text
from ingest.sources.desktop_html_tree import Node
from ingest.sources.desktop_json_events import MessageSkipped
from ingest.sources.desktop_json_values import (
    as_exported_name,
    as_file_name,
    as_text,
    channel_of_peer,
)
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
)

_ID = re.compile(r"message(-?\d{1,10})$")
_DATE = re.compile(
    r"(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(?: (?:UTC|GMT)(?:([+-])(\d\d):?(\d\d))?)?$"
)
_REPLY = re.compile(r"#go_to_message(\d+)$")
_VOTES = re.compile(r"([\d,. ]+) votes?")
_UNSUPPORTED = "This message is not supported by this version of Telegram Desktop"

# Source: prepareMediaData and the push...Media of tdesktop's export_output_html.cpp.
_KINDS = {
    "photo_wrap": MessageKind.PHOTO,
    "video_file_wrap": MessageKind.VIDEO,
    "animated_wrap": MessageKind.ANIMATION,
    "sticker_wrap": MessageKind.STICKER,
    "media_poll": MessageKind.POLL,
    "media_voice_message": MessageKind.VOICE,
    "media_audio_file": MessageKind.AUDIO,
    "media_file": MessageKind.FILE,
    "media_contact": MessageKind.CONTACT,
    "media_location": MessageKind.LOCATION,
    "media_live_location": MessageKind.LOCATION,
    "media_venue": MessageKind.LOCATION,
    "media_game": MessageKind.GAME,
    "media_invoice": MessageKind.INVOICE,
    "media_giveaway": MessageKind.GIVEAWAY,
}
_TITLES = {
    "Video message": MessageKind.VIDEO_NOTE,
    "Video file": MessageKind.VIDEO,
    "Animation": MessageKind.ANIMATION,
    "Sticker": MessageKind.STICKER,
}


@dataclass(slots=True)
class _Sender:
    """Who wrote the message before, which the next one may not repeat."""

    name: str | None = None
    forward: Forward | None = None


class HtmlMessageReader:
    """Reads the messages of one chat, in the order of its pages.

    Args:
        zone: The zone of the machine that exported.
    """

    def __init__(self, channel: Channel, zone: tzinfo) -> None:
        self._channel, self._zone = channel, zone
        self._before = _Sender()

    def read(self, node: Node, *, offset: int = 0) -> Message | MessageSkipped | None:
        """The message, or why there is none; None for a date between messages."""
        found = _ID.match(node.attributes.get("id", ""))
        number = int(found[1]) if found else None
        if number is not None and number < 0:
            return None
        if number is None or not 0 < number < 2**31:
            return MessageSkipped(reason="bad_id", message_id=number, offset=offset)
        if "service" in node.classes:
            return self._service(node, number, offset)
        date = node.first("date", "details")
        posted_at = self._time(date.attributes.get("title", "") if date else "")
        if posted_at is None:
            return MessageSkipped(reason="bad_date", message_id=number, offset=offset)
        return self._message(node, MessageId(number), posted_at)

    def _service(self, node: Node, number: int, offset: int) -> MessageSkipped:
        """Desktop writes these as a sentence without a time: nothing can be stored of them."""
        is_unsupported = _UNSUPPORTED in " ".join(node.text().split())
        reason = "unsupported" if is_unsupported else "service"
        return MessageSkipped(reason=reason, message_id=number, offset=offset)

    def _message(self, node: Node, number: MessageId, posted_at: datetime) -> Message:
        text, entities = _text(node)
        kind, attachment = _media(node, has_text=bool(text))
        author = self._author(node)
        return Message(
            channel_id=self._channel.channel_id,
            message_id=number,
            posted_at=posted_at,
            kind=kind,
            text=text,
            entities=entities,
            author=author,
            forward=self._forward(node),
            reply_to=_reply(node),
            attachment=None if attachment == Attachment() else attachment,
            reactions=_reactions(node),
        )

    def _author(self, node: Node) -> str | None:
        # A forward has a name of its own, further in.
        body = node.first("body") or node
        named = [p for p in body.parts if isinstance(p, Node) and "from_name" in p.classes]
        if named:
            self._before = _Sender(name=as_text(named[0].text()))
        signed = node.first("signature", "details")
        signature = as_text(signed.text()) if signed else None
        if self._before.name == self._channel.title:
            return signature
        return self._before.name or signature

    def _forward(self, node: Node) -> Forward | None:
        body = node.first("forwarded", "body")
        if body is None:
            self._before.forward = None
            return None
        named = body.first("from_name")
        if named is not None:
            date = named.first("date", "details")
            told = "".join(p for p in named.parts if isinstance(p, str)).strip()
            channel_id = channel_of_peer(told)
            self._before.forward = Forward(
                name=None if channel_id else as_text(told),
                channel_id=ChannelId(channel_id) if channel_id else None,
                posted_at=self._time(date.attributes.get("title", "")) if date else None,
            )
        return self._before.forward or Forward()

    def _time(self, told: str) -> datetime | None:
        found = _DATE.match(told.strip())
        if found is None:
            return None
        day, month, year, hour, minute, second = (int(part) for part in found.groups()[:6])
        try:
            local = datetime(year, month, day, hour, minute, second, tzinfo=self._zone)
        except ValueError:
            return None
        sign, hours, minutes = found.groups()[6:]
        if sign is None:
            return local.astimezone(UTC)
        offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
        # Desktop names the zone's standard offset in summer too, beside the summer's clock.
        standard = (local.utcoffset() or timedelta()) - (local.dst() or timedelta())
        if offset != standard:
            local = local.replace(tzinfo=timezone(offset))
        return local.astimezone(UTC)


def _text(node: Node) -> tuple[str, tuple[Entity, ...]]:
    for found in node.walk():
        if found.tag == "div" and found.classes == {"text"}:
            return read_html_text(found)
    return "", ()


def _reply(node: Node) -> MessageId | None:
    reply = node.first("reply_to", "details")
    for link in reply.walk() if reply else ():
        href, click = link.attributes.get("href", ""), link.attributes.get("onclick", "")
        if found := _REPLY.search(href) or re.search(r"GoToMessage\((\d+)\)", click):
            return MessageId(int(found[1]))
    return None


def _media(node: Node, *, has_text: bool) -> tuple[MessageKind, Attachment]:
    wrap = node.first("media_wrap")
    if wrap is None:
        return (MessageKind.TEXT if has_text else MessageKind.UNKNOWN), Attachment()
    classes = frozenset(name for inner in wrap.walk() for name in inner.classes)
    title = _words(wrap, "title", "bold")
    kind = _TITLES.get(title or "") or next(
        (kind for name, kind in _KINDS.items() if name in classes), None
    )
    if kind is None:
        is_photo, is_video = "media_photo" in classes, "media_video" in classes
        kind = MessageKind.PHOTO if is_photo else MessageKind.VIDEO if is_video else None
    return kind or MessageKind.UNKNOWN, _attachment(wrap, kind, title)


def _attachment(wrap: Node, kind: MessageKind | None, title: str | None) -> Attachment:
    found = Attachment()
    match kind:
        case MessageKind.FILE if title != "File":
            found = Attachment(file_name=as_file_name(title))
        case MessageKind.AUDIO if title != "Audio file":
            performer, dash, song = (title or "").partition(" – ")
            found = Attachment(file_name=as_file_name(title))
            if dash:
                found = Attachment(performer=performer, title=song)
        case MessageKind.POLL:
            found = _poll(wrap)
        case MessageKind.CONTACT:
            found = Attachment(contact=title, phone=_words(wrap, "status", "details"))
        case MessageKind.LOCATION if title not in {"Location", "Live location"}:
            found = Attachment(place=title, address=_words(wrap, "description"))
        case MessageKind.GAME | MessageKind.INVOICE:
            found = Attachment(title=title, detail=_words(wrap, "description"))
        case MessageKind.VIDEO | MessageKind.ANIMATION | MessageKind.VOICE:
            links = (node.attributes.get("href") for node in wrap.walk())
            found = Attachment(file_name=as_exported_name(next(filter(None, links), None)))
    return found


def _poll(wrap: Node) -> Attachment:
    details = _words(wrap, "details") or ""
    total = _VOTES.search(_words(wrap, "total", "details") or "")
    options = [_option(node) for node in wrap.walk() if "answer" in node.classes]
    is_hidden = total is not None and not any(option.count_voters for option in options)
    if is_hidden or details == "To-do List":
        options = [PollOption(text=option.text) for option in options]
    return Attachment(
        poll_question=_words(wrap, "question", "bold"),
        poll_options=tuple(options),
        poll_closed=details == "Final results" if details != "To-do List" else None,
        count_voters=_number(total[1]) if total else 0 if details != "To-do List" else None,
    )


def _option(node: Node) -> PollOption:
    votes = node.first("details")
    found = _VOTES.search(votes.text()) if votes else None
    told = "".join(
        p if isinstance(p, str) else "" if "details" in p.classes else p.raw_text()
        for p in node.parts
    )
    return PollOption(
        text=told.strip().removeprefix("-").strip(), count_voters=_number(found[1]) if found else 0
    )


def _reactions(node: Node) -> tuple[Reaction, ...]:
    counts: dict[str, int] = {}
    for reaction in (n for n in node.walk() if "reaction" in n.classes):
        emoji = _words(reaction, "emoji")
        if emoji is None:
            continue
        if "paid" in reaction.classes:
            emoji = "paid"
        elif (inner := reaction.first("emoji")) and any(n.tag == "a" for n in inner.walk()):
            emoji = "custom:"
        told = _words(reaction, "count")
        faces = reaction.first("userpics")
        seen = sum("userpic" in n.classes for n in faces.walk()) if faces else 1
        counts[emoji] = counts.get(emoji, 0) + (_number(told) if told else seen)
    return tuple(Reaction(emoji=emoji, count=count) for emoji, count in counts.items())


def _number(told: str) -> int:
    return int("".join(c for c in told if c.isdecimal()) or 0)


def _words(node: Node, *classes: str) -> str | None:
    found = node.first(*classes)
    return as_text(found.text()) if found else None
