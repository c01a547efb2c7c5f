"""The elements of an HTML export's messages, one message at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"br", "img", "meta", "link", "input", "hr"})


@dataclass(slots=True)
class Node:
    """An element with what is in it."""

    tag: str
    attributes: dict[str, str]
    parts: list[str | Node] = field(default_factory=list)

    @property
    def classes(self) -> frozenset[str]:
        """The words of its ``class``."""
        return frozenset(self.attributes.get("class", "").split())

    def walk(self) -> Iterator[Node]:
        """The elements below it, in the order of the page."""
        for part in self.parts:
            if isinstance(part, Node):
                yield part
                yield from part.walk()

    def first(self, *classes: str) -> Node | None:
        """The first element below it that has all these classes."""
        wanted = frozenset(classes)
        return next((node for node in self.walk() if wanted <= node.classes), None)

    def text(self) -> str:
        """Its words without their marks; the page's own line breaks and indents are none."""
        return self.raw_text().strip()

    def raw_text(self) -> str:
        """Its words as the page has them, ``<br>`` as a line break."""
        if self.tag == "br":
            return "\n"
        return "".join(p if isinstance(p, str) else p.raw_text() for p in self.parts)


class MessagePage(HTMLParser):
    """Reads a page piece by piece.

    Attributes:
        title: The chat's name, as soon as it was read.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: str | None = None
        self._open: list[Node] = []
        self._done: list[Node] = []
        self._depth_of_header = 0

    def take(self) -> list[Node]:
        """The messages that are complete since the last call."""
        done, self._done = self._done, []
        return done

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        node = Node(tag, {name: value or "" for name, value in attrs})
        if self._open:
            self._open[-1].parts.append(node)
            if tag not in _VOID:
                self._open.append(node)
        elif tag == "div" and ("message" in node.classes or "page_header" in node.classes):
            self._open.append(node)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        if not any(node.tag == tag for node in self._open):
            return
        while self._open:
            node = self._open.pop()
            if not self._open:
                self._complete(node)
            if node.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        """Words."""
        if self._open:
            self._open[-1].parts.append(data)

    def _complete(self, node: Node) -> None:
        if "message" in node.classes:
            self._done.append(node)
        elif (header := node.first("text", "bold")) is not None and self.title is None:
            self.title = header.text()
