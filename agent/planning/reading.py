"""Reads one question by itself: its words, channels, period, and what is left to search for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agent.dates import DateFilter
from agent.planning.channels import NamedChannels, named_channels
from agent.planning.names import NameBook
from agent.planning.periods import FindDates, dates_of
from agent.planning.phrases import must_phrases, quotations
from agent.planning.vocabulary import SAYING, SORTING
from agent.planning.words import Span, Word, clean, outside, without, words_of

_FEWEST_WORDS = 2
"""Words about something that a search text keeps, or nothing is cut out of the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one question says, without what was asked before it.

    Attributes:
        text: The question, cleaned.
        words: All its words.
        content: Those that say what it is about: no channels, no dates, no «что было».
        subject: The same with «главный» and «новый»: what a follow-up takes over.
        bare: The question without addresses of channels and without dates.
        phrases: What a post has to contain.
    """

    text: str
    words: tuple[Word, ...]
    content: tuple[Word, ...]
    subject: tuple[Word, ...]
    bare: str
    named: NamedChannels
    period: DateFilter
    phrases: tuple[str, ...]

    @property
    def has_period(self) -> bool:
        """It says when."""
        return self.period.phrase is not None

    @property
    def has_subject(self) -> bool:
        """Enough is left to search for without channels and dates."""
        return len(self.content) >= _FEWEST_WORDS

    @property
    def search_text(self) -> str:
        """What to search with."""
        return self.bare if self.has_subject else self.text

    @property
    def date_phrase(self) -> str | None:
        """The words that say when, as they stand in the question."""
        if not self.has_period:
            return None
        pieces = [self.text[start:end] for start, end in self.period.spans]
        return " … ".join(pieces) or self.period.phrase

    @property
    def channel_phrase(self) -> str:
        """The words that say which channel, with «на» and «по данным»."""
        return " ".join(self.text[start:end] for start, end in self.named.spans)


def read(question: str, *, book: NameBook, find_dates: FindDates, now: datetime) -> Reading:
    """Reads a question.

    Args:
        question: As it was written.
        book: The names of the channels that the asker may see.
        find_dates: Finds the period.
        now: When it was asked, aware.
    """
    text = clean(question)
    words = words_of(text)
    quoted = quotations(text)
    named = named_channels(text, words, quoted, book)
    phrases = must_phrases(quoted, words, named.names)
    hidden = [*named.names, *(quotation.inner for quotation in quoted)]
    period = dates_of(text, hidden, find_dates, now)
    cut: list[Span] = [*_listed(words, named.spans), *period.spans]
    left = [word for word in outside(words, cut) if word.lemma not in SAYING]
    content = tuple(word for word in left if not word.is_empty)
    return Reading(
        text=text,
        words=words,
        content=content,
        subject=tuple(w for w in left if not w.is_empty or (content and w.lemma in SORTING)),
        bare=without(text, cut),
        named=named,
        period=period,
        phrases=phrases,
    )


def _listed(words: tuple[Word, ...], spans: tuple[Span, ...]) -> list[Span]:
    """The spans, joined where only «и» or a comma stands between two channels."""
    joined: list[Span] = []
    for start, end in spans:
        if joined:
            between = [w for w in words if joined[-1][1] <= w.start and w.end <= start]
            if all(w.key in {"и", "или", "and", "or", "та"} for w in between):
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
                continue
        joined.append((start, end))
    return joined
