"""Turns an answer or a refusal into messages: text, entities, nothing that others wrote links."""

from __future__ import annotations

from typing import assert_never
from zoneinfo import ZoneInfo

from agent.types import Answer, Refusal
from bot.render.answers import answer_blocks
from bot.render.refusals import refusal_blocks
from bot.render.split import split
from bot.types import Part


def render(reply: Answer | Refusal, zone: ZoneInfo) -> tuple[Part, ...]:
    """The messages that show `reply`, in order, each within Telegram's limits.

    Dates are those of `zone`.
    """
    match reply:
        case Answer():
            return split(answer_blocks(reply, zone))
        case Refusal():
            return split(refusal_blocks(reply, zone))
        case _:
            assert_never(reply)
