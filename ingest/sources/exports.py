"""Exports of Telegram Desktop in either form: finds them, and reads each by its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path

from ingest.errors import BadExport
from ingest.sources import desktop_json
from ingest.sources.desktop_html import find_html_pages, read_html_export
from ingest.sources.desktop_json import ReadSoFar
from ingest.sources.desktop_json_events import ExportEvent
from ingest.types import Channel

_JSON, _HTML = "result.json", "messages.html"


def find_exports(path: Path) -> list[Path]:
    """The exports that a path means, sorted: itself, a folder's, or those of its folders.

    Where a folder has both forms the JSON one is taken, which says more.

    Raises:
        BadExport: There is none.
    """
    try:
        folders = [path] if path.is_dir() else []
        if not any((path / name).is_file() for name in (_JSON, _HTML)):
            folders = sorted(one for one in path.glob("*") if one.is_dir())
        found = [file for folder in folders if (file := _of_folder(folder)) is not None]
    except OSError as error:
        raise BadExport(path, f"cannot be read: {error.strerror}") from error
    return found or desktop_json.find_exports(path)


def _of_folder(folder: Path) -> Path | None:
    return next((folder / n for n in (_JSON, _HTML) if (folder / n).is_file()), None)


def read_export(
    path: Path,
    *,
    zone: tzinfo,
    so_far: ReadSoFar | None = None,
    known: Callable[[str], Channel | None] = lambda _: None,
) -> Iterator[ExportEvent]:
    """Everything that an export holds; see `desktop_json` and `desktop_html`.

    Args:
        path: One of what `find_exports` gives.
        zone: The zone of the machine that exported.
        so_far: Filled with how far the file is read.
        known: The channel of a title, which is all that HTML tells of a channel.

    Raises:
        BadExport: There is nothing to read, or the rest of it cannot be read.
    """
    if path.suffix.lower() != ".html":
        yield from desktop_json.read_export(path, zone=zone, so_far=so_far)
        return
    yield from read_html_export(path.parent, zone=zone, so_far=so_far, known=known)


def size_bytes(path: Path) -> int:
    """How much there is to read of an export; of an HTML one, all of its pages."""
    pages = find_html_pages(path.parent) if path.suffix.lower() == ".html" else [path]
    return sum(page.stat().st_size for page in pages)
