"""Numbers that likely copies share: how a post finds its copies without reading them all."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from ingest.text.near_copies import MIN_WORDS, shingles
from ingest.text.wording import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

COUNT_BANDS = 16
MIN_SHARED = 2
"""Bands. Of two texts that share the part j of their runs of words, so many or more agree with
the chance 1 - (1 - j)^16 - 16 j (1 - j)^15: 0.97 for j = 0.3, 1.00 for 0.6, 0.01 for 0.01."""

_VALUE_BITS = 32


def bands(words: Sequence[Word]) -> tuple[int, ...]:
    """`COUNT_BANDS` numbers below 2^36; none for a text too short to have near-copies.

    Source: Broder, "On the resemblance and containment of documents", 1997 (MinHash).
    """
    if len(words) < MIN_WORDS:
        return ()
    minima = _minima()(shingles(words))
    return tuple(number << _VALUE_BITS | value for number, value in enumerate(minima))


@functools.cache
def _minima() -> Callable[[Collection[str]], list[int]]:
    # datasketch brings scipy along: half a second that only the index process has to wait for.
    from datasketch import MinHash  # type: ignore[import-untyped]  # noqa: PLC0415 - it has none

    empty = MinHash(num_perm=COUNT_BANDS, hashfunc=zlib.crc32, scheme="affine32")

    def minima(runs: Collection[str]) -> list[int]:
        sketch = empty.copy()
        sketch.update_batch([run.encode() for run in runs])
        return [int(value) for value in sketch.hashvalues]

    return minima
