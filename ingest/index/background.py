"""What the index process and its services know of each other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from aiohttp import web


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerContext:
    """What services get from the process: its data directory and where its Qdrant is.

    Attributes:
        api_key: To be sent as the header ``api-key``: qdrant-client's own parameter warns
            about plain HTTP, which is all that loopback needs.
        settings_name_a_server: Whether that Qdrant is a server of the user's, not ours.
    """

    data_dir: Path
    qdrant_url: str
    api_key: str | None = field(repr=False)
    settings_name_a_server: bool = False


class Background(Protocol):
    """Work that goes on beside the requests."""

    async def run(self) -> None:
        """Works until cancelled or done for good; started again, ever later, if it fails."""

    def busy(self) -> bool:
        """Whether work is left; the process does not leave before it is done."""


Services = Callable[[web.Application, OwnerContext], AbstractAsyncContextManager[Background]]
