"""Telegram's events as hints: that something happened, where, and to which messages."""

from __future__ import annotations

from typing import Any

from telethon.tl import types

from ingest.sources.telegram_types import Hint, HintKind
from ingest.types import ChannelId

_OF_MESSAGES = {
    types.UpdateNewChannelMessage: HintKind.NEW,
    types.UpdateNewMessage: HintKind.NEW,
    types.UpdateEditChannelMessage: HintKind.EDITED,
    types.UpdateEditMessage: HintKind.EDITED,
}


def hint_of(update: Any) -> Hint | None:
    """The hint in an update; None if it is about nothing that an archive holds."""
    kind = _OF_MESSAGES.get(type(update))
    if kind is not None:
        channel_id = _channel_of(getattr(update.message, "peer_id", None))
        if channel_id is None:
            return None
        return Hint(kind=kind, channel_id=channel_id, ids=frozenset({update.message.id}))
    match update:
        case types.UpdateDeleteChannelMessages():
            return Hint(
                kind=HintKind.DELETED,
                channel_id=ChannelId(update.channel_id),
                ids=frozenset(update.messages),
            )
        case types.UpdateChannelTooLong() | types.UpdateChannel():
            return Hint(kind=HintKind.MISSED, channel_id=ChannelId(update.channel_id))
        case types.UpdatesTooLong():
            return Hint(kind=HintKind.MISSED)
    return None


def _channel_of(peer: Any) -> ChannelId | None:
    match peer:
        case types.PeerChannel():
            return ChannelId(peer.channel_id)
        case types.PeerChat():
            return ChannelId(-peer.chat_id)
    return None
