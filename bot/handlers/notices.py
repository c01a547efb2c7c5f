"""Accepts a message together with the fixed words that answer it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.services import App
from bot.types import Incoming, Outcome, Part, StoredReply


async def say(app: App, incoming: Incoming, reason: str, *paragraphs: str) -> None:
    """Has one message of ours sent in reply to `incoming`, once."""
    await say_parts(app, incoming, reason, [Part("\n\n".join(paragraphs))])


async def say_parts(app: App, incoming: Incoming, reason: str, parts: Sequence[Part]) -> None:
    """Has messages of ours sent in reply to `incoming`, once."""
    reply = StoredReply(outcome=Outcome.NOTICE, parts=tuple(parts), reason=reason)
    await app.inbox.accept_notice(incoming, reply)
