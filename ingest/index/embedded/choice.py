"""Which engine serves: Edge where it has a wheel, else qdrant-client's local mode."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from ingest.index.embedded.contract import Engine


def open_engine(root: Path) -> Engine:
    """Opens the best engine of this machine on its own folder under `root`.

    Raises:
        IndexUnavailable: The folder is in use by another process, or damaged.
    """
    # Each imported only where it serves: qdrant-client alone takes more than a second.
    if importlib.util.find_spec("qdrant_edge"):
        from ingest.index.embedded.engine import EdgeEngine  # noqa: PLC0415

        return EdgeEngine(root / "edge")
    from ingest.index.embedded.local_mode import LocalModeEngine  # noqa: PLC0415

    return LocalModeEngine(root / "local")
