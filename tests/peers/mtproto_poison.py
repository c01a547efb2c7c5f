"""Messages that no client can read, of twenty kinds: what a newer Telegram might send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from telethon.tl import types as ty

from tests.peers.mtproto_fixtures import Channel

_UNKNOWN = bytes.fromhex("efbeadde")
"""A constructor that no schema has."""

_PEER = ty.PeerUser(5)
_GEO = ty.GeoPoint(1.0, 2.0, 0)
_TEXT = ty.TextWithEntities("?", [])
_PHOTO = ty.Photo(1, 2, b"ref", 1, [ty.PhotoSize("x", 1, 1, 1)], 2)
_DOCUMENT = ty.Document(1, 2, b"ref", 1, "a/b", 1, 2, [ty.DocumentAttributeFilename("a.b")])
_PAGE = ty.WebPage(id=1, url="https://a.b", display_url="a.b", hash=0)

# What to set on the message, and which part of it nobody will understand.
_PARTS: dict[str, Callable[[], tuple[str, Any, Any]]] = {
    "entity": lambda: _list("entities", ty.MessageEntityBold(0, 1)),
    "forward": lambda: _one("fwd_from", ty.MessageFwdHeader(date=1)),
    "forward origin": lambda: _in("fwd_from", ty.MessageFwdHeader(date=1, from_id=_PEER), _PEER),
    "reply": lambda: _one("reply_to", ty.MessageReplyHeader(reply_to_msg_id=1)),
    "sender": lambda: _one("from_id", ty.PeerUser(5)),
    "saved peer": lambda: _one("saved_peer_id", ty.PeerUser(5)),
    "media": lambda: _one("media", ty.MessageMediaUnsupported()),
    "photo": lambda: _in("media", ty.MessageMediaPhoto(photo=_PHOTO), _PHOTO),
    "photo size": lambda: _in("media", ty.MessageMediaPhoto(photo=_PHOTO), _PHOTO.sizes[0]),
    "document": lambda: _in("media", ty.MessageMediaDocument(document=_DOCUMENT), _DOCUMENT),
    "attribute": lambda: _in(
        "media", ty.MessageMediaDocument(document=_DOCUMENT), _DOCUMENT.attributes[0]
    ),
    "place": lambda: _in("media", ty.MessageMediaGeo(_GEO), _GEO),
    "preview": lambda: _in("media", ty.MessageMediaWebPage(_PAGE), _PAGE),
    "contact": lambda: _one("media", ty.MessageMediaContact("1", "a", "b", "", 1)),
    "poll": lambda: _in(
        "media",
        ty.MessageMediaPoll(ty.Poll(1, _TEXT, [ty.PollAnswer(_TEXT, b"0")], 0), ty.PollResults()),
        _TEXT,
    ),
    "reactions": lambda: _one("reactions", ty.MessageReactions(results=[])),
    "replies": lambda: _one("replies", ty.MessageReplies(1, 0)),
    "buttons": lambda: _one("reply_markup", ty.ReplyKeyboardHide()),
    "restriction": lambda: _list("restriction_reason", ty.RestrictionReason("all", "x", "y")),
}
KINDS = (*_PARTS, "no date")
"""The twenty kinds."""


def poison(channel: Channel, message_id: int, kind: str) -> None:
    """Makes one of a channel's messages unreadable, in the way of its kind."""
    message = channel.messages[message_id]
    if kind == "no date":
        message.date = 0
        return
    name, value, part = _PARTS[kind]()
    setattr(message, name, value)
    whole, broken = bytes(message), bytes(part)
    at = whole.index(broken)
    spoilt = whole[:at] + _UNKNOWN + whole[at + 4 :]
    message._bytes = lambda: spoilt  # how Telethon's objects write themselves


def _one(name: str, value: Any) -> tuple[str, Any, Any]:
    return name, value, value


def _in(name: str, value: Any, part: Any) -> tuple[str, Any, Any]:
    return name, value, part


def _list(name: str, value: Any) -> tuple[str, Any, Any]:
    return name, [value], value
