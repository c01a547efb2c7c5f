"""Walks a huge JSON file value by value, in bounded memory, without believing what is inside.

Only the outline is looked at here (names, commas, where a value ends); a value is handed out
as bytes. So one message that is not valid JSON, and Telegram Desktop does write such, costs
that message and not the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

MAX_VALUE_BYTES = 6 << 20
"""The longest message taken into memory: 6 MB of brackets or escapes cost 250 MB to parse.

A text of a megabyte, which an export holds twice, still fits.
"""

_CHUNK_BYTES = 1 << 20
_SPACE = re.compile(rb"[ \t\r\n]*+")
_SCALAR = re.compile(rb'[^\s,:"\[\]{}]*+')
_IN_STRING = re.compile(rb'["\\]')
_IN_OBJECT = re.compile(rb'["{}]')
_IN_ARRAY = re.compile(rb'["\[\]]')
_QUOTE, _BACKSLASH, _COMMA, _COLON = b'"\\,:'
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = b"{}[]"


def _shallow_object(levels: int) -> re.Pattern[bytes]:
    """A pattern for a whole object of at most so many levels of braces.

    Possessive throughout, so it never backtracks: its time is linear in what it reads.
    """
    string = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
    pattern = rb'\{(?:[^{}"]++|' + string + rb")*+\}"
    for _ in range(levels - 1):
        pattern = rb'\{(?:[^{}"]++|' + string + rb"|" + pattern + rb")*+\}"
    return re.compile(pattern, re.DOTALL)


# Desktop's own messages have four levels (message, poll, answer, part of its text).
_SHALLOW_OBJECT = _shallow_object(10)


class DamagedJson(Exception):
    """The outline of the file is broken or it ends too early."""

    def __init__(self, why: str, *, offset: int) -> None:
        super().__init__(why, offset)
        self.why, self.offset = why, offset


class JsonScanner:
    """A reading position in a JSON file.

    Whoever iterates `members` or `items` must consume every value with `take`, `skip`,
    or another iteration before asking for the next one.
    """

    def __init__(
        self,
        stream: BinaryIO,
        *,
        max_value_bytes: int = MAX_VALUE_BYTES,
        chunk_bytes: int = _CHUNK_BYTES,
    ) -> None:
        self._stream = stream
        self._chunk_bytes = chunk_bytes
        self._max_value_bytes = max_value_bytes
        self._buffer = b""
        self._at = 0
        self._buffer_offset = stream.tell()

    @property
    def offset(self) -> int:
        """The position, in bytes from the beginning of the stream."""
        return self._buffer_offset + self._at

    def seek(self, offset: int) -> None:
        """Moves to a position that `offset` has told before."""
        self._stream.seek(offset)
        self._buffer, self._at, self._buffer_offset = b"", 0, offset

    def peek(self) -> int | None:
        """The next byte that is not white space, left unread; None at the end of the file."""
        while True:
            space = _SPACE.match(self._buffer, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._fill():
                return None

    def members(self) -> Iterator[bytes]:
        """The names of the object that begins here, as written, quotes included.

        Raises:
            DamagedJson: It is not an object, is malformed, or the file ends inside it.
        """
        self._expect(_OPEN_OBJECT, "an object")
        if self.peek() == _CLOSE_OBJECT:
            self._at += 1
        else:
            yield from self._names()

    def members_left(self) -> Iterator[bytes]:
        """The names of the object that the position is in, from after the value just read.

        Raises:
            DamagedJson: It is malformed, or the file ends inside it.
        """
        if not self._next_is_end(_CLOSE_OBJECT):
            yield from self._names()

    def items(self) -> Iterator[int]:
        """The offsets of the elements of the array that begins here.

        Raises:
            DamagedJson: It is not an array, is malformed, or the file ends inside it.
        """
        self._expect(_OPEN_ARRAY, "a list")
        if self.peek() == _CLOSE_ARRAY:
            self._at += 1
            return
        while True:
            self.peek()
            yield self.offset
            if self._next_is_end(_CLOSE_ARRAY):
                return

    def take(self) -> bytes | None:
        """The next value's bytes, consumed; None if it was too large and has been passed over.

        Raises:
            DamagedJson: There is no value here, or the file ends inside it.
        """
        first = self.peek()
        if first == _OPEN_OBJECT:
            found = _SHALLOW_OBJECT.match(self._buffer, self._at)
            end = found.end() if found else self._end_of_nested(_IN_OBJECT)
        elif first == _OPEN_ARRAY:
            end = self._end_of_nested(_IN_ARRAY)
        elif first == _QUOTE:
            end = self._end_of_nested(_IN_STRING)
        else:
            end = self._end_of_scalar()
        if end is None:
            return None
        start, self._at = self._at, end
        return self._buffer[start:end] if end - start <= self._max_value_bytes else None

    def skip(self) -> None:
        """Passes over the next value, a list of any length included.

        Raises:
            DamagedJson: There is no value here, or the file ends inside it.
        """
        if self.peek() == _OPEN_ARRAY:
            for _ in self.items():
                self.take()
        else:
            self.take()

    def _names(self) -> Iterator[bytes]:
        while True:
            if self.peek() != _QUOTE:
                raise self._damaged("a name in quotes")
            name = self.take() or b""
            self._expect(_COLON, "a colon")
            yield name
            if self._next_is_end(_CLOSE_OBJECT):
                return

    def _fill(self) -> bool:
        """Drops what has been consumed and reads on; False at the end of the file."""
        rest = self._buffer[self._at :]
        # Doubling: a long value is copied a few times, not once for each chunk.
        more = self._stream.read(max(self._chunk_bytes, len(rest)))
        self._buffer_offset += self._at
        self._buffer, self._at = rest + more, 0
        return bool(more)

    def _end_of_nested(self, outside: re.Pattern[bytes]) -> int | None:
        """Where the value that begins here ends in the buffer, reading on as needed.

        A string is the same walk, already inside its quotes. Only the value's own kind of
        bracket counts, so that a stray one of the other kind stays the message's problem.
        """
        depth, in_string, is_kept = 0, False, True
        cursor = self._at
        while True:
            found = (_IN_STRING if in_string else outside).search(self._buffer, cursor)
            if found is None:
                cursor = max(cursor, len(self._buffer))
                is_kept = is_kept and len(self._buffer) - self._at <= self._max_value_bytes
                if not is_kept:
                    self._at = len(self._buffer)
                cursor -= self._at
                if not self._fill():
                    raise self._cut()
                continue
            cursor = found.end()
            byte = self._buffer[cursor - 1]
            if byte == _BACKSLASH:
                cursor += 1
                continue
            if byte == _QUOTE:
                in_string = not in_string
            else:
                depth += 1 if byte in b"{[" else -1
            if not depth and not in_string:
                break
        if is_kept:
            return cursor
        self._at = cursor
        return None

    def _end_of_scalar(self) -> int:
        while True:
            found = _SCALAR.match(self._buffer, self._at)
            end = found.end() if found else self._at
            if end < len(self._buffer):
                break
            if end - self._at > self._max_value_bytes or not self._fill():
                raise self._cut()
        if end == self._at:
            raise self._damaged("a value")
        return end

    def _next_is_end(self, closing: int) -> bool:
        byte = self.peek()
        if byte == _COMMA:
            self._at += 1
            if self.peek() == closing:
                raise self._damaged("a value after the comma")
            return False
        self._expect(closing, "a comma or the end")
        return True

    def _expect(self, byte: int, name: str) -> None:
        if self.peek() != byte:
            raise self._damaged(name)
        self._at += 1

    def _damaged(self, expected: str) -> DamagedJson:
        if self.peek() is None:
            return self._cut()
        return DamagedJson(f"is damaged here: expected {expected}", offset=self.offset)

    def _cut(self) -> DamagedJson:
        return DamagedJson(
            "ends in the middle: the export was interrupted or the copy is incomplete; "
            "export or copy it again",
            offset=self._buffer_offset + len(self._buffer),
        )
