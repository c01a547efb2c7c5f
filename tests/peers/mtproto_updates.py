"""Dialogs, and what a client of the loopback Telegram has missed."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from telethon.tl import functions as fn
from telethon.tl import types as ty
from telethon.tl.types import messages, updates

from tests.peers.mtproto_api import Api, RpcError, rpc
from tests.peers.mtproto_fixtures import Channel
from tests.peers.mtproto_ids import unix

if TYPE_CHECKING:
    from tests.peers.mtproto_wire import Connection

DIFF_TOO_LONG = 1000
"""A channel gap beyond this answers channelDifferenceTooLong."""


@rpc(fn.messages.GetDialogsRequest, fn.messages.GetPeerDialogsRequest)
def dialogs(api: Api, conn: Connection, req: Any) -> Any:
    if isinstance(req, fn.messages.GetPeerDialogsRequest):
        wanted = [api.channel(p.peer) for p in req.peers]
    else:
        joined = sorted(
            (c for c in api.server.channels.values() if c.joined and not c.private),
            key=lambda c: -c.id,
        )
        after = getattr(req.offset_peer, "channel_id", None)
        wanted = [c for c in joined if after is None or c.id < after][: req.limit or 100]
    rows: list[Any] = []
    tops: list[Any] = []
    chats: dict[int, Any] = {}
    people: dict[int, Any] = {}
    for c in wanted:
        last = c.messages[c.ids[-1]] if c.ids else None
        rows.append(dialog(c))
        tops += [last] if last else []
        seen = api.people(c, [last] if last else [])
        chats.update((x.id, x) for x in seen["chats"])
        people.update((x.id, x) for x in seen["users"])
    parts: dict[str, Any] = {
        "dialogs": rows,
        "messages": tops,
        "chats": list(chats.values()),
        "users": list(people.values()),
    }
    if isinstance(req, fn.messages.GetPeerDialogsRequest):
        return messages.PeerDialogs(state=state(api, conn, None), **parts)
    return messages.Dialogs(**parts)


def dialog(c: Channel) -> ty.Dialog:
    return ty.Dialog(
        peer=ty.PeerChannel(c.id),
        top_message=c.ids[-1] if c.ids else 0,
        read_inbox_max_id=0,
        read_outbox_max_id=0,
        unread_count=len(c.ids),
        unread_mentions_count=0,
        unread_reactions_count=0,
        unread_poll_votes_count=0,
        notify_settings=ty.PeerNotifySettings(),
        pts=c.pts,
    )


@rpc(fn.channels.ReadHistoryRequest)
def read_history(api: Api, conn: Connection, req: Any) -> Any:
    api.channel(req.channel)
    return True


# -- updates
@rpc(fn.updates.GetStateRequest)
def state(api: Api, conn: Connection, req: Any) -> Any:
    return updates.State(pts=1, qts=0, date=int(time.time()), seq=1, unread_count=0)


@rpc(fn.updates.GetDifferenceRequest)
def difference(api: Api, conn: Connection, req: Any) -> Any:
    """Names the channels that moved since the client's date; there are no private chats."""
    since, now = unix(req.date), int(time.time())
    moved = [
        c
        for c in api.server.channels.values()
        if c.joined and api.server.moved.get(c.id, 0) >= since > 0
    ]
    if not moved:
        return updates.DifferenceEmpty(now, 1)
    return updates.Difference(
        [],
        [],
        [ty.UpdateChannelTooLong(c.id, c.pts) for c in moved],
        [c.tl() for c in moved],
        [],
        state(api, conn, None),
    )


@rpc(fn.updates.GetChannelDifferenceRequest)
def channel_difference(api: Api, conn: Connection, req: Any) -> Any:
    c = api.channel(req.channel)
    if req.pts <= 0:
        raise RpcError(
            400, "PERSISTENT_TIMESTAMP_EMPTY" if req.pts == 0 else "PERSISTENT_TIMESTAMP_INVALID"
        )
    fresh = [e for e in c.events if e[0] > req.pts]
    if not fresh:
        return updates.ChannelDifferenceEmpty(c.pts, final=True, timeout=30)
    if c.pts - req.pts > DIFF_TOO_LONG or fresh[0][0] - fresh[0][1] > req.pts:
        found = [c.messages[i] for i in c.ids[-10:][::-1]]
        return updates.ChannelDifferenceTooLong(
            dialog(c), found, final=True, timeout=30, **api.people(c, found)
        )
    batch = fresh[: max(1, min(req.limit or 100, 100))]
    new = [e[2].message for e in batch if isinstance(e[2], ty.UpdateNewChannelMessage)]
    other = [e[2] for e in batch if not isinstance(e[2], ty.UpdateNewChannelMessage)]
    seen = new + [u.message for u in other if hasattr(u, "message")]
    return updates.ChannelDifference(
        batch[-1][0], new, other, final=len(batch) == len(fresh), timeout=30, **api.people(c, seen)
    )
