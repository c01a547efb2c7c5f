"""One TCP connection of a client: framing, encryption, calls and their faults."""

from __future__ import annotations

import asyncio
import gzip
import logging
import os
import struct
import time
import zlib
from typing import TYPE_CHECKING, Any

from telethon.crypto import AES
from telethon.extensions import BinaryReader
from telethon.tl import functions as fn
from telethon.tl import types as ty
from telethon.tl.alltlobjects import LAYER
from telethon.tl.core import GzipPacked, MessageContainer
from telethon.tl.tlobject import TLRequest

from tests.peers.mtproto_api import RpcError
from tests.peers.mtproto_exchange import exchange
from tests.peers.mtproto_ids import sha256, stable_id

if TYPE_CHECKING:
    from tests.peers.mtproto_faults import Fault
    from tests.peers.mtproto_server import KeyState, MTProtoServer

log = logging.getLogger("mtproto_server")


def tl_bytes(value) -> bytes:
    """Serialise an RPC answer (object, bool or vector)."""
    if value is True:
        return struct.pack("<I", 0x997275B5)
    if value is False:
        return struct.pack("<I", 0xBC799737)
    if isinstance(value, list):
        return struct.pack("<Ii", 0x1CB5C415, len(value)) + b"".join(map(tl_bytes, value))
    if isinstance(value, int):
        return struct.pack("<i", value)
    return bytes(value)


def method_name(request) -> str:
    """GetHistoryRequest -> 'messages.getHistory', as the API documents it."""
    cls = request if isinstance(request, type) else type(request)
    space = cls.__module__.rsplit(".", 1)[-1]
    name = cls.__name__.removesuffix("Request")
    name = name[0].lower() + name[1:]
    return name if space == "functions" else f"{space}.{name}"


def _channel_of(request: Any) -> int | None:
    peer = getattr(request, "peer", None) or getattr(request, "channel", None)
    return getattr(peer, "channel_id", None)


def hollow(answer: Any, *, is_empty: bool) -> Any:
    """The answer with its messages taken out, or left as shells."""
    answer.messages = [] if is_empty else [ty.MessageEmpty(m.id) for m in answer.messages]
    return answer


class Connection:
    """A client's connection and what the server knows about it."""

    def __init__(self, server: MTProtoServer, dc_id: int, reader, writer):
        self.server, self.dc_id, self.reader, self.writer = server, dc_id, reader, writer
        self.state: KeyState | None = None
        self.session_id = 0
        self.seq = self.last_msg_id = self.sent = 0
        self.wants_updates = self.without_updates = False
        self.transport = None
        self.handshake: dict = {}
        self.tasks: set[asyncio.Task] = set()

    # -- framing
    async def _first(self) -> bytes:
        """Tell the transport by its first bytes; return those that already belong to a packet."""
        head = await self.reader.readexactly(1)
        if head == b"\xef":
            self.transport = "abridged"
            return b""
        head += await self.reader.readexactly(3)
        self.transport = {b"\xee" * 4: "intermediate", b"\xdd" * 4: "padded"}.get(head, "full")
        return head if self.transport == "full" else b""

    async def read_packet(self, carried: bytes = b"") -> bytes:
        read = self.reader.readexactly
        if self.transport == "abridged":
            size = (await read(1))[0]
            size = int.from_bytes(await read(3), "little") if size >= 0x7F else size
            return await read(size * 4)
        size = struct.unpack("<i", carried or await read(4))[0]
        if self.transport == "full":
            if not 12 <= size <= 1 << 24:
                raise ConnectionError(f"bad packet length {size}")
            rest = await read(size - 4)
            if (
                zlib.crc32(struct.pack("<i", size) + rest[:-4])
                != struct.unpack("<I", rest[-4:])[0]
            ):
                raise ConnectionError("bad crc32")
            return rest[4:-4]
        return await read(size)

    def frame(self, data: bytes) -> bytes:
        if self.transport == "abridged":
            words = len(data) // 4
            return (
                bytes([words]) if words < 0x7F else b"\x7f" + words.to_bytes(3, "little")
            ) + data
        if self.transport == "full":
            head = struct.pack("<ii", len(data) + 12, self.sent)
            self.sent += 1
            return head + data + struct.pack("<I", zlib.crc32(head + data))
        return struct.pack("<i", len(data)) + data

    def send_raw(self, data: bytes, cut: bool = False) -> None:
        packet = self.frame(data)
        self.writer.write(packet[: len(packet) // 2] if cut else packet)

    def close(self) -> None:
        self.writer.close()

    # -- the loop
    async def run(self) -> None:
        carried = await self._first()
        while True:
            packet, carried = await self.read_packet(carried), b""
            if len(packet) < 8:
                raise ConnectionError("short packet")
            if packet[:8] == bytes(8):
                await self._plain(packet)
                continue
            state = self.server.keys.get((self.dc_id, packet[:8]))
            if state is None:
                self.send_raw(struct.pack("<i", -404))  # what a DC says to an unknown auth key
                return
            self.state = state
            self._encrypted(packet)
            await self.writer.drain()

    # -- unencrypted: the auth key exchange
    async def _plain(self, packet: bytes) -> None:
        size = struct.unpack("<i", packet[16:20])[0]
        with BinaryReader(packet[20 : 20 + size]) as reader:
            request = reader.tgread_object()
        # RSA and modular powers take tens of milliseconds in Python: keep the loop free
        answer = bytes(
            await asyncio.get_running_loop().run_in_executor(None, exchange, self, request)
        )
        self.send_raw(bytes(8) + struct.pack("<qi", self._msg_id(1), len(answer)) + answer)
        await self.writer.drain()

    # -- encrypted messages
    def _aes(self, msg_key: bytes, x: int) -> tuple[bytes, bytes]:
        key = self.state.key
        a, b = sha256(msg_key, key[x : x + 36]), sha256(key[x + 40 : x + 76], msg_key)
        return a[:8] + b[8:24] + a[24:32], b[:8] + a[8:24] + b[24:32]

    def _encrypted(self, packet: bytes) -> None:
        msg_key = packet[8:24]
        plain = AES.decrypt_ige(packet[24:], *self._aes(msg_key, 0))
        if sha256(self.state.key[88:120], plain)[8:24] != msg_key:
            raise ConnectionError("msg_key mismatch")
        salt, session_id, msg_id, seq, size = struct.unpack("<qqqii", plain[:32])
        if session_id != self.session_id:
            self.session_id, self.seq = session_id, 0
            self.send(
                ty.NewSessionCreated(msg_id, stable_id(session_id), self.state.salt), content=True
            )
        drift = (msg_id >> 32) - time.time()
        if msg_id % 4 or drift > 30 or drift < -300:
            code = 18 if msg_id % 4 else 17 if drift > 30 else 16
            self.send(ty.BadMsgNotification(msg_id, seq, code))
            return
        if salt != self.state.salt:
            self.send(ty.BadServerSalt(msg_id, seq, 48, self.state.salt))
            return
        with BinaryReader(plain[32 : 32 + size]) as reader:
            self._dispatch(msg_id, reader.tgread_object())

    def _dispatch(self, msg_id: int, obj) -> None:
        if isinstance(obj, MessageContainer):
            for inner in obj.messages:
                self._dispatch(inner.msg_id, inner.obj)
        elif isinstance(obj, GzipPacked):
            with BinaryReader(obj.data) as reader:
                self._dispatch(msg_id, reader.tgread_object())
        elif isinstance(obj, ty.MsgsAck):
            self.server.acked += len(obj.msg_ids)
        elif isinstance(obj, (fn.PingRequest, fn.PingDelayDisconnectRequest)):
            self.send(ty.Pong(msg_id, obj.ping_id), reply=True)
        elif isinstance(obj, fn.GetFutureSaltsRequest):
            now = int(time.time())
            self.send(
                ty.FutureSalts(msg_id, now, [ty.FutureSalt(now, now + 3600, self.state.salt)]),
                reply=True,
            )
        elif isinstance(obj, fn.DestroySessionRequest):
            self.send(ty.DestroySessionOk(obj.session_id), reply=True)
        elif isinstance(obj, TLRequest):
            task = asyncio.ensure_future(self._call(msg_id, obj))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _call(self, msg_id: int, wrapped: Any) -> None:
        request = self._unwrap(wrapped)
        name = method_name(request)
        self.server.calls.append((self.server.faults.clock(), name, request))
        fault = self.server.faults.next(name, _channel_of(request))
        if fault and await self._vanished(fault):
            return
        try:
            body = await self._body(request, fault)
        except RpcError as exc:
            body = bytes(ty.RpcError(exc.code, exc.message))
        except Exception:
            log.exception("handler failed")
            body = bytes(ty.RpcError(500, "RPC_CALL_FAIL"))
        cut = fault is not None and fault.action == "truncate"
        self.send(struct.pack("<Iq", 0xF35C6D01, msg_id) + body, reply=True, content=True, cut=cut)
        if fault and fault.action in ("truncate", "drop_after"):
            await self.writer.drain()
            self.close()

    async def _vanished(self, fault: Fault) -> bool:
        """Does what happens instead of, or before, an answer; whether there will be none."""
        log.info("fault %s", fault.action)
        if fault.action == "delay":
            await asyncio.sleep(float(fault.value))
        elif fault.action == "drop":
            self.close()
        elif fault.action == "transport":
            self.send_raw(struct.pack("<i", -int(fault.value)))
            self.close()
        return fault.action in ("drop", "ignore", "transport")

    async def _body(self, request: Any, fault: Fault | None) -> bytes:
        if fault and fault.action == "flood_wait":
            raise RpcError(420, f"FLOOD_WAIT_{fault.value}")
        if fault and fault.action == "error":
            raise RpcError(*fault.value)
        answer = await self.server.api.answer(self, request)
        if fault and fault.action in ("empty", "hollow"):
            answer = hollow(answer, is_empty=fault.action == "empty")
        body = tl_bytes(answer)
        packed = gzip.compress(body, 1) if len(body) > 1024 else body
        if len(packed) < len(body):
            return struct.pack("<I", 0x3072CFA1) + TLRequest.serialize_bytes(packed)
        return body

    def _unwrap(self, request: Any) -> Any:
        while hasattr(request, "query") and isinstance(request.query, TLRequest):
            if isinstance(request, fn.InvokeWithLayerRequest) and request.layer != LAYER:
                log.info("client layer %s, ours %s", request.layer, LAYER)
            if isinstance(request, fn.InvokeWithoutUpdatesRequest):
                self.without_updates = True
            if isinstance(request, fn.InvokeWithTakeoutRequest):
                self.server.count_wrapped += 1
            request = request.query
        return request

    def _msg_id(self, tail: int) -> int:
        """Server ids grow, and are 1 mod 4 in answers, 3 mod 4 otherwise."""
        now = time.time_ns()
        new = (now // 10**9 << 32) | (now % 10**9 & ~3)
        self.last_msg_id = max(new, (self.last_msg_id & ~3) + 4) | tail
        return self.last_msg_id

    def send(self, obj, *, reply: bool = False, content: bool = False, cut: bool = False) -> None:
        if self.writer.is_closing() or self.state is None:
            return
        body = obj if isinstance(obj, bytes) else bytes(obj)
        seq = self.seq * 2 + content
        self.seq += content
        plain = (
            struct.pack(
                "<qqqii",
                self.state.salt,
                self.session_id,
                self._msg_id(1 if reply else 3),
                seq,
                len(body),
            )
            + body
        )
        plain += os.urandom(-(len(plain) + 12) % 16 + 12)
        msg_key = sha256(self.state.key[96:128], plain)[8:24]
        self.send_raw(
            self.state.key_id + msg_key + AES.encrypt_ige(plain, *self._aes(msg_key, 8)), cut
        )
