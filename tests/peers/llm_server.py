"""A loopback server that speaks chat completions, and breaks in every way that real ones do."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Body = dict[str, Any]
Step = Callable[[web.Request, Body], Awaitable[web.StreamResponse]]
"""What the server does with one request."""

AT_ONCE = {"retry-after-ms": "1"}
"""Lets the SDK retry without its half a second of patience."""


@dataclass
class LlmServer:
    """The server's script: its steps in order, the last one for ever.

    Attributes:
        formats: The ``response_format`` types that it understands.
        unknown: Parameters that it rejects with the error text given.
        requests: The bodies that it was sent.
        keys: The ``Authorization`` headers that it was sent.
    """

    base_url: str = ""
    formats: frozenset[str] = frozenset({"json_schema", "json_object"})
    unknown: Mapping[str, str] = field(default_factory=dict)
    requests: list[Body] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    _steps: list[Step] = field(default_factory=list)
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    def will(self, *steps: Step) -> None:
        """Replaces the script."""
        self._steps = list(steps)

    def hangs(self) -> Step:
        """Takes the request and says nothing until the server closes."""

        async def step(request: web.Request, body: Body) -> web.StreamResponse:
            await self._closing.wait()
            return web.Response()

        return step

    def drips(self) -> Step:
        """Sends a blank now and then, so that the connection never looks dead."""

        async def step(request: web.Request, body: Body) -> web.StreamResponse:
            response = web.StreamResponse()
            await response.prepare(request)
            while not self._closing.is_set() and request.transport is not None:
                await response.write(b" ")
                await asyncio.sleep(0.01)  # slower than a flood, faster than a read timeout
            return response

        return step

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Plays the next step, after what the server understands has been checked."""
        body: Body = await request.json()
        self.requests.append(body)
        self.keys.append(request.headers.get("Authorization"))
        wanted = body.get("response_format", {}).get("type")
        if wanted and wanted not in self.formats:
            return _error(400, f"response_format.type {wanted} is not supported")
        for name, complaint in self.unknown.items():
            if name in body:
                return _error(400, complaint)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        return await step(request, body)

    def close(self) -> None:
        """Lets go of the requests that hang."""
        self._closing.set()


@asynccontextmanager
async def llm_server() -> AsyncIterator[LlmServer]:
    """A server on a free loopback port, for as long as the block lasts."""
    server = LlmServer()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", server.handle)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        server.base_url = f"http://127.0.0.1:{port}/v1"
        yield server
    finally:
        server.close()
        await runner.cleanup()


def completion(content: object, *, finish_reason: str | None = "stop", **message: object) -> Body:
    """A whole chat completion, as OpenAI writes them."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def says(reply: object, *, finish_reason: str | None = "stop") -> Step:
    """A reply in good order: text as it is, anything else as JSON."""
    text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
    return sends(completion(text, finish_reason=finish_reason))


def replies(compose: Callable[[str], object]) -> Step:
    """A reply that is composed from the user message."""

    async def step(request: web.Request, body: Body) -> web.StreamResponse:
        asked = next(one["content"] for one in body["messages"] if one["role"] == "user")
        return web.json_response(completion(json.dumps(compose(asked), ensure_ascii=False)))

    return step


def sends(body: object, *, content_type: str = "application/json", status: int = 200) -> Step:
    """An HTTP body: bytes as they are, anything else as JSON."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def step(request: web.Request, asked: Body) -> web.StreamResponse:
        return web.Response(body=raw, content_type=content_type, status=status)

    return step


def fails(status: int, message: str = "no") -> Step:
    """An HTTP error in OpenAI's words; retries of it are welcome at once."""

    async def step(request: web.Request, body: Body) -> web.StreamResponse:
        return _error(status, message)

    return step


def moves_to(address: str) -> Step:
    """A redirect."""

    async def step(request: web.Request, body: Body) -> web.StreamResponse:
        return web.Response(status=307, headers={"Location": address})

    return step


def zips(body: Body) -> Step:
    """A compressed body that nobody asked for."""

    async def step(request: web.Request, asked: Body) -> web.StreamResponse:
        packed = gzip.compress(json.dumps(body).encode())
        return web.Response(body=packed, headers={"Content-Encoding": "gzip"})

    return step


async def resets(request: web.Request, body: Body) -> web.StreamResponse:
    """Drops the connection instead of a reply."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def breaks_off(request: web.Request, body: Body) -> web.StreamResponse:
    """Promises a body and drops the connection in the middle of it."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [{"finish_reason": "stop", "mess')
    assert request.transport is not None
    request.transport.close()
    return response


async def floods(request: web.Request, body: Body) -> web.StreamResponse:
    """Sends more than anyone would want, without saying how much."""
    return await _flood(request, 200)


async def floods_with_an_error(request: web.Request, body: Body) -> web.StreamResponse:
    """The same as the body of an error, which nobody thinks of limiting."""
    return await _flood(request, 400)


async def _flood(request: web.Request, status: int) -> web.StreamResponse:
    response = web.StreamResponse(status=status)
    await response.prepare(request)
    try:
        for _ in range(1_000):
            await response.write(b"x" * 100_000)
    except ConnectionError:
        pass  # the other side has had enough
    return response


def _error(status: int, message: str) -> web.Response:
    return web.json_response({"error": {"message": message}}, status=status, headers=AT_ONCE)
