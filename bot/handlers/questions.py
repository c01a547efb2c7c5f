"""Everything that is no command: questions, and what cannot be one."""

from __future__ import annotations

from aiogram import F, Router
from aiogram.types import Message

from bot.handlers.notices import say
from bot.services import App
from bot.texts import texts
from bot.types import Incoming, Outcome, Part, StoredReply

MAX_QUESTION_CHARS = 4000


def questions() -> Router:
    """A router for whatever the other ones left."""
    router = Router(name="questions")
    router.message.register(ask, F.text, ~F.text.startswith("/"))
    router.message.register(explain)
    return router


async def ask(message: Message, app: App, incoming: Incoming) -> None:
    """Puts a question into the inbox."""
    words, text = texts(incoming.language), _storable(message.text or "")
    if not any(char.isalnum() for char in text):
        await say(app, incoming, "not_a_question", words.NOT_A_QUESTION)
    elif len(text) > MAX_QUESTION_CHARS:
        await say(app, incoming, "too_long", words.TOO_LONG)
    else:
        queue_full = StoredReply(
            outcome=Outcome.NOTICE, parts=(Part(words.QUEUE_FULL),), reason="queue_full"
        )
        await app.inbox.accept_question(incoming, text, queue_full)


async def explain(message: Message, app: App, incoming: Incoming) -> None:
    """Says what the bot reads, to voices, pictures, stickers and unknown commands."""
    del message
    await say(app, incoming, "not_a_question", texts(incoming.language).NOT_A_QUESTION)


def _storable(text: str) -> str:
    """`text` without what no database takes: NULs and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8").strip()
