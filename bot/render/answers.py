"""Shows an answer: sentences with footnotes, then the posts behind them."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from aiogram.utils.formatting import Bold, Text

from agent.types import Answer, Citation, Grounding
from bot.render.pieces import (
    coverage_line,
    is_said_by,
    marks,
    quotation,
    small_print,
    source,
    understood,
)
from bot.render.plain import one_line, shown
from bot.render.split import Block
from bot.texts import Texts, texts


def answer_blocks(answer: Answer, zone: ZoneInfo) -> list[Block]:
    """The answer in reading order."""
    words = texts(answer.language)
    citations = {citation.number: citation for citation in answer.citations}
    return [
        *_sentences(answer, citations),
        *_disagreements(answer, citations, words),
        Block(Bold(words.SOURCES)),
        *_sources(answer, words, zone),
        *understood(answer.filters, words),
        *small_print(_caveats(answer, words, zone)),
    ]


def _sentences(answer: Answer, citations: dict[int, Citation]) -> Iterator[Block]:
    for claim in answer.claims:
        yield Block(Text(shown(claim.text).strip(), marks(claim.citations, citations)))


def _disagreements(
    answer: Answer, citations: dict[int, Citation], words: Texts
) -> Iterator[Block]:
    for contradiction in answer.contradictions:
        about = words.disagree(one_line(contradiction.about))
        yield Block(Text("⚠️ ", about, marks(contradiction.citations, citations)))


def _sources(answer: Answer, words: Texts, zone: ZoneInfo) -> Iterator[Block]:
    for citation in answer.citations:
        yield Block(source(citation, words, zone), tight=True)
        sentences = [c.text for c in answer.claims if citation.number in c.citations]
        if not is_said_by(citation.quote, sentences):
            yield Block(quotation(citation.quote), tight=True)


def _caveats(answer: Answer, words: Texts, zone: ZoneInfo) -> Iterator[str]:
    if answer.grounding is Grounding.NOT_CHECKED:
        yield words.NOT_CHECKED
    elif answer.grounding is not Grounding.GROUNDED:
        yield words.PARTLY_SUPPORTED
    yield from answer.errors
    # What the archive holds matters to an answer only where it holds less than was asked for.
    if answer.coverage.embedded_share < 1 or _holds_less(answer, zone):
        yield coverage_line(answer.coverage, words, zone)


def _holds_less(answer: Answer, zone: ZoneInfo) -> bool:
    wanted, held = answer.filters, answer.coverage
    starts_late = (
        wanted.from_on is not None
        and held.posted_from is not None
        and wanted.from_on < held.posted_from.astimezone(zone).date()
    )
    return starts_late or (
        wanted.to_on is not None
        and held.posted_to is not None
        and wanted.to_on > held.posted_to.astimezone(zone).date()
    )
