"""A channel of the loopback Telegram: messages by id, history windows, and a log of updates."""

from __future__ import annotations

import bisect
import json
import pathlib
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from telethon.tl import types as ty

from tests.peers.mtproto_export import export_message, parse_export_text
from tests.peers.mtproto_ids import stable_id, unix

if TYPE_CHECKING:
    from tests.peers.mtproto_server import MTProtoServer

MAX_HISTORY = 100  # the server-side cap on one getHistory page


@dataclass
class Channel:
    """One channel or supergroup: its messages by id, and the log behind getChannelDifference.

    Attributes:
        private: CHANNEL_PRIVATE for everybody.
        joined: Only joined channels push updates.
        folder: Where exported media files lie.
        peers: (kind, id) -> name, as seen in messages.
        events: (pts, pts_count, update).
        files: Photos and documents by id.
        local: Their exported files, where there are any.
        hidden: Ids that the history leaves out although they exist.
        invite: The hash of its invite link.
        linked: Its discussion group, or the channel that it discusses.
    """

    id: int
    title: str
    username: str | None = None
    megagroup: bool = False
    private: bool = False
    joined: bool = True
    about: str = ""
    participants: int = 1000
    folder: pathlib.Path | None = None
    pts: int = 1
    messages: dict[int, Any] = field(default_factory=dict)
    ids: list[int] = field(default_factory=list)
    peers: dict[tuple[str, int], str] = field(default_factory=dict)
    events: list[tuple[int, int, Any]] = field(default_factory=list)
    files: dict[int, Any] = field(default_factory=dict)
    local: dict[int, pathlib.Path] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    invite: str | None = None
    linked: Channel | None = None
    forum: bool = False
    server: MTProtoServer | None = None

    @property
    def access_hash(self) -> int:
        return stable_id("channel", self.id)

    def insert(self, message: Any) -> None:
        """Add a message that was there before the client looked (no update)."""
        if message.id not in self.messages:
            bisect.insort(self.ids, message.id)
        self.messages[message.id] = message

    def _note(self, update: Any, count: int = 1) -> None:
        self.pts += count
        update.pts, update.pts_count = self.pts, count
        self.events.append((self.pts, count, update))
        if self.server:
            self.server._push(self, update)

    def post(self, text: str = "", *, silent_push: bool = False, **extra: Any) -> Any:
        """A new post now; `extra` takes the keys of an export (``photo``, ``forwarded_from``)."""
        raw = {
            "id": (self.ids[-1] if self.ids else 0) + 1,
            "type": "message",
            "text": text,
            "date_unixtime": int(time.time()),
            **extra,
        }
        message = export_message(self, raw)
        self.insert(message)
        update = ty.UpdateNewChannelMessage(message, 0, 1)
        self._note(update) if not silent_push else self._quiet(update)
        return message

    def edit(self, message_id: int, text: str, **extra: Any) -> Any:
        message = self.messages[message_id]
        message.message, message.entities = parse_export_text(extra.get("text_entities") or text)
        message.entities = message.entities or None
        message.edit_date = int(extra.get("edited_unixtime") or time.time())
        self._note(ty.UpdateEditChannelMessage(message, 0, 1))
        return message

    def delete(self, *message_ids: int) -> None:
        gone = [i for i in message_ids if self.messages.pop(i, None) is not None]
        self.ids = [i for i in self.ids if i in self.messages]
        self._note(ty.UpdateDeleteChannelMessages(self.id, gone, 0, 0), len(gone))

    def _quiet(self, update: Any) -> None:
        """Advance pts without telling clients: the next push then shows them a gap."""
        server, self.server = self.server, None
        try:
            self._note(update)
        finally:
            self.server = server

    def window(self, req: Any, keep: Any = None) -> tuple[list[Any], int, int]:
        """The offset arithmetic of getHistory and search: page, total, offset_id_offset."""
        seen = [i for i in self.ids if i not in self.hidden] if self.hidden else self.ids
        ids = seen if keep is None else [i for i in self.ids if keep(self.messages[i])]
        total, limit = len(ids), min(max(req.limit, 0), MAX_HISTORY)
        offset_date = unix(getattr(req, "offset_date", None))
        if req.offset_id:
            newer = total - bisect.bisect_left(ids, req.offset_id)
        elif offset_date:
            newer = total - bisect.bisect_left(
                ids, offset_date, key=lambda i: self.messages[i].date
            )
        else:
            newer = 0
        start = newer + req.add_offset
        low, high = max(0, total - (start + limit)), max(0, min(total, total - start))
        page = ids[low:high][::-1]
        if req.max_id:
            page = [i for i in page if i < req.max_id]
        if req.min_id:
            page = [i for i in page if i > req.min_id]
        return [self.messages[i] for i in page], total, max(start, 0)

    def tl(self) -> ty.Channel:
        return ty.Channel(
            id=self.id,
            title=self.title,
            photo=ty.ChatPhotoEmpty(),
            date=1,
            access_hash=self.access_hash,
            username=self.username,
            broadcast=not self.megagroup,
            megagroup=self.megagroup,
            left=not self.joined,
            forum=self.forum,
            has_link=self.linked is not None,
            participants_count=self.participants,
        )


def load_export(
    source: pathlib.Path | str | dict[str, Any], *, username: str | None = None, **options: Any
) -> Channel:
    """A channel out of a Telegram Desktop JSON export (a path or the parsed dict).

    Desktop exports do not say which media belong to one album: neighbours with media, the same
    second and the same origin get one ``grouped_id`` here, unless the file has ``grouped_id``.
    """
    path = None if isinstance(source, dict) else pathlib.Path(source)
    data = source if path is None else json.loads(path.read_text("utf-8"))
    channel = Channel(
        id=int(data["id"]),
        title=data.get("name") or "?",
        username=username,
        megagroup="group" in data.get("type", ""),
        folder=path.parent if path else None,
        **options,
    )
    previous: Any = None
    for written in data["messages"]:
        raw = dict(written)
        has_media = (
            raw.get("type") == "message"
            and ("photo" in raw or "file" in raw)
            and raw.get("media_type") != "sticker"
        )
        same = (raw.get("date_unixtime"), raw.get("forwarded_from"), raw.get("from_id"))
        if has_media and previous and previous[0] == same and "grouped_id" not in raw:
            raw["grouped_id"] = previous[1].grouped_id = previous[1].grouped_id or stable_id(
                channel.id, "album", previous[1].id
            )
        message = export_message(channel, raw)
        channel.insert(message)
        previous = (same, message) if has_media else None
    channel.pts = len(channel.ids) + 1
    return channel
