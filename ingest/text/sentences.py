"""Cuts a post into sentences without changing a character of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, ``text[start:end]``, with no white space at its ends."""

    start: int
    end: int


_LINE = re.compile(r"[^\n]+")
_END = re.compile(r"[.!?…。！？]+[)\]»”\"'’]*(?=\s)|[。！？]+[」』”]*")
_OPENS = re.compile(r"\s+[«“\"'(\[—–-]*\s*([^\W_]|\W)")

# Words whose full stop ends no sentence. Lower case, without the stop.
_SHORTENED = frozenset(
    (
        "г гг в вв тыс млн млрд трлн руб коп ул пр просп пер д кв корп стр обл р н им т п тел доп "
        "см рис гл ст ч мин сек км кг мм л ок др проч напр т.е т.д т.п т.к т.н и.о св акад проф "
        "доц инж ред изд мл янв фев февр мар апр авг сент сен окт нояб ноя дек пн вт ср чт пт сб "
        "вс долл экз ком зам гос гр "
        "mr mrs ms dr prof st vs etc inc ltd co corp no fig vol jan feb mar apr jun jul aug sep "
        "sept oct nov dec e.g i.e u.s u.k a.m p.m approx est gen col lt sgt rep sen gov jr sr"
    ).split()
)
_ALWAYS_CONTINUES = frozenset(
    "им ул просп пер д кв стр mr mrs ms dr prof st проф акад рис см".split()
)
_LAST_WORD = re.compile(r"([\w.]+)\.+$")
_STARTS_LOW = re.compile(r"[a-zа-яёіїєґ]")


def sentences(text: str) -> list[Span]:
    """The sentences of a post, in order; line breaks end a sentence too.

    Only white space lies between them, so nothing of the post is lost.
    """
    return [span for line in _LINE.finditer(text) for span in _of_line(text, line)]


def _of_line(text: str, line: re.Match[str]) -> Iterator[Span]:
    start = line.start()
    for end in _END.finditer(text, line.start(), line.end()):
        if end.end() < line.end() and _is_border(text, start, end.end(), line.end()):
            yield from _trimmed(text, start, end.end())
            start = end.end()
    yield from _trimmed(text, start, line.end())


def _is_border(text: str, start: int, end: int, limit: int) -> bool:
    opening = _OPENS.match(text, end, limit)
    if opening is None:
        return text[end - 1] in "。！？」』”"
    first = opening.group(1)
    if _STARTS_LOW.match(first):
        return False
    word = _LAST_WORD.search(text, start, end)
    return word is None or _ends_sentence(word.group(1), first, text[start:end])


def _ends_sentence(word: str, next_letter: str, before: str) -> bool:
    """Whether a full stop after this word ends a sentence, and not just the word."""
    shortened = word.casefold()
    if len(word) == 1 and word.isupper():
        return False  # an initial: «А. Пушкин»
    if shortened in _ALWAYS_CONTINUES:
        return False
    if shortened in _SHORTENED:
        # «в 1799 г. Вот ссылка» ends, «5 млн. рублей» and «ст. 5» do not.
        return next_letter.isupper()
    # «1. Первый пункт»: a number alone in front of its item.
    return not (shortened.isdigit() and before.strip(" .").isdigit())


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Span(start, end)
