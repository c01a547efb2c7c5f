"""The pieces that answers and refusals are shown with: footnotes, quotes, small print."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from aiogram.utils.formatting import BlockQuote, ExpandableBlockQuote, Italic, Text, TextLink

from agent.types import Citation, Coverage, Filters
from bot.render.plain import one_line, shortened, shown, visible
from bot.render.split import Block
from bot.texts import Texts

MAX_TITLE_CHARS = 80
MAX_QUOTE_CHARS = 700
MAX_SHORT_QUOTE_CHARS = 140
MAX_VISIBLE_QUOTE_CHARS = 220
"""Longer quotes are folded: on a phone this is about four lines."""


def marks(numbers: Iterable[int], citations: dict[int, Citation]) -> Text:
    """`` [1] [2]``, each opening its post where it has an address."""
    return Text(
        *(
            node
            for number in numbers
            if number in citations  # a footnote without a post is none
            for node in (" ", linked(f"[{number}]", citations[number].url))
        )
    )


def linked(label: str, url: str | None) -> Text:
    """`label` as a link, or as plain text where there is nothing to open."""
    return TextLink(label, url=url) if url else Text(label)


def source(citation: Citation, words: Texts, zone: ZoneInfo) -> Text:
    """``[1] Title, 7 Oct 2024, author, and 4 more channels``."""
    title = shortened(one_line(citation.channel.title) or citation.channel.name, MAX_TITLE_CHARS)
    posted = words.short_date(citation.posted_at.astimezone(zone).date())
    rest = []
    if citation.author:
        rest.append(shortened(one_line(citation.author), MAX_TITLE_CHARS))
    if citation.also_in:
        rest.append(words.also_in(len({copy.channel.channel_id for copy in citation.also_in})))
    return Text(
        f"[{citation.number}] ",
        linked(f"{title}, {posted}", citation.url),
        *(f", {item}" for item in rest if item),
    )


def quotation(quote: str) -> Text:
    """A quote as a block, folded when it is long."""
    text = shortened(shown(quote).strip(), MAX_QUOTE_CHARS)
    if len(text) > MAX_VISIBLE_QUOTE_CHARS:
        return ExpandableBlockQuote(text)
    return BlockQuote(text)


def short_quotation(quote: str) -> Text:
    """The beginning of a quote on one line, as a block."""
    return BlockQuote(shortened(one_line(quote), MAX_SHORT_QUOTE_CHARS))


def is_said_by(quote: str, sentences: Iterable[str]) -> bool:
    """Whether one of the sentences says the quote already, word by word."""
    words = _words(quote)
    return not words or any(f" {words} " in f" {_words(sentence)} " for sentence in sentences)


def understood(filters: Filters, words: Texts) -> Sequence[Block]:
    """What the question was taken to be restricted to; nothing if it was not."""
    period = words.period(filters.from_on, filters.to_on)
    titles = [shortened(one_line(channel.title), MAX_TITLE_CHARS) for channel in filters.channels]
    line = words.filters(period, titles)
    return [Block(Text(line))] if line else []


def small_print(lines: Iterable[str]) -> Sequence[Block]:
    """Lines in italics, the first after an empty line."""
    texts = [one_line(line) for line in lines]
    return [Block(Italic(text), tight=at > 0) for at, text in enumerate(filter(None, texts))]


def coverage_line(coverage: Coverage, words: Texts, zone: ZoneInfo) -> str:
    """What the archive holds, in one line."""

    def on(moment: datetime | None) -> datetime | None:
        return moment.astimezone(zone) if moment else None

    first, last, synced = on(coverage.posted_from), on(coverage.posted_to), on(coverage.synced_at)
    period = words.period(first.date() if first else None, last.date() if last else None)
    synced_on = synced.date() if synced else None
    return words.coverage(coverage.count_messages, period, synced_on, coverage.embedded_share)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", visible(text).casefold()))
