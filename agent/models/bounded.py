"""Keeps a server from filling the memory: a reply's body ends in an error at a limit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import httpx2

from agent.models.faults import Fault, ModelFault


def at_most(max_bytes: int) -> Callable[[httpx2.Response], Awaitable[None]]:
    """A response hook of an HTTP client; it covers the bodies of errors as well.

    The hook raises `ModelFault` for compressed bodies too: their size is not known before they
    are unpacked, and the request asked for plain ones.
    """

    async def bound(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ModelFault(Fault.MALFORMED, status=response.status_code)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, max_bytes)

    return bound


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, max_bytes: int) -> None:
        self._inner, self._left = inner, max_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self._left -= len(chunk)
            if self._left < 0:
                raise ModelFault(Fault.TOO_LARGE)
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
