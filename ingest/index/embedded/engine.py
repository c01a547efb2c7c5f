"""Qdrant's operations carried out by Edge shards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import qdrant_edge as edge

from ingest.index.embedded.config import describe, to_field_index
from ingest.index.embedded.contract import JsonObject, Operation, Refused
from ingest.index.embedded.convert import (
    from_record,
    to_filter,
    to_order,
    to_payload_choice,
    to_points,
    to_query,
    to_vectors,
)
from ingest.index.embedded.shard import Collection, Shards

# Edge holds the GIL for a whole update. 256 points take about 10 ms, and between two updates
# the event loop answers whoever else has asked.
CHUNK_POINTS = 256

# Without a quiet moment the optimiser runs all the same before the unindexed tail grows so
# long that settling it would freeze searches for seconds.
MAX_UNSETTLED = 12_000

# A flush costs seconds in a large collection and the log keeps what it would save; it only
# bounds how much of the log the next start replays after a kill.
FLUSH_WHEN_QUIET = 2_000
MAX_UNFLUSHED = 50_000

_COMPLETED: JsonObject = {"operation_id": 0, "status": "completed"}
_Answer = Callable[[Collection, JsonObject], object]


class EdgeEngine:
    """The `Engine` over qdrant-edge-py."""

    def __init__(self, root: Path) -> None:
        """Opens the collections under a folder.

        Raises:
            IndexUnavailable: Another process has them open, or they are damaged.
        """
        self._shards = Shards(root)
        self._answers: dict[Operation, _Answer] = {
            Operation.DESCRIBE: _describe,
            Operation.INDEX_FIELD: _index_field,
            Operation.UNINDEX_FIELD: _unindex_field,
            Operation.RETRIEVE: _retrieve,
            Operation.QUERY: _query,
            Operation.QUERY_BATCH: _query_batch,
            Operation.SCROLL: _scroll,
            Operation.COUNT: _count,
            Operation.UPDATE_BATCH: _update_batch,
            **_UPDATES,
        }

    def answer(self, operation: Operation, collection: str, body: JsonObject) -> object:
        """See `Engine.answer`."""
        try:
            if operation in self._answers:
                return self._answers[operation](self._shards[collection], body)
            return self._manage(operation, collection, body)
        except Refused:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Refused(400, f"Wrong input: {type(error).__name__}: {error}") from error
        except OSError as error:
            raise Refused(500, f"the index cannot be written: {error.strerror}") from error
        except Exception as error:
            status = 500 if "Service" in str(error) else 400
            raise Refused(status, str(error)) from error

    def _manage(self, operation: Operation, name: str, body: JsonObject) -> object:
        match operation:
            case Operation.LIST:
                return {"collections": [{"name": name} for name in self._shards.names()]}
            case Operation.EXISTS:
                return {"exists": name in self._shards}
            case Operation.CREATE:
                self._shards.create(name, body)
            case Operation.CHANGE:
                self._shards.change(name, body)
            case Operation.DROP:
                return self._shards.drop(name)
            case _:
                raise Refused(404, f"the embedded index does not know how to {operation}")
        return True

    def tidy(self, *, quiet: bool) -> None:
        """See `Engine.tidy`."""
        for collection in self._shards.all():
            if collection.count_unsettled >= (1 if quiet else MAX_UNSETTLED):
                collection.settle()
            if collection.count_unflushed >= (FLUSH_WHEN_QUIET if quiet else MAX_UNFLUSHED):
                collection.flush()

    def close(self) -> None:
        """See `Engine.close`."""
        self._shards.close()


def _describe(collection: Collection, _: JsonObject) -> object:
    count = collection.shard.count(edge.CountRequest(exact=True))
    return describe(collection.config, collection.shard.info(), count_points=count)


def _index_field(collection: Collection, body: JsonObject) -> object:
    collection.shard.update(to_field_index(body["field_name"], body.get("field_schema")))
    return _COMPLETED


def _unindex_field(collection: Collection, body: JsonObject) -> object:
    collection.shard.update(edge.UpdateOperation.delete_field_index(body["field_name"]))
    return _COMPLETED


def _retrieve(collection: Collection, body: JsonObject) -> object:
    records = collection.shard.retrieve(
        body["ids"],
        with_payload=to_payload_choice(body.get("with_payload", True)),
        with_vector=body.get("with_vector") or False,
    )
    return [from_record(record) for record in records]


def _query(collection: Collection, body: JsonObject) -> object:
    return {"points": [from_record(p) for p in collection.shard.query(to_query(body))]}


def _query_batch(collection: Collection, body: JsonObject) -> object:
    request = edge.QueryBatchRequest([to_query(search) for search in body["searches"]])
    lists = collection.shard.query_batch(request)
    return [{"points": [from_record(point) for point in points]} for points in lists]


def _scroll(collection: Collection, body: JsonObject) -> object:
    limit = body.get("limit")
    records, following = collection.shard.scroll(
        edge.ScrollRequest(
            offset=body.get("offset"),
            limit=10 if limit is None else limit,
            filter=to_filter(body.get("filter")),
            with_payload=to_payload_choice(body.get("with_payload", True)),
            with_vector=body.get("with_vector") or False,
            order_by=to_order(body.get("order_by")),
        )
    )
    return {"points": [from_record(one) for one in records], "next_page_offset": following}


def _count(collection: Collection, body: JsonObject) -> object:
    request = edge.CountRequest(
        exact=body.get("exact", True), filter=to_filter(body.get("filter"))
    )
    return {"count": collection.shard.count(request)}


def _upsert(collection: Collection, body: JsonObject) -> object:
    _refuse_update_filter(body)
    points = to_points(body)
    while chunk := list(islice(points, CHUNK_POINTS)):
        collection.shard.update(edge.UpdateOperation.upsert_points(chunk))
        collection.note_written(len(chunk))
    return _COMPLETED


def _delete(collection: Collection, body: JsonObject) -> object:
    if body.get("points") is not None:
        operation = edge.UpdateOperation.delete_points(body["points"])
    else:
        operation = edge.UpdateOperation.delete_points_by_filter(_selector(body))
    return _updated(collection, operation, body)


def _update_vectors(collection: Collection, body: JsonObject) -> object:
    _refuse_update_filter(body)
    vectors = (edge.PointVectors(p["id"], to_vectors(p["vector"])) for p in body["points"])
    while chunk := list(islice(vectors, CHUNK_POINTS)):
        collection.shard.update(edge.UpdateOperation.update_vectors(chunk))
        collection.note_written(len(chunk))
    return _COMPLETED


def _delete_vectors(collection: Collection, body: JsonObject) -> object:
    names = body["vector"]
    if body.get("points") is not None:
        operation = edge.UpdateOperation.delete_vectors(body["points"], names)
    else:
        operation = edge.UpdateOperation.delete_vectors_by_filter(_selector(body), names)
    return _updated(collection, operation, body)


def _set_payload(collection: Collection, body: JsonObject) -> object:
    payload, key = body["payload"], body.get("key")
    if body.get("points") is not None:
        operation = edge.UpdateOperation.set_payload(body["points"], payload, key)
    else:
        operation = edge.UpdateOperation.set_payload_by_filter(_selector(body), payload, key)
    return _updated(collection, operation, body)


def _overwrite_payload(collection: Collection, body: JsonObject) -> object:
    payload, key, updates = body["payload"], body.get("key"), edge.UpdateOperation
    if body.get("points") is not None:
        operation = updates.overwrite_payload(body["points"], payload, key)
    else:
        operation = updates.overwrite_payload_by_filter(_selector(body), payload, key)
    return _updated(collection, operation, body)


def _delete_payload(collection: Collection, body: JsonObject) -> object:
    if body.get("points") is not None:
        operation = edge.UpdateOperation.delete_payload(body["points"], body["keys"])
    else:
        operation = edge.UpdateOperation.delete_payload_by_filter(_selector(body), body["keys"])
    return _updated(collection, operation, body)


def _update_batch(collection: Collection, body: JsonObject) -> object:
    results = []
    for one in body["operations"]:
        ((name, content),) = one.items()
        if name not in _UPDATES:
            raise Refused(400, f"the embedded index does not know how to {name} in a batch")
        results.append(_UPDATES[Operation(name)](collection, content))
    return results


_UPDATES: dict[Operation, _Answer] = {
    Operation.UPSERT: _upsert,
    Operation.DELETE: _delete,
    Operation.UPDATE_VECTORS: _update_vectors,
    Operation.DELETE_VECTORS: _delete_vectors,
    Operation.SET_PAYLOAD: _set_payload,
    Operation.OVERWRITE_PAYLOAD: _overwrite_payload,
    Operation.DELETE_PAYLOAD: _delete_payload,
}


def _updated(
    collection: Collection, operation: edge.UpdateOperation, body: JsonObject
) -> JsonObject:
    collection.shard.update(operation)
    collection.note_written(len(body.get("points") or ()) or 1)  # a filter's reach is unknown
    return _COMPLETED


def _selector(body: JsonObject) -> edge.Filter:
    chosen = to_filter(body["filter"])
    if chosen is None:
        raise Refused(400, "Wrong input: name points or a filter")
    return chosen


def _refuse_update_filter(body: JsonObject) -> None:
    if body.get("update_filter") or body.get("update_mode") not in {None, "upsert"}:
        raise Refused(400, "the embedded index knows no conditional updates")
