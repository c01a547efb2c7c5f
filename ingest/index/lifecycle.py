"""Finding, starting and stopping the index process from any other process."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

import ingest
from ingest.errors import IndexUnavailable
from ingest.index.rendezvous import (
    MAX_LOG_BYTES,
    Endpoint,
    FileLock,
    Rendezvous,
    program_version,
)

OWNER = ("-P", "-m", "ingest.index.owner")
"""Arguments for Python that start the process; ``-P``: nothing is imported from the cwd."""

_POLL_S = 0.05
# A starting process answers once it is ready, and Edge may freeze a ready one for a second or
# two. Longer silence is asked again.
_HEALTH_TIMEOUT_S = 3.0


class _State(enum.Enum):
    """What an announced process answers."""

    READY = enum.auto()
    BUSY = enum.auto()  # starting, stopping, or frozen
    GONE = enum.auto()


async def find_running(data_dir: Path) -> Endpoint | None:
    """The live index process of a data directory, of whatever version; None without one."""
    async with _client() as http:
        endpoint, state = await _look(Rendezvous(data_dir), http)
    return None if state is _State.GONE else endpoint


async def ensure_running(
    data_dir: Path, *, timeout_s: float = 30, program: Sequence[str] = OWNER
) -> Endpoint:
    """The ready index process of a data directory, started if there is none.

    However many processes call this at once, one index process comes of it. One that runs
    another version of citegram is asked to stop and replaced.

    Args:
        data_dir: It starts with our environment and working directory, hence our settings.
        timeout_s: Longest wait until it is ready.
        program: What to start, as arguments for Python; ``--data-dir`` is added.

    Raises:
        IndexUnavailable: It died at its start, or is not ready in time.
    """
    place = Rendezvous(data_dir)
    await asyncio.to_thread(place.prepare)
    starting = FileLock(place.starting_path)
    try:
        async with asyncio.timeout(timeout_s), _client() as http:
            return await _until_ready(place, http, starting, lambda: _start(place, program))
    except TimeoutError as error:
        raise IndexUnavailable(
            f"the index process was not ready within {timeout_s:g} s; see {place.log_path}"
        ) from error
    finally:
        starting.release()


async def stop(data_dir: Path, *, timeout_s: float = 30) -> bool:
    """Stops the index process cleanly and waits until it has left.

    Returns:
        Whether there was one.

    Raises:
        IndexUnavailable: It is still there after `timeout_s` seconds.
    """
    place = Rendezvous(data_dir)
    async with _client() as http:
        endpoint, state = await _look(place, http)
        if endpoint is None or state is _State.GONE:
            return False
        await _ask_to_stop(endpoint, http)
    lock = FileLock(place.lock_path)
    try:
        async with asyncio.timeout(timeout_s):
            await _until_free(lock)
    except TimeoutError as error:
        raise IndexUnavailable(
            f"the index process (pid {endpoint.pid}) does not stop; see {place.log_path}"
        ) from error
    finally:
        lock.release()
    return True


async def _until_ready(
    place: Rendezvous,
    http: httpx.AsyncClient,
    starting: FileLock,
    start: Callable[[], subprocess.Popen[bytes]],
) -> Endpoint:
    version = await asyncio.to_thread(program_version)
    child: subprocess.Popen[bytes] | None = None
    asked_to_stop = None
    while True:
        endpoint, state = await _look(place, http)
        if endpoint is not None and state is _State.READY:
            if endpoint.version == version:
                return endpoint
            if asked_to_stop != endpoint.pid:
                asked_to_stop = endpoint.pid
                await _ask_to_stop(endpoint, http)
        if child is not None and (status := child.poll()) is not None:
            if status:
                raise IndexUnavailable(await asyncio.to_thread(_obituary, place, status))
            child = None  # it left to one that serves already
        if child is None and state is _State.GONE and await asyncio.to_thread(starting.try_take):
            # Ours alone now; but whoever had it before us may just have succeeded.
            if (await _look(place, http))[1] is _State.GONE:
                child = await asyncio.to_thread(start)
            else:
                starting.release()
        await asyncio.sleep(_POLL_S)


async def _look(place: Rendezvous, http: httpx.AsyncClient) -> tuple[Endpoint | None, _State]:
    endpoint = await asyncio.to_thread(place.read)
    if endpoint is None:
        return None, _State.GONE
    try:
        response = await http.get(f"{endpoint.url}/health", headers={"api-key": endpoint.key})
        answer = response.json()
    except httpx.ConnectError:
        return endpoint, _State.GONE
    except (httpx.HTTPError, ValueError):
        return endpoint, _State.BUSY if _is_alive(endpoint.pid) else _State.GONE
    if response.status_code != httpx.codes.OK or answer.get("pid") != endpoint.pid:
        return endpoint, _State.GONE  # a stranger has got the dead process's port
    return endpoint, _State.READY if answer.get("state") == "ready" else _State.BUSY


async def _until_free(lock: FileLock) -> None:
    while True:
        if await asyncio.to_thread(lock.try_take):
            return
        await asyncio.sleep(_POLL_S)


async def _ask_to_stop(endpoint: Endpoint, http: httpx.AsyncClient) -> None:
    # That it is gone already, or too busy to answer, shows in what happens next.
    with contextlib.suppress(httpx.HTTPError):
        await http.post(f"{endpoint.url}/stop", headers={"api-key": endpoint.key})


def _start(place: Rendezvous, program: Sequence[str]) -> subprocess.Popen[bytes]:
    """Starts the process so that it outlives us: own session, no inherited descriptors."""
    _bound(place.log_path)
    command = (sys.executable, *program, "--data-dir", str(place.data_dir))
    paths = [str(Path(ingest.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    with os.fdopen(
        os.open(place.log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab"
    ) as log:
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )
    # Reaps it, should it end before us: a zombie would pass for alive.
    threading.Thread(target=child.wait, name="index-process", daemon=True).start()
    return child


def _bound(log_path: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        if log_path.stat().st_size > MAX_LOG_BYTES:
            log_path.replace(log_path.with_name(f"{log_path.name}.1"))


def _obituary(place: Rendezvous, status: int) -> str:
    how = f"was killed by signal {-status}" if status < 0 else "failed to start"
    said = place.last_log_line()
    return f"the index process {how}{f': {said}' if said else ''} (its log: {place.log_path})"


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


@asynccontextmanager
async def _client() -> AsyncIterator[httpx.AsyncClient]:
    # No proxy of the environment stands between this machine and itself.
    async with httpx.AsyncClient(trust_env=False, timeout=_HEALTH_TIMEOUT_S) as http:
        yield http
