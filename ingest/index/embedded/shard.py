"""The collections of a data folder: an Edge shard each, with its configuration beside it."""

from __future__ import annotations

import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

import orjson
import qdrant_edge as edge

from ingest.errors import IndexUnavailable
from ingest.index.embedded.config import merged, to_config
from ingest.index.embedded.contract import (
    JsonObject,
    Refused,
    existing_collection,
    unknown_collection,
)

CONFIG_FILE = "collection.json"

# A name becomes a folder's: no separators, no leading dot (those are ours, see `Shards`).
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


@dataclass(slots=True, kw_only=True)
class Collection:
    """An open collection.

    Attributes:
        config: The create-collection request, with later changes merged in.
        count_unsettled: Points written since the optimiser last ran.
        count_unflushed: Points written since the last flush; they stand in the log.
    """

    path: Path
    shard: edge.EdgeShard
    config: JsonObject
    count_unsettled: int = 0
    count_unflushed: int = 0

    def note_written(self, count: int) -> None:
        """Counts points towards the next upkeep."""
        self.count_unsettled += count
        self.count_unflushed += count

    def settle(self) -> None:
        """Runs the optimiser. Everything in the process waits for it (see MAX_SEGMENT_KB)."""
        self.count_unsettled = 0
        self.shard.optimize()

    def reopen(self, config: edge.EdgeConfig) -> None:
        """Opens the shard under another configuration; under its own again if that fails."""
        self.flush()
        self.shard.close()
        try:
            self.shard = edge.EdgeShard.load(str(self.path), config)
        except Exception:
            self.shard = edge.EdgeShard.load(str(self.path))
            raise

    def flush(self) -> None:
        """Writes segments out and cuts the log."""
        self.count_unflushed = 0
        self.shard.flush()


class Shards:
    """The collections in ``root/<name>/``, each open from its first sight until `close`.

    A collection comes and goes by one rename, so a kill leaves it whole or not there at all;
    folders with a leading dot are halves of such moves and are swept at the next start.
    Blocking; one process at a time: Edge's log is its lock.
    """

    def __init__(self, root: Path) -> None:
        """Opens every collection.

        Raises:
            IndexUnavailable: Another process has one open, or its files are damaged.
        """
        self._root = root
        self._open: dict[str, Collection] = {}
        root.mkdir(parents=True, exist_ok=True)
        for path in sorted(root.iterdir()):
            if path.name.startswith("."):
                shutil.rmtree(path, ignore_errors=True)
            elif (path / CONFIG_FILE).is_file():
                self._open[path.name] = _load(path)

    def __getitem__(self, name: str) -> Collection:
        """The collection of that name.

        Raises:
            Refused: There is none (404).
        """
        try:
            return self._open[name]
        except KeyError:
            raise unknown_collection(name) from None

    def __contains__(self, name: str) -> bool:
        return name in self._open

    def names(self) -> list[str]:
        """The names of all collections, sorted."""
        return sorted(self._open)

    def create(self, name: str, config: JsonObject) -> None:
        """Makes an empty collection.

        Raises:
            Refused: It exists (409), or its name cannot be a folder's (400).
        """
        if name in self._open:
            raise existing_collection(name)
        if not _NAME.fullmatch(name):
            raise Refused(400, "a collection's name has letters, digits, `_`, `-` and `.` only")
        growing = self._aside()
        edge.EdgeShard.create(str(growing), to_config(config)).close()
        (growing / CONFIG_FILE).write_bytes(orjson.dumps(config))
        self._open[name] = _load(growing.rename(self._root / name))

    def change(self, name: str, change: JsonObject) -> None:
        """Merges a change into the configuration and has the segments follow it."""
        collection = self[name]
        config = merged(collection.config, change)
        wanted = to_config(config)
        if change.keys() - {"metadata"}:
            collection.reopen(wanted)
            collection.settle()
        fresh = collection.path / f"{CONFIG_FILE}.new"
        fresh.write_bytes(orjson.dumps(config))
        fresh.replace(collection.path / CONFIG_FILE)
        collection.config = config

    def drop(self, name: str) -> bool:
        """Deletes a collection; False when there is none."""
        collection = self._open.pop(name, None)
        if collection is None:
            return False
        collection.shard.close()
        shutil.rmtree(collection.path.rename(self._aside()), ignore_errors=True)
        return True

    def all(self) -> list[Collection]:
        """Every open collection."""
        return list(self._open.values())

    def close(self) -> None:
        """Flushes and closes everything."""
        while self._open:
            _, collection = self._open.popitem()
            collection.flush()
            collection.shard.close()

    def _aside(self) -> Path:
        return self._root / f".{secrets.token_hex(4)}"


def _load(path: Path) -> Collection:
    try:
        config = orjson.loads((path / CONFIG_FILE).read_bytes())
        shard = edge.EdgeShard.load(str(path))
    except Exception as error:
        if "WouldBlock" in str(error):
            why = "is open in another process; stop that one first"
        else:
            why = f"cannot be read ({error}); rebuild it with `citegram reindex`"
        raise IndexUnavailable(f"the search index {path} {why}") from error
    return Collection(path=path, shard=shard, config=config)
