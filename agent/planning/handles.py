"""Finds channels that a question gives by address: @name, t.me links, usernames with «_»."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.planning.leads import lead
from agent.planning.names import NameBook
from agent.planning.vocabulary import EXCLUSIONS, TOPIC_PREPOSITIONS
from agent.planning.words import Span, words_of
from ingest.types import Channel

# Source: core.telegram.org/api/links: usernames have 4 to 32 signs; a post's link may go on
# with topics and ids; "c/<id>" is a private channel's.
_HANDLE = re.compile(
    r"""
      (?:https?://)?(?:www\.)?(?:t|telegram)\.(?:me|dog)/
        (?:c/(?P<id>\d+)|(?P<invite>\+[\w-]+|joinchat/[\w-]+)|(?:s/)?(?P<link>[a-z]\w{3,31}))
        (?:/\d+)*/?(?:\?[\w=&%-]+)?
    | tg://resolve\?domain=(?P<resolve>[a-z]\w{3,31})[\w=&%-]*
    | (?<![\w.@/])@(?P<mention>[a-z]\w{3,31})
    | (?<![\w.@/])(?P<bare>[a-z][a-z\d]*_\w{2,30})(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """An address in a question.

    Attributes:
        channel: Whose it is; None: none of ours.
        written: How to repeat it to the asker.
        span: It, with «в канале» before it.
        is_topic: The question is about it («про @name») or leaves it out («кроме @name»).
    """

    channel: Channel | None
    written: str
    span: Span
    is_topic: bool


def handles(text: str, book: NameBook) -> Iterator[Handle]:
    """Every address in a question. Bots are no channels; their names end so by rule."""
    for match in _HANDLE.finditer(text):
        name = next((match[g] for g in ("link", "resolve", "mention", "bare") if match[g]), None)
        if match["id"]:
            channel, written = book.ids.get(int(match["id"])), match.group()
        elif match["invite"] or name is None:
            channel, written = None, match.group()
        else:
            channel, written = book.usernames.get(name.casefold()), f"@{name}"
            if channel is None and (match["bare"] or name.casefold().endswith("bot")):
                continue  # "snake_case" is a word of programmers
        start, is_topic = _lead(text, match.start())
        yield Handle(
            channel=channel, written=written, span=(start, match.end()), is_topic=is_topic
        )


def _lead(text: str, start: int) -> tuple[int, bool]:
    """Where «в канале» before an address begins, and whether «про» stands there instead."""
    words = words_of(text[:start])
    first = lead(text, words, len(words), start=start)
    if first and words[first - 1].key in TOPIC_PREPOSITIONS | EXCLUSIONS:
        return start, True
    return (words[first].start if first < len(words) else start), False
