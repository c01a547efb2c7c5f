"""Ids and hashes that come out the same in every run."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def stable_id(*parts: Any) -> int:
    """A deterministic positive 62-bit id from anything printable."""
    return int.from_bytes(sha256(repr(parts).encode())[:8], "little") >> 2


def unix(value: datetime | None) -> int:
    return 0 if value is None else int(value.timestamp())
