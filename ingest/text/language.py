"""Guesses the language of a text from its letters and its commonest words."""

from __future__ import annotations

import re

_SCRIPTS = (
    ("zh", re.compile("[\u4e00-\u9fff]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("cyrillic", re.compile("[\u0400-\u04ff]")),
    ("latin", re.compile("[A-Za-z\u00c0-\u024f]")),
)
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_RUSSIAN = re.compile("[ыэъёЫЭЪЁ]")
_WORD = re.compile(r"[^\W\d_]+")
_COMMON = {
    "en": frozenset("the of and to in is that for it with was on as are this be by".split()),
    "de": frozenset("der die und das ist nicht ein eine mit auf für von den zu im".split()),
    "fr": frozenset("le la les et des est une dans pour que qui sur pas au du".split()),
    "es": frozenset("el los las que una por con para del es se como más su en".split()),
    "it": frozenset("il che di una per non con sono della gli nel più anche".split()),
    "pt": frozenset("não uma para com que os do da em mais dos como são ao".split()),
    "nl": frozenset("het een van en niet zijn voor met dat op aan ook".split()),
    "tr": frozenset("bir ve bu için ile olarak da de çok olan".split()),
}
_LONGEST = 2_000
"""Characters that are looked at: more don't change the guess."""


def guess_language(text: str) -> str | None:
    """An ISO 639-1 code; None where there are no letters to tell from.

    Cyrillic is "ru", or "uk" where Ukrainian letters outnumber those that only Russian has;
    Latin is "en" unless another language's commonest words prevail.
    """
    sample = text[:_LONGEST]
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS}
    # A sign of Chinese is worth a word of an alphabet, and names in Latin are everywhere.
    for dense in ("zh", "ja", "ko"):
        counts[dense] *= 3
    if counts["ja"]:
        counts["ja"] += counts["zh"]
    script = max(counts, key=lambda name: counts[name])
    if not counts[script]:
        return None
    if script == "cyrillic":
        return _cyrillic(sample)
    if script == "latin":
        return _latin(sample)
    return script


def _cyrillic(sample: str) -> str:
    ukrainian = len(_UKRAINIAN.findall(sample))
    return "uk" if ukrainian > len(_RUSSIAN.findall(sample)) else "ru"


def _latin(sample: str) -> str:
    words = _WORD.findall(sample.casefold())
    votes = {code: sum(word in common for word in words) for code, common in _COMMON.items()}
    best = max(votes, key=lambda code: votes[code])
    return best if votes[best] > votes["en"] else "en"
