"""Packs paragraphs into messages that Telegram takes, losing no word, link or half of an emoji."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aiogram.types import MessageEntity
from aiogram.utils.formatting import Text

from bot.types import Part

MAX_UNITS = 4096
"""UTF-16 units of one message's text. Source: core.telegram.org/bots/api#sendmessage."""

MAX_ENTITIES = 100
"""Telegram silently drops the formatting beyond it. Source: limits.tginfo.me."""

MAX_ENTITY_BYTES = 8_000
"""Of all entities together. Source: tdlib/telegram-bot-api #165: about 9500 are too many."""

_ENTITY_BYTES = 20  # an entity without its address, as MTProto writes it, rounded up
_BYTES_PER_UNIT = 2
_GAP = "\n\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, kept in one message if it fits into one.

    Attributes:
        tight: It follows the block before it on the next line, without an empty one between.
    """

    text: Text
    tight: bool = False


def units(text: str) -> int:
    """How long Telegram takes `text` to be: UTF-16 units."""
    return len(text.encode("utf-16-le")) // _BYTES_PER_UNIT


def split(blocks: Sequence[Block], *, max_units: int = MAX_UNITS) -> tuple[Part, ...]:
    """The blocks as messages, in order; no message begins or ends with white space.

    `max_units`, of one message, must be at least as long as the longest link's text.
    """
    parts: list[Part] = []
    current = Part("")
    for block in blocks:
        gap = "\n" if block.tight else _GAP
        for piece in _pieces(_rendered(block.text), max_units):
            joined = _joined(current, gap, piece)
            if current.text and not _fits(joined, max_units):
                parts.append(current)
                joined = piece
            current = joined
    return (*parts, current) if current.text else tuple(parts)


def _rendered(text: Text) -> Part:
    rendered, entities = text.render()
    return _stripped(Part(rendered, tuple(entities)))


def _fits(part: Part, max_units: int) -> bool:
    entity_bytes = sum(_ENTITY_BYTES + len(entity.url or "") for entity in part.entities)
    return (
        units(part.text) <= max_units
        and len(part.entities) <= MAX_ENTITIES
        and entity_bytes <= MAX_ENTITY_BYTES
    )


def _joined(first: Part, gap: str, second: Part) -> Part:
    if not first.text:
        return second
    shift = units(first.text) + len(gap)
    moved = tuple(
        entity.model_copy(update={"offset": entity.offset + shift}) for entity in second.entities
    )
    return Part(first.text + gap + second.text, first.entities + moved)


def _pieces(part: Part, max_units: int) -> Iterator[Part]:
    """`part` itself, or where it is too much for a message, cut at the best places."""
    while part.text and not _fits(part, max_units):
        at = _cut(part, max_units)
        yield _stripped(_slice(part, 0, at))
        part = _stripped(_slice(part, at, units(part.text)))
    if part.text:
        yield part


def _cut(part: Part, max_units: int) -> int:
    """Where to cut, in UTF-16 units: after a line, a sentence, a word, or anywhere at worst."""
    limit = _limit(part, max_units)
    raw = part.text.encode("utf-16-le")
    head = raw[: limit * _BYTES_PER_UNIT].decode("utf-16-le", "ignore")  # drops half an emoji
    for ending in ("\n", ". ", "! ", "? ", "… ", " "):
        at = head.rfind(ending)
        # A cut in the first half would leave nearly empty messages.
        while at >= len(head) // 2:
            place = units(head[: at + len(ending)])
            if _outside_links(part, place) == place:
                return place
            at = head.rfind(ending, 0, at)
    return _outside_links(part, units(head)) or units(head)


def _limit(part: Part, max_units: int) -> int:
    """How many units of `part` can stand in a message, its entities considered too."""
    limit, entity_bytes = max_units, 0
    for count, entity in enumerate(sorted(part.entities, key=lambda entity: entity.offset)):
        entity_bytes += _ENTITY_BYTES + len(entity.url or "")
        if entity.offset and (count >= MAX_ENTITIES or entity_bytes > MAX_ENTITY_BYTES):
            return min(limit, entity.offset)
    return limit


def _outside_links(part: Part, place: int) -> int:
    """`place`, or the start of the link that it would tear apart."""
    for entity in part.entities:
        if entity.url and entity.offset < place < entity.offset + entity.length:
            place = entity.offset
    return place


def _slice(part: Part, start: int, stop: int) -> Part:
    raw = part.text.encode("utf-16-le")[start * _BYTES_PER_UNIT : stop * _BYTES_PER_UNIT]
    return Part(raw.decode("utf-16-le"), _clipped(part.entities, start, stop))


def _clipped(
    entities: Sequence[MessageEntity], start: int, stop: int
) -> tuple[MessageEntity, ...]:
    kept = []
    for entity in entities:
        first, last = max(entity.offset, start), min(entity.offset + entity.length, stop)
        if first < last:
            kept.append(
                entity.model_copy(update={"offset": first - start, "length": last - first})
            )
    return tuple(kept)


def _stripped(part: Part) -> Part:
    """`part` without white space around it, as Telegram would trim it."""
    start = units(part.text) - units(part.text.lstrip())
    stop = units(part.text.rstrip())
    return _slice(part, start, max(start, stop))
