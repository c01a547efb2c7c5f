"""How much of a claim's wording a text has, and which of its sentences the claim rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rank_bm25 import BM25Plus

from agent.verification.dates import mentions, without_dates
from agent.verification.numbers import quantities
from agent.verification.synonyms import meanings
from agent.verification.words import Word, count_shared_letters, read

_AROUND = 1
"""Neighbours of the closest sentence that may carry a part of the claim."""
_TRIED = 3
"""Sentences whose surroundings are tried."""
_CLEARLY = 0.1
"""How much more of the claim a window has to have than that of a closer sentence."""
_RELATED = 0.75
"""What a word counts that only shares its root: «реконструкция» of «реконструировали»."""
_MIN_ROOT = 5
_ROOT_SHARE = 0.6
_LIGHT = 0.5
"""What an adverb or an adjective weighs beside a noun or a verb."""
_LIGHT_PARTS = frozenset({"ADVB", "ADJF", "ADJS", "COMP"})
_AUXILIARY = frozenset(
    "являться оказаться оказываться иметь иметься начать удаться смочь делать "
    "составить составлять becom becam seem appear get got make made go went".split()
)
_EMPTY = frozenset(
    "стать становиться уже еще раньше прежде теперь тоже также former now already still".split()
)


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a post that a claim rests on.

    Attributes:
        closest: The sentence that the claim is nearest to.
        sentences: It and its neighbours, the closest first.
        share: How much of the claim's wording they have, in [0, 1].
        closest_share: How much of it the closest has by itself.
        lacking: Words of the claim that they lack, as it writes them.
    """

    closest: str
    sentences: tuple[str, ...]
    share: float
    closest_share: float
    lacking: tuple[str, ...]


def passage(claim: str, sentences: Sequence[str]) -> Passage:
    """The window of sentences that covers a claim best."""
    wanted = _wanted(claim)
    order = _ranked(wanted, sentences)
    best: Passage | None = None
    for place in order[:_TRIED]:
        window = _window(sentences, place)
        share, lacking = _covered(wanted, window)
        if best is None or share > best.share + _CLEARLY:
            ordered = sorted(window, key=lambda one: -_covered(wanted, [one])[0])
            closest, _ = _covered(wanted, ordered[:1])
            best = Passage(ordered[0], tuple(ordered), share, closest, lacking)
    return best or Passage("", (), 0.0, 0.0, tuple(word.written for word in wanted))


def _wanted(claim: str) -> list[Word]:
    """The words that wording is compared by: figures and dates are compared as such."""
    reading = read(claim)
    figures = quantities(without_dates(reading.text))
    spans = [(one.start, one.end) for one in mentions(reading.text)]
    spans += [(one.start, one.end) for one in figures]
    words = [word for word in reading.words if word.is_content and word.lemma not in _EMPTY]
    return [
        word for word in words if not any(start <= word.start < end for start, end in spans)
    ] or words


def _window(sentences: Sequence[str], place: int) -> list[str]:
    """A sentence, its neighbours, and the post's first one, which says what it is about."""
    places = {0, *range(max(0, place - _AROUND), min(len(sentences), place + _AROUND + 1))}
    return [sentences[one] for one in sorted(places, key=lambda one: (one != place, one))]


def _ranked(wanted: Sequence[Word], sentences: Sequence[str]) -> list[int]:
    """Places of sentences, the closest to the claim first, by BM25 of lemmas."""
    corpus = [[word.lemma for word in read(one).words] or [""] for one in sentences]
    if not corpus:
        return []
    scores = BM25Plus(corpus).get_scores([word.lemma for word in wanted])
    return sorted(range(len(sentences)), key=lambda place: -float(scores[place]))


def _covered(wanted: Sequence[Word], window: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    has = [word for sentence in window for word in read(sentence).words]
    lemmas = {lemma for word in has for lemma in word.form.lemmas}
    stems = {word.form.stem for word in has}
    said = meanings(lemmas)
    total = covered = 0.0
    lacking = []
    for word in wanted:
        # An auxiliary says nothing by itself: «магазинов стало 340».
        is_light = word.form.pos in _LIGHT_PARTS or not _AUXILIARY.isdisjoint(word.form.lemmas)
        weight = _LIGHT if is_light else 1.0
        total += weight
        credit = _credit(word, lemmas, stems, said)
        covered += weight * credit
        if not credit:
            lacking.append(word.written)
    return (covered / total if total else 1.0), tuple(lacking)


def _credit(word: Word, lemmas: set[str], stems: set[str], said: frozenset[int]) -> float:
    if not lemmas.isdisjoint(word.form.lemmas) or word.form.stem in stems:
        return 1.0
    if word.plain.isdigit():
        return 1.0  # figures are compared as figures
    if not said.isdisjoint(meanings((*word.form.lemmas, word.plain))):
        return 1.0
    if any(_shares_root(word.form.lemmas[0], other) for other in lemmas):
        return _RELATED
    return 0.0


def _shares_root(one: str, other: str) -> bool:
    if one[:_MIN_ROOT] != other[:_MIN_ROOT]:
        return False
    common = count_shared_letters(one, other)
    longer = max(len(one), len(other))
    return (common >= _MIN_ROOT and common >= _ROOT_SHARE * longer) or (
        common > _MIN_ROOT and 2 * common >= longer
    )
