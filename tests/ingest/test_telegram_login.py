"""Signing in over the real wire, and what happens when Telegram ends a session."""

from __future__ import annotations

import asyncio
import base64
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import rsa
from telethon.crypto import rsa as telethon_rsa

from ingest.sources.telegram.account import AccountSettings, open_account
from ingest.sources.telegram.login import Asking, log_in
from ingest.sources.telegram.session import only_client
from ingest.sources.telegram_errors import (
    LoginFailed,
    NotLoggedIn,
    SessionInUse,
    SessionLost,
    SessionUnsafe,
)
from tests.peers.mtproto_server import MTProtoServer


@pytest.fixture(scope="session")
def private_key() -> rsa.PrivateKey:
    """The server's key, made once: it takes a second."""
    return rsa.newkeys(2048)[1]


@pytest.fixture
async def server(private_key: rsa.PrivateKey) -> AsyncIterator[MTProtoServer]:
    """A server with two data centres whose key the client trusts."""
    server = MTProtoServer(extra_dcs=(4,), private_key=private_key)
    telethon_rsa.add_key(server.public_key_pem, old=False)
    await server.start()
    yield server
    await server.stop()


def settings(folder: Path, session: str | None = None) -> AccountSettings:
    return AccountSettings(api_id=1, api_hash="x", directory=folder, session=session, timeout_s=10)


class Person:
    """Types what a test tells it to."""

    def __init__(self, *codes: str, phone: str = "+10000000001", passwords: str = "") -> None:
        self.codes, self.number, self.passwords = list(codes), phone, passwords.split()
        self.shown: list[str] = []

    def asking(self) -> Asking:
        return Asking(
            phone=self.phone, code=self.code, password=self.password, show_qr=self.shown.append
        )

    async def phone(self) -> str:
        return self.number

    async def code(self, _how: str) -> str:
        return self.codes.pop(0)

    async def password(self, _again: bool) -> str:
        return self.passwords.pop(0)


async def test_code_and_password(tmp_path: Path, server: MTProtoServer) -> None:
    """A mistyped code and password are asked again; the session is kept, for its owner only."""
    server.account.password = "secret"
    person = Person("11111", "12345", passwords="wrong secret")
    who = await log_in(settings(tmp_path), person.asking(), start=server.address_string())

    assert (who.name, who.user_id) == ("Archive", 4242)
    assert stat.S_IMODE(who.path.stat().st_mode) == 0o600
    async with open_account(settings(tmp_path)):
        pass


async def test_wrong_password_three_times(tmp_path: Path, server: MTProtoServer) -> None:
    """Nothing is kept, and the sentence says what to do."""
    server.account.password = "secret"
    person = Person("12345", passwords="a b c")
    with pytest.raises(LoginFailed, match="3 wrong passwords"):
        await log_in(settings(tmp_path), person.asking(), start=server.address_string())
    with pytest.raises(NotLoggedIn):
        async with open_account(settings(tmp_path)):
            pass


async def test_another_data_centre(tmp_path: Path, server: MTProtoServer) -> None:
    """An account that lives elsewhere is signed in there, and read from there afterwards."""
    server.account.dc_id = 4
    person = Person("12345")
    await log_in(settings(tmp_path), person.asking(), start=server.address_string())
    async with open_account(settings(tmp_path)):
        assert {conn.dc_id for conn in server.connections} == {4}


async def test_qr_code(tmp_path: Path, server: MTProtoServer) -> None:
    """A phone that scans the shown code signs the program in, after the password."""
    server.account.password = "secret"
    person = Person(passwords="secret")

    async def phone() -> None:
        while not person.shown:  # noqa: ASYNC110 - the program shows it, not we
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)  # the code must be waited for before it is scanned
        token = person.shown[0].removeprefix("tg://login?token=")
        server.scan(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))

    scanning = asyncio.create_task(phone())
    who = await log_in(
        settings(tmp_path), person.asking(), by_qr=True, start=server.address_string()
    )
    await scanning
    assert who.user_id == 4242


@pytest.mark.parametrize(
    ("code", "word", "reason"),
    [
        (406, "AUTH_KEY_DUPLICATED", "duplicated"),
        (401, "SESSION_REVOKED", "revoked"),
        (401, "AUTH_KEY_UNREGISTERED", "revoked"),
        (401, "USER_DEACTIVATED_BAN", "banned"),
        (420, "FROZEN_METHOD_INVALID", "frozen"),
    ],
)
async def test_an_ended_session_is_tried_once(
    tmp_path: Path, server: MTProtoServer, code: int, word: str, reason: str
) -> None:
    """Trying again with an ended session is what gets accounts banned."""
    server.fault("users.getUsers", "error", [code, word], after=1, times=-1)
    with pytest.raises(SessionLost) as caught:
        async with open_account(settings(tmp_path, server.session_string())):
            pass
    assert caught.value.reason == reason
    assert server.count("users.getUsers") == 2
    assert server.connected == 1


async def test_a_key_that_the_server_has_forgotten(tmp_path: Path, server: MTProtoServer) -> None:
    """The transport's 404 ends as a sentence too, not as an endless reconnection."""
    session = server.session_string()
    server.keys.clear()
    with pytest.raises(SessionLost):
        async with open_account(
            AccountSettings(
                api_id=1, api_hash="x", directory=tmp_path, session=session, timeout_s=2
            )
        ):
            pass


async def test_a_second_client_is_told_the_first(tmp_path: Path, server: MTProtoServer) -> None:
    """Two processes on one session would end it: the second is refused with the first's pid."""
    held = "import asyncio, sys; from pathlib import Path\n"
    held += "from ingest.sources.telegram.session import only_client\n"
    held += "async def main():\n async with only_client(Path(sys.argv[1])):\n"
    held += "  print('held', flush=True); sys.stdin.read()\nasyncio.run(main())"
    root = Path(__file__).parents[2]
    first = await asyncio.create_subprocess_exec(
        sys.executable, "-c", held, str(tmp_path),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root,
    )  # fmt: skip
    assert first.stdout is not None
    assert first.stdin is not None
    assert await first.stdout.readline() == b"held\n"
    with pytest.raises(SessionInUse) as caught:
        async with open_account(settings(tmp_path, server.session_string())):
            pass
    assert caught.value.pid == first.pid
    assert server.connected == 0

    first.stdin.close()
    await first.wait()
    async with only_client(tmp_path):
        pass


async def test_a_session_that_others_can_read_is_refused(
    tmp_path: Path, server: MTProtoServer
) -> None:
    """The sentence names the command that mends it."""
    path = tmp_path / "telegram.session"
    path.write_text(server.session_string())
    path.chmod(0o644)
    with pytest.raises(SessionUnsafe, match="chmod 600"):
        async with open_account(settings(tmp_path)):
            pass
