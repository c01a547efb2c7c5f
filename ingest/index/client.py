"""Talks to the index process: a light client, so that a question starts at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ingest.index.link import IndexLink
from ingest.index.request import Place, SearchRequest, SearchResult
from ingest.index.wire import places_json, request_json, result_of


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """What the index process says of itself.

    Attributes:
        encoder: Its name; None: search by words only.
        why_not_dense: Why, if that was not wanted.
        count_text, count_vector: Messages that wait for their words, their vectors.
    """

    encoder: str | None
    why_not_dense: str | None
    count_text: int
    count_vector: int


class IndexClient:
    """The index of one data directory."""

    def __init__(self, link: IndexLink) -> None:
        self._link = link

    async def __call__(self, request: SearchRequest) -> SearchResult:
        """Searches; see `ingest.index.search.HybridSearch`.

        Raises:
            IndexUnavailable: The process cannot be started or does not answer.
        """
        return result_of(await self._post("/search", request_json(request)))

    async def similarity(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """Cosines of texts with a question; None without an encoder.

        Raises:
            IndexUnavailable: The process cannot be started or does not answer.
        """
        answer = await self._post("/similarity", {"question": question, "texts": list(texts)})
        cosines: list[float] | None = answer["cosines"]
        return cosines

    async def late(self, question: str, places: Sequence[Place]) -> list[float | None]:
        """Late interaction of a question with passages; None for passages that have none.

        Raises:
            IndexUnavailable: The process cannot be started or does not answer.
        """
        answer = await self._post("/late", {"question": question, "passages": places_json(places)})
        scores: list[float | None] = answer["scores"]
        return scores

    async def status(self) -> IndexStatus:
        """The encoder and the backlog."""
        return IndexStatus(**await self._link.request("GET", "/status"))

    async def audit(self) -> dict[str, int]:
        """How archive and index differ: the fields of `ingest.index.audit.Audit`."""
        found: dict[str, int] = await self._post("/audit", {})
        return found

    async def reindex(self) -> int:
        """Empties the index and queues every message; how many."""
        return int((await self._post("/reindex", {}))["queued"])

    async def wake(self) -> None:
        """Starts the process if it does not run, so that it drains the outbox."""
        await self._link.request("GET", "/status")

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        return await self._link.request("POST", path, body)
