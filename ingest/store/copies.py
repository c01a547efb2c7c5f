"""What the archive knows of copies: the texts' keys, their bands, and pairs of near-copies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ingest.store.engine import Database
from ingest.store.models import copy_bands, copy_marks, near_copies
from ingest.types import ChannelId, MessageId, MessageRef

_T = TypeVar("_T")

_AT_ONCE = 400
"""Values in one statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyMark:
    """What a post shares with its copies.

    Attributes:
        text_key: See `ingest.text.fingerprint.text_key`; None: its text is too short.
        origin: The post that it is a forward of.
    """

    ref: MessageRef
    text_key: int | None
    origin: MessageRef | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshText:
    """A text that was not known before.

    Attributes:
        bands: See `ingest.text.bands.bands`.
        near: Keys of texts that are near-copies of it.
    """

    key: int
    bands: tuple[int, ...]
    near: frozenset[int]


class Copies:
    """The write side: for the one process that drains the outbox."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, keys: Collection[int]) -> set[int]:
        """Which of some texts were compared with the others before."""
        query = select(copy_marks.c.text_key).distinct()
        found: set[int] = set()
        async with self._database.reading() as connection:
            for some in parts(keys):
                rows = await connection.execute(query.where(copy_marks.c.text_key.in_(some)))
                found.update(rows.scalars())
        return found

    async def holders(self, bands: Collection[int], *, at_most: int) -> dict[int, list[int]]:
        """The texts that have each of some bands; a band of more than `at_most` tells nothing."""
        found: defaultdict[int, list[int]] = defaultdict(list)
        async with self._database.reading() as connection:
            for some in parts(bands):
                rows = await connection.execute(
                    select(copy_bands).where(copy_bands.c.band.in_(some))
                )
                for band, key in rows:
                    found[band].append(key)
        return {band: keys for band, keys in found.items() if len(keys) <= at_most}

    async def near(self, keys: Collection[int]) -> dict[int, set[int]]:
        """The near-copies of some texts; those without any are absent."""
        async with self._database.reading() as connection:
            return await near_texts(connection, keys)

    async def posts(self, keys: Collection[int]) -> dict[int, list[MessageRef]]:
        """The posts of each of some texts; some may be deleted by now."""
        found: defaultdict[int, list[MessageRef]] = defaultdict(list)
        async with self._database.reading() as connection:
            for some in parts(keys):
                rows = await connection.execute(
                    select(copy_marks).where(copy_marks.c.text_key.in_(some))
                )
                for row in rows:
                    ref = MessageRef(ChannelId(row.channel_id), MessageId(row.message_id))
                    found[row.text_key].append(ref)
        return dict(found)

    async def file(
        self, marks: Sequence[CopyMark], gone: Collection[MessageRef], texts: Sequence[FreshText]
    ) -> None:
        """Writes down the marks of some posts anew, and what is known of texts that are new.

        Args:
            gone: Posts that have no marks any more. Texts that no post has are forgotten.
        """
        async with self._database.writing() as connection:
            refs = [*(mark.ref for mark in marks), *gone]
            left = await _take_out(connection, refs)
            if marks:
                await connection.execute(insert(copy_marks), [_row(mark) for mark in marks])
            await _add_texts(connection, texts)
            await _forget_texts(connection, left)


async def near_texts(connection: AsyncConnection, keys: Collection[int]) -> dict[int, set[int]]:
    """The near-copies of some texts; those without any are absent."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for some in parts(keys):
        rows = await connection.execute(
            select(near_copies).where(near_copies.c.text_key.in_(some))
        )
        for key, other in rows:
            found[key].add(other)
    return dict(found)


async def _take_out(connection: AsyncConnection, refs: Sequence[MessageRef]) -> set[int]:
    """Removes marks; the keys of texts that they had."""
    keys: set[int] = set()
    by_channel: defaultdict[ChannelId, list[MessageId]] = defaultdict(list)
    for ref in refs:
        by_channel[ref.channel_id].append(ref.message_id)
    for channel_id, ids in by_channel.items():
        for some in parts(ids):
            in_channel = copy_marks.c.channel_id == channel_id
            these = in_channel & copy_marks.c.message_id.in_(some)
            rows = await connection.execute(select(copy_marks.c.text_key).where(these))
            keys.update(key for key in rows.scalars() if key is not None)
            await connection.execute(delete(copy_marks).where(these))
    return keys


async def _add_texts(connection: AsyncConnection, texts: Sequence[FreshText]) -> None:
    """Adds bands and pairs. Marks and texts share a transaction, so none is there twice."""
    bands = [{"band": band, "text_key": text.key} for text in texts for band in text.bands]
    if bands:
        await connection.execute(insert(copy_bands), bands)
    pairs = {(text.key, other) for text in texts for other in text.near}
    pairs |= {(other, key) for key, other in pairs}
    if pairs:
        rows = [{"text_key": key, "other_key": other} for key, other in pairs]
        await connection.execute(insert(near_copies), rows)


async def _forget_texts(connection: AsyncConnection, keys: Collection[int]) -> None:
    still: set[int] = set()
    for some in parts(keys):
        rows = await connection.execute(
            select(copy_marks.c.text_key).where(copy_marks.c.text_key.in_(some))
        )
        still.update(rows.scalars())
    for some in parts(set(keys) - still):
        # Without an index by text: posts go rarely, and it would double the table.
        await connection.execute(delete(copy_bands).where(copy_bands.c.text_key.in_(some)))
        await connection.execute(delete(near_copies).where(near_copies.c.text_key.in_(some)))
        await connection.execute(delete(near_copies).where(near_copies.c.other_key.in_(some)))


def _row(mark: CopyMark) -> dict[str, int | None]:
    return {
        "channel_id": mark.ref.channel_id,
        "message_id": mark.ref.message_id,
        "text_key": mark.text_key,
        "origin_channel_id": mark.origin.channel_id if mark.origin else None,
        "origin_message_id": mark.origin.message_id if mark.origin else None,
    }


def parts(values: Iterable[_T]) -> Iterator[list[_T]]:
    """Values in lots that fit into one statement."""
    every = list(values)
    for start in range(0, len(every), _AT_ONCE):
        yield every[start : start + _AT_ONCE]
