"""Whether an answer states a fact, however it spells and inflects it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ingest.text.lemmas import lemma

_MAX_BETWEEN = 3
"""Words that may stand between the words of one fact: «4 (четыре) минуты»."""

_SHORTEST_STEM = 4
_ENDING_CHARS = 3
_GROUPED = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f,.'](?=\d{3}(?!\d))")
_DECIMAL = re.compile(r"(?<=\d),(?=\d)")
_TOKEN = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+|[%$€₽£№+]")

_SAME: Mapping[str, str] = {
    word: words.split()[0]
    for words in (
        "тысяча тыс thousand k",
        "миллион млн million mln",
        "миллиард млрд billion bn",
        "триллион трлн trillion",
        "процент % percent",
        "рубль руб ₽ rub rouble roubl rubl",
        "доллар $ usd dollar",
        "евро € eur euro",
        "килограмм кг kg kilogram",
        "километр км km",
        "метр м m metr",
        "час ч hour h",
        "минута мин minut min",
        "год г year",
        "январь januari",
        "февраль februari",
        "март march",
        "апрель april",
        "май may",
        "июнь june",
        "июль juli",
        "август august",
        "сентябрь septemb",
        "октябрь octob",
        "ноябрь novemb",
        "декабрь decemb",
    )
    for word in words.split()
}
"""Units and months in both languages and as they are shortened."""


def states(text: str, fact: str) -> bool:
    """Whether a text has the words and numbers of a fact near each other, in order.

    Args:
        fact: "a|b": either. Case, endings, digit grouping, decimal comma or point, and the
            language of units and months do not matter.
    """
    said = _tokens(text)
    return any(_has(said, _tokens(either)) for either in fact.split("|"))


def _tokens(text: str) -> list[str]:
    plain = _DECIMAL.sub(".", _GROUPED.sub("", text.casefold().replace("ё", "е")))
    return _TOKEN.findall(plain)


def _has(said: Sequence[str], fact: Sequence[str]) -> bool:
    """Whether the words of a fact stand in what is said, in order, close to each other."""
    if not fact:
        return True
    return any(_goes_on(said, at, fact) for at, word in enumerate(said) if _same(word, fact[0]))


def _goes_on(said: Sequence[str], at: int, fact: Sequence[str]) -> bool:
    for wanted in fact[1:]:
        near = range(at + 1, min(len(said), at + 2 + _MAX_BETWEEN))
        following = next((index for index in near if _same(said[index], wanted)), None)
        if following is None:
            return False
        at = following
    return True


def _same(word: str, wanted: str) -> bool:
    if word == wanted:
        return True
    if word[0].isdigit() or wanted[0].isdigit():
        return False
    if _meant(word) == _meant(wanted):
        return True
    stem = wanted[: max(_SHORTEST_STEM, len(wanted) - _ENDING_CHARS)]
    return len(stem) >= _SHORTEST_STEM and word.startswith(stem)


def _meant(word: str) -> str:
    """One word for all forms, spellings and translations of a unit or month; else the lemma."""
    known = _SAME.get(word) or lemma(word)
    return _SAME.get(known, known)
