"""Texts of files: of every kind, of damaged ones, within limits."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import openpyxl
import pptx
import pytest

from ingest.documents.extracting import UnreadableFile, extract_text, is_readable

SENTENCE = "Приказ о зачислении вступает в силу 1 сентября"


def word() -> bytes:
    document, out = docx.Document(), io.BytesIO()
    document.add_paragraph(SENTENCE)
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "бюджет", "120"
    document.save(out)
    return out.getvalue()


def slides() -> bytes:
    deck, out = pptx.Presentation(), io.BytesIO()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = SENTENCE
    deck.save(out)
    return out.getvalue()


def sheet() -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    book.active.append([SENTENCE, 120])
    book.save(out)
    return out.getvalue()


def pdf() -> bytes:
    """A page with a sentence in one of the fonts that need no file."""
    page = b"BT /F1 24 Tf 72 700 Td (Order number seven) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(page), page),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    written, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj%sendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        written
        + b"xref\n0 6\n0000000000 65535 f \n"
        + table
        + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(written)
    )


@pytest.mark.parametrize(
    ("make", "name", "words"),
    [
        (word, "приказ.docx", [SENTENCE, "бюджет", "120"]),
        (slides, "Слайды.PPTX", [SENTENCE]),
        (sheet, "table.xlsx", [SENTENCE, "120"]),
        (pdf, "order.pdf", ["Order number seven"]),
        (lambda: SENTENCE.encode("cp1251"), "старое.txt", [SENTENCE]),
        (f"# {SENTENCE}".encode, "readme.md", [SENTENCE]),
    ],
    ids=["docx", "pptx", "xlsx", "pdf", "txt", "md"],
)
async def test_every_kind(make: Callable[[], bytes], name: str, words: list[str]) -> None:
    """The words of a file come out, tables included."""
    text = await extract_text(make(), name)
    assert [word for word in words if word not in text] == []


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(3):
            packed.writestr(f"{number}.xml", b"\0" * (100 << 20))
    return out.getvalue()


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (b"not a file at all".strip, "a.docx"),
        (lambda: pdf()[:60], "a.pdf"),
        (lambda: word()[:-200], "a.docx"),
        (word, "a.xlsx"),
        (bomb, "a.docx"),
    ],
    ids=["foreign", "cut pdf", "cut docx", "another kind", "bomb"],
)
async def test_unreadable_files(make: Callable[[], bytes], name: str) -> None:
    """What cannot be read is refused with a reason, and costs no more than its limits."""
    with pytest.raises(UnreadableFile):
        await extract_text(make(), name)


def test_only_known_kinds_are_tried() -> None:
    """Programs, archives and nameless files are left alone."""
    assert is_readable("Отчёт.PDF")
    assert [n for n in ("a.exe", "a.zip", "a.doc", "pdf", "", None) if is_readable(n)] == []
