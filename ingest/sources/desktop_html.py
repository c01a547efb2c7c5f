"""Reads exports of Telegram Desktop in their HTML form: ``messages.html``, ``messages2.html``...

It says less than the JSON form. What is not in it stays unknown: the channel's id and name,
ids of senders and of forwards' origins, times of edits, sizes of files, what a mark of the type
``mention_name`` or ``custom_emoji`` points at, and the time of service messages, which are
therefore skipped. Everything else reads the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path

from ingest.errors import BadExport
from ingest.sources.desktop_html_message import HtmlMessageReader
from ingest.sources.desktop_html_tree import MessagePage
from ingest.sources.desktop_json import ReadSoFar
from ingest.sources.desktop_json_events import (
    ChannelEnded,
    ChannelStarted,
    ExportEvent,
    MessageSkipped,
)
from ingest.sources.desktop_json_inference import SeenIds, with_albums
from ingest.types import Channel, ChannelId, Message

_PAGE = re.compile(r"messages(\d*)\.html$")
_CHUNK_CHARS = 65_536

_NO_ID_BASE = 10**15
"""Far below every id of Telegram's: channels whose id an export does not tell."""


def find_html_pages(folder: Path) -> list[Path]:
    """The pages of one chat's export, in their order; none: it is no HTML export."""
    found = [(int(m[1] or 1), path) for path in folder.glob("messages*.html")
             if (m := _PAGE.match(path.name))]  # fmt: skip
    return [path for _, path in sorted(found)]


def read_html_export(
    folder: Path,
    *,
    zone: tzinfo,
    so_far: ReadSoFar | None = None,
    known: Callable[[str], Channel | None] = lambda _: None,
) -> Iterator[ExportEvent]:
    """Everything that an HTML export of one chat holds, a message at a time.

    Args:
        folder: Where its pages are.
        zone: The zone of the machine that exported: pages have its local times.
        so_far: Filled with how far it is read, a page at a time.
        known: The channel of a title, if the archive holds it already. Else it gets an id of
            its own, made of its title, and its posts have no links unless it has a username.

    Raises:
        BadExport: There is nothing to read, or the rest of it cannot be read.
    """
    pages = find_html_pages(folder)
    if not pages:
        raise BadExport(folder, "has no messages.html in it; give the folder of one chat's export")
    first = MessagePage()
    channel: Channel | None = None
    for chunk in _chunks(pages[0]):
        first.feed(chunk)
        if first.title is not None:
            channel = known(first.title) or nameless_channel(first.title)
            break
    if channel is None:
        raise BadExport(pages[0], "is not a page of a Telegram Desktop export: it names no chat")
    yield ChannelStarted(channel=channel, type="html")
    yield from with_albums(_messages(pages, channel, zone, so_far or ReadSoFar()))
    yield ChannelEnded(channel=channel)


def nameless_channel(title: str) -> Channel:
    """A channel of which only the title is known; its negative id gives no links."""
    digest = hashlib.blake2b(title.encode("utf-8", "replace"), digest_size=6).digest()
    return Channel(channel_id=ChannelId(-_NO_ID_BASE - int.from_bytes(digest, "big")), title=title)


def _messages(
    pages: list[Path], channel: Channel, zone: tzinfo, so_far: ReadSoFar
) -> Iterator[Message | MessageSkipped]:
    reader, seen = HtmlMessageReader(channel, zone), SeenIds()
    for path in pages:
        page = MessagePage()
        offset = 0
        for chunk in _chunks(path):
            page.feed(chunk)
            offset += len(chunk)
            for node in page.take():
                event = reader.read(node, offset=offset)
                if isinstance(event, Message) and not seen.is_new(event.message_id):
                    event = MessageSkipped(
                        reason="duplicate_id", message_id=event.message_id, offset=offset
                    )
                if event is not None:
                    yield event
        so_far.count_bytes += path.stat().st_size


def _chunks(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as file:
            while chunk := file.read(_CHUNK_CHARS):
                yield chunk
    except OSError as error:
        raise BadExport(
            path, f"cannot be read: {error.strerror or 'input/output error'}"
        ) from error
