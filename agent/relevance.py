"""How well a text covers a question, word by word: shared by ranking, drafting, verifying."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingest.text.lemmas import query_terms, terms


@dataclass(frozen=True, slots=True)
class Weights:
    """The terms of a question and how much each tells: rare ones tell more.

    Attributes:
        by_term: Positive; they add up to 1 unless there is no term.
    """

    by_term: dict[str, float]

    def coverage(self, found: Iterable[str]) -> float:
        """The share of the question, by weight, that some terms cover: in [0, 1]."""
        present = set(found)
        return sum(weight for term, weight in self.by_term.items() if term in present)


def weigh(question: str, among: Sequence[Sequence[str]]) -> Weights:
    """Weighs a question's terms by how rare they are among some texts' terms.

    The inverse document frequency of BM25, over texts that were found for the question.
    """
    frequency = Counter(term for text in among for term in set(text))
    count = len(among)
    raw = {
        term: math.log(1 + (count - frequency[term] + 0.5) / (frequency[term] + 0.5))
        for term in query_terms(question)
    }
    total = sum(raw.values())
    return Weights({term: value / total for term, value in raw.items()} if total else {})


def terms_of(text: str) -> list[str]:
    """The terms of a text as search sees them."""
    return terms(text)
