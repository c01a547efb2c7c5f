"""Sign-in to the loopback Telegram: code, password, QR, moves between data centres."""

from __future__ import annotations

import hashlib
import hmac
import inspect
import os
import time
from typing import TYPE_CHECKING, Any

from telethon.tl import functions as fn
from telethon.tl import types as ty
from telethon.tl.types import account, auth, users

from tests.peers.mtproto_api import DH_G, DH_PRIME, Api, RpcError, be, rpc, sha1
from tests.peers.mtproto_ids import sha256, stable_id

if TYPE_CHECKING:
    from tests.peers.mtproto_wire import Connection


# -- help
@rpc(fn.help.GetConfigRequest, login=False, pushes=False)
def get_config(api: Api, conn: Connection, req: Any) -> Any:
    now, text = int(time.time()), {"dc_txt_domain_name": "", "me_url_prefix": "https://t.me/"}
    numbers = {
        p: 0
        for p, d in inspect.signature(ty.Config.__init__).parameters.items()
        if d.default is inspect.Parameter.empty and p != "self"
    }
    dcs = [
        ty.DcOption(id=i, ip_address="127.0.0.1", port=port)
        for i, port in api.server.ports.items()
    ]
    return ty.Config(
        **{
            **numbers,
            **text,
            "date": now,
            "expires": now + 3600,
            "test_mode": False,
            "this_dc": conn.dc_id,
            "dc_options": dcs,
            "caption_length_max": 1024,
            "message_length_max": 4096,
        }
    )


@rpc(fn.help.GetNearestDcRequest, login=False, pushes=False)
def nearest_dc(api: Api, conn: Connection, req: Any) -> Any:
    return ty.NearestDc("NL", conn.dc_id, conn.dc_id)


# -- auth
@rpc(fn.auth.SendCodeRequest, login=False, pushes=False)
def send_code(api: Api, conn: Connection, req: Any) -> Any:
    account_ = api.server.accounts.get("+" + "".join(c for c in req.phone_number if c.isdigit()))
    if account_ is None:
        raise RpcError(400, "PHONE_NUMBER_INVALID")
    if account_.dc_id != conn.dc_id:
        raise RpcError(303, f"PHONE_MIGRATE_{account_.dc_id}")
    conn.state.login = account_
    return auth.SentCode(
        ty.auth.SentCodeTypeApp(len(account_.code)), sha1(account_.phone.encode()).hex()
    )


@rpc(fn.auth.SignInRequest, login=False, pushes=False)
def sign_in(api: Api, conn: Connection, req: Any) -> Any:
    who = conn.state.login
    if who is None or req.phone_code_hash != sha1(who.phone.encode()).hex():
        raise RpcError(400, "PHONE_CODE_EXPIRED")
    if req.phone_code != who.code:
        raise RpcError(400, "PHONE_CODE_INVALID")
    if who.password:
        raise RpcError(401, "SESSION_PASSWORD_NEEDED")
    conn.state.account = who
    return auth.Authorization(who.tl())


@rpc(fn.account.GetPasswordRequest, login=False, pushes=False)
def get_password(api: Api, conn: Connection, req: Any) -> Any:
    who = conn.state.login or conn.state.account
    if who is None:
        raise RpcError(401, "AUTH_KEY_UNREGISTERED")
    salts = sha256(b"1", who.phone.encode())[:16], sha256(b"2", who.phone.encode())[:16]
    algo = ty.PasswordKdfAlgoSHA256SHA256PBKDF2HMACSHA512iter100000SHA256ModPow(
        *salts, DH_G, be(DH_PRIME)
    )
    new = {
        "new_algo": algo,
        "new_secure_algo": ty.SecurePasswordKdfAlgoUnknown(),
        "secure_random": os.urandom(256),
    }
    if not who.password:
        return account.Password(**new)
    inner = sha256(salts[1], sha256(salts[0], who.password.encode(), salts[0]), salts[1])
    x = sha256(salts[1], hashlib.pbkdf2_hmac("sha512", inner, salts[0], 100000), salts[1])
    v = pow(DH_G, int.from_bytes(x, "big"), DH_PRIME)
    k = int.from_bytes(sha256(be(DH_PRIME), be(DH_G, 256)), "big")
    b = int.from_bytes(os.urandom(256), "big")
    srp_b = (k * v + pow(DH_G, b, DH_PRIME)) % DH_PRIME
    conn.state.srp = (stable_id(b), b, srp_b, v, salts)
    return account.Password(
        has_password=True, current_algo=algo, srp_B=be(srp_b, 256), srp_id=conn.state.srp[0], **new
    )


@rpc(fn.auth.CheckPasswordRequest, login=False, pushes=False)
def check_password(api: Api, conn: Connection, req: Any) -> Any:
    srp, who = conn.state.srp, conn.state.login
    if not srp or req.password.srp_id != srp[0]:
        raise RpcError(400, "SRP_ID_INVALID")
    _, b, srp_b, v, salts = srp
    big_a = int.from_bytes(req.password.A, "big")
    a_bytes, b_bytes = be(big_a, 256), be(srp_b, 256)
    u = int.from_bytes(sha256(a_bytes, b_bytes), "big")
    secret = sha256(be(pow(big_a * pow(v, u, DH_PRIME) % DH_PRIME, b, DH_PRIME), 256))
    hashes = bytes(x ^ y for x, y in zip(sha256(be(DH_PRIME)), sha256(be(DH_G, 256)), strict=True))
    proof = sha256(hashes, sha256(salts[0]), sha256(salts[1]), a_bytes, b_bytes, secret)
    if not hmac.compare_digest(proof, req.password.M1):
        raise RpcError(400, "PASSWORD_HASH_INVALID")
    conn.state.account = who
    return auth.Authorization(who.tl())


@rpc(fn.auth.LogOutRequest, pushes=False)
def log_out(api: Api, conn: Connection, req: Any) -> Any:
    conn.state.account = None
    return auth.LoggedOut()


@rpc(fn.auth.ExportAuthorizationRequest, pushes=False)
def export_auth(api: Api, conn: Connection, req: Any) -> Any:
    if req.dc_id not in api.server.ports:
        raise RpcError(400, "DC_ID_INVALID")
    token = os.urandom(16)
    api.server.exported[token] = conn.state.account
    return auth.ExportedAuthorization(conn.state.account.user_id, token)


@rpc(fn.auth.ImportAuthorizationRequest, login=False, pushes=False)
def import_auth(api: Api, conn: Connection, req: Any) -> Any:
    who = api.server.exported.pop(req.bytes, None)
    if who is None:
        raise RpcError(400, "AUTH_BYTES_INVALID")
    conn.state.account = who
    return auth.Authorization(who.tl())


# -- users and names
@rpc(fn.users.GetUsersRequest)
def get_users(api: Api, conn: Connection, req: Any) -> Any:
    return [
        conn.state.account.tl()
        if isinstance(i, ty.InputUserSelf)
        or getattr(i, "user_id", 0) == conn.state.account.user_id
        else ty.UserEmpty(getattr(i, "user_id", 0))
        for i in req.id
    ]


@rpc(fn.users.GetFullUserRequest)
def full_user(api: Api, conn: Connection, req: Any) -> Any:
    me = conn.state.account
    return users.UserFull(
        ty.UserFull(me.user_id, ty.PeerSettings(), ty.PeerNotifySettings(), 0), [], [me.tl()]
    )


# -- QR codes
@rpc(fn.auth.ExportLoginTokenRequest, login=False, pushes=False)
def export_login_token(api: Api, conn: Connection, req: Any) -> Any:
    who = conn.state.scanned_by
    if who is None:
        token = os.urandom(16)
        api.server.login_tokens[token] = conn
        return auth.LoginToken(int(time.time()) + 30, token)
    if who.password:
        conn.state.login = who
        raise RpcError(401, "SESSION_PASSWORD_NEEDED")
    conn.state.account = who
    return auth.LoginTokenSuccess(auth.Authorization(who.tl()))
