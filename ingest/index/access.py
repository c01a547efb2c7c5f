"""Who may talk to the index process, and whether anybody does: two aiohttp middlewares."""

from __future__ import annotations

import hmac
import time
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Middleware

KEY_HEADER = "api-key"  # the header that qdrant-client sends its key in

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def require_key(key: str) -> Middleware:
    """Lets only requests with the process's key through; others get 401.

    Loopback alone is no wall: every user of the machine and every page in a browser on it
    can connect there.
    """
    wanted = key.encode()

    @web.middleware
    async def check(request: web.Request, handler: _Handler) -> web.StreamResponse:
        shown = request.headers.get(KEY_HEADER, "").encode()
        if not hmac.compare_digest(shown, wanted):
            raise web.HTTPUnauthorized(text="Must provide an API key")
        return await handler(request)

    return check


class Activity:
    """Counts requests under way and remembers when the last one ended."""

    def __init__(self) -> None:
        self.count_in_flight = 0
        self._ended_at = time.monotonic()

    def idle_s(self) -> float:
        """Seconds since the last request ended; 0 while one is under way."""
        return 0.0 if self.count_in_flight else time.monotonic() - self._ended_at

    def watch(self) -> Middleware:
        """The middleware that counts; whether we are alive is no request of anybody's."""

        @web.middleware
        async def count(request: web.Request, handler: _Handler) -> web.StreamResponse:
            if request.path == "/health":
                return await handler(request)
            self.count_in_flight += 1
            try:
                return await handler(request)
            finally:
                self.count_in_flight -= 1
                self._ended_at = time.monotonic()

        return count
