"""What stands between the REST routes and an engine: operations, refusals, one Protocol."""

from __future__ import annotations

import enum
from typing import Any, Protocol

JsonObject = dict[str, Any]
"""A JSON object as Qdrant's API defines it; this package is the adapter that takes it apart."""


class Operation(enum.StrEnum):
    """What a request asks for, whichever engine answers."""

    LIST = "list"
    CREATE = "create"
    DESCRIBE = "describe"
    EXISTS = "exists"
    CHANGE = "change"
    DROP = "drop"
    INDEX_FIELD = "index_field"
    UNINDEX_FIELD = "unindex_field"
    UPSERT = "upsert"
    DELETE = "delete"
    RETRIEVE = "retrieve"
    QUERY = "query"
    QUERY_BATCH = "query_batch"
    SCROLL = "scroll"
    COUNT = "count"
    UPDATE_VECTORS = "update_vectors"
    DELETE_VECTORS = "delete_vectors"
    SET_PAYLOAD = "set_payload"
    OVERWRITE_PAYLOAD = "overwrite_payload"
    DELETE_PAYLOAD = "delete_payload"
    UPDATE_BATCH = "update_batch"


class Refused(Exception):
    """A request that is not carried out, with the HTTP status that tells why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status, self.message = status, message

    def __str__(self) -> str:
        return self.message


def unknown_collection(name: str) -> Refused:
    """Qdrant's own words for a collection that is not there."""
    return Refused(404, f"Not found: Collection `{name}` doesn't exist!")


def existing_collection(name: str) -> Refused:
    """Qdrant's own words for a collection that is there already."""
    return Refused(409, f"Wrong input: Collection `{name}` already exists!")


class Engine(Protocol):
    """Keeps the collections of one folder. Blocking, and called from one thread only."""

    def answer(self, operation: Operation, collection: str, body: JsonObject) -> object:
        """Carries a request out.

        Args:
            operation: What to do.
            collection: Its collection's name; "" for `Operation.LIST`.
            body: The request's JSON body; {} where it has none.

        Returns:
            The ``result`` of Qdrant's response, ready for JSON.

        Raises:
            Refused: Unknown collection, bad request, or the engine failed.
        """

    def tidy(self, *, quiet: bool) -> None:
        """Does the upkeep that is due; called about once a second.

        Args:
            quiet: No request came for some seconds: a short freeze disturbs nobody.
        """

    def close(self) -> None:
        """Saves everything and lets go of the files."""
