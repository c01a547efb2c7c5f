"""Finds where else the archive has a post: its forwards, its origin's, and its copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Row, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.copies import near_texts, parts
from ingest.store.engine import Database
from ingest.store.models import copy_marks, messages
from ingest.types import ChannelId, MessageId, MessageRef

NEAR_FOR = timedelta(days=7)
"""Near-copies are spread within days. A post that is worded like another one weeks later is
a new one from the same template: the next storm, the next month's results."""

MAX_COPIES = 50
"""Places of a post that are told, the earliest first."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A live post with its marks."""

    ref: MessageRef
    posted_at: datetime
    text_key: int | None
    origin: MessageRef | None

    @property
    def source(self) -> MessageRef:
        """The post that forwards of it name."""
        return self.origin or self.ref


class Stories:
    """The read side of what `Copies` writes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def copies(
        self, refs: Collection[MessageRef], channels: Collection[ChannelId] | None
    ) -> dict[MessageRef, tuple[MessageRef, ...]]:
        """The other live posts that tell the same as each of some posts, earliest first.

        Args:
            channels: Only posts of these; None: of all.

        Returns:
            Copies and forwards, by post; posts without any are absent.
        """
        if not refs:
            return {}
        async with self._database.reading() as connection:
            wanted_refs = set(refs)
            asked = [p for p in await _places(connection, _among(refs)) if p.ref in wanted_refs]
            keys = {one.text_key for one in asked if one.text_key is not None}
            near = await near_texts(connection, keys)
            wanted = keys.union(*near.values())
            sources = {one.source for one in asked}
            found = {*asked, *await _places(connection, _with_text(wanted))}
            found.update(
                place
                for place in await _places(connection, _with_origin(sources, wanted_refs))
                if place.source in sources
            )
        if channels is not None:
            found = {place for place in found if place.ref.channel_id in channels}
        return _by_post(asked, found, near)


def _by_post(
    asked: Iterable[_Place], found: Collection[_Place], near: Mapping[int, Collection[int]]
) -> dict[MessageRef, tuple[MessageRef, ...]]:
    by_text: defaultdict[int | None, list[_Place]] = defaultdict(list)
    by_source: defaultdict[MessageRef, list[_Place]] = defaultdict(list)
    for place in found:
        by_text[place.text_key].append(place)
        by_source[place.source].append(place)
    copies = {}
    for one in asked:
        others = set(by_source[one.source])
        if one.text_key is not None:
            others.update(by_text[one.text_key])
            for key in near.get(one.text_key, ()):
                others.update(p for p in by_text[key] if _is_soon(one, p))
        others.discard(one)
        earliest = sorted(others, key=lambda place: (place.posted_at, place.ref))
        if earliest:
            copies[one.ref] = tuple(place.ref for place in earliest[:MAX_COPIES])
    return copies


def _is_soon(one: _Place, other: _Place) -> bool:
    return abs(one.posted_at - other.posted_at) <= NEAR_FOR


async def _places(
    connection: AsyncConnection, conditions: Iterable[ColumnElement[bool]]
) -> list[_Place]:
    found: list[_Place] = []
    for condition in conditions:
        found += [_place(row) for row in await connection.execute(_PLACES.where(condition))]
    return found


_PLACES: Select[tuple[int, int, int, int, int, datetime]] = (
    select(copy_marks, messages.c.posted_at)
    .join(
        messages,
        (messages.c.channel_id == copy_marks.c.channel_id)
        & (messages.c.message_id == copy_marks.c.message_id),
    )
    .where(messages.c.deleted_at.is_(None))
)


def _among(refs: Iterable[MessageRef]) -> Iterable[ColumnElement[bool]]:
    for some in parts(refs):
        yield _are(copy_marks.c.channel_id, copy_marks.c.message_id, some)


def _with_text(keys: Iterable[int]) -> Iterable[ColumnElement[bool]]:
    for some in parts(keys):
        yield copy_marks.c.text_key.in_(some)


def _with_origin(
    sources: Collection[MessageRef], known: Collection[MessageRef]
) -> Iterable[ColumnElement[bool]]:
    """The originals that are not known yet, and all forwards."""
    for some in parts(source for source in sources if source not in known):
        yield _are(copy_marks.c.channel_id, copy_marks.c.message_id, some)
    for some in parts(sources):
        yield _are(copy_marks.c.origin_channel_id, copy_marks.c.origin_message_id, some)


def _are(
    channel: ColumnElement[int], message: ColumnElement[int], refs: Collection[MessageRef]
) -> ColumnElement[bool]:
    """Every pairing of the channels and ids: a superset, but SQLite scans for pairs of values."""
    return channel.in_({ref.channel_id for ref in refs}) & message.in_(
        {ref.message_id for ref in refs}
    )


def _place(row: Row[tuple[int, int, int, int, int, datetime]]) -> _Place:
    origin = None
    if row.origin_channel_id is not None and row.origin_message_id is not None:
        origin = MessageRef(ChannelId(row.origin_channel_id), MessageId(row.origin_message_id))
    return _Place(
        ref=MessageRef(ChannelId(row.channel_id), MessageId(row.message_id)),
        posted_at=row.posted_at,
        text_key=row.text_key,
        origin=origin,
    )
