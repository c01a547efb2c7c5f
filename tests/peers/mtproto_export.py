"""Messages of Telegram Desktop exports as the objects that Telegram's server sends."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from telethon.tl import types as ty

from tests.peers.mtproto_ids import stable_id

if TYPE_CHECKING:
    from tests.peers.mtproto_fixtures import Channel

_ENTITIES = {
    "bold": ty.MessageEntityBold,
    "italic": ty.MessageEntityItalic,
    "code": ty.MessageEntityCode,
    "underline": ty.MessageEntityUnderline,
    "strikethrough": ty.MessageEntityStrike,
    "spoiler": ty.MessageEntitySpoiler,
    "link": ty.MessageEntityUrl,
    "mention": ty.MessageEntityMention,
    "hashtag": ty.MessageEntityHashtag,
    "cashtag": ty.MessageEntityCashtag,
    "email": ty.MessageEntityEmail,
    "phone": ty.MessageEntityPhone,
    "bot_command": ty.MessageEntityBotCommand,
    "bank_card": ty.MessageEntityBankCard,
    "unknown": ty.MessageEntityUnknown,
}


def parse_export_text(parts: Any) -> tuple[str, list[Any]]:
    """Export ``text_entities`` (or ``text``) -> (text, entities with UTF-16 offsets)."""
    text, entities, at = "", [], 0
    for raw in [parts] if isinstance(parts, str) else parts or []:
        part = {"type": "plain", "text": raw} if isinstance(raw, str) else raw
        piece, kind = part.get("text", ""), part.get("type", "plain")
        size = len(piece.encode("utf-16-le")) // 2
        if not size:
            continue
        if kind in _ENTITIES:
            entities.append(_ENTITIES[kind](at, size))
        elif kind == "text_link":
            entities.append(ty.MessageEntityTextUrl(at, size, part.get("href", "")))
        elif kind == "pre":
            entities.append(ty.MessageEntityPre(at, size, part.get("language", "")))
        elif kind == "blockquote":
            entities.append(
                ty.MessageEntityBlockquote(at, size, collapsed=part.get("collapsed") or None)
            )
        elif kind == "mention_name":
            entities.append(ty.MessageEntityMentionName(at, size, int(part.get("user_id") or 0)))
        elif kind == "custom_emoji":
            doc = part.get("document_id", "")
            entities.append(
                ty.MessageEntityCustomEmoji(
                    at, size, int(doc) if str(doc).isdigit() else stable_id(doc)
                )
            )
        text, at = text + piece, at + size
    return text, entities


def _peer(raw: Any) -> ty.PeerUser | ty.PeerChannel | None:
    raw = str(raw or "")
    for prefix, make in (("channel", ty.PeerChannel), ("user", ty.PeerUser)):
        if raw.startswith(prefix) and raw[len(prefix) :].isdigit():
            return make(int(raw[len(prefix) :]))
    return None


def _media(channel: Channel, raw: dict[str, Any]) -> Any:  # noqa: C901 - one kind of media a branch
    seed, date = (channel.id, raw["id"]), int(raw["date_unixtime"])
    ref = struct.pack("<qq", *(stable_id(seed, n) for n in (1, 2)))
    dc_id = channel.server.dc_id if channel.server else 2
    path = channel.folder / str(raw.get("photo") or raw.get("file")) if channel.folder else None
    path = path if path and path.is_file() else None

    def known(item: Any) -> Any:
        channel.files[item.id] = item
        if path:
            channel.local[item.id] = path
        return item

    if raw.get("photo") is not None and raw.get("type") == "message":
        w, h, size = (
            raw.get("width", 800),
            raw.get("height", 600),
            path.stat().st_size if path else raw.get("photo_file_size") or 20000,
        )
        sizes = [
            ty.PhotoSize("m", max(1, w // 3), max(1, h // 3), max(1, size // 6)),
            ty.PhotoSize("x", w, h, size),
        ]
        return ty.MessageMediaPhoto(
            photo=known(
                ty.Photo(stable_id("photo", seed), stable_id("ah", seed), ref, date, sizes, dc_id)
            )
        )
    if raw.get("file") is not None or raw.get("media_type"):
        kind, mime = raw.get("media_type"), raw.get("mime_type") or "application/octet-stream"
        length, attrs = raw.get("duration_seconds") or 0, []
        if raw.get("file_name"):
            attrs.append(ty.DocumentAttributeFilename(raw["file_name"]))
        if kind in ("video_file", "video_message", "animation"):
            attrs.append(
                ty.DocumentAttributeVideo(
                    float(length),
                    raw.get("width", 640),
                    raw.get("height", 360),
                    round_message=kind == "video_message" or None,
                )
            )
        if kind == "animation":
            attrs.append(ty.DocumentAttributeAnimated())
        if kind in ("audio_file", "voice_message"):
            attrs.append(
                ty.DocumentAttributeAudio(
                    length,
                    voice=kind == "voice_message" or None,
                    title=raw.get("title"),
                    performer=raw.get("performer"),
                )
            )
        if kind == "sticker":
            attrs.append(
                ty.DocumentAttributeSticker(
                    raw.get("sticker_emoji", ""), ty.InputStickerSetEmpty()
                )
            )
        doc = ty.Document(
            stable_id("doc", seed),
            stable_id("ah", seed),
            ref,
            date,
            mime,
            path.stat().st_size if path else raw.get("file_size") or 10000,
            dc_id,
            attrs,
        )
        return ty.MessageMediaDocument(document=known(doc))
    if raw.get("poll"):
        poll = raw["poll"]
        answers = [
            ty.PollAnswer(ty.TextWithEntities(a["text"], []), bytes([n]))
            for n, a in enumerate(poll["answers"])
        ]
        return ty.MessageMediaPoll(
            ty.Poll(
                stable_id("poll", seed),
                ty.TextWithEntities(poll["question"], []),
                answers,
                0,
                closed=poll.get("closed"),
            ),
            ty.PollResults(total_voters=poll.get("total_voters")),
        )
    if raw.get("location_information"):
        geo = raw["location_information"]
        return ty.MessageMediaGeo(ty.GeoPoint(geo["longitude"], geo["latitude"], 0))
    return None


def export_message(channel: Channel, raw: dict[str, Any]) -> Any:
    """One message of a Telegram Desktop export -> TL message.

    Exports lack some fields, so these extra keys are understood too: ``views``, ``forwards``,
    ``grouped_id``, ``forward_channel_post``, ``forward_date``, ``pinned``, ``comments``.
    """
    peer, date = ty.PeerChannel(channel.id), int(raw.get("date_unixtime") or 0)
    raw = {**raw, "date_unixtime": date}
    for key, name in (
        ("from_id", "from"),
        ("actor_id", "actor"),
        ("forwarded_from_id", "forwarded_from"),
    ):
        who = _peer(raw.get(key))
        if who:
            kind, ident = (
                ("user", who.user_id)
                if isinstance(who, ty.PeerUser)
                else ("channel", who.channel_id)
            )
            channel.peers.setdefault((kind, ident), raw.get(name) or "")
    sender = _peer(raw.get("from_id") or raw.get("actor_id")) if channel.megagroup else None
    reply = raw.get("reply_to_message_id") or (
        raw.get("message_id") if raw.get("type") == "service" else None
    )
    reply_to = ty.MessageReplyHeader(reply_to_msg_id=int(reply)) if reply else None
    if raw.get("type") == "service":
        action = {
            "create_channel": lambda: ty.MessageActionChannelCreate(raw.get("title", "")),
            "pin_message": ty.MessageActionPinMessage,
            "edit_group_title": lambda: ty.MessageActionChatEditTitle(raw.get("title", "")),
        }.get(raw.get("action"), lambda: ty.MessageActionCustomAction(raw.get("action") or ""))()
        return ty.MessageService(
            id=int(raw["id"]),
            peer_id=peer,
            date=date,
            action=action,
            from_id=sender,
            reply_to=reply_to,
            post=not channel.megagroup,
        )
    text, entities = parse_export_text(raw.get("text_entities") or raw.get("text"))
    fwd = None
    if raw.get("forwarded_from") or raw.get("forwarded_from_id"):
        # Converted exports give an origin's id for its name.
        origin = _peer(raw.get("forwarded_from_id")) or _peer(raw.get("forwarded_from"))
        fwd = ty.MessageFwdHeader(
            date=int(raw.get("forward_date") or date),
            from_id=origin,
            from_name=None if origin else raw.get("forwarded_from"),
            channel_post=raw.get("forward_channel_post"),
            post_author=raw.get("forward_author"),
        )
    reactions = [
        ty.ReactionCount(ty.ReactionEmoji(r["emoji"]), r["count"])
        for r in raw.get("reactions") or []
        if r.get("type") == "emoji"
    ]
    views = raw.get("views", None if channel.megagroup else 1 + int(raw["id"]) * 37 % 5000)
    return ty.Message(
        id=int(raw["id"]),
        peer_id=peer,
        date=date,
        message=text,
        entities=entities or None,
        from_id=sender,
        post=not channel.megagroup,
        views=views,
        forwards=raw.get("forwards", None if views is None else 0),
        edit_date=int(raw["edited_unixtime"]) if raw.get("edited_unixtime") else None,
        fwd_from=fwd,
        reply_to=reply_to,
        post_author=raw.get("author"),
        grouped_id=raw.get("grouped_id"),
        media=_media(channel, raw),
        pinned=raw.get("pinned"),
        reactions=ty.MessageReactions(results=reactions) if reactions else None,
        replies=ty.MessageReplies(raw["comments"], 0, comments=True)
        if raw.get("comments") is not None
        else None,
    )
