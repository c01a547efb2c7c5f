"""What can go wrong with the archive.

    ArchiveError              something the caller can tell the user in one sentence
      BadExport               a file is not an export, or is damaged: names file and offset
      DatabaseTooNew          the database was written by a newer citegram
      DatabaseUnusable        the database cannot be opened or is damaged
      IndexUnavailable        the index process or the Qdrant server does not answer
      IndexMismatch           the collection was built by another encoder or schema
      EncoderUnavailable      the configured encoder cannot be loaded or reached
      UnknownChannel          no channel of the archive goes by that name

Every message says what failed and what to do. None carries a secret or a post's text.
"""

from __future__ import annotations

from pathlib import Path


class ArchiveError(Exception):
    """Base of every error that a caller may show to the user as it is."""


class BadExport(ArchiveError):
    """A file cannot be read as an export of Telegram Desktop."""

    def __init__(self, path: Path, why: str, *, offset: int | None = None) -> None:
        super().__init__(path, why, offset)
        self.path, self.why, self.offset = path, why, offset

    def __str__(self) -> str:
        where = f" at byte {self.offset:,}" if self.offset is not None else ""
        return f"{self.path}{where}: {self.why}"


class DatabaseTooNew(ArchiveError):
    """The database's schema is one that this program does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(revision)
        self.revision = revision

    def __str__(self) -> str:
        return (
            f"the database was written by a newer citegram (schema {self.revision}); "
            "update citegram, or point CITEGRAM_DATA_DIR elsewhere"
        )


class DatabaseUnusable(ArchiveError):
    """The database cannot be opened, is locked for good, or is damaged."""


class IndexUnavailable(ArchiveError):
    """The search index does not answer."""


class IndexMismatch(ArchiveError):
    """The collection was built by another encoder or an older schema."""

    def __init__(self, *, built_by: str, wanted: str) -> None:
        super().__init__(built_by, wanted)
        self.built_by, self.wanted = built_by, wanted

    def __str__(self) -> str:
        return (
            f"the index was built by {self.built_by} and the settings name {self.wanted}; "
            "run `citegram reindex`, or set CITEGRAM_EMBEDDER back"
        )


class EncoderUnavailable(ArchiveError):
    """The configured encoder cannot be loaded or reached."""


class UnknownChannel(ArchiveError):
    """No channel of the archive goes by that name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"no channel «{self.name}» in the archive; `citegram channels` lists them"
