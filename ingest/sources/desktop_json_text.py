"""A message's text and its marks, out of the forms in which exports write them."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.sources.desktop_json_values import JsonObject, as_int, as_path, as_text, storable
from ingest.types import Entity

VALUE_KEYS = {
    "text_link": "href",
    "mention_name": "user_id",
    "custom_emoji": "document_id",
    "pre": "language",
}
"""Which key of a marked part holds what the mark points at.

Source: SerializeText in tdesktop's export_output_json.cpp.
"""


def read_text(message: JsonObject) -> tuple[str, tuple[Entity, ...]]:
    """The text of a message and its marks; ``text_entities`` is preferred to ``text``."""
    parts = message.get("text_entities")
    if isinstance(parts, list) and parts and all(map(_is_marked, parts)):
        return _joined(parts)
    text = message.get("text")
    if isinstance(text, str):
        return storable(text), ()
    return _joined(text) if isinstance(text, list) else ("", ())


def plain_text(value: object) -> str | None:
    """A text without its marks: a poll's question, say; None when there is none."""
    if isinstance(value, list):
        return _joined(value)[0] or None
    return as_text(value)


def _is_marked(part: object) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _joined(parts: Sequence[object]) -> tuple[str, tuple[Entity, ...]]:
    pieces: list[str] = []
    entities: list[Entity] = []
    end = 0
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
            end += len(part)
            continue
        if not isinstance(part, dict) or not isinstance(piece := part.get("text"), str):
            continue
        start, end = end, end + len(piece)
        pieces.append(piece)
        mark = part.get("type")
        if mark != "plain" and start < end:
            mark = as_text(mark) or "unknown"
            entities.append(Entity(start=start, end=end, type=mark, value=_value(mark, part)))
    return storable("".join(pieces)), tuple(entities)


def _value(mark: str, part: JsonObject) -> str | None:
    key = VALUE_KEYS.get(mark)
    if key is None:
        return None
    value = part.get(key)
    if mark == "mention_name":
        user_id = as_int(value)
        return as_text(value) if user_id is None else str(user_id)
    # Desktop writes an emoji's exported file, or a note that it was not exported, for its id.
    return as_path(value) if mark == "custom_emoji" else as_text(value)
