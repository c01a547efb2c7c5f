"""Cuts a text into the tokens that search knows: words, numbers, names, tags, hosts."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ingest.text.normalise import searchable, untangle


class TokenKind(enum.Enum):
    """How a token is looked up."""

    WORD = "word"
    """Letters; inflected, so it is looked up by its lemma."""
    NUMBER = "number"
    """Digits: «3,5» and «3.5» are one, «41 024 320» and «41024320» too."""
    CODE = "code"
    """A name with digits or signs in it (GPT-5.4, C++, 1С): taken literally."""
    MENTION = "mention"
    HASHTAG = "hashtag"
    HOST = "host"
    """The host of a web address."""
    CJK = "cjk"
    """Two neighbouring signs of a script that is written without spaces."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token in its searchable form, and where it begins in the searchable text."""

    text: str
    kind: TokenKind
    start: int


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_LETTER = rf"[^\W\d_{_CJK}]"
_DOMAINS = "com|org|net|ru|рф|io|me|dev|ai|uk|ua|info|tv|co|app"
_TOKEN = re.compile(
    rf"""
      (?P<url>(?:https?://|www\.)[^\s<>()\[\]«»"']+)
    | (?P<host>\b(?:[a-z0-9-]+\.)+(?:{_DOMAINS})\b(?:/[^\s<>()«»"']*)?)
    | (?P<mention>(?<!\w)@[a-z][\w.]{{2,}})
    | (?P<hashtag>(?<!\w)\#[^\W\d]\w*)
    | (?P<cjk>[{_CJK}]+)
    | (?P<number>
          (?<![\w.,])\d{{1,3}}(?:[ ’']\d{{3}})+(?:[.,]\d+)?(?!\w|[ ]?\d)
        | \d+[.,]\d+(?![.,]?\w)
        | \d+(?![\w.-]*\w)
      )
    | (?P<code>(?:{_LETTER}|\d)+(?:[-./+_](?:{_LETTER}|\d)+)*(?:\+\+|\#)?)
    """,
    re.VERBOSE,
)
_GROUPING = re.compile(r"[ ’']")
_PART = re.compile(rf"{_LETTER}+|\d+(?:\.\d+)*")
_HOST_OF = re.compile(r"(?:https?://)?(?:www\.)?([^/:?#\s]+)")
_SEPARATORS = re.compile(r"[-./_]")


def tokens(text: str) -> Iterator[Token]:
    """Cuts any text into tokens, in reading order; punctuation and emoji give none."""
    for match in _TOKEN.finditer(searchable(text)):
        kind, found, start = match.lastgroup, match.group(), match.start()
        if kind in {"url", "host"}:
            yield from _host(found, start)
        elif kind == "mention":
            yield Token(found.rstrip("."), TokenKind.MENTION, start)
        elif kind == "hashtag":
            yield Token(found, TokenKind.HASHTAG, start)
        elif kind == "cjk":
            yield from _pairs(found, start)
        elif kind == "number":
            yield Token(_number(found), TokenKind.NUMBER, start)
        else:
            yield from _word(found, start)


def _host(address: str, start: int) -> Iterator[Token]:
    match = _HOST_OF.match(address)
    if match:
        yield Token(match.group(1).rstrip(".,"), TokenKind.HOST, start)


def _pairs(signs: str, start: int) -> Iterator[Token]:
    if len(signs) == 1:
        yield Token(signs, TokenKind.CJK, start)
    for index in range(len(signs) - 1):
        yield Token(signs[index : index + 2], TokenKind.CJK, start + index)


def _number(written: str) -> str:
    return _GROUPING.sub("", written).replace(",", ".")


def _word(found: str, start: int) -> Iterator[Token]:
    """A plain word; or a compound, literally and by its parts."""
    word = untangle(found)
    if word.isalpha():
        yield Token(word, TokenKind.WORD, start)
        return
    has_digit = any(sign.isdigit() for sign in word)
    if has_digit or word.endswith(("+", "#")) or "." in word:
        yield Token(word, TokenKind.CODE, start)
    else:
        yield Token(word, TokenKind.WORD, start)  # «премьер-министр»: inflected as a whole
    if _SEPARATORS.search(word) or has_digit:
        parts = list(_PART.finditer(word))
        if len(parts) > 1:
            for part in parts:
                kind = TokenKind.WORD if part.group().isalpha() else TokenKind.NUMBER
                yield Token(part.group(), kind, start + part.start())
