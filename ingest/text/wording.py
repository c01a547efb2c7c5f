"""A post's words with what they state: numbers, names, dates, negations, rises and falls."""

from __future__ import annotations

import enum
import functools
import re
import threading
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from ingest.text.normalise import searchable, untangle

if TYPE_CHECKING:
    from pymorphy3 import MorphAnalyzer
    from pymorphy3.analyzer import Parse


class Fact(enum.Enum):
    """What a word states that no rewording may change."""

    NUMBER = "number"
    MEASURE = "measure"
    """What a number counts: тысяч, миллионов, рублей, процентов."""
    CALENDAR = "calendar"
    """A month, a day of the week, today and its neighbours."""
    NEGATION = "negation"
    DIRECTION = "direction"
    """One of two opposites: rose or fell, opened or closed."""
    NAME = "name"
    """A capital letter, unless it only begins a sentence."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in its searchable form; the beginning of a sentence is marked.

    Attributes:
        key: What facts are compared by: a stem, a month's number, a direction's name.
    """

    text: str
    fact: Fact | None
    key: str
    opens: bool


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(
    rf"""
      (?P<skipped>(?:https?://|www\.|t\.me/)\S+|(?<!\w)[@#][^\W\d]\w*)
    | (?P<cjk>[{_CJK}])
    | (?P<number>(?:(?<![\w.,])[-−](?=\d))?\d+(?:[ ’']\d{{3}}(?!\d))*(?:[.,]\d+)*(?![^\W_]))
    | (?P<word>[^\W_{_CJK}]+(?:[-’'‑][^\W_{_CJK}]+)*)
    """,
    re.VERBOSE,
)
_ENDS_SENTENCE = re.compile(r"[.!?…\n]")
_INVITES = re.compile(
    r"\b(?:подпи(?:саться|шись|шитесь|сыва\w*|ска)|підпи(?:сатися|шіться|шись)|subscribe|"
    r"join us|прислать новость|предложить новость|наш (?:чат|канал))\b",
    re.IGNORECASE,
)
_INVITATION_WORDS = 9
"""A longer line that invites to subscribe is a post's own text."""

_NEGATIONS = frozenset("не нет ни без нельзя отнюдь no not never without cannot немає не".split())
_DIRECTIONS = {
    "more": "вырос выраст увелич повыс подорожа подня возрос прибав рост rise rose risen increas "
    "grew grow higher soar surg",
    "less": "упал упад сниз сниж сократ сокращ подешев уменьш пада опуст fall fell drop decreas "
    "declin lower plung tumbl",
    "open": "откры разреш одобр введ ввел ввод запуст возобнов начал open launch allow approv "
    "resum start",
    "shut": "закры запре отклон отмен снят снял снима приостан прекра останов заверш clos ban "
    "cancel reject suspend halt stop end",
    "free": "освобо оправда отпуст releas acquit free",
    "held": "аресто задерж осуд пригов arrest detain convict jail",
    "won": "побед выигр won win wins beat",
    "lost": "проигр поражен уступ lost lose loses",
}
_OPPOSITES = {"more": "less", "open": "shut", "free": "held", "won": "lost"}
OPPOSITE = _OPPOSITES | {other: one for one, other in _OPPOSITES.items()}
"""Which direction denies which."""

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_NAME_TAGS = ("Name", "Surn", "Patr", "Geox", "Orgn", "Trad")
_LIKELY = 0.1
"""Analyses of a form that are rarer than this mislead more often than they help."""
_COMMON_ENGLISH = frozenset(
    "the a an this that these those it its he his she her they their you your we our there here "
    "and but or so as at by for from in into of on to with after before during while when where "
    "who what why how if since until all some many most more new now then also meanwhile however "
    "according said says told report reports reported announced confirmed will would has have had "
    "was were is are been be can could may might not no about over under than very just "
    "like".split()
)
_ENGLISH_NOUN = 3
"""Letters; shorter words are mostly particles."""
_lock = threading.Lock()

_MONTHS = (
    "январ янв jan|феврал фев feb|март мар mar|апрел апр apr|ма май мая мае may|июн jun|июл jul|"
    "август авг aug|сентябр сен sep|октябр окт oct|ноябр ноя nov|декабр дек dec"
)
_DAYS = (
    "понедельник monday|вторник tuesday|сред среда среду wednesday|четверг thursday|"
    "пятниц friday|суббот saturday|воскресень sunday|сегодня today|завтра tomorrow|"
    "вчера yesterday|послезавтра|позавчера"
)
_CALENDAR_ENDINGS = r"(?:а|у|е|я|ю|ь|и|ом|ем|ой|ей|ы|uary|ruary|ch|il|e|y|ust|tember|ober|ember)?"
_MEASURES = (
    "тыс тысяч|млн миллион million|млрд миллиард billion|трлн триллион trillion|процент percent|"
    "руб рубл|доллар dollar|евро euro|юан|гривн|км километр|км/ч|метр|кг килограмм|тонн|градус|"
    "литр|минут minute|час hour|сут|день дня дней day|недел week|месяц month|год лет year"
)
_SCALES = {"тыс": 10**3, "млн": 10**6, "млрд": 10**9, "трлн": 10**12}
_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_COUNTED = (
    "один одна одно одного одной one|два две двух двое two|три трех трое three|"
    "четыре четырех четверо four|пять пяти пятеро five|шесть шести six|семь семи seven|"
    "восемь восьми eight|девять девяти nine|десять десяти ten|сто ста hundred|"
    "первый первая первое первого первой first|второй вторая второе второго second|"
    "третий третья третье третьего third|четвертый четвертая fourth|полтора полторы|"
    "половина половины half|вдвое дважды twice|втрое трижды"
)


def wording(text: str) -> tuple[Word, ...]:
    """The words of a text in reading order, without the invitation to subscribe at its end.

    Addresses, mentions and hashtags are no words here: reposts change them.
    """
    plain = unicodedata.normalize("NFKC", _without_invitation(text))
    found: list[Word] = []
    end = 0
    opens = True
    for match in _WORD.finditer(plain):
        opens = opens or bool(_ENDS_SENTENCE.search(plain, end, match.start()))
        end = match.end()
        if match.lastgroup == "skipped":
            continue
        if match.lastgroup == "number":
            number = _number(match.group())
            found.append(Word(number, Fact.NUMBER, number, opens))
        else:
            written = match.group()
            found.append(_word(written, opens=opens, is_capital=written[0].isupper()))
        opens = False
    return tuple(_scaled(found))


def _scaled(words: Iterable[Word]) -> list[Word]:
    """«889 тысяч» becomes 889000: some write it so."""
    found: list[Word] = []
    for word in words:
        scale = _SCALES.get(word.key) if word.fact is Fact.MEASURE else None
        if scale and found and _PLAIN_NUMBER.fullmatch(found[-1].text):
            number = f"{Decimal(found[-1].text) * scale:f}"
            number = number.rstrip("0").rstrip(".") if "." in number else number
            found[-1] = Word(number, Fact.NUMBER, number, found[-1].opens)
        else:
            found.append(word)
    return found


def _without_invitation(text: str) -> str:
    lines = text.rstrip().split("\n")
    while len(lines) > 1 and _is_invitation(lines[-1]):
        lines.pop()
    return "\n".join(lines)


def _is_invitation(line: str) -> bool:
    words = [match for match in _WORD.finditer(line) if match.lastgroup != "skipped"]
    return not words or (len(words) <= _INVITATION_WORDS and bool(_INVITES.search(line)))


def _number(written: str) -> str:
    plain = re.sub(r"[ ’']", "", written).replace(",", ".").replace("−", "-")
    return plain.rstrip(".")


@functools.lru_cache(maxsize=1 << 16)
def _word(written: str, *, opens: bool, is_capital: bool) -> Word:
    text = untangle(searchable(written))
    kind, key = _stated(text)
    if kind is None and is_capital and len(text) > 1:
        kind, key = (None if opens and _is_common(text) else Fact.NAME), text
    return Word(text, kind, key, opens)


def _stated(text: str) -> tuple[Fact | None, str]:
    """What a word states by itself, whatever its capital letters."""
    if any(sign.isdigit() for sign in text):
        return Fact.NUMBER, text
    if text in _NEGATIONS or text.endswith("n't") or text.endswith("n’t"):
        return Fact.NEGATION, "not"
    if text in _counted():
        return Fact.NUMBER, _counted()[text]
    for kind, pattern, groups in _patterns():
        match = pattern.fullmatch(text)
        if match:
            return kind, groups[match.lastgroup or ""]
    return None, text


def noun(text: str) -> str | None:
    """The dictionary form of a word that may name a thing; None for what surely does not.

    Outside of Cyrillic nobody knows a noun from a verb, so that every longer word may be one.
    """
    if not _CYRILLIC.search(text):
        return text if len(text) >= _ENGLISH_NOUN and text not in _COMMON_ENGLISH else None
    best = _readings(text)
    if not best or "NOUN" not in str(best[0].tag):
        return None
    return searchable(best[0].normal_form)


def _is_common(text: str) -> bool:
    """Whether a word that begins a sentence is surely no name: the dictionary knows it as such."""
    if not _CYRILLIC.search(text):
        return text in _COMMON_ENGLISH
    if "-" in text:
        return all(_is_common(part) for part in text.split("-") if part)
    readings = _readings(text)
    return bool(readings) and not any(
        name in str(reading.tag) for reading in readings for name in _NAME_TAGS
    )


def _readings(text: str) -> list[Parse]:
    """What the dictionary takes a word for, the likeliest first; nothing if it lacks it."""
    with _lock:  # the analyzer's own caches are not made for threads
        analyzer = _analyzer()
        if not analyzer.word_is_known(text):
            return []
        return [parse for parse in analyzer.parse(text) if parse.score >= _LIKELY]


@functools.cache
def _analyzer() -> MorphAnalyzer:
    from pymorphy3 import MorphAnalyzer  # noqa: PLC0415 - dictionaries load with it

    return MorphAnalyzer(lang="ru")


@functools.cache
def _counted() -> dict[str, str]:
    return {form: part.split()[0] for part in _COUNTED.split("|") for form in part.split()}


@functools.cache
def _patterns() -> tuple[tuple[Fact, re.Pattern[str], dict[str, str]], ...]:
    directions = "|".join(_DIRECTIONS.values())
    keys = list(_DIRECTIONS)
    return (
        _pattern(Fact.CALENDAR, _MONTHS, _CALENDAR_ENDINGS),
        _pattern(Fact.CALENDAR, _DAYS, _CALENDAR_ENDINGS),
        _pattern(Fact.MEASURE, _MEASURES, r"\w{0,3}"),
        _pattern(Fact.DIRECTION, directions, r"\w*", keys),
    )


def _pattern(
    kind: Fact, stems: str, ending: str, keys: list[str] | None = None
) -> tuple[Fact, re.Pattern[str], dict[str, str]]:
    parts, names = [], {}
    for number, group in enumerate(stems.split("|")):
        options = "|".join(re.escape(stem) for stem in group.split())
        parts.append(f"(?P<g{number}>(?:{options}){ending})")
        names[f"g{number}"] = keys[number] if keys else group.split()[0]
    return kind, re.compile("|".join(parts)), names
