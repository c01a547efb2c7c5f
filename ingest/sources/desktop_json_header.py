"""Which channel an export's chat is, by the keys that stand beside its messages."""

from __future__ import annotations

from ingest.sources.desktop_json_extras import FORMAT, channel_with_extras
from ingest.sources.desktop_json_values import JsonObject, as_count, as_object, as_text, unshifted
from ingest.types import Channel, ChannelId, Visibility

CHANNEL_TYPES = {
    "public_channel": ("channel", Visibility.PUBLIC),
    "private_channel": ("channel", Visibility.PRIVATE),
    "public_supergroup": ("supergroup", Visibility.PUBLIC),
    "private_supergroup": ("supergroup", Visibility.PRIVATE),
    "private_group": ("group", Visibility.PRIVATE),
}
"""The export's words for chats that are channels of ours.

Source: writeDialogStart in tdesktop's export_output_json.cpp, as is the next one.
"""

PERSONAL_TYPES = frozenset(
    {"personal_chat", "bot_chat", "saved_messages", "replies", "verification_codes"}
)
"""The export's words for chats that are nobody else's business."""


def is_personal(header: JsonObject) -> bool:
    """Whether the chat is a conversation of the account's owner."""
    return as_text(header.get("type")) in PERSONAL_TYPES


def may_be_shifted(header: JsonObject) -> bool:
    """Whether the id may be an old export's, with the kind of chat in its high bits."""
    number = as_count(header.get("id"))
    return number is not None and number != unshifted(number)


def read_channel(header: JsonObject, *, is_shifted: bool = False) -> Channel | None:
    """The channel; None when the chat is not one or does not tell its id."""
    known = CHANNEL_TYPES.get(as_text(header.get("type")) or "")
    number = as_count(header.get("id"))
    if known is None or not number:
        return None
    if is_shifted:
        number = unshifted(number)
    kind, visibility = known
    channel = Channel(
        channel_id=ChannelId(-number if kind == "group" else number),
        title=as_text(header.get("name")) or f"{kind} {number}",
        visibility=visibility,
        kind=kind,
    )
    return channel_with_extras(channel, as_object(header.get("citegram")))


def is_ours(header: JsonObject) -> bool:
    """Whether the export was written by citegram, which tells albums and topics itself."""
    return as_object(header.get("citegram")).get("format") == FORMAT
