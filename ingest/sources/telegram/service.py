"""Telegram's service messages, under the names that its Desktop exports give them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from telethon.tl import types

from ingest.sources.desktop_json_values import as_text
from ingest.types import Attachment

# Source: SerializeMessage in tdesktop's export_output_json.cpp.
_ACTIONS: Mapping[type, str] = {
    types.MessageActionChatCreate: "create_group",
    types.MessageActionChatEditTitle: "edit_group_title",
    types.MessageActionChatEditPhoto: "edit_group_photo",
    types.MessageActionChatDeletePhoto: "delete_group_photo",
    types.MessageActionChatAddUser: "invite_members",
    types.MessageActionChatDeleteUser: "remove_members",
    types.MessageActionChatJoinedByLink: "join_group_by_link",
    types.MessageActionChatJoinedByRequest: "join_group_by_request",
    types.MessageActionChannelCreate: "create_channel",
    types.MessageActionChatMigrateTo: "migrate_to_supergroup",
    types.MessageActionChannelMigrateFrom: "migrate_from_group",
    types.MessageActionPinMessage: "pin_message",
    types.MessageActionHistoryClear: "clear_history",
    types.MessageActionGameScore: "score_in_game",
    types.MessageActionScreenshotTaken: "take_screenshot",
    types.MessageActionSetChatTheme: "edit_chat_theme",
    types.MessageActionGiftPremium: "send_premium_gift",
    types.MessageActionTopicCreate: "topic_created",
}
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def read_service(action: Any) -> Attachment:
    """What happened, and its text if it has one: a new title, say."""
    detail = getattr(action, "title", None) or getattr(action, "message", None)
    duration = getattr(action, "duration", None)
    return Attachment(
        action=_ACTIONS.get(type(action)) or _snake(type(action).__name__),
        detail=as_text(getattr(detail, "text", detail)),
        duration_s=duration if isinstance(duration, int) else None,
    )


def _snake(name: str) -> str:
    return _CAPITAL.sub("_", name.removeprefix("MessageAction")).lower()
