"""A loopback MTProto 2.0 server that unmodified Telethon talks to as if it were Telegram.

It speaks the wire protocol (TCP transports, the RSA + Diffie-Hellman auth-key exchange,
AES-IGE encrypted sessions, salts,
containers, gzip, acks) and answers the part of the API that a channel-archive
ingester uses, from channels loaded out of Telegram Desktop ``result.json``
exports.  TL (de)serialisation and AES-IGE come from Telethon; everything
server-side is written here.  It listens on 127.0.0.1 only.

In process::

    server = MTProtoServer()
    channel = server.add_channel(load_export("result.json", username="news"))
    await server.start()
    client = TelegramClient(StringSession(server.session_string()), 1, "x")
    ...
    channel.post("hello")                       # -> pushed as UpdateNewChannelMessage
    server.fault("messages.getHistory", "flood_wait", 5, after=3)

As a process (JSON on stdout says where, one JSON command a line on the control port)::

    python -m tests.peers.mtproto_process --export result.json=news --state-dir state

A client given ``server.session_string()`` needs no patching at all: the string
carries 127.0.0.1, the port and a ready auth key.  Only a *fresh* login (or a file on
another DC) runs the key exchange, for which the client must trust our RSA key:
``telethon.crypto.rsa.add_key(server.public_key_pem, old=False)``.
"""

from __future__ import annotations

import asyncio
import base64
import collections
import logging
import os
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import rsa
from telethon.crypto import AES
from telethon.errors import TypeNotFoundError
from telethon.extensions import BinaryReader
from telethon.tl import types as ty
from telethon.tl.tlobject import TLRequest

from tests.peers import mtproto_auth, mtproto_channels, mtproto_updates  # noqa: F401 - handlers
from tests.peers.mtproto_api import Account, Api, be, sha1
from tests.peers.mtproto_faults import Fault, Faults
from tests.peers.mtproto_fixtures import Channel
from tests.peers.mtproto_ids import sha256, stable_id
from tests.peers.mtproto_wire import Connection

log = logging.getLogger("mtproto_server")


@dataclass
class KeyState:
    """What the server knows about one auth key."""

    key: bytes
    dc_id: int
    account: Account | None = None
    login: Account | None = None  # between sendCode / signIn and the end of sign-in
    srp: tuple | None = None
    scanned_by: Account | None = None  # who has scanned its QR code
    salt: int = 0

    @property
    def key_id(self) -> bytes:
        return sha1(self.key)[12:20]


class MTProtoServer:
    """Listens on 127.0.0.1, one port a DC.  Not thread-safe: drive it from its own event loop."""

    def __init__(
        self,
        *,
        dc_id: int = 2,
        extra_dcs: tuple[int, ...] = (),
        private_key: rsa.PrivateKey | None = None,
    ):
        self.dc_id, self.dc_ids = dc_id, (dc_id, *extra_dcs)
        self.ports: dict[int, int] = {}
        self._private, self._listeners = private_key, []
        self.keys: dict[tuple[int, bytes], KeyState] = {}
        self.exported: dict[bytes, Account] = {}
        self.channels: dict[int, Channel] = {}
        self.accounts: dict[str, Account] = {}
        self.connections: set[Connection] = set()
        self.faults = Faults()
        self.loses: Callable[[Any], bool] = lambda _update: False
        self.calls: collections.deque = collections.deque(maxlen=20000)
        self.moved: dict[int, int] = {}
        self.login_tokens: dict[bytes, Connection] = {}
        self.takeouts: list[int] = []
        self.count_wrapped = 0  # calls through a takeout session
        self.takeouts_finished: list[bool | None] = []
        self.acked = self.connected = 0
        self.api = Api(self)
        self.account = self.add_account(Account(dc_id=dc_id))

    # -- set-up
    def add_account(self, item: Account) -> Account:
        self.accounts["+" + item.phone.lstrip("+")] = item
        return item

    def add_channel(self, channel: Channel) -> Channel:
        channel.server = self
        self.channels[channel.id] = channel
        return channel

    def add_key(self, key: bytes, dc_id: int, account_: Account | None = None) -> KeyState:
        state = KeyState(key, dc_id, account_, salt=stable_id("salt", key))
        self.keys[dc_id, state.key_id] = state
        return state

    def session_string(self, account_: Account | None = None, key: bytes | None = None) -> str:
        """A Telethon StringSession, signed in, that points at this server; after `start`."""
        key = key or os.urandom(256)
        self.add_key(key, self.dc_id, account_ or self.account)
        packed = struct.pack(
            ">B4sH256s", self.dc_id, bytes((127, 0, 0, 1)), self.ports[self.dc_id], key
        )
        return "1" + base64.urlsafe_b64encode(packed).decode("ascii")

    def address_string(self) -> str:
        """A StringSession that knows our address and no key: where a fresh login starts."""
        address = bytes((127, 0, 0, 1))
        packed = struct.pack(">B4sH256s", self.dc_id, address, self.ports[self.dc_id], bytes(256))
        return "1" + base64.urlsafe_b64encode(packed).decode("ascii")

    def scan(self, token: bytes, who: Account | None = None) -> None:
        """What a phone does that is held before a QR code."""
        conn = self.login_tokens.pop(token)
        assert conn.state is not None
        conn.state.scanned_by = who or self.account
        conn.send(ty.UpdateShort(ty.UpdateLoginToken(), int(time.time())), content=True)

    def revoke(self) -> None:
        """Sign every session out, as 'terminate all other sessions' does."""
        for state in self.keys.values():
            state.account = None

    @property
    def private_key(self) -> rsa.PrivateKey:
        if self._private is None:  # some seconds in pure Python; only a key exchange needs it
            self._private = rsa.newkeys(2048)[1]
        return self._private

    @property
    def public_key_pem(self) -> bytes:
        return rsa.PublicKey(self.private_key.n, self.private_key.e).save_pkcs1()

    @property
    def fingerprint(self) -> int:
        n, e = (TLRequest.serialize_bytes(be(x)) for x in (self.private_key.n, self.private_key.e))
        return struct.unpack("<q", sha1(n + e)[-8:])[0]

    def rsa_decrypt(self, data: bytes) -> bytes:
        """Undo either client padding: sha1 + data + random (old), or RSA_PAD (current)."""
        key = self.private_key
        plain = be(pow(int.from_bytes(data, "big"), key.d, key.n), 256)
        with BinaryReader(plain[21:]) as reader:
            try:
                reader.tgread_object()
                if sha1(plain[21 : 21 + reader.tell_position()]) == plain[1:21]:
                    return plain[21:]
            except (ValueError, EOFError, TypeNotFoundError, OSError):
                pass  # the other padding
        temp = bytes(x ^ y for x, y in zip(plain[:32], sha256(plain[32:]), strict=True))
        opened = AES.decrypt_ige(plain[32:], temp, bytes(32))
        padded = opened[:192][::-1]
        if sha256(temp, padded) != opened[192:]:
            raise ConnectionError("RSA padding not understood")
        return padded

    @staticmethod
    def file_bytes(ident: int, size: int) -> bytes:
        """Deterministic content for a media stub: the test can compute what it must get."""
        block = sha256(struct.pack("<q", ident))
        return (block * (size // len(block) + 1))[:size]

    # -- running
    async def start(self, port: int = 0) -> MTProtoServer:
        for n, dc_id in enumerate(self.dc_ids):

            async def serve(
                reader: asyncio.StreamReader, writer: asyncio.StreamWriter, dc_id: int = dc_id
            ) -> None:
                await self._serve(dc_id, reader, writer)

            listener = await asyncio.start_server(serve, "127.0.0.1", port if n == 0 else 0)
            self.ports[dc_id] = listener.sockets[0].getsockname()[1]
            self._listeners.append(listener)
        return self

    async def stop(self) -> None:
        for listener in self._listeners:
            listener.close()
        self.drop_connections()
        await asyncio.sleep(0)

    def drop_connections(self) -> None:
        for conn in list(self.connections):
            conn.close()

    async def _serve(
        self, dc_id: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        conn = Connection(self, dc_id, reader, writer)
        self.connections.add(conn)
        self.connected += 1
        try:
            await conn.run()
        except (asyncio.IncompleteReadError, ConnectionError, OSError) as exc:
            log.debug("connection ended: %r", exc)
        except Exception:
            log.exception("connection failed")
        finally:
            self.connections.discard(conn)
            for task in conn.tasks:
                task.cancel()
            conn.close()

    def _push(self, channel: Channel, update: Any) -> None:
        self.moved[channel.id] = int(time.time())
        if not channel.joined or channel.private or self.loses(update):
            return
        seen = self.api.people(channel, [update.message] if hasattr(update, "message") else [])
        for conn in self.connections:
            if conn.wants_updates and conn.state and conn.state.account:
                conn.send(
                    ty.Updates([update], seen["users"], seen["chats"], int(time.time()), 0),
                    content=True,
                )

    # -- faults
    def fault(
        self,
        method: str,
        action: str,
        value: Any = None,
        *,
        after: int = 0,
        times: int = 1,
        channel: int | None = None,
    ) -> None:
        """Schedules one fault: see `Fault`."""
        self.faults.add(Fault(method, action, value, after, times, channel))

    def count(self, method: str) -> int:
        return sum(1 for _, name, _ in self.calls if name == method)
