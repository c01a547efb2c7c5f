"""Finds where an address begins: «по данным телеграм-канала X» begins at «по»."""

from __future__ import annotations

from collections.abc import Sequence

from agent.planning.vocabulary import CHANNEL_NOUNS, PLACE_PREPOSITIONS, SOURCE_NOUNS, TELEGRAM
from agent.planning.words import Word

_SMALL = PLACE_PREPOSITIONS | CHANNEL_NOUNS | TELEGRAM | {"по", "the", "согласно", "судя"}
BELIEVING = frozenset({"верить", "доверять", "судить", "судя"})
_FIXED = frozenset(
    (tuple(pair.split()))
    for pair in ("если верить", "если судить", "судя по", "according to", "reported by")
)
_POSTS = frozenset({"пост", "публикация", "запись", "заметка"})
_PAIR = 2


def lead(text: str, words: Sequence[Word], index: int, *, start: int | None = None) -> int:
    """The index of the first word that only leads up to the word at `index`.

    Args:
        text: The question.
        words: Its words, or those before what is led up to.
        index: Of the word that is led up to; ``len(words)`` with `start`.
        start: Where it begins in the text, if it is no word of `words`.
    """
    after = words[index].start if start is None else start
    while index:
        if text[words[index - 1].end : after].strip(' «“„"‘(:'):
            break
        if _is_pair(words, index) or _is_source(words, index):
            index -= 2
        elif words[index - 1].key in _SMALL or words[index - 1].lemma in _SMALL:
            index -= 1
        else:
            break
        after = words[index].start
    return index


def source(words: Sequence[Word], index: int) -> bool:
    """Whether the words right before `index` say where something is known from.

    «по данным», «судя по», «если верить», «со ссылкой на», «посты», "according to".
    """
    if not index:
        return False
    before = words[index - 1]
    if before.lemma in BELIEVING | _POSTS or before.key in {"согласно", "per"}:
        return True
    return _is_pair(words, index) or _is_source(words, index)


def _is_pair(words: Sequence[Word], index: int) -> bool:
    if index < _PAIR:
        return False
    first, second = words[index - 2], words[index - 1]
    return (first.key, second.key) in _FIXED or (first.lemma, second.key) == ("ссылка", "на")


def _is_source(words: Sequence[Word], index: int) -> bool:
    if index < _PAIR:
        return False
    return words[index - 1].lemma in SOURCE_NOUNS and words[index - 2].key in {"по", "со", "из"}
