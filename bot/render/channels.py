"""Shows the list of channels."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from aiogram.utils.formatting import Bold, Text

from agent.types import Coverage
from bot.render.pieces import MAX_TITLE_CHARS, linked
from bot.render.plain import one_line, shortened
from bot.render.split import Block, split
from bot.texts import Texts
from bot.types import Part
from ingest.types import Channel


def render_channels(
    held: Iterable[tuple[Channel, Coverage]], words: Texts, zone: ZoneInfo
) -> tuple[Part, ...]:
    """The channels and what the archive holds of each, as messages."""
    entries = [Block(_entry(channel, coverage, words, zone)) for channel, coverage in held]
    if not entries:
        return (Part(words.NO_CHANNELS),)
    return split([Block(Bold(words.CHANNELS)), *entries])


def _entry(channel: Channel, coverage: Coverage, words: Texts, zone: ZoneInfo) -> Text:
    def on(moment: datetime | None) -> datetime | None:
        return moment.astimezone(zone) if moment else None

    first, last, synced = on(coverage.posted_from), on(coverage.posted_to), on(coverage.synced_at)
    period = words.period(first.date() if first else None, last.date() if last else None)
    title = shortened(one_line(channel.title) or channel.name, MAX_TITLE_CHARS)
    facts = words.channel_facts(coverage.count_messages, period, synced.date() if synced else None)
    url = f"https://t.me/{channel.username}" if channel.username else None
    return Text(linked(title, url), "\n", facts)
