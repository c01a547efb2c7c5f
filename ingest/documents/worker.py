"""Reads one file's text and prints it: a program of its own, since files are hostile.

``python -m ingest.documents.worker FILE SUFFIX`` with limits on memory and time that it gives
itself before it looks at the file. Exit code 3: the file cannot be read.
"""

from __future__ import annotations

import codecs
import resource
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

MAX_MEMORY_BYTES = 1 << 30
MAX_CPU_S = 30
MAX_CHARS = 400_000
"""About two hundred pages: more is a book, and would drown the posts in the index."""

UNREADABLE = 3

_MAX_UNPACKED_BYTES = 200 << 20


def _pdf(path: Path) -> Iterator[str]:
    import pypdfium2  # type: ignore[import-untyped]  # noqa: PLC0415 - each kind loads its own library only

    document = pypdfium2.PdfDocument(path)
    for page in document:
        yield page.get_textpage().get_text_bounded()


def _docx(path: Path) -> Iterator[str]:
    import docx  # noqa: PLC0415 - as above

    for block in docx.Document(str(path)).iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                yield "\t".join(cell.text for cell in row.cells)
        else:
            yield block.text


def _pptx(path: Path) -> Iterator[str]:
    import pptx  # noqa: PLC0415 - as above

    for slide in pptx.Presentation(str(path)).slides:
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            if shape.has_table:
                for row in shape.table.rows:
                    yield "\t".join(cell.text for cell in row.cells)
        if slide.has_notes_slide:
            yield slide.notes_slide.notes_text_frame.text


def _xlsx(path: Path) -> Iterator[str]:
    import openpyxl  # type: ignore[import-untyped]  # noqa: PLC0415 - as above

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    for sheet in book.worksheets:
        yield sheet.title
        for row in sheet.iter_rows(values_only=True):
            line = "\t".join("" if value is None else str(value) for value in row).rstrip()
            if line:
                yield line


def _plain(path: Path) -> Iterator[str]:
    raw = path.read_bytes()
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        yield raw.decode("utf-16", "replace")
        return
    try:
        yield raw.decode("utf-8-sig")
    except UnicodeError:
        yield raw.decode("cp1251", "replace")  # what Russian texts without UTF-8 are in


READERS: dict[str, Callable[[Path], Iterator[str]]] = {
    ".pdf": _pdf,
    ".docx": _docx,
    ".pptx": _pptx,
    ".xlsx": _xlsx,
    ".txt": _plain,
    ".md": _plain,
}
"""By the end of the file's name. Old binary formats (.doc, .xls) need an office suite."""


def _is_bomb(path: Path) -> bool:
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as packed:
        return sum(item.file_size for item in packed.infolist()) > _MAX_UNPACKED_BYTES


def main() -> int:
    """Prints the text."""
    path, suffix = Path(sys.argv[1]), sys.argv[2]
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it writes no file; a pipe is none
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    left = MAX_CHARS
    try:
        if suffix != ".pdf" and _is_bomb(path):
            sys.stderr.write("too large when unpacked")
            return UNREADABLE
        for piece in READERS[suffix](path):
            sys.stdout.buffer.write((piece[:left] + "\n").encode("utf-8", "replace"))
            left -= len(piece)
            if left <= 0:
                break
    except Exception as error:  # noqa: BLE001 - a parser may fail in any way over a hostile file
        sys.stderr.write(type(error).__name__)
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
