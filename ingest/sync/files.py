"""Reads the files of posts that are stored already, one at a time, the newest first."""

from __future__ import annotations

from typing import Protocol

import structlog

from ingest.documents.extracting import UnreadableFile, extract_text, is_readable
from ingest.sources.telegram_errors import Unreadable
from ingest.sources.telegram_types import ChannelKey
from ingest.store.documents import WaitingFile, keep_text, waiting_files
from ingest.store.engine import Database
from ingest.sync.gate import Gate

log = structlog.get_logger(__name__)

_AT_ONCE = 20


class Files(Protocol):
    """Where files come from; raises the errors of `telegram_errors`."""

    async def download(self, key: ChannelKey, message_id: int, *, max_bytes: int) -> bytes | None:
        """A post's file; None: it has none any more, or one that is too large."""


class FileReader:
    """Reads files into the archive.

    Args:
        max_bytes: Larger files are left alone.
    """

    def __init__(self, database: Database, files: Files, gate: Gate, *, max_bytes: int) -> None:
        self._database, self._files, self._gate = database, files, gate
        self._max_bytes = max_bytes

    async def read(self, key: ChannelKey) -> int:
        """Reads a channel's waiting files; how many had a text.

        May raise what `Gate.ask` does; what was read before stays.
        """
        count = 0
        while found := await self._waiting(key):
            for file in found:
                count += await self._one(key, file)
        return count

    async def _waiting(self, key: ChannelKey) -> list[WaitingFile]:
        async with self._database.reading() as connection:
            return await waiting_files(connection, key.channel_id, limit=_AT_ONCE)

    async def _one(self, key: ChannelKey, file: WaitingFile) -> bool:
        text, why_not = await self._text(key, file)
        async with self._database.writing() as connection:
            await keep_text(connection, file, text, why_not=why_not, now=self._gate.clock.now())
        return bool(text)

    async def _text(self, key: ChannelKey, file: WaitingFile) -> tuple[str | None, str | None]:
        """A file's text, or why there is none."""
        if not is_readable(file.file_name):
            return None, "no reader for this kind of file"
        if file.size_bytes is not None and file.size_bytes > self._max_bytes:
            return None, f"larger than {self._max_bytes:,} bytes"
        try:
            content = await self._gate.ask(
                key.channel_id,
                "upload.getFile",
                lambda: self._files.download(key, file.message_id, max_bytes=self._max_bytes),
            )
            if content is None:
                return None, "the file is gone or too large"
            return await extract_text(content, file.file_name), None
        except (UnreadableFile, Unreadable) as error:
            log.info("file.unreadable", channel=key.channel_id, message=file.message_id)
            return None, str(error)
