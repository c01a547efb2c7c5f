"""The server's half of the auth key exchange (RSA and Diffie-Hellman)."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from telethon.crypto import AES
from telethon.extensions import BinaryReader
from telethon.helpers import generate_key_data_from_nonce
from telethon.tl import functions as fn
from telethon.tl import types as ty

from tests.peers.mtproto_api import DH_G, DH_PRIME, be, sha1

if TYPE_CHECKING:
    from tests.peers.mtproto_wire import Connection

PQ_P, PQ_Q = 1229739323, 1402015859
"""The example pq of the documentation."""


def exchange(conn: Connection, req: Any) -> Any:
    hs, server = conn.handshake, conn.server
    if isinstance(req, (fn.ReqPqMultiRequest, fn.ReqPqRequest)):
        hs.update(
            nonce=req.nonce, server_nonce=int.from_bytes(os.urandom(16), "little", signed=True)
        )
        return ty.ResPQ(req.nonce, hs["server_nonce"], be(PQ_P * PQ_Q), [server.fingerprint])
    if req.nonce != hs.get("nonce") or req.server_nonce != hs.get("server_nonce"):
        raise ConnectionError("nonce mismatch")
    if isinstance(req, fn.ReqDHParamsRequest):
        with BinaryReader(server.rsa_decrypt(req.encrypted_data)) as reader:
            inner = reader.tgread_object()
        if int.from_bytes(inner.p, "big") != PQ_P or int.from_bytes(inner.q, "big") != PQ_Q:
            raise ConnectionError("wrong factors")
        hs["new_nonce"], hs["a"] = inner.new_nonce, int.from_bytes(os.urandom(256), "big")
        hs["aes"] = generate_key_data_from_nonce(hs["server_nonce"], inner.new_nonce)
        data = bytes(
            ty.ServerDHInnerData(
                req.nonce,
                req.server_nonce,
                DH_G,
                be(DH_PRIME),
                be(pow(DH_G, hs["a"], DH_PRIME)),
                int(time.time()),
            )
        )
        data = sha1(data) + data
        return ty.ServerDHParamsOk(
            req.nonce,
            req.server_nonce,
            AES.encrypt_ige(data + os.urandom(-len(data) % 16), *hs["aes"]),
        )
    if isinstance(req, fn.SetClientDHParamsRequest):
        plain = AES.decrypt_ige(req.encrypted_data, *hs["aes"])
        with BinaryReader(plain[20:]) as reader:
            inner = reader.tgread_object()
            used = reader.tell_position()
        if sha1(plain[20 : 20 + used]) != plain[:20]:
            raise ConnectionError("client_DH_inner_data hash")
        key = be(pow(int.from_bytes(inner.g_b, "big"), hs["a"], DH_PRIME), 256)
        server.add_key(key, conn.dc_id)
        digest = sha1(
            hs["new_nonce"].to_bytes(32, "little", signed=True) + b"\x01" + sha1(key)[:8]
        )
        return ty.DhGenOk(
            req.nonce, req.server_nonce, int.from_bytes(digest[4:], "little", signed=True)
        )
    raise ConnectionError(f"unexpected plain request {type(req).__name__}")
