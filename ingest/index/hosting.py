"""The life of the index process: one socket for its services, one for the embedded Qdrant.

`Owner` opens the parts in the order of their needs, keeps the background work going, and
closes everything in turn when it is told to or when nobody needs it any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import structlog
from aiohttp import web
from aiohttp.typedefs import Middleware

from ingest.index.access import Activity, require_key
from ingest.index.background import Background, OwnerContext, Services
from ingest.index.embedded.lane import Lane
from ingest.index.embedded.rest import MAX_REQUEST_BYTES, build_rest
from ingest.index.rendezvous import Endpoint, Rendezvous, program_version

DRAIN_S = 10.0
"""How long requests under way may take to end once the process stops."""

# Retries of failed background work: soon at first, never in a loop that fills the log.
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 1.0, 60.0

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerSettings:
    """What the process has to know.

    Attributes:
        qdrant_url: A Qdrant server to use; None serves the embedded one.
        idle_s: Seconds without requests and work after which the process leaves.
    """

    data_dir: Path
    qdrant_url: str | None = None
    qdrant_api_key: str | None = field(default=None, repr=False)
    idle_s: float = 600.0


class Owner:
    """The life of one index process, from its socket to its last flush.

    Args:
        settings: See there.
        open_services: The services; by default `ingest.index.services.open_services`.
    """

    def __init__(self, settings: OwnerSettings, open_services: Services | None = None) -> None:
        self._settings = settings
        self._open_services = open_services
        self._place = Rendezvous(settings.data_dir)
        self._key = secrets.token_urlsafe(32)
        self._activity = Activity()
        self._stopping = asyncio.Event()
        self._state = "ready"  # nobody is answered sooner

    async def serve(self) -> None:
        """Serves until a signal, ``/stop`` or idleness; the caller holds the lock.

        Raises:
            IndexUnavailable: The index's files are damaged or in use.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopping.set)
        with _listen() as front, _listen() as qdrant:
            self._place.announce(self._endpoint(front, qdrant))
            try:
                async with self._open(front, qdrant) as (background, lane):
                    _log.info("index.ready", pid=os.getpid())
                    await self._until_needless(background, lane)
                    self._state = "stopping"
                    # Gone from the file first: a new client starts, and awaits, our successor.
                    self._place.withdraw()
            finally:
                self._place.withdraw()
        _log.info("index.stopped", pid=os.getpid())

    @asynccontextmanager
    async def _open(
        self, front: socket.socket, qdrant: socket.socket
    ) -> AsyncIterator[tuple[Background, Lane | None]]:
        """Opens all parts; closes them in turn, each after those that need it."""
        async with AsyncExitStack() as stack:
            lane = None
            if self._settings.qdrant_url is None:
                lane = await stack.enter_async_context(self._embedded(qdrant))
            services = self._open_services
            if services is None:
                services = await asyncio.to_thread(_default_services)
            app, context = self._application(), self._context(qdrant)
            background = await stack.enter_async_context(services(app, context))
            # Listening since before it was announced: whoever came early waits in the
            # socket's queue and is answered now.
            await stack.enter_async_context(_serving(app, front))
            yield background, lane

    @asynccontextmanager
    async def _embedded(self, listening: socket.socket) -> AsyncIterator[Lane]:
        """The embedded Qdrant on its own port: services may use it before they serve."""
        from ingest.index.embedded.choice import open_engine  # noqa: PLC0415 - heavy

        root = self._place.qdrant_path
        lane = Lane(lambda: open_engine(root))
        try:
            await lane.open()
            rest = build_rest(lane, middlewares=self._middlewares())
            async with _serving(rest, listening):
                yield lane
        finally:
            await lane.close()

    def _application(self) -> web.Application:
        app = web.Application(middlewares=self._middlewares(), client_max_size=MAX_REQUEST_BYTES)
        app.router.add_get("/health", self._health)
        app.router.add_post("/stop", self._stop)
        return app

    def _middlewares(self) -> tuple[Middleware, ...]:
        return (require_key(self._key), self._activity.watch())

    def _context(self, qdrant: socket.socket) -> OwnerContext:
        url = self._settings.qdrant_url
        return OwnerContext(
            data_dir=self._settings.data_dir,
            qdrant_url=_url(qdrant) if url is None else url,
            api_key=self._key if url is None else self._settings.qdrant_api_key,
            settings_name_a_server=url is not None,
        )

    def _endpoint(self, front: socket.socket, qdrant: socket.socket) -> Endpoint:
        return Endpoint(
            url=_url(front),
            key=self._key,
            pid=os.getpid(),
            qdrant_url=_url(qdrant) if self._settings.qdrant_url is None else "",
            version=program_version(),
        )

    async def _health(self, _: web.Request) -> web.Response:
        return web.json_response({"state": self._state, "pid": os.getpid()})

    async def _stop(self, _: web.Request) -> web.Response:
        self._stopping.set()
        return web.json_response({"state": "stopping"})

    async def _until_needless(self, background: Background, lane: Lane | None) -> None:
        async with asyncio.TaskGroup() as tasks:
            beside = [tasks.create_task(_supervised("background", background.run))]
            if lane is not None:
                beside.append(tasks.create_task(_supervised("upkeep", lane.keep_tidy)))
            while not self._stopping.is_set() and not self._idle(background):
                with contextlib.suppress(TimeoutError):
                    pause = min(1.0, self._settings.idle_s / 4)
                    await asyncio.wait_for(self._stopping.wait(), pause)
            for task in beside:
                task.cancel()

    def _idle(self, background: Background) -> bool:
        return self._activity.idle_s() > self._settings.idle_s and not background.busy()


async def _supervised(name: str, run: Callable[[], Awaitable[None]]) -> None:
    """Runs work to its end and starts it again, ever later, whenever it fails."""
    pause_s = _FIRST_PAUSE_S
    while True:
        started_at = time.monotonic()
        try:
            return await run()
        except Exception:  # noqa: BLE001 - a supervisor: one bad item must not end the work
            _log.exception("index.work_failed", work=name)
        if time.monotonic() - started_at > _LONGEST_PAUSE_S:
            pause_s = _FIRST_PAUSE_S
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


@asynccontextmanager
async def _serving(app: web.Application, listening: socket.socket) -> AsyncIterator[None]:
    """Answers on a socket; at the end requests under way are waited for."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=DRAIN_S)
    await runner.setup()
    try:
        await web.SockSite(runner, listening).start()
        yield
    finally:
        await runner.cleanup()


def _default_services() -> Services:
    from ingest.index.services import open_services  # noqa: PLC0415 - heavy

    return open_services


def _listen() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=128)


def _url(listening: socket.socket) -> str:
    host, port = listening.getsockname()
    return f"http://{host}:{port}"
