"""Cuts a question into tokens and gives each the meanings that the lexicons know."""

from __future__ import annotations

import re
from datetime import date

from agent.dates.lexicon_en import ENGLISH
from agent.dates.lexicon_ru import RUSSIAN, WEDNESDAY_FORMS
from agent.dates.lexicon_uk import UKRAINIAN
from agent.dates.meanings import NOTHING, Meaning, Role, Unit
from agent.dates.tokens import NO_TOKEN, Token, Words
from agent.dates.typos import corrected
from ingest.text.lemmas import lemma

_LEXICON = {**ENGLISH, **RUSSIAN, **UKRAINIAN}

_ORDINAL_ENDINGS = (
    "го|ого|его|е|ое|ье|ая|я|й|ый|ой|ий|м|ом|ем|му|ому|х|ых|st|nd|rd|th"  # «5-го», "5th"
)
_TOKEN = re.compile(
    r"(?P<name>[@#]\w+|https?://\S+|t\.me/\S+|[^\W_]+(?:_+[^\W_]+)+)"  # «@may_news» is no month
    r"|(?P<quarter>(?:[0-9]{4}|[0-9]{2})[-–]?[QqHh][1-4](?![^\W_]))"
    r"|(?P<quarter_first>(?<![^\W_])[QqHh][1-4](?![^\W_]))"
    r"|(?P<iso_week>[0-9]{4}-?W[0-9]{1,2}(?![^\W_]))"
    r"|(?P<spaced>[0-9]{1,2}\s?\.\s?[0-9]{1,2}\s?\.\s?(?:[0-9]{4}|[0-9]{2})(?![.,:/-]?[0-9]))"
    r"|(?P<number>[0-9][0-9.,:/–-]*[0-9]|[0-9])"
    r"|(?P<word>[^\W\d_]+(?:['’ʼ][^\W\d_]+)?)"
    r"|(?P<other>\S)",
)
_DECADE_ENDING = re.compile(r"-?(?:['’]?s|х|ых|е|ые)(?![^\W_])")
_ORDINAL_ENDING = re.compile(rf"[-–]?(?:{_ORDINAL_ENDINGS})(?![^\W_])")
_SHAPES = {
    "ymd": re.compile(r"[0-9]{4}([-./])[0-9]{1,2}\1[0-9]{1,2}"),
    "dmy": re.compile(r"[0-9]{1,2}([-./])[0-9]{1,2}\1(?:[0-9]{4}|[0-9]{2})"),
    "ym": re.compile(r"[0-9]{4}[-./][0-9]{1,2}"),
    "my": re.compile(r"[0-9]{1,2}[./-][0-9]{4}"),
    "dm": re.compile(r"[0-9]{1,2}[./][0-9]{1,2}"),
    "plain": re.compile(r"[0-9]{1,4}"),
}
_DASH = re.compile(r"(?<=[0-9])(?:\.?[-–/]|\.{2,3})(?=[0-9])")
# Words that begin otherwise are of no date: they are spared the dictionary. The cases of some
# begin unlike their lemma: «днями», «этими», «одного», «всего».
_BEGINNINGS = frozenset({word[:3] for word in RUSSIAN} | {"дня", "дне", "эти", "одн", "все"})
_SHORT_CHARS = 4  # of such words anything may be a case: «дня», «двух»
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
_CYRILLIC = re.compile("[\u0400-\u04ff]")


def read(text: str, *, today: date) -> Words:
    """Cuts a text into tokens with their meanings."""
    found: list[Token] = []
    position = 0
    while match := _TOKEN.search(text, position):
        made = _from_match(text, match)
        found.extend(made)
        position = made[-1].end
    tokens = [token for token in found if token.norm not in {"[", "]"}]
    return Words(
        text=text,
        tokens=tuple(_with_typos_mended(tokens)),
        today=today,
        is_russian=bool(_CYRILLIC.search(text)),
    )


def _from_match(text: str, match: re.Match[str]) -> list[Token]:
    kind = match.lastgroup or "other"
    start, end = match.span()
    if kind == "number":
        return _numbers(text, start, end)
    if kind == "word":
        return [_word(text, start, end)]
    shape = {"other": "mark", "quarter_first": "quarter", "spaced": "dmy"}.get(kind, kind)
    return [_figures(text, start, end, shape)]


def _figures(text: str, start: int, end: int, shape: str) -> Token:
    return Token(
        text=text[start:end], norm=text[start:end].lower(), start=start, end=end, shape=shape
    )


def _numbers(text: str, start: int, end: int) -> list[Token]:
    """One token for figures that spell one thing, two around a dash, else one odd token."""
    whole = text[start:end]
    shape = _shape_of(whole)
    if shape == "plain":
        return [_plain(text, start, end)]
    if shape != "odd":
        return [_figures(text, start, end, shape)]
    for dash in _DASH.finditer(whole):
        left = whole[: dash.start()]
        if "odd" in {_shape_of(left), _shape_of(whole[dash.end() :])}:
            continue
        cut, resumed = start + dash.start(), start + dash.end()
        joint = Token(text=dash.group(), norm="-", start=cut, end=resumed, shape="mark")
        return [*_numbers(text, start, cut), joint, *_numbers(text, resumed, end)]
    return [_figures(text, start, end, "odd")]


def _shape_of(figures: str) -> str:
    for shape, pattern in _SHAPES.items():
        if pattern.fullmatch(figures):
            return shape
    return "odd"


def _plain(text: str, start: int, end: int) -> Token:
    value = int(text[start:end])
    decade = _DECADE_ENDING.match(text, end) if value % 10 == 0 else None
    ordinal = _ORDINAL_ENDING.match(text, end)
    ending = decade or ordinal
    end = ending.end() if ending else end
    return Token(
        text=text[start:end],
        norm=text[start:end].lower(),
        start=start,
        end=end,
        shape="plain",
        value=value,
        is_ordinal=ordinal is not None,
        is_plural=decade is not None,
    )


def _word(text: str, start: int, end: int) -> Token:
    written = text[start:end]
    norm = written.lower().replace("ё", "е").replace("’", "'").replace("ʼ", "'")
    norm = norm.removesuffix("'s").removesuffix("'")
    return Token(
        text=written, norm=norm, start=start, end=end, shape="word", meaning=_meaning(norm)
    )


def _meaning(norm: str) -> Meaning:
    known = _LEXICON.get(norm)
    if known is None and _may_be_russian_date_word(norm):
        known = _LEXICON.get(lemma(norm))
        if known is not None and known.weekday == 2 and norm not in WEDNESDAY_FORMS:  # noqa: PLR2004 - Wednesday
            known = None
        elif known is not None and known.weekday is not None and norm.endswith(("ам", "ям")):
            known = Meaning(weekday=known.weekday, roles=frozenset({Role.PLURAL}))
        elif known is not None and known.unit is Unit.WEEKEND and norm.endswith("ым"):
            known = NOTHING  # «по выходным» recurs
    if known is None and norm in _ROMAN:
        known = Meaning(ordinal=_ROMAN[norm], roles=frozenset({Role.SHY}))
    return known or NOTHING


def _may_be_russian_date_word(norm: str) -> bool:
    if len(norm) <= _SHORT_CHARS:
        return _CYRILLIC.search(norm) is not None
    return norm[:3] in _BEGINNINGS


def _with_typos_mended(tokens: list[Token]) -> list[Token]:
    """Reads an unknown word as a mistyped month or weekday where a date is to be expected."""
    mended = list(tokens)
    for place, token in enumerate(tokens):
        if token.shape != "word" or token.meaning is not NOTHING:
            continue
        before = tokens[place - 1] if place else NO_TOKEN
        after = tokens[place + 1] if place + 1 < len(tokens) else NO_TOKEN
        if _expects_a_date(before) or (after.value or 0) > 1900:  # noqa: PLR2004 - a year
            name = corrected(token.norm)
            if name:
                mended[place] = Token(
                    text=token.text,
                    norm=name,
                    start=token.start,
                    end=token.end,
                    shape="word",
                    meaning=_LEXICON[name],
                )
    return mended


def _expects_a_date(before: Token) -> bool:
    meaning = before.meaning
    serving = before.has(
        Role.IN, Role.SINCE, Role.FROM, Role.TO, Role.BEFORE, Role.AFTER, Role.UNTIL, Role.OF
    )
    named = (meaning.ordinal, meaning.part, meaning.shift, meaning.weekday)
    return serving or before.value is not None or any(value is not None for value in named)
