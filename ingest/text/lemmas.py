"""Turns a text into the terms of the lexical index: lemmas, and names as they are written."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from ingest.text.language import guess_language
from ingest.text.tokens import Token, TokenKind, tokens

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_UKRAINIAN = re.compile("[іїєґ]")
_STEMMERS = {
    "en": "english",
    "ru": "russian",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "nl": "dutch",
    "tr": "turkish",
    "el": "greek",
    "ar": "arabic",
}

# Words that say nothing of what a text is about. They stay in the index, so that phrases can be
# told from each other, and are left out of questions.
STOP_LEMMAS = frozenset(
    (
        "и в во не что он на я с со как а то весь она так его но да ты к у же вы за бы по только "
        "ее мне быть вот от меня еще нет о из ему теперь когда даже ну вдруг ли если уже или ни "
        "бы до вас нибудь опять уж вам ведь там потом себя ничто ей мочь они тут где есть надо "
        "мы тебя их чем сам чтоб без чего раз тоже себе под жить ж тогда кто этот того потому "
        "какой совсем ним здесь один почти мой тем чтобы сейчас куда зачем при об хотя для свой "
        "про это который такой тот сколько почему через над между нам чей ваш наш их свое "
        "the of and to in is that for it with was on as are this be by at from or an a not have "
        "has had but what which who when where how why do doe did can could would should will "
        "i you he she we they them their our your his her its if than then there here about into "
        "over were been being also any all some such no so"
    ).split()
)


class Lemmatiser:
    """Words to lemmas, remembered. Thread-safe; loading the dictionaries takes about 0.1 s."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._fresh: list[tuple[str, str]] = []
        self._lock = threading.Lock()
        self._analyzers: dict[str, MorphAnalyzer] = {}

    def lemma(self, word: str) -> str:
        """The dictionary form of a word in its searchable form; itself where there is none."""
        known = self._known.get(word)
        if known is None:
            known = self._analyse(word)
            with self._lock:
                self._known[word] = known
                self._fresh.append((word, known))
        return known

    def learn(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Takes over words that were analysed before."""
        self._known.update(pairs)

    def take_fresh(self) -> list[tuple[str, str]]:
        """The words analysed since the last call, for whoever keeps them."""
        with self._lock:
            fresh, self._fresh = self._fresh, []
        return fresh

    def _analyse(self, word: str) -> str:
        if not _CYRILLIC.search(word):
            return stem(word, "en")
        language = "uk" if _UKRAINIAN.search(word) else "ru"
        with self._lock:  # the analyzer's own caches are not made for threads
            best = self._analyzer(language).parse(word)[0]
        if language == "ru" and not best.is_known:
            # A name that the dictionary lacks: guessed forms of it would differ from case to
            # case («Хабр» but «Хабра» of «Хабре»), while its stem stays.
            return stem(word, "ru")
        return str(best.normal_form).replace("ё", "е")

    def _analyzer(self, language: str) -> MorphAnalyzer:
        if language not in self._analyzers:
            from pymorphy3 import MorphAnalyzer  # noqa: PLC0415 - dictionaries load with it

            self._analyzers[language] = MorphAnalyzer(lang=language)
        return self._analyzers[language]


@functools.cache
def shared_lemmatiser() -> Lemmatiser:
    """The process's lemmatiser: its memory is worth sharing, and it has no other state."""
    return Lemmatiser()


def lemma(word: str) -> str:
    """The dictionary form of one word in its searchable form."""
    return shared_lemmatiser().lemma(word)


def stem(word: str, language: str) -> str:
    """The Snowball stem of a word; the word itself in languages that Snowball lacks."""
    algorithm = _STEMMERS.get(language)
    return str(_stemmer(algorithm).stemWord(word)) if algorithm else word


class _Stemmer(Protocol):
    """What we use of ``Stemmer.Stemmer``, which has no types."""

    def stemWord(self, word: str) -> str: ...


# Snowball stemmers are not thread-safe, so each thread has its own.
_local = threading.local()


def _stemmer(algorithm: str) -> _Stemmer:
    import Stemmer  # noqa: PLC0415 - only texts in these languages need it

    stemmers: dict[str, _Stemmer] = _local.__dict__.setdefault("stemmers", {})
    if algorithm not in stemmers:
        stemmers[algorithm] = Stemmer.Stemmer(algorithm)
    return stemmers[algorithm]


def terms(text: str) -> list[str]:
    """The terms of a text, in reading order, repeated as often as they occur.

    A word gives its lemma; a compound gives itself and its parts; @name, #tag, hosts, versions
    and numbers stay literal. Words of a Latin-written language other than English give both
    that language's stem and the English one, for a short question rarely shows its language.
    """
    language = guess_language(text) or "en"
    other = language if language in _STEMMERS and language not in {"en", "ru"} else None
    found: list[str] = []
    for token in tokens(text):
        found.extend(_terms_of(token, other))
    return found


def query_terms(text: str) -> list[str]:
    """The terms of a question without the words that say nothing; all of them if none is left."""
    every = list(dict.fromkeys(terms(text)))
    return [term for term in every if term not in STOP_LEMMAS] or every


def _terms_of(token: Token, other: str | None) -> list[str]:
    match token.kind:
        case TokenKind.WORD:
            return _word_terms(token.text, other)
        case TokenKind.MENTION:
            return [token.text, token.text[1:]]
        case TokenKind.HASHTAG:
            return [token.text, *(lemma(part) for part in token.text[1:].split("_") if part)]
        case _:
            return [token.text]


def _word_terms(word: str, other: str | None) -> list[str]:
    first = lemma(word)
    if other and not _CYRILLIC.search(word):
        second = stem(word, other)
        return [first] if second == first else [first, second]
    return [first]
