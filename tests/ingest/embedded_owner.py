"""An index process with services of a test's own: what `lifecycle` starts in these tests."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from ingest.errors import IndexUnavailable
from ingest.index.background import Background, OwnerContext
from ingest.index.owner import main


class OneFailure:
    """Background work that fails once, then has nothing left to do."""

    def __init__(self) -> None:
        self.count_runs = 0

    async def run(self) -> None:
        self.count_runs += 1
        if self.count_runs == 1:
            raise ConnectionError("first try")

    def busy(self) -> bool:
        return self.count_runs < 2


@asynccontextmanager
async def open_services(app: web.Application, context: OwnerContext) -> AsyncIterator[Background]:
    background = OneFailure()

    async def echo(request: web.Request) -> web.Response:
        body = await request.json()
        await asyncio.sleep(body.get("delay_s", 0))
        return web.json_response({"echo": body, "runs": background.count_runs})

    async def refuse(_: web.Request) -> web.Response:
        return web.json_response({"status": {"error": "not today"}}, status=400)

    async def describe(_: web.Request) -> web.Response:
        return web.json_response([context.qdrant_url, context.settings_name_a_server])

    if os.environ.get("TEST_FAILURE") == "at start":
        raise IndexUnavailable("the model is missing; run `citegram doctor`")
    app.router.add_post("/echo", echo)
    app.router.add_post("/refuse", refuse)
    app.router.add_get("/context", describe)
    yield background


if __name__ == "__main__":
    sys.exit(main(open_services=open_services))
