"""Keeps the words of passages for late interaction: 48 bytes a word, in a file of the index.

Like the rest of the index it can be made again from the archive, so a damaged file, or one of
another encoder, is thrown away. Only the index process opens it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from ingest.index.encode import Vectors
from ingest.index.late import Signs, signs_of
from ingest.index.request import Place
from ingest.types import MessageRef

FILE_NAME: Final = "words.sqlite"
_EDITION: Final = "1"
"""Raised when words or signs are made in another way."""

_WORDS_FOR_MEAN: Final = 256
"""Words of some posts together, so that no single post decides where all words lie."""

_IDS_AT_ONCE: Final = 500

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS words (hash TEXT PRIMARY KEY, signs BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS places (
    channel_id INTEGER NOT NULL, message_id INTEGER NOT NULL, start INTEGER NOT NULL,
    hash TEXT NOT NULL, PRIMARY KEY (channel_id, message_id, start)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ix_places_hash ON places (hash);
"""


class LateStore:
    """The words of passages by the hash of their text, and which passages have which text.

    Blocking and thread-safe: call it off the loop. Copies share their words.
    """

    def __init__(self, path: Path, *, encoder: str, dimension: int) -> None:
        """Opens the file, an empty one if it is not there or of no use."""
        self._lock = threading.Lock()
        self._dimension, self._about = dimension, f"{_EDITION} {encoder} {dimension}"
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._file = self._open(path)
        except sqlite3.DatabaseError:
            remove(path)
            self._file = self._open(path)
        self._mean = self._read_mean()

    @property
    def mean(self) -> Vectors | None:
        """Where all words lie, ``(dim,)``; None until enough of them were seen."""
        return self._mean

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def missing(self, hashes: Collection[str]) -> set[str]:
        """Which texts have no words here yet."""
        wanted = list(set(hashes))
        with self._lock:
            return set(wanted) - self._known(wanted)

    def keep(self, words: Mapping[str, Vectors]) -> None:
        """Remembers the words of texts, by hash; each ``(n, dim)``, n may be 0.

        Until enough words came together to tell their mean nothing is remembered.
        """
        with self._lock, self._file:
            if self._mean is None and not self._fit(words):
                return
            assert self._mean is not None
            self._file.executemany(
                "INSERT OR REPLACE INTO words VALUES (?, ?)",
                [(name, signs_of(some, self._mean).tobytes()) for name, some in words.items()],
            )

    def place(self, passages: Mapping[MessageRef, Sequence[tuple[int, str]]]) -> None:
        """Says which passages messages have now, as (start, hash); words without any go."""
        refs = [(ref.channel_id, ref.message_id) for ref in passages]
        rows = [
            (ref.channel_id, ref.message_id, start, name)
            for ref, some in passages.items()
            for start, name in some
        ]
        with self._lock, self._file:
            left: set[str] = set()
            for ref in refs:
                left.update(
                    row[0]
                    for row in self._file.execute(
                        "DELETE FROM places WHERE channel_id = ? AND message_id = ? "
                        "RETURNING hash",
                        ref,
                    ).fetchall()
                )
            self._file.executemany("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", rows)
            self._file.executemany(
                "DELETE FROM words WHERE hash = ?1 "
                "AND NOT EXISTS (SELECT 1 FROM places WHERE hash = ?1)",
                [(name,) for name in left],
            )

    def words(self, places: Sequence[Place]) -> list[Signs | None]:
        """The signs of passages' words, in order; None for passages that are not known."""
        if self._mean is None:
            return [None] * len(places)
        query = (
            "SELECT signs FROM places JOIN words USING (hash) "
            "WHERE channel_id = ? AND message_id = ? AND start = ?"
        )
        with self._lock:
            rows = [
                self._file.execute(
                    query, (one.ref.channel_id, one.ref.message_id, one.start)
                ).fetchone()
                for one in places
            ]
        width = (self._dimension + 7) // 8
        return [
            None if row is None else np.frombuffer(row[0], np.uint8).reshape(-1, width)
            for row in rows
        ]

    def _open(self, path: Path) -> sqlite3.Connection:
        path.touch(mode=0o600)
        file = sqlite3.connect(path, check_same_thread=False)
        try:
            # What the archive forgets must not stay in free pages.
            file.execute("PRAGMA secure_delete=ON")
            file.execute("PRAGMA journal_mode=WAL")
            # A lost batch is made again: the words that passages lack are asked for anew.
            file.execute("PRAGMA synchronous=NORMAL")
            file.executescript(_TABLES)
            with file:
                about = file.execute("SELECT value FROM facts WHERE name = 'about'").fetchone()
                if about is None or about[0] != self._about:
                    for table in ("facts", "words", "places"):
                        file.execute(f"DELETE FROM {table}")  # noqa: S608 - names from here
                    file.execute("INSERT INTO facts VALUES ('about', ?)", (self._about,))
        except sqlite3.Error:
            file.close()
            raise
        return file

    def _read_mean(self) -> Vectors | None:
        row = self._file.execute("SELECT value FROM facts WHERE name = 'mean'").fetchone()
        return None if row is None else np.frombuffer(row[0], np.float32)

    def _fit(self, words: Mapping[str, Vectors]) -> bool:
        """Sets the mean, once and for all: signs around another one could not be compared."""
        if sum(len(some) for some in words.values()) < _WORDS_FOR_MEAN:
            return False
        mean = np.concatenate(list(words.values())).mean(axis=0).astype(np.float32)
        self._file.execute("INSERT INTO facts VALUES ('mean', ?)", (mean.tobytes(),))
        self._mean = mean
        return True

    def _known(self, wanted: Sequence[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(wanted), _IDS_AT_ONCE):
            some = wanted[start : start + _IDS_AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT hash FROM words WHERE hash IN ({marks})"  # noqa: S608 - marks only
            found.update(row[0] for row in self._file.execute(query, some))
        return found


def remove(path: Path) -> None:
    """Deletes the file and what SQLite has beside it."""
    for end in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()
