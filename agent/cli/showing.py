"""Answers and hits for people: footnotes as links on a terminal, plain text in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.style import Style
from rich.text import Text

from agent.answering import Found
from agent.types import Answer, Citation, Refusal
from agent.wording import period
from ingest.text.normalise import without_invisible

HIT_CHARS = 240


def show_reply(reply: Answer | Refusal) -> None:
    """Prints a reply to standard output."""
    console = _console()
    if isinstance(reply, Answer):
        _show_answer(console, reply)
    else:
        console.print(Text(reply.message))
        if reply.knowledge_gap:
            console.print(Text(reply.knowledge_gap))
        if reply.nearest:
            heading = {"ru": "Ближайшие посты:", "en": "Nearest posts:"}[reply.language]
            console.print(Text(f"\n{heading}"))
            _show_sources(console, reply.nearest)
    _show_filters(console, reply)
    for error in reply.errors:
        console.print(Text(error, style="dim"))


def show_stories(found: Found, limit: int) -> None:
    """Prints the best stories of a search."""
    console = _console()
    for number, story in enumerate(found.stories[:limit], start=1):
        lead = story.lead
        head = Text(f"{number}. ")
        head.append(_linked(lead.channel.title, lead.channel.link(lead.message.message_id)))
        head.append(f", {lead.message.posted_at:%d.%m.%Y}")
        if story.also_in:
            places = ", ".join(dict.fromkeys(one.channel.title for one in story.also_in))
            head.append(f" (+{len(story.also_in)}: {places})", style="dim")
        console.print(head)
        console.print(Text(_one_line(lead.message.body(), HIT_CHARS)))
        console.print(Text(lead.channel.link(lead.message.message_id) or "", style="dim"))
    for error in found.errors:
        console.print(Text(error, style="dim"))


def _show_answer(console: Console, answer: Answer) -> None:
    links = {one.number: one.url for one in answer.citations}
    for claim in answer.claims:
        line = Text(without_invisible(claim.text) + " ")
        for number in claim.citations:
            line.append(_linked(f"[{number}]", links[number]))
        console.print(line)
    console.print()
    _show_sources(console, answer.citations)


def _show_sources(console: Console, citations: Sequence[Citation]) -> None:
    for one in citations:
        line = Text(f"[{one.number}] ")
        line.append(_linked(one.channel.title, one.url))
        line.append(f", {one.posted_at:%d.%m.%Y}")
        if one.author:
            line.append(f", {one.author}")
        if one.also_in:
            places = ", ".join(dict.fromkeys(copy.channel.title for copy in one.also_in))
            line.append(f" (+{len(one.also_in)}: {places})", style="dim")
        console.print(line)
        console.print(Text(f"    «{_one_line(one.quote, HIT_CHARS)}»", style="italic"))
        if one.url:
            console.print(Text(f"    {one.url}", style="dim"))


def _show_filters(console: Console, reply: Answer | Refusal) -> None:
    parts = []
    if reply.filters.channels:
        parts.append(", ".join(channel.title for channel in reply.filters.channels))
    if when := period(reply.filters, reply.language):
        parts.append(when)
    if parts:
        searched = {"ru": "Искал:", "en": "Searched:"}[reply.language]
        console.print(Text(f"{searched} {'; '.join(parts)}", style="dim"))


def _linked(text: str, url: str | None) -> Text:
    return Text(text, style=Style(link=url)) if url else Text(text)


def _one_line(text: str, limit: int) -> str:
    plain = " ".join(without_invisible(text).split())
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def _console() -> Console:
    # Wrapped by the terminal, not by us: links and copied text stay whole.
    return Console(soft_wrap=True, highlight=False)
