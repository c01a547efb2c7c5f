"""Keeps lemmas between runs: a dictionary look-up costs a hundred times a memory look-up."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from ingest.text.lemmas import Lemmatiser


class LemmaFile:
    """An append-only file of word and lemma, a pair a line. One process writes it.

    Its name carries the dictionary's version: another dictionary starts another file.
    """

    def __init__(self, folder: Path) -> None:
        version = importlib.metadata.version("pymorphy3-dicts-ru")
        self._path = folder / f"lemmas-{version}.tsv"

    def load(self, lemmatiser: Lemmatiser) -> int:
        """Teaches the lemmatiser what is known; how many words. Torn lines are passed over."""
        try:
            lines = self._path.read_text("utf-8", "replace").splitlines()
        except FileNotFoundError:
            return 0
        pairs = [
            (word, lemma)
            for word, _, lemma in (line.partition("\t") for line in lines)
            if word and lemma
        ]
        lemmatiser.learn(pairs)
        return len(pairs)

    def append(self, lemmatiser: Lemmatiser) -> int:
        """Adds what was learned since the last call; how many words."""
        fresh = lemmatiser.take_fresh()
        if fresh:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                # A line break of its own first: a line torn by a crash spoils no other.
                file.write("\n" + "".join(f"{word}\t{lemma}\n" for word, lemma in fresh))
        return len(fresh)
