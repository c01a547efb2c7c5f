"""Plans a search from a question by rules alone: filters, queries, the kind of reply."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from agent.dates import NO_DATES, DateFilter
from agent.planning.followups import Standalone, standalone
from agent.planning.intents import language_of, speaks_of_posting, without_greeting
from agent.planning.names import NameBook, name_book
from agent.planning.parts import parts_of
from agent.planning.periods import FindDates, bounds
from agent.planning.reading import read
from agent.types import Filters, Plan, Question
from ingest.types import Channel

_MAX_QUERIES = 4
_MAX_TURNS = 4
"""Earlier questions that are read: what an older one was about is over by now."""


class RulePlanner:
    """Question -> Plan without any model. Thread-safe; a few milliseconds of CPU a question.

    The first question loads the Russian dictionary (about 0.1 s), and the first one over
    a list of channels learns their names.

    Args:
        find_dates: Finds the period in a text; `agent.dates.find_dates`.
    """

    def __init__(self, find_dates: FindDates) -> None:
        self._find_dates = find_dates

    def __call__(
        self, question: Question, channels: Sequence[Channel], *, dated: bool = True
    ) -> Plan:
        """Plans the search for a question.

        Args:
            question: What is asked and what was asked before; `now` is aware.
            channels: Those that the asker may see here: any other one is unknown to them.
            dated: False takes dates for a part of what is asked, not for the posts' period.

        Returns:
            A plan whose first query stands on its own. `filters.unknown_channels` holds what
            the question addresses and the archive lacks: it should be refused then.

        Raises:
            ValueError: `question.now` has no zone.
        """
        zone = question.now.tzinfo
        if zone is None:
            raise ValueError("the time of a question has to be aware")
        find_dates = self._find_dates if dated else _no_dates
        asked = _resolved(question, name_book(tuple(channels)), find_dates)
        posted_from, posted_before = bounds(asked.period, zone)
        return Plan(
            queries=_queries(asked),
            filters=Filters(
                channels=asked.channels,
                unknown_channels=asked.unknown,
                from_on=asked.period.from_on,
                to_on=asked.period.to_on,
                date_phrase=asked.period_phrase,
            ),
            must_phrases=asked.phrases,
            posted_from=posted_from,
            posted_before=posted_before,
            language=language_of(question.text, question.language),
            intent=asked.intent,
            is_about_posting=speaks_of_posting(question.text),
        )


def _resolved(question: Question, book: NameBook, find_dates: FindDates) -> Standalone:
    """The question with what it takes over from the turns before it."""

    def standalone_of(text: str, before: Standalone | None) -> Standalone:
        reading = read(without_greeting(text), book=book, find_dates=find_dates, now=question.now)
        return standalone(reading, before)

    before: Standalone | None = None
    for turn in question.history[-_MAX_TURNS:]:
        earlier = standalone_of(turn.question, before)
        if earlier.intent not in {"chitchat", "help"}:
            before = earlier
    return standalone_of(question.text, before)


def _no_dates(text: str, *, now: datetime, zone: tzinfo) -> DateFilter:
    del text, now, zone
    return NO_DATES


def _queries(asked: Standalone) -> tuple[str, ...]:
    """The standalone text, then the question as asked or its parts, each once."""
    further = (asked.reading.text,) if asked.is_followup else parts_of(asked.text)
    found = {query.casefold(): query for query in (asked.text, *further) if query}
    return tuple(found.values())[:_MAX_QUERIES] or (asked.text,)
