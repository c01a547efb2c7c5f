"""When a handler fails: the sender hears of it, or Telegram keeps the message."""

from __future__ import annotations

from typing import Any

import structlog
from aiogram.dispatcher.event.bases import UNHANDLED
from aiogram.types import ErrorEvent

from bot.access import incoming_of
from bot.handlers.notices import say
from bot.polling import STORAGE_ERRORS
from bot.redaction import where
from bot.services import App
from bot.texts import texts
from ingest.errors import ArchiveError

log = structlog.get_logger(__name__)


async def tell_the_sender(event: ErrorEvent, app: App) -> Any:
    """Answers with a plain sentence; storage errors go on, so that the update comes again."""
    error, message = event.exception, event.update.message
    if isinstance(error, STORAGE_ERRORS):
        return UNHANDLED
    log.error("handler.failed", error=type(error).__name__, at=where(error))
    incoming = message and incoming_of(event.update.update_id, message, app.settings)
    if incoming:
        words = texts(incoming.language)
        is_archive = isinstance(error, ArchiveError)
        text = words.ARCHIVE_UNAVAILABLE if is_archive else words.SOMETHING_BROKE
        await say(app, incoming, "failed", text)
    return None
