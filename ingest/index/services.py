"""What the index process does beside serving Qdrant: searches, and draining the outbox."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import httpx
import structlog
from aiohttp import web

from ingest.errors import EncoderUnavailable, IndexMismatch
from ingest.index.lemma_file import LemmaFile
from ingest.index.wire import places_of, request_of, result_json
from ingest.settings import Settings, load
from ingest.store.archive import Archive
from ingest.store.engine import Database, open_database
from ingest.store.outbox import Outbox
from ingest.store.schema import upgrade
from ingest.text.lemmas import shared_lemmatiser

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

    from ingest.index.background import Background, OwnerContext
    from ingest.index.collection import Built, Opened
    from ingest.index.drain import Drain
    from ingest.index.encode import Encoder
    from ingest.index.late_service import LateInteraction
    from ingest.index.writer import IndexWriter

log = structlog.get_logger(__name__)


@asynccontextmanager
async def open_services(app: web.Application, context: OwnerContext) -> AsyncIterator[Background]:
    """Adds the services' routes to an application and opens what they need.

    Args:
        app: Checks the key and counts requests by itself.
        context: Settings of the process and its Qdrant.

    Yields:
        The draining of the outbox, to go on beside the requests.

    Raises:
        ArchiveError: The database or the index cannot be used.
    """
    settings = load().model_copy(update={"data_dir": context.data_dir})
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(
            open_database(settings.database_path, settings.database_address)
        )
        await upgrade(database)
        # The encoder and qdrant_client take a second or two to load, each on a core of its own.
        (encoder, why_not), client = await asyncio.gather(
            asyncio.to_thread(_load_encoder, settings), asyncio.to_thread(_connect, context)
        )
        stack.push_async_callback(client.close)
        late = await asyncio.to_thread(_open_late, settings, encoder)
        if late is not None:
            stack.callback(late.close)
        services = Services(settings, database, client, encoder, why_not, late=late)
        drain = await services.open()
        app.router.add_post("/search", services.search)
        app.router.add_post("/similarity", services.similarity)
        app.router.add_post("/late", services.late)
        app.router.add_get("/status", services.status)
        app.router.add_post("/audit", services.audit)
        app.router.add_post("/reindex", services.reindex)
        yield drain
        await drain.tend()


def _connect(context: OwnerContext) -> AsyncQdrantClient:
    from qdrant_client import AsyncQdrantClient  # noqa: PLC0415 - two seconds, off the loop

    return AsyncQdrantClient(
        url=context.qdrant_url,
        # As a header: the parameter warns about plain HTTP, which is all that loopback needs.
        headers={"api-key": context.api_key} if context.api_key else None,
        timeout=60,
        check_compatibility=False,
        # No proxy of the environment stands between this machine and itself.
        trust_env=context.settings_name_a_server,
        # The client closes its connections to loopback after each request unless told.
        limits=httpx.Limits(max_keepalive_connections=8),
    )


def _load_encoder(settings: Settings) -> tuple[Encoder | None, str | None]:
    """The configured encoder; else why there is none."""
    if settings.embedder == "none":
        return None, None
    from ingest.index.encoders import open_encoder  # noqa: PLC0415 - loads the model's runtime

    try:
        encoder = open_encoder(
            settings.embedder,
            data_dir=settings.data_dir,
            base_url=settings.embedder_base_url or settings.llm_base_url,
            api_key=settings.embedder_api_key or settings.llm_api_key,
        )
    except EncoderUnavailable as error:
        log.warning("encoder.unavailable", reason=str(error))
        return None, f"semantic search is off: {error}"
    return encoder, None


def _open_late(settings: Settings, encoder: Encoder | None) -> LateInteraction | None:
    from ingest.index.late_service import open_late  # noqa: PLC0415 - numpy

    return open_late(settings, encoder)


class Services:
    """The services over one open collection.

    Args:
        encoder: None where it can't be loaded, or none is wanted.
        why_not_dense: Why it can't be loaded.
        late: None where it is not wanted, or the encoder gives no token vectors.
    """

    def __init__(
        self,
        settings: Settings,
        database: Database,
        client: AsyncQdrantClient,
        encoder: Encoder | None,
        why_not_dense: str | None,
        *,
        late: LateInteraction | None,
    ) -> None:
        self._late = late
        self._settings, self._database, self._client = settings, database, client
        self._encoder, self._why_not_dense = encoder, why_not_dense
        self._archive, self._outbox = Archive(database), Outbox(database)

    async def open(self) -> Drain:
        """Opens the collection; over another encoder's one, search goes on by words."""
        from ingest.index.collection import open_collection  # noqa: PLC0415 - qdrant_client
        from ingest.index.drain import Drain  # noqa: PLC0415 - qdrant_client
        from ingest.index.search import HybridSearch  # noqa: PLC0415 - qdrant_client

        lemmas = LemmaFile(self._settings.data_dir / "cache")
        await asyncio.to_thread(lemmas.load, shared_lemmatiser())
        encoder = self._encoder
        try:
            opened = await open_collection(self._client, self._wanted())
        except IndexMismatch as error:
            log.warning("index.mismatch", reason=str(error))
            self._why_not_dense = f"semantic search is off: {error}"
            encoder, opened = None, await open_collection(self._client, None)
        if opened.is_empty:
            await self._outbox.enqueue_all()
        self._search = HybridSearch(self._client, encoder, why_not_dense=self._why_not_dense)
        self._drain = Drain(self._writer(encoder, opened), self._database, lemmas)
        return self._drain

    def _wanted(self) -> Built | None:
        from ingest.index.collection import Built  # noqa: PLC0415 - qdrant_client

        if self._encoder is not None:
            return Built(encoder=self._encoder.name, dimension=self._encoder.dimension)
        return None

    def _writer(self, encoder: Encoder | None, opened: Opened) -> IndexWriter:
        from ingest.index.writer import IndexWriter  # noqa: PLC0415 - qdrant_client

        return IndexWriter(
            client=self._client,
            archive=self._archive,
            outbox=self._outbox,
            encoder=encoder,
            expects_vectors=opened.built.encoder is not None,
            late=self._late.store if self._late and encoder else None,
        )

    async def search(self, request: web.Request) -> web.Response:
        """POST /search: `wire.request_json` in, `wire.result_json` out."""
        result = await self._search(request_of(await request.json()))
        return web.json_response(result_json(result))

    async def similarity(self, request: web.Request) -> web.Response:
        """POST /similarity: a question and texts in, their cosines (or null) out."""
        asked = await request.json()
        cosines = await self._search.similarity(asked["question"], asked["texts"])
        return web.json_response({"cosines": cosines})

    async def late(self, request: web.Request) -> web.Response:
        """POST /late: a question and passages in, how well its words find theirs (or null) out."""
        asked = await request.json()
        places = places_of(asked["passages"])
        scores: list[float | None] = [None] * len(places)
        if self._late is not None:
            scores = await asyncio.to_thread(self._late, asked["question"], places)
        return web.json_response({"scores": scores})

    async def status(self, _: web.Request) -> web.Response:
        """GET /status: the encoder, why there is none, and the backlog."""
        backlog = await self._archive.backlog()
        return web.json_response(
            {
                "encoder": self._encoder.name if self._encoder else None,
                "why_not_dense": self._why_not_dense,
                "count_text": backlog.count_text,
                "count_vector": backlog.count_vector,
            }
        )

    async def audit(self, _: web.Request) -> web.Response:
        """POST /audit: the figures of `ingest.index.audit.Audit`."""
        from ingest.index.audit import audit  # noqa: PLC0415 - qdrant_client
        from ingest.index.writer import cutter  # noqa: PLC0415 - qdrant_client

        async with self._drain.writer.lock:
            found = await audit(self._client, self._archive, self._outbox, cutter(self._encoder))
        return web.json_response(dataclasses.asdict(found))

    async def reindex(self, _: web.Request) -> web.Response:
        """POST /reindex: an empty collection for the configured encoder, and a full queue."""
        from ingest.index.collection import Built, create_collection  # noqa: PLC0415
        from ingest.index.search import HybridSearch  # noqa: PLC0415 - qdrant_client

        async with self._drain.writer.lock:
            opened = await create_collection(self._client, self._wanted() or Built())
            queued = await self._outbox.enqueue_all()
            if self._encoder is not None:
                self._why_not_dense = None
            self._search = HybridSearch(
                self._client, self._encoder, why_not_dense=self._why_not_dense
            )
            self._drain.writer = self._writer(self._encoder, opened)
        return web.json_response({"queued": queued})
