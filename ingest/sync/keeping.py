"""Stores what a page holds; a post that the database refuses does not hold up the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import DataError, IntegrityError, InterfaceError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.documents.extracting import is_readable
from ingest.sources.telegram_types import Page, Poison
from ingest.store.documents import note_files
from ingest.store.syncing import Followed, add_gap, clear_failures, note_failures
from ingest.store.writing import Stored, store_channel, store_messages
from ingest.types import Channel, ChannelId, Message, MessageKind

_REFUSED = (
    DataError,
    IntegrityError,
    InterfaceError,
    ValueError,
    TypeError,
    OverflowError,
)
"""The message's fault. A full disk (OperationalError) is not, and stops everything."""


@dataclass(slots=True)
class Kept:
    """What became of some posts."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    failed: int = 0

    @property
    def read(self) -> int:
        """Posts that were read and stored, new or not."""
        return self.added + self.updated + self.unchanged

    @property
    def changed(self) -> int:
        """Posts that the index may have to look at."""
        return self.added + self.updated + self.deleted

    def add(self, other: Kept) -> None:
        """Counts another lot in."""
        self.added += other.added
        self.updated += other.updated
        self.unchanged += other.unchanged
        self.deleted += other.deleted
        self.failed += other.failed


async def keep_page(
    connection: AsyncConnection, followed: Followed, page: Page, *, now: datetime
) -> Kept:
    """Stores a page's posts as they are now, in the caller's transaction; poison is recorded."""
    channel_id = followed.channel_id
    if page.channel is not None and not _is_same(page.channel, followed.channel):
        await store_channel(connection, page.channel, now=now)
    stored, refused = await _store(connection, channel_id, page.messages, now)
    poison = (*page.poison, *refused)
    await note_failures(connection, channel_id, poison, now=now)
    bad = {one.message_id for one in poison}
    await note_files(connection, channel_id, [m for m in page.messages if _has_text_file(m)])
    good = [m.message_id for m in page.messages if m.message_id not in bad]
    certain = page.empty if page.is_certain else ()
    await clear_failures(connection, channel_id, [*good, *certain])
    return Kept(
        added=stored.added,
        updated=stored.updated,
        unchanged=stored.unchanged,
        failed=len(poison),
    )


async def note_missing(
    connection: AsyncConnection, followed: Followed, page: Page, *, after: int, now: datetime
) -> None:
    """Records which ids a page of history passed over, if any: they are looked at later."""
    # A basic group's ids are shared with the account's other chats, so holes mean nothing.
    if page.is_certain or followed.channel_id < 0:
        return
    present = page.ids - set(page.empty)
    # From both ends: in between there can be millions of ids.
    first = next((i for i in range(after + 1, page.last_id + 1) if i not in present), None)
    if first is not None:
        last = next(i for i in range(page.last_id, after, -1) if i not in present)
        ids = (first, last)
        await add_gap(connection, followed.channel_id, ids, reason="missing", now=now)


def _has_text_file(message: Message) -> bool:
    carried = message.attachment
    is_file = message.kind is MessageKind.FILE and carried is not None
    return is_file and carried is not None and is_readable(carried.file_name)


def _is_same(told: Channel, known: Channel) -> bool:
    # A name that the channel gave up stays with it until somebody else takes it.
    username = told.username or known.username
    return (told.title, username, told.visibility, told.kind) == (
        known.title,
        known.username,
        known.visibility,
        known.kind,
    )


async def _store(
    connection: AsyncConnection, channel_id: ChannelId, batch: Sequence[Message], now: datetime
) -> tuple[Stored, list[Poison]]:
    if not batch:
        return Stored(), []
    try:
        async with connection.begin_nested():
            stored = await store_messages(connection, channel_id, batch, now=now, is_current=True)
            return stored, []
    except StatementError as error:
        if not isinstance(error, _REFUSED) and not isinstance(error.orig, _REFUSED):
            raise
    except _REFUSED:
        pass
    return await _store_singly(connection, channel_id, batch, now)


async def _store_singly(
    connection: AsyncConnection, channel_id: ChannelId, batch: Sequence[Message], now: datetime
) -> tuple[Stored, list[Poison]]:
    total, refused = Stored(), list[Poison]()
    for message in batch:
        try:
            async with connection.begin_nested():
                one = await store_messages(
                    connection, channel_id, [message], now=now, is_current=True
                )
        except (StatementError, *_REFUSED) as error:
            cause = error.orig if isinstance(error, StatementError) and error.orig else error
            if not isinstance(error, _REFUSED) and not isinstance(cause, _REFUSED):
                raise
            reason = f"cannot be stored: {type(cause).__name__}"
            refused.append(Poison(message.message_id, reason))
        else:
            total.added += one.added
            total.updated += one.updated
            total.unchanged += one.unchanged
    return total, refused
