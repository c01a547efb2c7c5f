"""The scanner finds the ends of values whatever is in them, and holds little of the file."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.desktop_json_scanner import DamagedJson, JsonScanner
from ingest.sources.desktop_json_values import loads

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\{}[],:\n'))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def scanner_of(
    written: str, *, chunk_bytes: int = 1, max_value_bytes: int = 1 << 20
) -> JsonScanner:
    stream = io.BytesIO(written.encode())
    return JsonScanner(stream, chunk_bytes=chunk_bytes, max_value_bytes=max_value_bytes)


@given(st.lists(values, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]))
def test_a_list_gives_its_own_elements(
    elements: list[object], chunk_bytes: int, indent: int | None
) -> None:
    """Wherever a chunk of the file happens to end, every element is handed out whole."""
    scanner = scanner_of(json.dumps(elements, indent=indent), chunk_bytes=chunk_bytes)

    found = [loads(scanner.take() or b"") for _ in scanner.items()]

    assert elements == found
    assert scanner.peek() is None


@given(st.dictionaries(texts, values, max_size=5), st.integers(1, 40))
def test_an_object_gives_its_names_and_values(told: dict[str, object], chunk_bytes: int) -> None:
    """Names and values come in order, and skipping one does not disturb the next."""
    written = json.dumps(told, ensure_ascii=False)

    taking, skipping = (scanner_of(written, chunk_bytes=chunk_bytes) for _ in range(2))
    taken = {loads(name): loads(taking.take() or b"") for name in taking.members()}
    names = []
    for name in skipping.members():
        names.append(loads(name))
        skipping.skip()

    assert told == taken
    assert list(told) == names


def test_an_object_deeper_than_the_quick_pattern_is_found_too() -> None:
    """A thousand levels of braces cost time, not correctness."""
    deep = '{"a":' * 1000 + "1" + "}" * 1000
    scanner = scanner_of(f"[{deep}, 7]", chunk_bytes=100)

    assert [deep.encode(), b"7"] == [scanner.take() for _ in scanner.items()]


@pytest.mark.parametrize("large", ['"' + "x" * 500 + '"', '{"a": "' + "\\\\" * 300 + '"}'])
@pytest.mark.parametrize("chunk_bytes", [1, 7, 10_000])
def test_a_value_over_the_limit_is_passed_over(large: str, chunk_bytes: int) -> None:
    """It is not handed out, and the next one is."""
    scanner = scanner_of(f"[{large}, 1]", chunk_bytes=chunk_bytes, max_value_bytes=100)

    assert [scanner.take() for _ in scanner.items()] == [None, b"1"]


def walk(scanner: JsonScanner) -> None:
    is_object = scanner.peek() == ord("{")
    for _ in scanner.members() if is_object else scanner.items():
        scanner.skip()


class _Endless(io.RawIOBase):
    """A list whose first element is one string of so many bytes."""

    def __init__(self, count_bytes: int) -> None:
        self._left, self._is_begun = count_bytes, False

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return 0

    def read(self, size: int = -1) -> bytes:
        if not self._is_begun:
            self._is_begun = True
            return b'["'
        count = min(size, self._left)
        self._left -= count
        return b"x" * count


def test_an_endless_string_costs_megabytes() -> None:
    """What is passed over is never held at once."""
    scanner = JsonScanner(_Endless(1 << 28), max_value_bytes=1 << 20)  # type: ignore[arg-type]  # reads as one
    tracemalloc.start()
    try:
        with pytest.raises(DamagedJson):
            scanner.skip()
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak_bytes < 16 << 20


@pytest.mark.parametrize(
    ("written", "offset"),
    [
        ("[1 2]", 3),
        ("[1,]", 3),
        ("[,1]", 1),
        ('{"a" 1}', 5),
        ("{a: 1}", 1),
        ('{"a": 1,}', 8),
        ("[1, 2", 5),
        ('{"a": "b', 8),
        ('{"a": [{"b": 1}', 15),
    ],
)
def test_damage_is_told_with_its_place(written: str, offset: int) -> None:
    """The error says at which byte the outline is broken."""
    scanner = scanner_of(written, chunk_bytes=3)

    with pytest.raises(DamagedJson) as raised:
        walk(scanner)

    assert offset == raised.value.offset
