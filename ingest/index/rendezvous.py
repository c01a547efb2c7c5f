"""Where the index process and its clients find each other: the files of ``data_dir/index``.

    process.json    address and key of the live process (0600)
    process.lock    held by the process for as long as it lives
    starting.lock   held by the one client that starts it
    process.log     what the process has to say, bounded in size
    qdrant/         the collections of the embedded Qdrant

The standard library only: a client pays for importing this.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.metadata
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

MAX_LOG_BYTES = 1_000_000
"""Size at which the log starts anew; one predecessor is kept."""


def program_version() -> str:
    """Version of the citegram that runs; "0" from a tree that is not installed."""
    try:
        return importlib.metadata.version("citegram")
    except importlib.metadata.PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """How to reach an index process.

    Attributes:
        url: Its own services: ``/health``, ``/stop`` and what `ingest.index.services` adds.
        key: To be sent in the header ``api-key``; new at each start.
        qdrant_url: Its embedded Qdrant, under the same key; "" when settings name a server.
        version: The citegram that it runs.
    """

    url: str
    key: str = field(repr=False)
    pid: int
    qdrant_url: str = ""
    version: str = ""


_FIELDS = tuple(one.name for one in fields(Endpoint))


class Rendezvous:
    """The files through which one data directory's process and clients meet."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir.absolute()
        self.folder = self.data_dir / "index"
        self.lock_path = self.folder / "process.lock"
        self.starting_path = self.folder / "starting.lock"
        self.log_path = self.folder / "process.log"
        self.qdrant_path = self.folder / "qdrant"
        self._endpoint_path = self.folder / "process.json"

    def prepare(self) -> None:
        """Makes the folder, for this user only."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def read(self) -> Endpoint | None:
        """The endpoint last announced; None if there is none or it cannot be read."""
        try:
            written = json.loads(self._endpoint_path.read_bytes())
            # Another version may have written more than we know.
            return Endpoint(**{name: written[name] for name in _FIELDS if name in written})
        except (OSError, ValueError, TypeError):
            return None

    def announce(self, endpoint: Endpoint) -> None:
        """Makes an endpoint known, at once and whole."""
        fresh = self._endpoint_path.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(asdict(endpoint), file)
        fresh.replace(self._endpoint_path)

    def withdraw(self) -> None:
        """Takes the endpoint back; for the holder of the lock only."""
        self._endpoint_path.unlink(missing_ok=True)

    def last_log_line(self) -> str:
        """The last line that the process left; "" if it left none."""
        with contextlib.suppress(OSError):
            lines = self.log_path.read_text(errors="replace").splitlines()
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""


class FileLock:
    """A lock that the kernel lets go of when its holder dies, however it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def try_take(self) -> bool:
        """Takes the lock unless somebody else holds it."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        """Lets go; harmless without the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
