"""The outline of an export: one chat, or an account's list of chats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo

from ingest.sources.desktop_json_events import (
    ChannelEnded,
    ChannelStarted,
    ExportEvent,
    MessageSkipped,
)
from ingest.sources.desktop_json_header import (
    is_ours,
    is_personal,
    may_be_shifted,
    read_channel,
)
from ingest.sources.desktop_json_inference import SeenIds, Topics, with_albums
from ingest.sources.desktop_json_message import MessageReader
from ingest.sources.desktop_json_scanner import DamagedJson, JsonScanner
from ingest.sources.desktop_json_values import JsonObject, as_object, as_text, loads
from ingest.types import Channel, Message

_HEADER = frozenset({"name", "type", "id", "citegram"})
_OPEN_OBJECT, _OPEN_ARRAY = b"{["
_NEEDED = frozenset({"name", "type", "id"})
_LISTS_OF_CHATS = frozenset({"chats", "left_chats"})


@dataclass(slots=True)
class _Tally:
    channels: int = 0
    personal_chats: int = 0
    unknown_chats: int = 0


class ChatReader:
    """Reads one file's chats from its outline."""

    def __init__(self, scanner: JsonScanner, zone: tzinfo) -> None:
        self._scanner = scanner
        self._zone = zone
        self._tally = _Tally()

    def read(self) -> Iterator[ExportEvent]:
        """All events of the file.

        Raises:
            DamagedJson: The outline is broken; all that stands before has been yielded.
        """
        yield from self._read_chat(is_root=True)
        if self._scanner.peek() is not None:
            why = "goes on after its end: two files may have been joined into one"
            raise DamagedJson(why, offset=self._scanner.offset)

    def why_nothing(self) -> str | None:
        """Why the file, read to its end, held no channel; None if it held one."""
        if self._tally.channels:
            return None
        if self._tally.personal_chats:
            return "holds personal chats only, which are never read: export a channel or a group"
        if self._tally.unknown_chats:
            return "does not say which channel its messages belong to: it has no type or no id"
        return "is not an export of Telegram Desktop: it has no messages"

    def _read_chat(self, *, is_root: bool) -> Iterator[ExportEvent]:
        header: JsonObject = {}
        for name in self._members():
            key = _decoded(name)
            if key in _HEADER:
                self._take_header(header, key)
            elif key == "messages":
                self._look_ahead(header)
                yield from self._read_messages(header)
            elif is_root and key in _LISTS_OF_CHATS:
                yield from self._read_chats()
            else:
                self._scanner.skip()

    def _read_chats(self) -> Iterator[ExportEvent]:
        for name in self._members():
            if _decoded(name) == "list" and self._scanner.peek() == _OPEN_ARRAY:
                for _ in self._scanner.items():
                    yield from self._read_chat(is_root=False)
            else:
                self._scanner.skip()

    def _members(self) -> Iterator[bytes]:
        """The names of the object that begins here; nothing of any other value."""
        if self._scanner.peek() == _OPEN_OBJECT:
            yield from self._scanner.members()
        else:
            self._scanner.skip()

    def _take_header(self, header: JsonObject, key: str) -> None:
        raw = self._scanner.take()
        try:
            header[key] = None if raw is None else loads(raw)
        except ValueError:
            header[key] = None

    def _look_ahead(self, header: JsonObject) -> None:
        """Completes a header that goes on after the messages; Desktop writes it before."""
        if header.keys() >= _NEEDED or is_personal(header):
            return
        messages_at = self._scanner.offset
        try:
            self._scanner.skip()
            for name in self._scanner.members_left():
                key = _decoded(name)
                if key in _HEADER and key not in header:
                    self._take_header(header, key)
                else:
                    self._scanner.skip()
        except DamagedJson:
            # Its place is told when the reading itself comes there.
            pass
        self._scanner.seek(messages_at)

    def _read_messages(self, header: JsonObject) -> Iterator[ExportEvent]:
        if self._scanner.peek() != _OPEN_ARRAY:
            raise DamagedJson("has messages that are not a list", offset=self._scanner.offset)
        is_shifted = may_be_shifted(header) and self._is_old()
        channel = read_channel(header, is_shifted=is_shifted)
        if channel is None:
            yield from self._pass_over(header)
            return
        self._tally.channels += 1
        yield ChannelStarted(channel=channel, type=str(header["type"]))
        messages = _Messages(self._scanner, channel, self._zone)
        # Our own exports say what albums and topics there are: nothing is to be guessed.
        if is_ours(header):
            yield from messages.told()
        else:
            yield from messages.inferred()
        yield ChannelEnded(channel=channel)

    def _is_old(self) -> bool:
        """Whether the messages that begin here are of the time of ids with high bits."""
        messages_at = self._scanner.offset
        first: JsonObject = {}
        try:
            for _ in self._scanner.items():
                first = as_object(loads(self._scanner.take() or b"{}"))
                break
        except (DamagedJson, ValueError):
            first = {}
        self._scanner.seek(messages_at)
        return "date" in first and "date_unixtime" not in first

    def _pass_over(self, header: JsonObject) -> Iterator[MessageSkipped]:
        if is_personal(header):
            reason = "personal_chat"
            self._tally.personal_chats += 1
        else:
            reason = "unknown_chat"
            self._tally.unknown_chats += 1
        for offset in self._scanner.items():
            self._scanner.skip()
            yield MessageSkipped(reason=reason, message_id=None, offset=offset)


class _Messages:
    """The events of one ``messages`` list, which begins at the scanner's position."""

    def __init__(self, scanner: JsonScanner, channel: Channel, zone: tzinfo) -> None:
        self._scanner = scanner
        self._reader = MessageReader(channel, zone)
        self._seen = SeenIds()

    def told(self) -> Iterator[Message | MessageSkipped]:
        """One event for each element, with what the element itself says."""
        for offset in self._scanner.items():
            is_object = self._scanner.peek() == _OPEN_OBJECT
            raw = self._scanner.take()
            if raw is None:
                yield MessageSkipped(reason="too_large", message_id=None, offset=offset)
            elif not is_object:
                yield MessageSkipped(reason="not_an_object", message_id=None, offset=offset)
            else:
                yield self._event(raw, offset)

    def inferred(self) -> Iterator[Message | MessageSkipped]:
        """The same, with albums and topics found by what the messages have in common."""
        topics = Topics()
        return with_albums(
            topics.with_topic(event) if isinstance(event, Message) else event
            for event in self.told()
        )

    def _event(self, raw: bytes, offset: int) -> Message | MessageSkipped:
        try:
            told = loads(raw)
        except ValueError:
            return MessageSkipped(reason="bad_json", message_id=None, offset=offset)
        event = self._reader.read(as_object(told), offset=offset)
        if isinstance(event, Message) and not self._seen.is_new(event.message_id):
            number = event.message_id
            return MessageSkipped(reason="duplicate_id", message_id=number, offset=offset)
        return event


def _decoded(name: bytes) -> str | None:
    try:
        return as_text(loads(name))
    except ValueError:
        return None
