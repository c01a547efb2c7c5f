"""A message's text and its marks, out of the tags that HTML exports write for them."""

from __future__ import annotations

from ingest.sources.desktop_html_tree import Node
from ingest.sources.desktop_json_values import as_path, storable
from ingest.types import Entity

# Source: FormatText in tdesktop's export_output_html.cpp.
_TAGS = {
    "strong": "bold",
    "em": "italic",
    "code": "code",
    "pre": "pre",
    "u": "underline",
    "s": "strikethrough",
    "blockquote": "blockquote",
}
_CLICKS = {
    "ShowHashtag": "hashtag",
    "ShowBotCommand": "bot_command",
    "ShowCashtag": "cashtag",
    "ShowMentionName": "mention_name",
    "ShowNotLoadedEmoji": "custom_emoji",
    "ShowNotAvailableEmoji": "custom_emoji",
}
_GLOBAL = ("http://", "https://", "tg://", "ton://")


def read_html_text(node: Node) -> tuple[str, tuple[Entity, ...]]:
    """The text of a ``div`` and its marks; each mark stands for itself, none in another."""
    pieces: list[str] = []
    entities: list[Entity] = []
    end = 0
    for part in _unwrapped(node):
        piece = part if isinstance(part, str) else part.raw_text()
        start, end = end, end + len(piece)
        pieces.append(piece)
        if isinstance(part, Node) and part.tag != "br" and piece:
            mark, value = _mark(part, piece)
            entities.append(Entity(start=start, end=end, type=mark, value=value))
    return storable("".join(pieces)), tuple(entities)


def _unwrapped(node: Node) -> list[str | Node]:
    """What is in it, without the line breaks and the indent that only the page has."""
    parts = list(node.parts)
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].removeprefix("\n")
    if parts and isinstance(parts[-1], str):
        before, found, indent = parts[-1].rpartition("\n")
        if found and not indent.strip():
            parts[-1] = before
    return [part for part in parts if part]


def _mark(node: Node, piece: str) -> tuple[str, str | None]:
    if node.tag != "a":
        return _TAGS.get(node.tag, "spoiler" if "spoiler" in node.classes else "unknown"), None
    href, click = node.attributes.get("href", ""), node.attributes.get("onclick", "")
    clicked = next((mark for word, mark in _CLICKS.items() if word in click), None)
    plain = {f"mailto:{piece}": "email", f"tel:{piece}": "phone", piece: "link"}.get(href)
    if clicked or plain:
        return clicked or plain or "", None
    if piece.startswith("@") and href.endswith("/" + piece[1:]):
        return "mention", None
    is_file = not href.lower().startswith(_GLOBAL) and "." not in href.split("/")[0]
    return ("custom_emoji", as_path(href)) if is_file else ("text_link", href)
