"""Tells whether two spellings are one name: inflected, in the other alphabet, or mistyped."""

from __future__ import annotations

import enum
import functools
import re

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LATIN = re.compile("[a-z]")

# Endings of Russian nouns and adjectives, longest first: titles that the dictionary lacks are
# inflected all the same («на Хабре», «по сообщению Москвача»).
_ENDINGS = tuple(
    sorted(
        (
            "а я о е ё у ю ы и ь й ом ем ём ой ей ою ею ам ям ах ях ами ями ов ев ёв "
            "ий ый ого его ому ему ым им ых их ыми ими ая яя ую юю ое ее ые ие ью ия ию ии ием"
        ).split(),
        key=len,
        reverse=True,
    )
)
_SHORTEST_STEM = 3

# Cyrillic letters as they are commonly written in Latin ones.
_LETTERS = {
    **dict(zip("абвгдезийклмнопрстуфхыэіґє", "abvgdeziiklmnoprstufhieige", strict=True)),
    **{"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ю": "yu", "я": "ya", "ї": "i"},
    **{"ъ": "", "ь": "", "ё": "e"},
}
# Ways to write one sound in Latin letters, reduced to one of them. Order matters.
_SOUNDS = (
    (re.compile("sch|shch"), "sh"),
    (re.compile("tch"), "ch"),
    (re.compile("ph"), "f"),
    (re.compile("th"), "t"),
    (re.compile("kh"), "h"),
    (re.compile("ck"), "k"),
    (re.compile("dzh|dj"), "j"),
    (re.compile("x"), "ks"),
    (re.compile("c(?=[eiy])"), "s"),
    (re.compile("c(?!h)"), "k"),
    (re.compile("q"), "k"),
    (re.compile("w"), "v"),
    (re.compile("yu|iu"), "u"),
    (re.compile("ya|ia"), "a"),
    (re.compile("ee|ea"), "e"),
    (re.compile("oo"), "u"),
    (re.compile("y"), "i"),
    (re.compile(r"(.)\1+"), r"\1"),
)
_LONG_SOUND = 6
_LAST_VOWEL = re.compile("[aeiou]+$")


class Likeness(enum.IntEnum):
    """How surely a word of a question is a word of a name; more is surer."""

    NONE = 0
    MISTYPED = 1
    SOUNDS = 2
    """It is written in the other alphabet."""
    INFLECTED = 3
    SAME = 4


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A Russian word without its ending, dictionary or not; other words stay as they are."""
    if not _CYRILLIC.search(word):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


@functools.lru_cache(maxsize=8192)
def sound(word: str) -> str:
    """A rough sound of a word, the same for «Хабр» and "habr", «питон» and "Python"."""
    latin = "".join(_LETTERS.get(letter, letter) for letter in word)
    for pattern, reduced in _SOUNDS:
        latin = pattern.sub(reduced, latin)
    bare = _LAST_VOWEL.sub("", latin)
    return bare if len(bare) > _SHORTEST_STEM else latin


def is_same_stem(first: str, second: str) -> bool:
    """Whether two words may differ in their endings only; either may have none."""
    return stem(first) == stem(second) or stem(first) == second or first == stem(second)


def is_other_alphabet(first: str, second: str) -> bool:
    """One is in Cyrillic letters and the other in Latin ones."""
    return bool(
        (_only(first, _CYRILLIC) and _only(second, _LATIN))
        or (_only(first, _LATIN) and _only(second, _CYRILLIC))
    )


def _only(word: str, alphabet: re.Pattern[str]) -> bool:
    other = _LATIN if alphabet is _CYRILLIC else _CYRILLIC
    return bool(alphabet.search(word)) and not other.search(word)


def max_typos(length: int) -> int:
    """How many slips of the keyboard a word of so many letters may have and still be itself.

    Short words have too many neighbours: one slip from five letters on, two from nine.
    """
    return 0 if length < 5 else 1 if length < 9 else 2  # noqa: PLR2004 - said above


def is_mistyped(word: str, right: str) -> bool:
    """Whether `word` is `right` (or a form of it) with a few slips."""
    limit = max_typos(len(right))
    if not limit or is_other_alphabet(word, right):
        return False
    return within(word, right, limit) or within(
        stem(word), stem(right), max_typos(len(stem(right)))
    )


def sounds_same(word: str, name: str) -> bool:
    """Whether one is the other in the other alphabet; what looks like an ending may be none."""
    if not is_other_alphabet(word, name):
        return False
    return bool({sound(word), sound(stem(word))} & {sound(name), sound(stem(name))})


def is_misheard(word: str, name: str) -> bool:
    """Whether one sound of a long word is another one in the other alphabet.

    «Сайбред» for "Cybred": English vowels are heard differently.
    """
    heard, meant = sound(stem(word)), sound(stem(name))
    is_long = min(len(heard), len(meant)) >= _LONG_SOUND
    return is_long and is_other_alphabet(word, name) and within(heard, meant, 1)


def within(first: str, second: str, limit: int) -> bool:
    """Whether the edit distance, with swaps of neighbours as one edit, is at most `limit`.

    Source: Damerau 1964; the restricted (optimal string alignment) distance.
    """
    if first == second:
        return True
    if abs(len(first) - len(second)) > limit or not limit:
        return False
    if len(set(first) ^ set(second)) > 2 * limit:
        return False  # far cheaper than the table, and rules nearly everything out
    return _distance(first, second) <= limit


def _distance(first: str, second: str) -> int:
    above: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        two_above, above, row = above, row, [i]
        for j, other in enumerate(second, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, two_above[j - 2] + 1)
            row.append(cost)
    return row[-1]
