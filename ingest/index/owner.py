"""The index process: ``python -m ingest.index.owner --data-dir DIR``.

One a data directory. It serves the embedded Qdrant and the services over it to any number of
clients on loopback, works beside that, and leaves when nobody needs it.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import logging.handlers
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import structlog

from ingest.errors import ArchiveError, IndexUnavailable
from ingest.index.background import Services
from ingest.index.hosting import DRAIN_S, Owner, OwnerSettings
from ingest.index.rendezvous import MAX_LOG_BYTES, FileLock, Rendezvous
from ingest.settings import SettingsError, load

# A predecessor that was told to stop may still answer for so long, and then flush.
LOCK_WAIT_S = DRAIN_S + 15.0
# Whoever only looks holds the lock for an instant; a process that serves holds it for good.
_SERVED_AFTER_S = 0.5


def main(arguments: Sequence[str] | None = None, *, open_services: Services | None = None) -> int:
    """Serves one data directory until told to stop or not needed.

    Args:
        arguments: The command line's; by default those of this process.
        open_services: Other services than citegram's own.

    Returns:
        0 after a clean stop, or at once when another process serves already; 1 if it could
        not start, with the reason as the last line on stderr.
    """
    parser = argparse.ArgumentParser(prog="python -m ingest.index.owner", description=__doc__)
    parser.add_argument("--data-dir", type=Path, required=True)
    place = Rendezvous(parser.parse_args(arguments).data_dir)
    place.prepare()
    lock = FileLock(place.lock_path)
    try:
        if not _take(lock, place):
            return 0
        place.withdraw()  # the lock was free, so whoever announced it is dead
        _log_to(place.log_path)
        asyncio.run(Owner(_settings(place), open_services).serve())
    except (ArchiveError, SettingsError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0  # the lock goes with the process: whoever waits for it finds everything closed


def _take(lock: FileLock, place: Rendezvous) -> bool:
    """Waits for the lock; False when its holder serves and so will keep it."""
    started_at = time.monotonic()
    while not lock.try_take():
        waited_s = time.monotonic() - started_at
        if waited_s > _SERVED_AFTER_S and place.read() is not None:
            return False
        if waited_s > LOCK_WAIT_S:
            raise IndexUnavailable(
                f"another index process holds {place.lock_path} and does not answer; "
                f"find it with `fuser {place.lock_path}` and end it"
            )
        time.sleep(0.05)
    return True


def _settings(place: Rendezvous) -> OwnerSettings:
    settings = load()
    key = settings.qdrant_api_key
    return OwnerSettings(
        data_dir=place.data_dir,
        qdrant_url=settings.qdrant_url,
        qdrant_api_key=key.get_secret_value() if key else None,
        idle_s=settings.index_idle_s,
    )


def _log_to(path: Path) -> None:
    """Sends log lines to a file that starts anew, keeping one predecessor, when it is full."""
    handler = logging.handlers.RotatingFileHandler(path, maxBytes=MAX_LOG_BYTES, backupCount=1)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[handler])
    logging.getLogger("ingest").setLevel(logging.INFO)  # libraries' chatter is a line a request
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )


if __name__ == "__main__":
    sys.exit(main())
