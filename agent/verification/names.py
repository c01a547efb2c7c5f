"""Finds the names of a text and looks them up in another, whatever their case or alphabet."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.verification.calendar_words import WEEKDAY_OF
from agent.verification.dates import mentions
from agent.verification.spelling import SAME_NAME, skeleton
from agent.verification.words import CYRILLIC, Reading, Word, count_shared_letters, read
from ingest.text.lemmas import STOP_LEMMAS

_ENDING = re.compile(
    "(?:а|я|ы|и|у|ю|е|о|ь|й|ой|ей|ом|ем|ам|ям|ами|ями|ах|ях|ым|им|ого|его|ому|ему|ов|ев|ий|ый|"
    "ая|яя|ое|ее|ую|юю|ие|ые|их|ых|ию|ия|ии|ин|ина|'?s|)$"
)
_MIN_STEM = 3
_MIN_ACRONYM = 3
_GENERIC = frozenset(
    "central bank state ministri minist govern govern univers presid prime parliament court "
    "committe council feder agenc depart offic author citi region mayor governor director "
    "compani group street russian american english channel new north south east west mr mrs ms "
    "dr internet web i nation general union foreign affair defenc defens interior health".split()
)
"""English words that are capitalised in names and whose translation is not a spelling."""
_COMMON_OPENING = re.compile(r".*(?:ly|ing|tion|ment|ness|ed|ers|ors|ists|ials)$")


@dataclass(frozen=True, slots=True)
class Name:
    """One word of a name."""

    word: Word
    """Where it stands and how it is inflected."""
    is_sure: bool = True
    """False where only its place makes it one: an English sentence's first word."""


def names(text: str) -> tuple[Name, ...]:
    """The words of a text that are names, or codes with digits in them, in reading order."""
    reading = read(text)
    dated = [(one.start, one.end) for one in mentions(reading.text) if one.relative is None]
    found = []
    for place, word in enumerate(reading.words):
        if any(start <= word.start < end for start, end in dated):
            continue
        name = _name(reading, place, word)
        if name is not None:
            found.append(name)
    return tuple(found)


def _name(reading: Reading, place: int, word: Word) -> Name | None:
    if any(char.isdigit() for char in word.plain):
        return Name(word) if _is_code(word.plain) else None
    if word.plain in STOP_LEMMAS or word.plain in WEEKDAY_OF or len(word.plain) == 1:
        return None
    is_capital = word.written[0].isupper()
    is_acronym = len(word.written) > 1 and word.written.isupper()
    is_known = word.form.is_known and not word.form.is_name
    is_cyrillic = bool(CYRILLIC.search(word.plain))
    if reading.is_shouted or not is_capital:
        return Name(word) if reading.is_shouted and word.form.is_name else None
    if word.opens and not is_acronym and not (reading.is_cyrillic and not is_cyrillic):
        if is_cyrillic:
            return None if is_known else Name(word)
        return _opening(reading, place, word)
    return Name(word)


def _is_code(plain: str) -> bool:
    """«GPT-4o» and «T-90» are names; «25-летний», «5th» and «2024» are figures."""
    parts = re.findall(r"[^\W\d_]+|\d+", plain)
    has_letters = any(part.isalpha() for part in parts)
    return has_letters and not (parts[0].isdigit() and parts[-1].isalpha())


def _opening(reading: Reading, place: int, word: Word) -> Name | None:
    """An English sentence's first word, if it looks like a name."""
    if word.lemma in STOP_LEMMAS or word.plain in _FUNCTION or _COMMON_OPENING.match(word.plain):
        return None
    following = next(iter(reading.words[place + 1 : place + 2]), word)
    if following is word or following.clause != word.clause:
        return None
    if following.written[0].isupper():
        return Name(word)
    is_subject = following.plain in _AUXILIARY or following.plain.endswith(("ed", "s"))
    return Name(word, is_sure=False) if is_subject and not word.plain.endswith("s") else None


_FUNCTION = frozenset(
    "more most many some all both several two three four five six seven eight nine ten one police "
    "people while after before during since because despite although however according about "
    "every each these those this that there here his her their our my its who what when where "
    "why how also only just even still yet now then today no not another nearly almost".split()
)
_AUXILIARY = frozenset(
    "is was has had will would can could may might did does became won said says told began left "
    "went made took beat sold bought met gave got".split()
)


@dataclass(slots=True)
class Lexicon:
    """All the words of a post in the forms that names are looked up by."""

    plains: set[str] = field(default_factory=set)
    lemmas: set[str] = field(default_factory=set)
    stems: set[str] = field(default_factory=set)
    skeletons: set[str] = field(default_factory=set)
    known: set[int] = field(default_factory=set)
    """Numbers of `SAME_NAME`."""
    initials: str = ""

    def holds(self, word: Word) -> bool:
        """Whether the word stands in the post, inflected or in another alphabet."""
        form = word.form
        is_same = word.plain in self.plains or not self.lemmas.isdisjoint(form.lemmas)
        if is_same or (form.stem in self.stems and len(form.stem) >= _MIN_STEM):
            return True
        if SAME_NAME.get(word.plain, SAME_NAME.get(word.lemma, -1)) in self.known:
            return True
        parts = {word.plain, *word.plain.split("-")} - (
            {word.plain} if "-" in word.plain else set()
        )
        if all(any(_is_inflected(part, other) for other in self.plains) for part in parts):
            return True
        bare = skeleton(word.plain)
        is_spelt_so = bare in self.skeletons and not any(map(str.isdigit, bare))
        return is_spelt_so or self._holds_acronym(word)

    def _holds_acronym(self, word: Word) -> bool:
        # Two letters begin too many pairs of words.
        is_acronym = len(word.written) >= _MIN_ACRONYM and word.written.isupper()
        return is_acronym and word.plain in self.initials


def lexicon(texts: Iterable[str]) -> Lexicon:
    """The words of some texts."""
    return _lexicon(tuple(texts))


@functools.lru_cache(maxsize=256)
def _lexicon(texts: tuple[str, ...]) -> Lexicon:
    """Remembered, for every claim of a draft asks the same posts; nobody adds to it later."""
    held = Lexicon()
    for text in texts:
        words = read(text).words
        held.initials += "".join(word.plain[0] for word in words) + "\n"
        for word in words:
            held.plains.add(word.plain)
            held.plains.update(part for part in re.split(r"[-.]", word.plain) if part)
            held.lemmas.update(word.form.lemmas)
            held.stems.add(word.form.stem)
            held.skeletons.add(skeleton(word.plain))
            held.known.update(
                SAME_NAME[name] for name in (word.plain, word.lemma) if name in SAME_NAME
            )
    held.stems.discard("")
    held.skeletons.discard("")
    held.known.discard(-1)
    return held


def _is_inflected(one: str, other: str) -> bool:
    """Whether two forms differ in nothing but a case ending."""
    if one == other:
        return True
    if one[:_MIN_STEM] != other[:_MIN_STEM]:
        return False
    common = count_shared_letters(one, other)
    if common < max(_MIN_STEM, min(len(one), len(other)) - 3):
        return False
    return bool(_ENDING.fullmatch(one[common:]) and _ENDING.fullmatch(other[common:]))


def missing_names(claimed: Sequence[Name], held: Lexicon, *, is_foreign: bool) -> list[str]:
    """The claim's names that a post lacks, as the claim writes them.

    Args:
        is_foreign: Claim and post are in different languages: names may be translated.
    """
    lacking = [one for one in claimed if one.is_sure and not held.holds(one.word)]
    if is_foreign:
        lacking = [one for one in lacking if one.word.lemma not in _GENERIC]
    return [one.word.written for one in lacking]
