"""Reads a text into words with what verification asks of them: lemmas, forms, clauses."""

from __future__ import annotations

import functools
import re
import threading
import unicodedata
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from ingest.text.lemmas import STOP_LEMMAS, stem
from ingest.text.normalise import untangle, without_invisible

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer

CYRILLIC = re.compile("[\u0400-\u04ff]")
_UKRAINIAN = re.compile("[іїєґІЇЄҐ]")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<!\w)t\.me/\S+")
_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[,;:—–()!?…\n]|(?<=[\w»\"”)])\.(?=\s|$)")
_CONTRACTION = re.compile(r"n['’]t\b", re.IGNORECASE)
_CLAUSE_WORDS = frozenset(
    "но а однако хотя если когда потому поэтому что чтобы который где but however although though "
    "if when because that which who while whereas".split()
)
_SHOUTED_SHARE = 0.7
"""Of capitals among the letters: above it the capitals of a text mark nothing."""
_CASES = frozenset({"nomn", "gent", "datv", "accs", "ablt", "loct", "voct"})
_MOSTLY_ENGLISH_VERBS = re.compile(r".{2,}(?:ed|ing|es|s)$")
_QUOTATION_END = re.compile('[»"”“]')
_TITLE_WORDS = 3
_ENDS = frozenset(".!?…\n:")
_LIKELY = 0.1
"""Analyses of a form that are rarer than this mislead more often than they help."""


@dataclass(frozen=True, slots=True)
class Form:
    """What morphology knows of one written form.

    Attributes:
        lemmas: Dictionary forms, the likeliest first.
        pos: Of the likeliest analysis: "NOUN", "VERB", "INFN", "ADJF", ...; "" if unknown.
        cases: Cases that a noun's form may be in ("nomn", "accs", ...); empty for others.
        is_name: A given name, a surname, a place or an organisation by the dictionary.
        is_past: A verb in the past tense.
        is_passive: A passive participle, or a verb in -ся.
    """

    lemmas: tuple[str, ...]
    stem: str
    pos: str = ""
    cases: frozenset[str] = frozenset()
    is_name: bool = False
    is_known: bool = True
    is_past: bool = False
    is_passive: bool = False


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        written: As it stands there.
        plain: Case folded.
        start: Where it begins in `Reading.text`.
        clause: The number of its clause in the text.
        opens: It is the first word of a sentence or of a quotation.
    """

    written: str
    plain: str
    start: int
    clause: int
    opens: bool
    form: Form

    @property
    def lemma(self) -> str:
        """Its likeliest dictionary form."""
        return self.form.lemmas[0]

    @property
    def is_content(self) -> bool:
        """Whether it says what the text is about."""
        return self.lemma not in STOP_LEMMAS and self.plain not in STOP_LEMMAS


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and its words.

    Attributes:
        text: Without hidden characters and addresses; ё is е.
        is_shouted: Mostly capitals, which therefore mark no names.
    """

    text: str
    words: tuple[Word, ...]
    is_shouted: bool
    is_cyrillic: bool


@functools.lru_cache(maxsize=8192)
def read(text: str) -> Reading:
    """The words of a text. Remembered: every claim of a draft meets the same sentences."""
    shown = _shown(text)
    words: list[Word] = []
    clause, opens, since_break = 0, True, 0
    for match in _TOKEN.finditer(shown):
        token = match.group()
        if not token[0].isalnum():
            if since_break:
                clause, since_break = clause + 1, 0
            opens = opens or token in _ENDS
            continue
        written = untangle(token)
        plain = written.casefold()
        if plain in _CLAUSE_WORDS and since_break > 1:
            clause, since_break = clause + 1, 0
        quoted = _opens_quotation(shown, match.start())
        words.append(Word(written, plain, match.start(), clause, opens or quoted, form_of(plain)))
        since_break += 1
        opens = False
    letters = [char for char in shown if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    cyrillic = sum(bool(CYRILLIC.match(char)) for char in letters)
    return Reading(
        text=shown,
        words=tuple(words),
        is_shouted=capitals > _SHOUTED_SHARE * len(letters),
        is_cyrillic=2 * cyrillic >= len(letters),
    )


def _opens_quotation(text: str, start: int) -> bool:
    """Whether a word begins a quoted sentence; a quoted title's capital marks a name."""
    if not start or text[start - 1] not in '«"“„':
        return False
    quoted = _QUOTATION_END.split(text[start:], maxsplit=1)[0]
    return len(quoted.split()) > _TITLE_WORDS


@functools.lru_cache(maxsize=65536)
def form_of(plain: str) -> Form:
    """What is known of a case-folded word."""
    if not CYRILLIC.search(plain):
        root = stem(plain.removesuffix("'s").removesuffix("’s"), "en")
        return Form(lemmas=(root,), stem=root, pos="VERB" if _is_english_verb(plain) else "")
    language = "uk" if _UKRAINIAN.search(plain) else "ru"
    with _LOCK:  # the analyzer's own caches are not made for threads
        parses = _analyzer(language).parse(plain)
    likely = [one for one in parses if one.score >= _LIKELY] or parses[:1]
    best = likely[0]
    grammemes = [frozenset(str(one.tag).replace(" ", ",").split(",")) for one in likely]
    nouns = [found for found in grammemes if found & {"NOUN", "NPRO"}]
    return Form(
        lemmas=tuple(dict.fromkeys(one.normal_form.replace("ё", "е") for one in likely)),
        stem=stem(plain, "ru"),
        pos=str(best.tag.POS or ""),
        cases=frozenset(case for found in nouns for case in found & _CASES),
        is_name=bool(grammemes[0] & {"Name", "Surn", "Patr", "Geox", "Orgn", "Trad"}),
        is_known=bool(best.is_known),
        is_past="past" in grammemes[0],
        is_passive="pssv" in grammemes[0] or plain.endswith(("ся", "сь")),
    )


def _is_english_verb(plain: str) -> bool:
    return plain.isascii() and bool(_MOSTLY_ENGLISH_VERBS.match(plain))


def _shown(text: str) -> str:
    plain = unicodedata.normalize("NFKC", without_invisible(text))
    plain = plain.replace("ё", "е").replace("Ё", "Е")
    return _CONTRACTION.sub(" not", _ADDRESS.sub(" ", plain).replace("can't", "can not"))


_LOCK = threading.Lock()


@functools.cache
def _analyzer(language: str) -> MorphAnalyzer:
    from pymorphy3 import MorphAnalyzer  # noqa: PLC0415 - dictionaries load with it

    return MorphAnalyzer(lang=language)


def count_shared_letters(one: str, other: str) -> int:
    """How many letters two words begin with in common."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
