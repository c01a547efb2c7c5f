"""Writes evidence into a prompt: as data, inside a budget, strongest first and last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import tzinfo

from agent.types import Evidence
from ingest.text.normalise import without_invisible

CHARS_PER_TOKEN = 3
"""Russian and English mixed, on the safe side for the tokenizers of current models."""

CITATION_MARK = re.compile(
    r"[^\S\n]?(?:\[\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\](?!\()|［\d{1,3}］|【[^】\n]{0,40}】)"
)
"""``[1]``, ``[2, 3]``, ``[^4]``, ``【5】``: with the blank before them;
in a post they look like citations of ours.

Source: paper-qa strips the citations of its sources for the same reason.
"""

_MAX_TITLE_CHARS = 60
_MIN_POST_CHARS = 160
"""A post that gets less room than this is left out: its beginning alone misleads."""

_LINE_BREAKS_OF_A_POST = 2

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
_LINE_BREAKS = re.compile(r"\s*\n\s*")
_SPACES = re.compile(r"[^\S\n]+")


def write_posts(
    evidence: Sequence[Evidence], *, marker: str, max_tokens: int, zone: tzinfo
) -> tuple[str, tuple[Evidence, ...]]:
    """The posts as a prompt shows them, and the evidence that found room, in that order.

    Every post begins with a line of the marker, its id, its channel and its day in `zone`.
    """
    ranked = sorted(evidence, key=lambda one: -one.relevance)
    heads = [_head(one, marker, zone) for one in ranked]
    texts = [prompt_text(one.text) for one in ranked]
    shares = _shares(
        [len(text) for text in texts], [len(head) for head in heads], max_tokens * CHARS_PER_TOKEN
    )
    kept = [
        (one, f"{head}\n{shortened(text, share)}")
        for one, head, text, share in zip(ranked, heads, texts, shares, strict=True)
        if share
    ]
    ordered = _strongest_at_the_ends(kept)
    return "\n".join(written for _, written in ordered), tuple(one for one, _ in ordered)


def prompt_text(text: str) -> str:
    """A post's text without what is hidden, and without what looks like our citations."""
    text = _CONTROL.sub(" ", without_invisible(text))
    text = CITATION_MARK.sub("", text)
    return _LINE_BREAKS.sub("\n", _SPACES.sub(" ", text)).strip()


def shortened(text: str, max_chars: int) -> str:
    """At most `max_chars` characters of `text`, cut after a word and marked with "…"."""
    if len(text) <= max_chars:
        return text
    head = text[: max(max_chars - 1, 0)]
    cut = max(head.rfind(" "), head.rfind("\n"))
    return (head[:cut] if cut > 0 else head).rstrip() + "…"


def _head(one: Evidence, marker: str, zone: tzinfo) -> str:
    lead = one.story.lead
    title = " ".join(prompt_text(lead.channel.title).split()) or lead.channel.name
    posted_on = lead.message.posted_at.astimezone(zone).date().isoformat()
    return f"{marker} {one.id} | {shortened(title, _MAX_TITLE_CHARS)} | {posted_on}"


def _shares(lengths: Sequence[int], heads: Sequence[int], room: int) -> list[int]:
    """How many characters each text gets, best first: what short ones leave goes to long ones.

    When even the least useful share would not fit for all, the last texts get nothing.
    """
    least = [
        head + min(length, _MIN_POST_CHARS) + _LINE_BREAKS_OF_A_POST
        for head, length in zip(heads, lengths, strict=True)
    ]
    count = len(lengths)
    while count and sum(least[:count]) > room:
        count -= 1
    shares = [0] * len(lengths)
    left = room - sum(heads[:count]) - count * _LINE_BREAKS_OF_A_POST
    for done, place in enumerate(sorted(range(count), key=lambda place: lengths[place])):
        shares[place] = min(lengths[place], left // (count - done))
        left -= shares[place]
    return shares


def _strongest_at_the_ends(
    ranked: Sequence[tuple[Evidence, str]],
) -> list[tuple[Evidence, str]]:
    """Ranks 1, 3, 5, ... 6, 4, 2: models read the beginning and the end best.

    Source: Liu et al., "Lost in the Middle", TACL 2024.
    """
    return [*ranked[::2], *reversed(ranked[1::2])]
