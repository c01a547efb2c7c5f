"""Who is served: the owners and those whom they allow, in private chats, as themselves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import structlog
from aiogram import BaseMiddleware
from aiogram.enums import ChatType
from aiogram.types import Message, TelegramObject, Update

from bot.services import App
from bot.texts import language_of, texts
from bot.types import Incoming, Outcome, Part, StoredReply
from ingest.settings import Settings

STRANGERS_ARE_TOLD_EVERY = timedelta(days=1)
"""Often enough to be found again in the chat, too seldom to make the bot a nuisance."""

log = structlog.get_logger(__name__)


def may_ask(settings: Settings, user_id: int) -> bool:
    """Whether somebody is an owner or allowed by one."""
    return user_id in settings.owner_ids or user_id in settings.allowed_ids


def incoming_of(update_id: int, message: Message, settings: Settings) -> Incoming | None:
    """The message's sender and place; None unless a person wrote it in a private chat.

    Anonymous administrators and channels write under a made-up user: they are nobody we know.
    Source: core.telegram.org/bots/api#message, `from` and `sender_chat`.
    """
    user = message.from_user
    if message.chat.type != ChatType.PRIVATE or user is None or user.is_bot:
        return None
    if message.sender_chat is not None or message.is_automatic_forward:
        return None
    text = message.text or message.caption or ""
    return Incoming(
        update_id=update_id,
        chat_id=message.chat.id,
        message_id=message.message_id,
        user_id=user.id,
        sent_at=message.date,
        # The letters of a command say nothing about the sender's language.
        language=language_of(
            "" if text.startswith("/") else text,
            interface=user.language_code,
            setting=settings.language,
        ),
    )


class AccessMiddleware(BaseMiddleware):
    """Lets messages of known people through, as ``incoming``; tells others whom to ask."""

    async def __call__(
        self,
        handler: Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]],
        event: TelegramObject,
        data: dict[str, Any],
    ) -> Any:
        """Handles the message, or ends it here."""
        app, update = data["app"], data["event_update"]
        assert isinstance(app, App)
        assert isinstance(update, Update)
        assert isinstance(event, Message)
        incoming = incoming_of(update.update_id, event, app.settings)
        if incoming is None:
            return None
        if not may_ask(app.settings, incoming.user_id):
            log.info("access.denied", user=incoming.user_id)
            await app.inbox.accept_notice(
                incoming, _polite_no(incoming), not_again_for=STRANGERS_ARE_TOLD_EVERY
            )
            return None
        return await handler(event, {**data, "incoming": incoming})


def _polite_no(incoming: Incoming) -> StoredReply:
    text = texts(incoming.language).stranger(incoming.user_id)
    return StoredReply(outcome=Outcome.NOTICE, parts=(Part(text),), reason="stranger")
