"""Stores messages: what is new is added, what changed makes a version, nothing is erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.forgetting import without_forgotten
from ingest.store.merging import current_changes, is_edit
from ingest.store.models import channels, message_versions, messages
from ingest.store.queueing import enqueue
from ingest.store.rows import Values, message_values
from ingest.types import Channel, ChannelId, Message


@dataclass(slots=True)
class Stored:
    """How many messages of a batch were new, changed, and as they were."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0


@dataclass(slots=True)
class _Changes:
    new: list[Values] = field(default_factory=list)
    changed: list[tuple[Values, Values]] = field(default_factory=list)
    versions: list[Values] = field(default_factory=list)
    to_index: list[tuple[int, bool]] = field(default_factory=list)
    """Message ids, and whether they are new."""


# A change in one of these has to reach the index; views and reactions do not.
_INDEXED = ("content_hash", "posted_at", "author", "lang", "kind", "deleted_at")


async def store_channel(connection: AsyncConnection, channel: Channel, *, now: datetime) -> None:
    """Adds a channel, or brings its title and name up to date; a known username is kept."""
    known = (
        await connection.execute(
            select(channels).where(channels.c.channel_id == channel.channel_id)
        )
    ).one_or_none()
    values = {
        "title": channel.title,
        "visibility": channel.visibility.value,
        "kind": channel.kind,
    }
    if channel.username:
        values["username"] = channel.username
        await (
            connection.execute(  # a name that moved to another channel is no longer the old one's
                update(channels)
                .where(channels.c.username == channel.username)
                .where(channels.c.channel_id != channel.channel_id)
                .values(username=None)
            )
        )
    if known is None:
        key = {"channel_id": channel.channel_id, "added_at": now}
        await connection.execute(insert(channels).values(**key, **values))
    else:
        await connection.execute(
            update(channels).where(channels.c.channel_id == channel.channel_id).values(**values)
        )


async def store_messages(
    connection: AsyncConnection,
    channel_id: ChannelId,
    batch: Sequence[Message],
    *,
    now: datetime,
    is_current: bool = False,
) -> Stored:
    """Stores a batch of one channel, and what the index has to learn, in the caller's transaction.

    Storing the same batch again changes nothing.

    Args:
        is_current: The batch is what Telegram shows at this moment, not some older export: it
            wins over whatever is stored, and a post thought deleted is back.
    """
    wanted = await without_forgotten(connection, channel_id, batch)
    incoming = {message.message_id: message_values(message) for message in wanted}
    known = await _known(connection, channel_id, list(incoming))
    changes = _Changes()
    for message_id, values in incoming.items():
        stored = known.get(message_id)
        if stored is None:
            changes.new.append(values)
            changes.to_index.append((message_id, True))
        else:
            _merge(stored, values, changes, now, is_current=is_current)
    await _write(connection, channel_id, changes)
    count_repeated = len(batch) - len(incoming)
    return Stored(
        added=len(changes.new),
        updated=len(changes.changed),
        unchanged=len(incoming) - len(changes.new) - len(changes.changed) + count_repeated,
    )


async def _known(
    connection: AsyncConnection, channel_id: ChannelId, ids: Sequence[int]
) -> dict[int, Values]:
    rows = await connection.execute(
        select(messages)
        .where(messages.c.channel_id == channel_id)
        .where(messages.c.message_id.in_(ids))
    )
    return {row.message_id: dict(row._mapping) for row in rows}


def _merge(
    stored: Values, incoming: Values, changes: _Changes, now: datetime, *, is_current: bool
) -> None:
    if is_current:
        _note(stored, current_changes(stored, incoming), changes, now)
        return
    if _is_older(incoming, stored):
        # An older state of a post that changed since: it is history, not news.
        if incoming["content_hash"] != stored["content_hash"]:
            changes.versions.append(_version(incoming, now))
        incoming = {key: value for key, value in incoming.items() if stored.get(key) is None}
    changed = {
        key: value for key, value in incoming.items() if value is not None and value != stored[key]
    }
    if isinstance(stored["attachment"], dict) and "attachment" in changed:
        merged = {**stored["attachment"], **changed["attachment"]}
        if merged == stored["attachment"]:
            del changed["attachment"]
        else:
            changed["attachment"] = merged
    _note(stored, changed, changes, now)


def _note(stored: Values, changed: Values, changes: _Changes, now: datetime) -> None:
    if not changed:
        return
    if is_edit(stored, changed):
        changes.versions.append(_version(stored, now))
    changes.changed.append((stored, changed))
    if any(key in changed for key in _INDEXED):
        changes.to_index.append((stored["message_id"], False))


def _is_older(incoming: Values, stored: Values) -> bool:
    """Whether `incoming` was seen before an edit that is stored already."""
    if stored["edited_at"] is None:
        return False
    return incoming["edited_at"] is None or incoming["edited_at"] < stored["edited_at"]


def _version(values: Values, now: datetime) -> Values:
    kept = ("channel_id", "message_id", "text", "entities", "attachment", "edited_at")
    version = {key: values[key] for key in kept}
    return {**version, "content_hash": values["content_hash"], "recorded_at": now}


async def _write(connection: AsyncConnection, channel_id: ChannelId, changes: _Changes) -> None:
    if changes.new:
        await connection.execute(insert(messages), changes.new)
    for stored, changed in changes.changed:
        await connection.execute(
            update(messages)
            .where(messages.c.channel_id == channel_id)
            .where(messages.c.message_id == stored["message_id"])
            .values(**changed)
        )
    for version in changes.versions:
        await _add_version(connection, version)
    await enqueue(connection, channel_id, changes.to_index)


async def _add_version(connection: AsyncConnection, version: dict[str, Any]) -> None:
    """Adds an earlier text unless it is known."""
    same = (
        select(message_versions.c.version_id)
        .where(message_versions.c.channel_id == version["channel_id"])
        .where(message_versions.c.message_id == version["message_id"])
        .where(message_versions.c.content_hash == version["content_hash"])
    )
    if (await connection.execute(same)).first() is None:
        await connection.execute(insert(message_versions).values(**version))
