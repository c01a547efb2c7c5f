"""The same operations by qdrant-client's local mode, where qdrant-edge-py has no wheel.

Local mode compares a query with every point in Python: it suits some 20,000 passages (112 ms
a query at 10,000, 2 s at 100,000), keeps them all in memory, and says so itself beyond that.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import structlog
from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python
from qdrant_client import QdrantClient
from qdrant_client.http import models

from ingest.errors import IndexUnavailable
from ingest.index.embedded.contract import (
    JsonObject,
    Operation,
    Refused,
    existing_collection,
    unknown_collection,
)

MAX_PASSAGES = 20_000
"""Source: qdrant_client.local, the size from which local mode warns."""

_COMPLETED: JsonObject = {"operation_id": 0, "status": "completed"}
_UPDATES: TypeAdapter[Any] = TypeAdapter(models.UpdateOperation)
_VECTORS: TypeAdapter[Any] = TypeAdapter(models.VectorsConfig)

_log = structlog.get_logger(__name__)


class LocalModeEngine:
    """The `Engine` over qdrant-client's local mode."""

    def __init__(self, root: Path) -> None:
        """Loads the collections under a folder.

        Raises:
            IndexUnavailable: Another process has them open.
        """
        root.mkdir(parents=True, exist_ok=True)
        _log.warning("index.local_mode", max_passages=MAX_PASSAGES, why="qdrant-edge-py is absent")
        try:
            self._client = QdrantClient(path=str(root))
        except RuntimeError as error:
            raise IndexUnavailable(
                f"the search index {root} is open in another process; stop that one first"
            ) from error
        self._answers: dict[Operation, Callable[[str, JsonObject], object]] = {
            Operation.CREATE: self._create,
            Operation.DESCRIBE: lambda name, _: self._client.get_collection(name),
            Operation.CHANGE: self._change,
            Operation.DROP: lambda name, _: self._client.delete_collection(name),
            # Local mode filters by scanning: an index would change nothing.
            Operation.INDEX_FIELD: lambda _name, _body: _COMPLETED,
            Operation.UNINDEX_FIELD: lambda _name, _body: _COMPLETED,
            Operation.RETRIEVE: self._retrieve,
            Operation.QUERY: self._query,
            Operation.QUERY_BATCH: self._query_batch,
            Operation.SCROLL: self._scroll,
            Operation.COUNT: self._count,
            Operation.UPDATE_BATCH: self._update_batch,
        }

    def answer(self, operation: Operation, collection: str, body: JsonObject) -> object:
        """See `Engine.answer`."""
        exists = bool(collection) and self._client.collection_exists(collection)
        if operation is Operation.LIST:
            return to_jsonable_python(self._client.get_collections())
        if operation is Operation.EXISTS:
            return {"exists": exists}
        if operation is Operation.DROP and not exists:
            return False
        if exists == (operation is Operation.CREATE):
            raise existing_collection(collection) if exists else unknown_collection(collection)
        try:
            if operation in self._answers:
                return to_jsonable_python(self._answers[operation](collection, body))
            self._update(collection, {operation.value: body})
        except (ValidationError, KeyError, TypeError, ValueError, NotImplementedError) as error:
            raise Refused(400, f"Wrong input: {type(error).__name__}: {error}") from error
        return _COMPLETED

    def tidy(self, *, quiet: bool) -> None:
        """Nothing is due: local mode writes each change through to SQLite."""

    def close(self) -> None:
        """See `Engine.close`."""
        self._client.close()

    def _create(self, name: str, body: JsonObject) -> object:
        request = models.CreateCollection.model_validate(body)
        return self._client.create_collection(
            name,
            vectors_config=request.vectors,
            sparse_vectors_config=request.sparse_vectors,
            metadata=request.metadata,
        )

    def _change(self, name: str, body: JsonObject) -> object:
        if body.get("metadata"):
            self._client.update_collection(name, metadata=body["metadata"])
        return True

    def _retrieve(self, name: str, body: JsonObject) -> object:
        request = models.PointRequest.model_validate(body)
        return self._client.retrieve(
            name,
            ids=request.ids,
            with_payload=True if request.with_payload is None else request.with_payload,
            with_vectors=request.with_vector or False,
        )

    def _query(self, name: str, body: JsonObject) -> object:
        return self._query_batch(name, {"searches": [body]})[0]

    def _query_batch(self, name: str, body: JsonObject) -> list[models.QueryResponse]:
        request = models.QueryRequestBatch.model_validate(body)
        for search in request.searches:
            # Local mode is always exact and warns of any other parameter than idf's corpus.
            idf = search.params and search.params.idf
            search.params = models.SearchParams(idf=idf) if idf else None
        return self._client.query_batch_points(name, requests=request.searches)

    def _scroll(self, name: str, body: JsonObject) -> object:
        request = models.ScrollRequest.model_validate(body)
        points, following = self._client.scroll(
            name,
            scroll_filter=request.filter,
            limit=10 if request.limit is None else request.limit,
            order_by=request.order_by,
            offset=request.offset,
            with_payload=True if request.with_payload is None else request.with_payload,
            with_vectors=request.with_vector or False,
        )
        return {"points": points, "next_page_offset": following}

    def _count(self, name: str, body: JsonObject) -> object:
        request = models.CountRequest.model_validate(body)
        return self._client.count(name, count_filter=request.filter)

    def _update_batch(self, name: str, body: JsonObject) -> object:
        for one in body["operations"]:
            self._update(name, one)
        return [_COMPLETED] * len(body["operations"])

    def _update(self, name: str, body: JsonObject) -> None:
        self._client.batch_update_points(name, [_UPDATES.validate_python(body)])
