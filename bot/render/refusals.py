"""Shows a refusal: why, what was searched, and the nearest posts."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from aiogram.utils.formatting import Bold, Text

from agent.types import Refusal, RefusalReason
from bot.render.pieces import coverage_line, short_quotation, small_print, source, understood
from bot.render.plain import shown
from bot.render.split import Block
from bot.texts import Texts, texts

MAX_NEAREST = 3

_SAY_NOTHING_OF_THE_ARCHIVE = frozenset(
    {RefusalReason.EMPTY_QUESTION, RefusalReason.EMPTY_ARCHIVE, RefusalReason.OUT_OF_SCOPE}
)


def refusal_blocks(refusal: Refusal, zone: ZoneInfo) -> list[Block]:
    """The refusal in reading order."""
    words = texts(refusal.language)
    return [
        Block(Text(shown(refusal.message).strip())),
        *([Block(Text(shown(refusal.knowledge_gap).strip()))] if refusal.knowledge_gap else []),
        *_nearest(refusal, words, zone),
        *understood(refusal.filters, words),
        *small_print(_facts(refusal, words, zone)),
    ]


def _nearest(refusal: Refusal, words: Texts, zone: ZoneInfo) -> Iterator[Block]:
    if refusal.nearest:
        yield Block(Bold(words.NEAREST))
    for citation in refusal.nearest[:MAX_NEAREST]:
        yield Block(source(citation, words, zone), tight=True)
        if citation.quote.strip():
            yield Block(short_quotation(citation.quote), tight=True)


def _facts(refusal: Refusal, words: Texts, zone: ZoneInfo) -> Iterator[str]:
    yield from refusal.errors
    if refusal.reason not in _SAY_NOTHING_OF_THE_ARCHIVE and refusal.coverage.count_messages:
        yield coverage_line(refusal.coverage, words, zone)
