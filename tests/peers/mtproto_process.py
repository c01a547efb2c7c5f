"""The loopback Telegram as a process of its own, driven by JSON lines on a control port."""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import json
import logging
import os
import pathlib
import sys
from typing import Any

import rsa

from tests.peers.mtproto_fixtures import load_export
from tests.peers.mtproto_server import MTProtoServer


def _control(  # noqa: C901 - one command a branch
    server: MTProtoServer, cmd: dict[str, Any]
) -> Any:
    """Does one command; post, edit, delete and set name their channel by username or id."""
    op = cmd.pop("op")
    if op in ("post", "edit", "delete", "set"):
        name = cmd.pop("channel")
        channel = next(c for c in server.channels.values() if str(name) in (c.username, str(c.id)))
        if op == "post":
            return {"id": channel.post(**cmd).id, "pts": channel.pts}
        if op == "edit":
            return {"id": channel.edit(cmd.pop("id"), **cmd).id, "pts": channel.pts}
        if op == "delete":
            channel.delete(*cmd["ids"])
        for key in cmd if op == "set" else ():
            setattr(channel, key, cmd[key])
        return {"pts": channel.pts}
    if op == "fault":
        server.fault(**cmd)
    elif op == "limit":
        server.faults.limit(**cmd)
    elif op == "drop":
        server.drop_connections()
    elif op == "revoke":
        server.revoke()
    elif op == "calls":
        return collections.Counter(name for _, name, _ in server.calls)
    else:
        raise ValueError(f"unknown op {op}")
    return True


async def _main() -> None:
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument(
        "--export", action="append", default=[], help="result.json, or result.json=username"
    )
    ap.add_argument("--port", type=int, default=0)
    ap.add_argument("--control", type=int, default=0)
    ap.add_argument("--dc", type=int, default=2)
    ap.add_argument("--password", help="two-step password of the test account")
    ap.add_argument(
        "--state-dir", type=pathlib.Path, help="keep the RSA key and the session's auth key here"
    )
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    private, auth_key = None, None
    if args.state_dir:
        args.state_dir.mkdir(parents=True, exist_ok=True)
        pem, raw = args.state_dir / "rsa.pem", args.state_dir / "auth.key"
        if not pem.exists():
            pem.write_bytes(rsa.newkeys(2048)[1].save_pkcs1())
            raw.write_bytes(os.urandom(256))
        private, auth_key = rsa.PrivateKey.load_pkcs1(pem.read_bytes()), raw.read_bytes()
    server = MTProtoServer(dc_id=args.dc, private_key=private)
    server.account.password = args.password
    for item in args.export:
        path, _, username = item.partition("=")
        server.add_channel(load_export(path, username=username or None))
    await server.start(args.port)

    async def control(reader, writer):
        while line := await reader.readline():
            try:
                answer = {"ok": True, "result": _control(server, json.loads(line))}
            except Exception as exc:  # noqa: BLE001 - told to whoever drives the peer
                answer = {"ok": False, "error": repr(exc)}
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()

    listener = await asyncio.start_server(control, "127.0.0.1", args.control)
    print(
        json.dumps(
            {
                "port": server.ports[args.dc],
                "dc_id": args.dc,
                "control": listener.sockets[0].getsockname()[1],
                "session": server.session_string(key=auth_key),
                "public_key": server.public_key_pem.decode(),
                "phone": server.account.phone,
                "code": server.account.code,
                "channels": {
                    c.username or str(c.id): len(c.ids) for c in server.channels.values()
                },
            }
        ),
        flush=True,
    )
    await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main())
