"""What holds for every test: no network but loopback, no blocking of the loop, own settings."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from blockbuster import blockbuster_ctx

from ingest.settings import PREFIX, Settings
from ingest.store.engine import Database, open_database
from ingest.store.schema import upgrade
from ingest.text.lemmas import shared_lemmatiser


def _only_loopback(event: str, args: tuple[object, ...]) -> None:
    """Refuses connections to anywhere else, whoever asks for them."""
    if event == "socket.connect":
        address = args[1]
        if isinstance(address, tuple) and not _is_loopback(str(address[0])):
            raise RuntimeError(f"a test connects to {address[0]}: only loopback is allowed")
    elif event == "socket.getaddrinfo":
        host = args[0]
        if isinstance(host, str) and host and not _is_loopback(host):
            raise RuntimeError(f"a test looks {host} up: only loopback is allowed")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


sys.addaudithook(_only_loopback)

# Loaded here, for tests call in coroutines what the program calls in threads.
shared_lemmatiser().lemma("слово")


@pytest.fixture(autouse=True)
def _no_blocking() -> Iterator[None]:
    """A call of ours that blocks the event loop fails the test."""
    with blockbuster_ctx(scanned_modules=["ingest", "agent", "bot"]) as blockbuster:
        blockbuster.functions["os.path.abspath"].deactivate()  # it looks at no disk
        for function in blockbuster.functions.values():
            # Alembic reads its files while it migrates: once, before anything else runs.
            function.can_block_in("ingest/store/schema.py", {"_upgrade"})
        yield


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests start from defaults, in a folder of their own, whatever the machine has set."""
    for name in list(os.environ):
        if name.startswith(PREFIX):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of an installation in the test's folder, with the instant encoder.

    They are in the environment too: the index process reads them there.
    """
    monkeypatch.setenv("CITEGRAM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("CITEGRAM_EMBEDDER", "hashing")
    monkeypatch.setenv("CITEGRAM_INDEX_IDLE_S", "20")
    return Settings()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database of the newest schema."""
    async with open_database(tmp_path / "data" / "citegram.sqlite") as opened:
        await upgrade(opened)
        yield opened
