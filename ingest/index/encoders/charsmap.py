"""Rebuilds sentencepiece's ``nmt_nfkc`` character map from its single characters."""

from __future__ import annotations

import itertools
import struct
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

_LONGEST_KEY: Final = 5
"""Bytes of the longest key that is ever asked for.

Source: the `tokenizers` normaliser `Precompiled` looks up a whole grapheme only below six bytes,
and single characters (four bytes at most) otherwise. The original map has 219,000 longer keys.
"""

_LAST_BASE: Final = 0xFFFF
"""Beyond it a letter takes four bytes, too many for a key of two."""

_PAGE: Final = 256
"""A reader jumps anywhere inside a page without looking where the trie ends."""

_HAS_VALUE: Final = 1 << 8
_IS_VALUE: Final = 1 << 31
_OFFSET_SHIFT: Final = 10
_MAX_UNITS: Final = 1 << 21

_Node = dict[int, "_Node | int"]
"""Children by byte; under 0, which no key contains, the node's own value."""


def build_charsmap(characters: Mapping[str, str]) -> bytes:
    """The map in the form that `tokenizers.normalizers.Precompiled` reads.

    Args:
        characters: What each single character becomes; "" drops it.

    Returns:
        The size of a double-array trie in bytes, the trie, then its values, each ended by zero.

    Source: the unit layout of darts-clone, which sentencepiece uses.
    """
    replacements = {**characters, **compositions(characters)}
    values, starts = bytearray(), dict[str, int]()
    for value in dict.fromkeys(replacements.values()):
        starts[value] = len(values)
        values += value.encode() + b"\0"
    root: _Node = {}
    for key, value in replacements.items():
        _insert(root, key.encode(), starts[value])
    units = _lay_out(root)
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + bytes(values)


def compositions(characters: Mapping[str, str]) -> dict[str, str]:
    """Pairs of a base and a mark, and the one letter that NFC makes of each: ``и`` ``̆`` -> ``й``.

    Bases that are composed themselves or that `characters` maps are left out: the normaliser
    takes the shortest key, so longer ones behind it are never reached.
    """
    aliases = dict[str, list[str]]()
    for alias, mark in characters.items():
        if len(mark) == 1 and unicodedata.combining(mark) and _parts(alias):
            aliases.setdefault(mark, []).append(alias)
    composed = {}
    for base, mark, letter in _composed_letters():
        if base in characters or _parts(base):
            continue
        for form in (mark, *aliases.get(mark, ())):
            if len((base + form).encode()) <= _LONGEST_KEY:
                composed[base + form] = letter
    return composed


def _composed_letters() -> Iterator[tuple[str, str, str]]:
    for letter in map(chr, range(_LAST_BASE + 1)):
        parts = _parts(letter)
        if len(parts) > 1 and unicodedata.normalize("NFC", letter) == letter:
            yield parts[0], parts[1], letter


def _parts(letter: str) -> tuple[str, ...]:
    """What the letter is canonically made of; () for one that is whole."""
    decomposition = unicodedata.decomposition(letter)
    if decomposition.startswith("<"):  # a compatibility form, a likeness and not a composition
        return ()
    return tuple(chr(int(code, 16)) for code in decomposition.split())


def _insert(root: _Node, key: bytes, value: int) -> None:
    node = root
    for byte in key:
        child = node.setdefault(byte, {})
        assert isinstance(child, dict)
        node = child
    node[0] = value


def _lay_out(root: _Node) -> list[int]:
    """Places the trie's nodes into one array, whole pages long."""
    taken: dict[int, int] = {0: 0}
    bases = set[int]()
    waiting = [(0, root)]
    lowest_free = 1
    while waiting:
        place, node = waiting.pop()
        while lowest_free in taken:
            lowest_free += 1
        first, *rest = sorted(node)
        base = next(
            slot ^ first
            for slot in itertools.count(lowest_free)
            # Two nodes never share a base: a unit knows its byte but not its parent.
            if slot not in taken
            and slot ^ first not in bases
            and not any(slot ^ first ^ byte in taken for byte in rest)
        )
        bases.add(base)
        taken[place] |= (place ^ base) << _OFFSET_SHIFT | (_HAS_VALUE if 0 in node else 0)
        for byte, child in node.items():
            if isinstance(child, dict):
                taken[base ^ byte] = byte
                waiting.append((base ^ byte, child))
            else:
                taken[base ^ byte] = child | _IS_VALUE
    pages = max(taken) // _PAGE + 1
    assert pages * _PAGE < _MAX_UNITS, "offsets of this size need the layout's far form"
    return [taken.get(slot, 0) for slot in range(pages * _PAGE)]
