"""The life of the index process: found, started once, killed, replaced, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException

from ingest.errors import IndexUnavailable
from ingest.index.lifecycle import ensure_running, find_running, stop
from ingest.index.link import IndexLink
from ingest.index.rendezvous import MAX_LOG_BYTES, Endpoint, FileLock, Rendezvous

PROGRAM = (str(Path(__file__).with_name("embedded_owner.py")),)
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.processes


@pytest.fixture
async def data_dir(tmp_path: Path) -> AsyncIterator[Path]:
    """A data directory, without a process before and after the test."""
    yield tmp_path
    await stop(tmp_path)


@pytest.fixture
def place(tmp_path: Path) -> Rendezvous:
    """Its meeting place, with the folder made."""
    place = Rendezvous(tmp_path)
    place.prepare()
    return place


async def start(data_dir: Path) -> Endpoint:
    return await ensure_running(data_dir, program=PROGRAM)


@asynccontextmanager
async def qdrant(endpoint: Endpoint) -> AsyncIterator[AsyncQdrantClient]:
    client = AsyncQdrantClient(
        url=endpoint.qdrant_url,
        metadata={"api-key": endpoint.key},
        trust_env=False,
        check_compatibility=False,
    )
    try:
        yield client
    finally:
        await client.close()


async def until(condition: Callable[[], Awaitable[bool]], deadline_s: float = 20) -> None:
    """Waits for a condition, but not for ever."""
    async with asyncio.timeout(deadline_s):
        while True:
            if await condition():
                return
            await asyncio.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def is_gone(pid: int) -> bool:
    return not is_alive(pid)


async def has_left(data_dir: Path) -> bool:
    """Whether the process let go of its lock, which it does by ending."""
    lock = FileLock(Rendezvous(data_dir).lock_path)
    try:
        return lock.try_take()
    finally:
        lock.release()


async def test_one_process_serves_many_calls(data_dir: Path) -> None:
    """The second caller gets the first's process; it can be found, and is not ours to wait for."""
    assert await find_running(data_dir) is None

    first = await start(data_dir)

    assert await start(data_dir) == first
    assert await find_running(data_dir) == first
    assert os.getsid(first.pid) == first.pid  # a session of its own: Ctrl-C does not reach it


async def test_eight_processes_at_once_start_one(data_dir: Path) -> None:
    """Whoever comes first starts it; the others wait for the same one."""
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from ingest.index.lifecycle import ensure_running\n"
        "print(asyncio.run(ensure_running(Path(sys.argv[1]), program=sys.argv[2:])).pid)\n"
    )
    clients = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", script, str(data_dir), *PROGRAM),
            stdout=asyncio.subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        for _ in range(8)
    ]
    printed = [(await client.communicate())[0] for client in clients]

    assert len(set(printed)) == 1
    assert is_alive(int(printed[0]))


async def test_address_and_key_are_private(data_dir: Path) -> None:
    """The file with the key is its owner's only, and the key shows in no repr."""
    endpoint = await start(data_dir)
    file = data_dir / "index" / "process.json"

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert len(endpoint.key) >= 43  # 32 bytes in base64
    assert endpoint.key not in repr(endpoint)


async def test_a_wrong_key_opens_nothing(data_dir: Path) -> None:
    """Neither the services nor the Qdrant answer a stranger, nor does it stop the process."""
    endpoint = await start(data_dir)
    async with httpx.AsyncClient(trust_env=False, headers={"api-key": "guess"}) as stranger:
        answers = [
            await stranger.get(f"{endpoint.url}/health"),
            await stranger.post(f"{endpoint.url}/stop"),
            await stranger.post(f"{endpoint.url}/echo", json={}),
            await stranger.get(f"{endpoint.qdrant_url}/collections"),
        ]

    assert [answer.status_code for answer in answers] == [401] * 4
    assert await start(data_dir) == endpoint


async def test_files_of_a_dead_process_mislead_nobody(data_dir: Path) -> None:
    """After kill -9 the file remains; a new process is started all the same."""
    dead = await start(data_dir)
    os.kill(dead.pid, signal.SIGKILL)

    alive = await start(data_dir)

    assert alive.pid != dead.pid
    assert alive.key != dead.key


async def test_a_stranger_on_the_old_port_is_no_index(data_dir: Path, place: Rendezvous) -> None:
    """Another program that got a dead process's port is not taken for it."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        await writer.drain()
        writer.close()

    stranger = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = stranger.sockets[0].getsockname()[1]
    dead = Endpoint(url=f"http://127.0.0.1:{port}", key="k", pid=os.getpid())
    await asyncio.to_thread(place.announce, dead)
    async with stranger:
        assert await find_running(data_dir) is None
        assert (await start(data_dir)).pid != os.getpid()


async def test_another_version_is_replaced(data_dir: Path) -> None:
    """A process of another version, whatever its file says, is stopped and replaced."""
    old = await start(data_dir)
    file = data_dir / "index" / "process.json"
    written = json.loads(file.read_text()) | {"version": "999", "unknown": "here"}
    file.write_text(json.dumps(written))

    new = await start(data_dir)

    assert new.pid != old.pid
    assert new.version != "999"


async def test_sigterm_finishes_what_was_asked(data_dir: Path) -> None:
    """A request under way is answered; then the process takes its address back and ends."""
    endpoint = await start(data_dir)
    async with httpx.AsyncClient(
        trust_env=False, headers={"api-key": endpoint.key}, timeout=20
    ) as http:
        asked = asyncio.ensure_future(
            http.post(f"{endpoint.url}/echo", json={"delay_s": 0.5, "n": 1})
        )
        await asyncio.sleep(0.1)  # it has to arrive before the signal
        os.kill(endpoint.pid, signal.SIGTERM)
        answer = await asked

    assert answer.json()["echo"]["n"] == 1
    await until(lambda: has_left(data_dir))
    assert not (data_dir / "index" / "process.json").exists()
    assert "index.stopped" in (data_dir / "index" / "process.log").read_text()


async def test_stop_tells_whether_there_was_a_process(data_dir: Path) -> None:
    """Stopping waits for the end; stopping nothing is no error."""
    endpoint = await start(data_dir)

    assert await stop(data_dir) is True
    await until(lambda: is_gone(endpoint.pid))
    assert await stop(data_dir) is False


async def test_an_idle_process_leaves(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without requests it ends, but not before its background work, which failed once, is done."""
    monkeypatch.setenv("CITEGRAM_INDEX_IDLE_S", "1")
    endpoint = await start(data_dir)

    await until(lambda: has_left(data_dir))

    log = (data_dir / "index" / "process.log").read_text()
    await until(lambda: is_gone(endpoint.pid))
    assert log.count("index.work_failed") == 1
    assert "first try" in log


async def test_a_server_in_the_settings_leaves_nothing_embedded(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With CITEGRAM_QDRANT_URL the services get that server, and no shard is made."""
    monkeypatch.setenv("CITEGRAM_QDRANT_URL", "http://127.0.0.1:6333")

    async with IndexLink(data_dir, program=PROGRAM) as link:
        context = await link.request("GET", "/context")

    assert context == ["http://127.0.0.1:6333", True]
    assert (await start(data_dir)).qdrant_url == ""
    assert not (data_dir / "index" / "qdrant").exists()


async def test_services_get_the_embedded_qdrant(data_dir: Path) -> None:
    """Without a server in the settings the services get the process's own Qdrant."""
    async with IndexLink(data_dir, program=PROGRAM) as link:
        context = await link.request("GET", "/context")

    assert context == [(await start(data_dir)).qdrant_url, False]


async def test_a_failed_start_says_why(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has the last words of the process, and where to read the rest."""
    monkeypatch.setenv("TEST_FAILURE", "at start")

    with pytest.raises(IndexUnavailable) as caught:
        await start(data_dir)

    assert "the model is missing; run `citegram doctor`" in str(caught.value)
    assert "process.log" in str(caught.value)


async def test_bad_settings_stop_the_start(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt setting is named by the client that started the process."""
    monkeypatch.setenv("CITEGRAM_INDEX_IDLE", "1")

    with pytest.raises(IndexUnavailable, match="did you mean CITEGRAM_INDEX_IDLE_S"):
        await start(data_dir)


async def test_a_start_in_the_way_of_a_hung_process_gives_up(
    data_dir: Path, place: Rendezvous
) -> None:
    """While something else holds the lock for good, the wait ends with an error."""
    lock = FileLock(place.lock_path)
    assert lock.try_take()
    try:
        with pytest.raises(IndexUnavailable, match="not ready within 1 s"):
            await ensure_running(data_dir, timeout_s=1, program=PROGRAM)
    finally:
        lock.release()
    await until(lambda: _found(data_dir))  # the one that waited for the lock serves now


async def _found(data_dir: Path) -> bool:
    return await find_running(data_dir) is not None


async def test_the_log_starts_anew_when_full(data_dir: Path, place: Rendezvous) -> None:
    """A log over its bound is put aside at the next start."""
    place.log_path.write_bytes(b"x" * (MAX_LOG_BYTES + 1))

    await start(data_dir)

    assert place.log_path.stat().st_size < MAX_LOG_BYTES
    assert place.log_path.with_name("process.log.1").stat().st_size == MAX_LOG_BYTES + 1


async def test_a_link_follows_the_process(data_dir: Path) -> None:
    """Requests begun at once start one process, and after kill -9 they find its successor."""
    async with IndexLink(data_dir, program=PROGRAM) as link:
        answers = await asyncio.gather(
            *(link.request("POST", "/echo", {"n": n}) for n in range(5))
        )
        dead = await start(data_dir)
        os.kill(dead.pid, signal.SIGKILL)
        again = await asyncio.gather(*(link.request("POST", "/echo", {"n": n}) for n in range(5)))
        alive = await start(data_dir)

    assert [answer["echo"]["n"] for answer in answers] == list(range(5))
    assert [answer["echo"]["n"] for answer in again] == list(range(5))
    assert alive.pid != dead.pid


async def test_a_link_takes_no_proxy(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy in the environment does not come between us and our own machine."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")

    async with IndexLink(data_dir, program=PROGRAM) as link:
        assert (await link.request("GET", "/health"))["state"] == "ready"


async def test_a_refused_request_is_reported(data_dir: Path) -> None:
    """A refusal is no reason to restart; its words reach the caller."""
    async with IndexLink(data_dir, program=PROGRAM) as link:
        with pytest.raises(IndexUnavailable, match=r"refused /refuse \(400\): not today"):
            await link.request("POST", "/refuse", {})


async def test_a_slow_answer_ends_in_time(data_dir: Path) -> None:
    """A request has a deadline of its own."""
    await start(data_dir)
    async with IndexLink(data_dir, timeout_s=0.5, program=PROGRAM) as link:
        with pytest.raises(IndexUnavailable, match=r"did not answer /echo within 0\.5 s"):
            await link.request("POST", "/echo", {"delay_s": 1})


async def test_kill_during_upserts_loses_nothing_acknowledged(data_dir: Path) -> None:
    """Every point whose upsert was acknowledged is there after kill -9 and a restart."""
    endpoint = await start(data_dir)
    acknowledged: list[int] = []
    async with qdrant(endpoint) as client:
        await client.create_collection(
            "posts", vectors_config=models.VectorParams(size=64, distance=models.Distance.DOT)
        )
        kill = asyncio.get_running_loop().call_later(1.0, os.kill, endpoint.pid, signal.SIGKILL)
        with contextlib.suppress(ResponseHandlingException):
            async for written in _upserts(client):
                acknowledged += written
        kill.cancel()

    async with qdrant(await start(data_dir)) as client:
        found = await client.retrieve("posts", acknowledged)

    assert 100 < len(acknowledged) < COUNT_POINTS  # the kill came in between
    assert {point.id for point in found} == set(acknowledged)
    assert all(point.payload == {"n": point.id} for point in found)


COUNT_POINTS = 500_000
"""More than can be written before the kill."""


async def _upserts(client: AsyncQdrantClient) -> AsyncIterator[range]:
    for first in range(0, COUNT_POINTS, 20):
        numbers = range(first, first + 20)
        await client.upsert(
            "posts",
            [models.PointStruct(id=n, vector=[n % 7.0] * 64, payload={"n": n}) for n in numbers],
        )
        yield numbers
