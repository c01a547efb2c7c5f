"""How the loopback Telegram answers calls: accounts, peers, pages of history."""

from __future__ import annotations

import hashlib
import inspect
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telethon.tl import types as ty
from telethon.tl.types import messages

from tests.peers.mtproto_fixtures import Channel
from tests.peers.mtproto_ids import stable_id

if TYPE_CHECKING:
    from tests.peers.mtproto_server import MTProtoServer
    from tests.peers.mtproto_wire import Connection

log = logging.getLogger("mtproto_server")

# The 2048-bit safe prime every production client accepts, and the example pq of the docs.
DH_PRIME = int(
    "C71CAEB9C6B1C9048E6C522F70F13F73980D40238E3E21C14934D037563D930F48198A0AA7C14058229493D22530F4DB"
    "FA336F6E0AC925139543AED44CCE7C3720FD51F69458705AC68CD4FE6B6B13ABDC9746512969328454F18FAF8C595F64"
    "2477FE96BB2A941D5BCD1D4AC8CC49880708FA9B378E3C4F3A9060BEE67CF9A4A4A695811051907E162753B56B0F6B41"
    "0DBA74D8A84B2A14B3144E0EF1284754FD17ED950D5965B4B9DD46582DB1178D169C6BC465B0D6FF9CA3928FEF5B9AE4"
    "E418FC15E83EBEA0F87FA9FF5EED70050DED2849F47BF959D956850CE929851F0D8115F635B105EE2E4E15D04B2454BF"
    "6F4FADF034B10403119CD8E3B92FCC5B",
    16,
)
DH_G = 3


class RpcError(Exception):
    """Answered to the client as rpc_error."""

    def __init__(self, code: int, message: str):
        super().__init__(f"{code} {message}")
        self.code, self.message = code, message


def be(number: int, size: int | None = None) -> bytes:
    return number.to_bytes(size or (number.bit_length() + 7) // 8, "big")


def sha1(data: bytes) -> bytes:
    return hashlib.sha1(data).digest()


@dataclass
class Account:
    phone: str = "+10000000001"
    user_id: int = 4242
    first_name: str = "Archive"
    username: str | None = "archive_reader"
    password: str | None = None  # set: sign-in answers SESSION_PASSWORD_NEEDED
    code: str = "12345"
    dc_id: int = 2

    def tl(self, is_self: bool = True) -> ty.User:
        return ty.User(
            id=self.user_id,
            is_self=is_self or None,
            access_hash=stable_id("user", self.user_id),
            first_name=self.first_name,
            username=self.username,
            phone=self.phone.lstrip("+"),
        )


_HANDLERS: dict[type, tuple[Any, bool, bool]] = {}


def rpc(*requests: Any, login: bool = True, pushes: bool = True) -> Any:
    """Registers a handler.

    Args:
        *requests: What it answers.
        login: Refuse it before sign-in.
        pushes: The call makes this connection one that gets updates.
    """

    def register(func: Any) -> Any:
        for request in requests:
            _HANDLERS[request] = (func, login, pushes)
        return func

    return register


class Api:
    """The API methods.  Handlers get the connection and the decoded request."""

    def __init__(self, server: MTProtoServer):
        self.server = server

    async def answer(self, conn: Connection, req: Any) -> Any:
        handler, login, pushes = _HANDLERS.get(type(req), (None, True, False))
        if login and conn.state.account is None:
            raise RpcError(401, "AUTH_KEY_UNREGISTERED")
        if handler is None:
            log.warning("not implemented: %s", type(req).__qualname__)
            raise RpcError(400, "METHOD_NOT_IMPLEMENTED")
        if login and pushes and not conn.without_updates:
            conn.wants_updates = True
        result = handler(self, conn, req)
        return await result if inspect.isawaitable(result) else result

    # -- peers
    def channel(self, peer: Any, *, check_hash: bool = True) -> Channel:
        ident = getattr(peer, "channel_id", None)
        channel = self.server.channels.get(ident)
        if channel is None or (check_hash and peer.access_hash != channel.access_hash):
            raise RpcError(
                400, "CHANNEL_INVALID" if isinstance(peer, ty.InputChannel) else "PEER_ID_INVALID"
            )
        if channel.private:
            raise RpcError(400, "CHANNEL_PRIVATE")
        return channel

    def people(self, channel: Channel, found: Any = ()) -> dict[str, Any]:
        """chats= and users= of an answer: the channel and everybody its messages mention."""
        wanted = set()
        for m in found:
            for peer in (m.from_id, getattr(getattr(m, "fwd_from", None), "from_id", None)):
                if isinstance(peer, ty.PeerUser):
                    wanted.add(("user", peer.user_id))
                elif isinstance(peer, ty.PeerChannel) and peer.channel_id != channel.id:
                    wanted.add(("channel", peer.channel_id))
        chats, people = [channel.tl()], []
        for kind, ident in sorted(wanted):
            known, name = self.server.channels.get(ident), channel.peers.get((kind, ident)) or "?"
            if kind == "user":
                people.append(
                    ty.User(
                        id=ident, access_hash=stable_id("user", ident), first_name=name, min=True
                    )
                )
            else:
                chats.append(
                    known.tl()
                    if known
                    else ty.Channel(
                        id=ident,
                        title=name,
                        photo=ty.ChatPhotoEmpty(),
                        date=0,
                        broadcast=True,
                        left=True,
                        access_hash=stable_id("channel", ident),
                    )
                )
        return {"chats": chats, "users": people}

    def page(self, channel: Channel, req: Any, keep: Any = None) -> Any:
        found, total, before = channel.window(req, keep)
        if req.hash:
            acc = 0
            for m in found:
                acc ^= acc >> 21
                acc ^= acc << 35 & 0xFFFFFFFFFFFFFFFF
                acc = (acc ^ acc >> 4) + m.id & 0xFFFFFFFFFFFFFFFF
            if acc == req.hash & 0xFFFFFFFFFFFFFFFF:
                return messages.MessagesNotModified(total)
        return messages.ChannelMessages(
            pts=channel.pts,
            count=total,
            messages=found,
            topics=[],
            offset_id_offset=before,
            **self.people(channel, found),
        )
