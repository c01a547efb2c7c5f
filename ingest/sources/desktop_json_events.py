"""What reading an export yields, in the file's own order."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.types import Channel, Message


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelStarted:
    """A channel begins; what follows, up to the next event of this type, belongs to it.

    Attributes:
        type: The export's own word for the chat, e.g. ``public_supergroup``.
    """

    channel: Channel
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSkipped:
    """An element of the export that did not become a message, so that none is lost silently.

    Attributes:
        reason: A stable word: ``not_an_object``, ``bad_json``, ``too_large``, ``no_id``,
            ``bad_id``, ``duplicate_id``, ``before_migration`` (of the basic group that became
            this supergroup), ``bad_date``, ``unsupported`` (Desktop wrote nothing but its id),
            ``personal_chat``, ``unknown_chat``.
        offset: Where it begins, in bytes of the file (of its UTF-8 form, if it is UTF-16).
    """

    reason: str
    message_id: int | None
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelEnded:
    """A channel is complete; a damaged file's last channel never gets one."""

    channel: Channel


ExportEvent = ChannelStarted | Message | MessageSkipped | ChannelEnded
