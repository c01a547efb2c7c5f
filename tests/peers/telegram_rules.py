"""What Telegram takes as a message, and what it makes of plain text."""

from __future__ import annotations

import re
from typing import Any

_MAX_UNITS = 4096
_MAX_ENTITIES = 100
_MAX_ENTITY_BYTES = 9_500
_ENTITY_FIELDS = {
    "text_link": {"url"},
    "pre": {"language"},
    "text_mention": {"user"},
    "custom_emoji": {"custom_emoji_id"},
}
_ENTITY_TYPES = {
    *("bold", "italic", "underline", "strikethrough", "spoiler", "code"),
    *("blockquote", "expandable_blockquote", *_ENTITY_FIELDS),
}

# What Telegram makes clickable by itself in plain text (TDLib's MessageEntity.cpp, roughly:
# any letters may be a top-level domain here, which is stricter on us than its list is).
_URL_CHAR = r"[^\s\u2000-\u200b\u200e\u200f\u2016-\u206f<>\"«»,;:!?()\[\]{}/@.]"
_AUTO_LINKS = {
    "url": re.compile(
        rf"(?:[a-z][a-z0-9+.-]*://{_URL_CHAR}+)|(?:{_URL_CHAR}+\.)+[^\W\d_]{{2,}}(?!\w)"
        r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])",
        re.IGNORECASE,
    ),
    "mention": re.compile(r"(?<!\w)@\w{2,32}"),
    "email": re.compile(rf"[\w.+-]+@(?:{_URL_CHAR}+\.)+\w{{2,}}"),
    "bot_command": re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}"),
}


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def auto_links(text: str) -> list[str]:
    """The pieces of plain text that Telegram would make clickable."""
    return [found.group() for rule in _AUTO_LINKS.values() for found in rule.finditer(text)]


class Refused(Exception):
    """Telegram's way of saying no."""

    def __init__(self, status: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.status, self.description, self.parameters = status, description, parameters


def formatted(params: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """The text and entities of a message, if Telegram would take them as they are."""
    text: str = params.get("text", "")
    if not text.strip():
        raise Refused(400, "Bad Request: message text is empty")
    if text != text.strip():
        # Telegram would trim it and move the entities; we want it right in the first place.
        raise Refused(400, "Bad Request: text has white space around it (strict server)")
    if units(text) > _MAX_UNITS:
        raise Refused(400, "Bad Request: message is too long")
    if params.get("parse_mode"):
        raise Refused(400, "Bad Request: parse modes are not expected (strict server)")
    entities = params.get("entities") or []
    _check_entities(text, entities)
    return text, entities


def _check_entities(text: str, entities: list[dict[str, Any]]) -> None:
    borders = {0}
    at = 0
    for char in text:
        at += units(char)
        borders.add(at)
    size = sum(20 + len(entity.get("url", "")) for entity in entities)
    if len(entities) > _MAX_ENTITIES or size > _MAX_ENTITY_BYTES:
        raise Refused(400, "Bad Request: ENTITIES_TOO_LONG")
    for entity in entities:
        start, stop = entity["offset"], entity["offset"] + entity["length"]
        if entity["type"] not in _ENTITY_TYPES:
            raise Refused(400, f"Bad Request: unsupported entity {entity['type']}")
        if entity["length"] < 1 or start not in borders or stop not in borders:
            raise Refused(400, "Bad Request: entity beyond the text or inside a character")
        missing = _ENTITY_FIELDS.get(entity["type"], set()) - entity.keys()
        if missing:
            raise Refused(400, f"Bad Request: entity without {missing}")
