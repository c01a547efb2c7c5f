"""Reads exports of Telegram Desktop: machine-readable JSON of any size, sound or damaged."""

from __future__ import annotations

import codecs
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import BinaryIO

from ingest.errors import BadExport
from ingest.sources.desktop_json_chat import ChatReader
from ingest.sources.desktop_json_events import (
    ChannelEnded,
    ChannelStarted,
    ExportEvent,
    MessageSkipped,
)
from ingest.sources.desktop_json_scanner import DamagedJson, JsonScanner

__all__ = [
    "ChannelEnded",
    "ChannelStarted",
    "ExportEvent",
    "MessageSkipped",
    "ReadSoFar",
    "find_exports",
    "read_export",
]

_FILE_NAME = "result.json"
_AS_JSON = (
    "in Telegram Desktop choose «Export chat history», then the format «Machine-readable JSON»"
)
_MAGIC_BYTES = 4096
_WIDE_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"{\0\0\0", "utf-32-le"),
    (b"\0\0\0{", "utf-32-be"),
    (b"{\0", "utf-16-le"),
    (b"\0{", "utf-16-be"),
)


def find_exports(path: Path) -> list[Path]:
    """The export files that a path means, sorted: itself, or a folder's ``result.json``.

    A folder of exports, each in a folder of its own, gives all of them.

    Raises:
        BadExport: There is none.
    """
    try:
        if not path.is_dir():
            return [path]
        if (path / _FILE_NAME).is_file():
            return [path / _FILE_NAME]
        found = sorted(path.glob(f"*/{_FILE_NAME}"))
        is_html = not found and any(path.glob("messages*.html"))
    except OSError as error:
        raise BadExport(path, _unreadable(error)) from error
    if is_html:
        raise BadExport(path, f"is an HTML export, which cannot be read: {_AS_JSON}")
    if not found:
        raise BadExport(path, f"has no {_FILE_NAME} in it: {_AS_JSON} and give its folder")
    return found


@dataclass(slots=True)
class ReadSoFar:
    """How far a file is read, for progress bars: filled while its events are taken."""

    count_bytes: int = 0


def read_export(
    path: Path, *, zone: tzinfo, so_far: ReadSoFar | None = None
) -> Iterator[ExportEvent]:
    """Everything that an export holds, in its own order, a message at a time.

    Each element of a ``messages`` list gives exactly one Message or MessageSkipped. Messages
    of chats that are not channels or groups are skipped as ``personal_chat``, before or after
    any channel. A damaged file first gives all that stands before the damage.

    Args:
        path: A ``result.json``, a folder with one, or a folder of such folders. A damaged
            export does not keep the others of its folder from being read.
        zone: The zone of the machine that exported: exports older than 2022 have only its
            local times.
        so_far: Filled with how far the file is read.

    Raises:
        BadExport: Nothing of it can be read, or the rest of it cannot. For a folder of
            exports it is raised at the end, for the first one that failed.
    """
    failures: list[BadExport] = []
    for file in find_exports(path):
        try:
            yield from _read_file(file, zone, so_far or ReadSoFar())
        except BadExport as error:
            failures.append(error)
    if not failures:
        return
    if len(failures) == 1:
        raise failures[0]
    first = failures[0]
    why = f"{first.why} ({len(failures) - 1} more exports of this folder cannot be read either)"
    raise BadExport(first.path, why, offset=first.offset)


def _read_file(path: Path, zone: tzinfo, so_far: ReadSoFar) -> Iterator[ExportEvent]:
    try:
        with path.open("rb") as file, _as_utf8(path, file) as stream:
            scanner = JsonScanner(stream)
            reader = ChatReader(scanner, zone)
            for event in reader.read():
                so_far.count_bytes = scanner.offset
                yield event
            if (why := reader.why_nothing()) is not None:
                raise BadExport(path, why)
    except DamagedJson as error:
        raise BadExport(path, error.why, offset=error.offset) from error
    except OSError as error:
        raise BadExport(path, _unreadable(error)) from error


def _unreadable(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "is not there; check the path"
    if isinstance(error, PermissionError):
        return "cannot be read: this user has no permission"
    return f"cannot be read: {error.strerror or 'input/output error'}"


def _as_utf8(path: Path, file: BinaryIO) -> BinaryIO:
    """The file as a seekable UTF-8 stream that begins with an object.

    Raises:
        BadExport: It is something else than JSON.
    """
    magic = file.read(_MAGIC_BYTES)
    file.seek(0)
    for mark, encoding in _WIDE_ENCODINGS:
        if magic.startswith(mark):
            return _recoded(file, encoding)
    if magic.startswith(codecs.BOM_UTF8):
        file.seek(len(codecs.BOM_UTF8))
        magic = magic.removeprefix(codecs.BOM_UTF8)
    start = magic.lstrip()
    if start.startswith(b"{"):
        return file
    raise BadExport(path, _why_not_json(start, is_empty=not magic))


def _why_not_json(start: bytes, *, is_empty: bool) -> str:
    if is_empty:
        return "is empty: the export was interrupted; export again"
    if start.startswith(b"PK\x03\x04"):
        return f"is a ZIP archive: unpack it and give the folder or its {_FILE_NAME}"
    if start.startswith(b"<"):
        return f"is an HTML export, which cannot be read: {_AS_JSON}"
    if start.startswith(b"["):
        return f"is not an export of Telegram Desktop: it has no messages; {_AS_JSON}"
    return f"is not JSON: {_AS_JSON}"


def _recoded(file: BinaryIO, encoding: str) -> BinaryIO:
    # A temporary file, not memory: an export of 2 GB may come in UTF-16 too.
    recoded = tempfile.TemporaryFile()  # noqa: SIM115 - the caller's `with` closes it
    reader = codecs.getreader(encoding)(file, "replace")
    writer = codecs.getwriter("utf-8")(recoded, "replace")
    shutil.copyfileobj(reader, writer)
    recoded.seek(0)
    return recoded
