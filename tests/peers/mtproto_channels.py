"""Names, channels, history and files of the loopback Telegram."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from telethon.tl import functions as fn
from telethon.tl import types as ty
from telethon.tl.types import account, contacts, messages, upload

from tests.peers.mtproto_api import Api, RpcError, rpc
from tests.peers.mtproto_fixtures import MAX_HISTORY
from tests.peers.mtproto_ids import unix

if TYPE_CHECKING:
    from tests.peers.mtproto_wire import Connection


@rpc(fn.contacts.ResolveUsernameRequest)
def resolve_username(api: Api, conn: Connection, req: Any) -> Any:
    name = req.username.lstrip("@").lower()
    for channel in api.server.channels.values():
        if (channel.username or "").lower() == name:
            return contacts.ResolvedPeer(ty.PeerChannel(channel.id), [channel.tl()], [])
    if not name.replace("_", "a").isalnum() or len(name) < 4:
        raise RpcError(400, "USERNAME_INVALID")
    raise RpcError(400, "USERNAME_NOT_OCCUPIED")


# -- channels
@rpc(fn.channels.GetChannelsRequest)
def get_channels(api: Api, conn: Connection, req: Any) -> Any:
    return messages.Chats([api.channel(c).tl() for c in req.id])


@rpc(fn.channels.GetFullChannelRequest)
def full_channel(api: Api, conn: Connection, req: Any) -> Any:
    c = api.channel(req.channel)
    full = ty.ChannelFull(
        id=c.id,
        about=c.about,
        read_inbox_max_id=0,
        read_outbox_max_id=0,
        unread_count=0,
        chat_photo=ty.PhotoEmpty(0),
        notify_settings=ty.PeerNotifySettings(),
        bot_info=[],
        pts=c.pts,
        participants_count=c.participants,
        linked_chat_id=c.linked.id if c.linked else None,
    )
    people = api.people(c)
    if c.linked:
        people["chats"].append(c.linked.tl())
    return messages.ChatFull(full, **people)


@rpc(fn.messages.CheckChatInviteRequest)
def check_invite(api: Api, conn: Connection, req: Any) -> Any:
    for channel in api.server.channels.values():
        if channel.invite == req.hash:
            if channel.joined:
                return ty.ChatInviteAlready(channel.tl())
            return ty.ChatInvite(
                title=channel.title,
                photo=ty.PhotoEmpty(0),
                participants_count=channel.participants,
                color=0,
            )
    raise RpcError(400, "INVITE_HASH_EXPIRED")


@rpc(fn.account.InitTakeoutSessionRequest)
def init_takeout(api: Api, conn: Connection, req: Any) -> Any:
    api.server.takeouts.append(len(api.server.takeouts) + 1)
    return account.Takeout(api.server.takeouts[-1])


@rpc(fn.account.FinishTakeoutSessionRequest)
def finish_takeout(api: Api, conn: Connection, req: Any) -> Any:
    api.server.takeouts_finished.append(req.success)
    return True


@rpc(fn.channels.JoinChannelRequest, fn.channels.LeaveChannelRequest)
def join_or_leave(api: Api, conn: Connection, req: Any) -> Any:
    c = api.channel(req.channel)
    c.joined = isinstance(req, fn.channels.JoinChannelRequest)
    result = ty.Updates([ty.UpdateChannel(c.id)], [], [c.tl()], int(time.time()), 0)
    return messages.ChatInviteJoinResultOk(result) if c.joined else result


@rpc(fn.channels.GetMessagesRequest)
def channel_messages(api: Api, conn: Connection, req: Any) -> Any:
    c = api.channel(req.channel)
    found = [
        c.messages.get(i.id) or ty.MessageEmpty(i.id, ty.PeerChannel(c.id))
        for i in req.id[:MAX_HISTORY]
        if hasattr(i, "id")
    ]
    real = [m for m in found if not isinstance(m, ty.MessageEmpty)]
    return messages.ChannelMessages(
        pts=c.pts, count=len(found), messages=found, topics=[], **api.people(c, real)
    )


# -- messages
@rpc(fn.messages.GetHistoryRequest)
def history(api: Api, conn: Connection, req: Any) -> Any:
    return api.page(api.channel(req.peer), req)


@rpc(fn.messages.SearchRequest)
def search(api: Api, conn: Connection, req: Any) -> Any:
    c, words = api.channel(req.peer), set(re.findall(r"\w+", req.q.lower()))
    if not words and isinstance(req.filter, ty.InputMessagesFilterEmpty) and not req.from_id:
        raise RpcError(400, "SEARCH_QUERY_EMPTY")
    low, high, sender = (
        unix(req.min_date),
        unix(req.max_date),
        getattr(req.from_id, "user_id", None),
    )

    def keep(m: Any) -> bool:
        if words and not words <= set(
            re.findall(r"\w+", (m.message or "").lower())
        ):  # whole words
            return False
        if (low and m.date < low) or (high and m.date > high):
            return False
        if sender and getattr(m.from_id, "user_id", None) != sender:
            return False
        return _passes(req.filter, m)

    return api.page(c, req, keep)


def _passes(filter_: Any, m: Any) -> bool:
    kind, media = (
        type(filter_).__name__.removeprefix("InputMessagesFilter"),
        getattr(m, "media", None),
    )
    photo, doc = isinstance(media, ty.MessageMediaPhoto), getattr(media, "document", None)
    video = bool(doc) and any(isinstance(a, ty.DocumentAttributeVideo) for a in doc.attributes)
    url = any(
        isinstance(e, (ty.MessageEntityUrl, ty.MessageEntityTextUrl)) for e in m.entities or []
    )
    return {
        "Empty": True,
        "Photos": photo,
        "Video": video,
        "PhotoVideo": photo or video,
        "Document": bool(doc) and not video,
        "Url": url,
        "Pinned": bool(m.pinned),
    }.get(kind, False)


# -- files
@rpc(fn.upload.GetFileRequest, pushes=False)
def get_file(api: Api, conn: Connection, req: Any) -> Any:
    if req.offset % 4096 or req.limit % 4096 or not 0 < req.limit <= 1 << 20:
        raise RpcError(
            400, "LIMIT_INVALID" if req.limit % 4096 or req.limit > 1 << 20 else "OFFSET_INVALID"
        )
    for c in api.server.channels.values():
        item = c.files.get(req.location.id)
        if item is None:
            continue
        if item.dc_id != conn.dc_id:
            raise RpcError(303, f"FILE_MIGRATE_{item.dc_id}")
        if item.file_reference != req.location.file_reference:
            raise RpcError(400, "FILE_REFERENCE_EXPIRED")
        photo = isinstance(item, ty.Photo)
        size = (
            next((x.size for x in item.sizes if x.type == req.location.thumb_size), 0)
            if photo
            else item.size
        )
        whole = (
            c.local[item.id].read_bytes()
            if item.id in c.local
            else api.server.file_bytes(item.id, size)
        )
        return upload.File(
            ty.storage.FileJpeg() if photo else ty.storage.FileUnknown(),
            item.date,
            whole[req.offset : req.offset + req.limit],
        )
    raise RpcError(400, "LOCATION_INVALID")
