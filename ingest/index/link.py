"""A client's line to the index process: starts it when it is not there, follows it if it moves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from ingest.errors import IndexUnavailable
from ingest.index.lifecycle import OWNER, ensure_running
from ingest.index.rendezvous import Endpoint


class IndexLink:
    """Sends requests to the index process of a data directory; safe to share among tasks.

    Use as an async context manager. Requests have to be idempotent: one whose answer was
    lost with the process is sent once more to its successor.

    Args:
        data_dir: See `ensure_running`.
        timeout_s: Longest wait for one answer, a restart of the process included.
        program: See `ensure_running`.
    """

    def __init__(
        self, data_dir: Path, *, timeout_s: float = 60, program: Sequence[str] = OWNER
    ) -> None:
        self._data_dir = data_dir
        self._timeout_s = timeout_s
        self._program = program
        self._endpoint: Endpoint | None = None
        self._finding = asyncio.Lock()
        # No proxy of the environment stands between this machine and itself.
        self._http = httpx.AsyncClient(trust_env=False, timeout=None)  # noqa: S113 - see request

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.aclose()

    async def request(self, method: str, path: str, json: object = None) -> Any:
        """Sends one request.

        Args:
            method: Of HTTP.
            path: Beginning with a slash.
            json: The body; None sends none.

        Returns:
            The answer's parsed JSON.

        Raises:
            IndexUnavailable: No process, no answer in time, or it refused the request.
        """
        try:
            async with asyncio.timeout(self._timeout_s):
                return await self._request(method, path, json)
        except TimeoutError as error:
            raise IndexUnavailable(
                f"the index process did not answer {path} within {self._timeout_s:g} s"
            ) from error

    async def _request(self, method: str, path: str, json: object) -> Any:
        endpoint = await self._find(lost=None)
        response = await self._send(endpoint, method, path, json)
        if response is None:
            endpoint = await self._find(lost=endpoint)
            response = await self._send(endpoint, method, path, json)
        if response is None:
            raise IndexUnavailable("the index process keeps going away; `citegram doctor` looks")
        if response.is_error:
            raise IndexUnavailable(
                f"the index process refused {path} ({response.status_code}): {_reason(response)}"
            )
        return response.json()

    async def _send(
        self, endpoint: Endpoint, method: str, path: str, json: object
    ) -> httpx.Response | None:
        """The answer; None if it was not this process that could give one."""
        try:
            response = await self._http.request(
                method, endpoint.url + path, json=json, headers={"api-key": endpoint.key}
            )
        except httpx.TransportError:
            return None
        # Its key is of no use: the process is gone and a successor or a stranger has its port.
        return None if response.status_code == httpx.codes.UNAUTHORIZED else response

    async def _find(self, *, lost: Endpoint | None) -> Endpoint:
        """The endpoint in use, looked for once however many requests have lost it."""
        async with self._finding:
            if self._endpoint is None or self._endpoint == lost:
                self._endpoint = await ensure_running(
                    self._data_dir, timeout_s=self._timeout_s, program=self._program
                )
            return self._endpoint


def _reason(response: httpx.Response) -> str:
    """What a refusal says for itself, in Qdrant's form or in plain text."""
    try:
        status = response.json()["status"]
        return str(status["error"])
    except (ValueError, KeyError, TypeError):
        return response.text[:200]
