"""A place that stands in a channel's title is not that channel."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.dates import find_dates
from agent.stages.plan import RulePlanner
from agent.types import Question
from ingest.types import Channel, ChannelId

TOWN = Channel(channel_id=ChannelId(1), title="Криволучск Онлайн", username="krivoluchsk_online")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Когда в Криволучске построят цирк?", ()),
        ("Сколько фонарей в Криволучске?", ()),
        ("Что писали в Криволучск Онлайн про цирк?", (TOWN,)),
        ("Что нового в канале «Криволучск Онлайн»?", (TOWN,)),
    ],
)
def test_a_town_is_no_channel(asked: str, expected: tuple[Channel, ...]) -> None:
    """«в Криволучске» restricts nothing; the whole title, or word of its posts, does."""
    question = Question(text=asked, now=datetime(2026, 10, 1, tzinfo=UTC))

    assert expected == RulePlanner(find_dates)(question, (TOWN,)).filters.channels
