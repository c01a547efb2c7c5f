"""Paragraphs packed into messages."""

from __future__ import annotations

from aiogram.utils.formatting import BlockQuote, Bold, Italic, Text, TextLink
from hypothesis import given
from hypothesis import strategies as st

from bot.render.split import MAX_ENTITIES, MAX_UNITS, Block, split, units
from bot.types import Part
from tests.peers.telegram_rules import formatted

WORDS = st.text(
    st.sampled_from("абв xyz \n.!?…😀🏴👨‍👩‍👧") | st.characters(exclude_categories=["Cs", "Cc"]),
    max_size=80,
)
LINKS = st.builds(lambda n: TextLink(f"[{n}]", url=f"https://t.me/c/1/{n}"), st.integers(1, 999))
NODES = st.one_of(WORDS, LINKS, WORDS.map(Bold), WORDS.map(Italic), WORDS.map(BlockQuote))
BLOCKS = st.lists(
    st.builds(Block, st.lists(NODES, max_size=8).map(lambda nodes: Text(*nodes)), st.booleans()),
    max_size=12,
)


def _letters(text: str) -> str:
    return "".join(text.split())


def _links(parts: tuple[Part, ...]) -> list[tuple[str, str | None]]:
    found = []
    for part in parts:
        raw = part.text.encode("utf-16-le")
        for entity in part.entities:
            if entity.type == "text_link":
                stop = entity.offset + entity.length
                text = raw[2 * entity.offset : 2 * stop].decode("utf-16-le")
                found.append((text, entity.url))
    return found


@given(BLOCKS, st.integers(min_value=20, max_value=300))
def test_nothing_is_lost_and_every_part_fits(blocks: list[Block], max_units: int) -> None:
    """All words in order, all links whole, all messages as Telegram takes them."""
    parts = split(blocks, max_units=max_units)

    whole = "".join(block.text.render()[0] for block in blocks)
    links = [
        (node._body[0], node._params["url"])
        for block in blocks
        for node in block.text
        if isinstance(node, TextLink)
    ]
    assert _letters("".join(part.text for part in parts)) == _letters(whole)
    assert _links(parts) == links
    for part in parts:
        assert 0 < units(part.text) <= max_units
        entities = [entity.model_dump(exclude_none=True) for entity in part.entities]
        assert formatted({"text": part.text, "entities": entities}) == (part.text, entities)


def test_a_break_comes_between_paragraphs() -> None:
    """Not inside one that fits into a message of its own."""
    blocks = [Block(Text("а" * 3000)), Block(Text("б" * 3000)), Block(Text("в" * 1000))]

    assert [part.text[0] for part in split(blocks)] == ["а", "б"]
    assert [units(part.text) for part in split(blocks)] == [3000, 4002]


def test_a_long_paragraph_breaks_after_a_sentence() -> None:
    """Where it has to break at all."""
    sentence = "Слово " * 100 + "конец. "

    (first, _) = split([Block(Text(sentence * 10))])

    assert first.text.endswith("конец.")


def test_emoji_are_counted_as_telegram_counts() -> None:
    """Two units each, and never cut in halves."""
    parts = split([Block(Text("😀" * 5000))])

    assert [units(part.text) for part in parts] == [MAX_UNITS, MAX_UNITS, 10_000 - 2 * MAX_UNITS]


def test_many_links_are_spread_over_messages() -> None:
    """Telegram drops the formatting beyond a hundred."""
    nodes = [TextLink(f"[{n}]", url=f"https://t.me/c/1/{n}") for n in range(250)]

    parts = split([Block(Text(*nodes))])

    assert len(_links(parts)) == 250
    assert max(len(part.entities) for part in parts) <= MAX_ENTITIES
