"""How many small lies verification catches, and how many true sentences it keeps.

    python tests/benchmarks/corruptions.py FOLDER [--sentences 1000] [--seed 1] [--show KIND]

FOLDER holds exports of Telegram Desktop. Sentences of its posts are claims about their posts: as
they stand, recased and trimmed; and each with one minimal corruption of every kind that it
allows. Neither the choice nor the corruption uses the code that is measured.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date
from pathlib import Path

import click
import pymorphy3

# The file is run by its path, from a checkout that need not be installed.
sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.verification.checking import Post, Strictness, check
from ingest.sources.desktop_json import ChannelStarted, find_exports, read_export
from ingest.text.sentences import sentences
from ingest.types import Message

WORDS = range(6, 41)
WANTED = {
    "number": 0.95, "date": 0.95, "name": 0.95, "negation": 0.95, "unit": 0.95,
    "channel": 0.95, "roles": 0.60,
}  # fmt: skip
KEPT = 0.96

MONTHS = (
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
)
ENGLISH_MONTHS = (
    "January February March April May June July August September October November December".split()
)
DAYS = ("понедельник вторник четверг воскресенье".split(), "Monday Tuesday Friday Sunday".split())
RELATIVE = ("сегодня", "вчера", "завтра")
UNITS = (
    ("млрд", "млн"), ("миллиардов", "миллионов"), ("миллиарда", "миллиона"), ("тыс", "млн"),
    ("тысяч", "миллионов"), ("тысячи", "миллиона"), ("рублей", "долларов"), ("рубля", "доллара"),
    ("₽", "$"), ("%", " рублей"), ("км", "м"), ("метров", "километров"), ("часов", "дней"),
    ("часа", "дня"), ("минут", "часов"), ("лет", "месяцев"), ("года", "месяца"),
    ("дней", "недель"), ("процентов", "рублей"), ("million", "billion"), ("percent", "dollars"),
    ("hours", "days"), ("days", "weeks"), ("years", "months"), ("кг", "г"), ("тонн", "кг"),
    ("евро", "рублей"), ("долларов", "рублей"), ("секунд", "минут"), ("недели", "месяца"),
)  # fmt: skip

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_FIGURE = re.compile(r"(?<![\w.,:/@#-])\d+(?:[.,]\d+)?(?![\w.:/-]*\d)(?![-\w])")
_DATED = re.compile(
    rf"\d{{1,2}}(?= (?:{'|'.join([*MONTHS, *ENGLISH_MONTHS])}))"
    rf"|(?<=\d )(?:{'|'.join(MONTHS)})\b|\b(?:{'|'.join(ENGLISH_MONTHS)})(?= \d)"
    rf"|\b(?:19|20)\d\d(?= год)|(?<=\bin )20\d\d\b"
    rf"|\b(?:{'|'.join([*DAYS[0], *DAYS[1], *RELATIVE])})\b"
)
_MORPH = pymorphy3.MorphAnalyzer(lang="ru")
_NAME_TAGS = {"Name", "Surn", "Geox", "Orgn"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence of a post, the post, and the titles of its channel and of another."""

    text: str
    post: Post
    title: str
    other_title: str


Corruption = Callable[[Sample, random.Random, Sequence[str]], str | None]


def samples(folder: Path, count: int, dice: random.Random) -> list[Sample]:
    """Sentences at random, one of a post."""
    posts = list(_posts(folder))
    titles = sorted({title for title, _ in posts})
    found = []
    for title, post in dice.sample(posts, len(posts)):
        fit = [one for one in post.sentences if _is_fit(one)]
        if fit:
            other = dice.choice([one for one in titles if one != title] or ["Вестник"])
            found.append(Sample(dice.choice(fit), post, title, other))
    return found[:count]


def _posts(folder: Path) -> Iterator[tuple[str, Post]]:
    for path in find_exports(folder):
        title = path.parent.name
        for event in read_export(path, zone=UTC):
            if isinstance(event, ChannelStarted):
                title = event.channel.title
            elif isinstance(event, Message) and event.text:
                parts = tuple(event.text[one.start : one.end] for one in sentences(event.text))
                yield title, Post(sentences=parts, posted_on=_day(event), sources=(title,))


def _day(message: Message) -> date:
    return message.posted_at.astimezone(UTC).date()


def _is_fit(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    is_text = "http" not in sentence and not sentence.rstrip().endswith("?")
    latin = re.search(r"[\u3040-\u9fffіїєґ]", sentence) is None
    return is_text and latin and len(words) in WORDS and sentence[0].isalpha()


# --- true


def recased(text: str) -> str:
    """The same with a small first letter, where that is no name, and bare ends."""
    bare = re.sub(r"[^\w%»)]+$", "", text)
    first = bare.split(maxsplit=1)[0]
    if first.isupper() or "NOUN" in str(_MORPH.parse(first)[0].tag) or first.isascii():
        return bare
    return bare[0].lower() + bare[1:]


def trimmed(text: str) -> str | None:
    """The sentence up to its last comma, if that leaves a sentence with a verb."""
    head = text.rpartition(", ")[0]
    words = _WORD.findall(head)
    has_verb = any({"VERB"} & set(re.split("[ ,]", str(_MORPH.parse(w)[0].tag))) for w in words)
    return head if len(words) >= WORDS[0] and has_verb else None


# --- false


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def wrong_number(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """Another figure of the same length."""
    del names
    dated = {place for match in _DATED.finditer(sample.text) for place in range(*match.span())}
    found = [one for one in _FIGURE.finditer(sample.text) if one.start() not in dated]
    if not found:
        return None
    match = dice.choice(found)
    digits = [place for place, char in enumerate(match.group()) if char.isdigit()]
    place = dice.choice(digits)
    least = 1 if place == 0 else 0
    other = [str(n) for n in range(least, 10) if str(n) != match.group()[place]]
    new = match.group()[:place] + dice.choice(other) + match.group()[place + 1 :]
    return _put(sample.text, match, new)


def wrong_date(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """Another day, month, year, weekday or «вчера»."""
    del names
    found = list(_DATED.finditer(sample.text))
    if not found:
        return None
    match = dice.choice(found)
    old = match.group()
    for group in (MONTHS, ENGLISH_MONTHS, *DAYS, RELATIVE):
        if old in group:
            return _put(sample.text, match, dice.choice([one for one in group if one != old]))
    values = range(1, 29) if len(old) < 3 else range(1995, 2035)
    return _put(sample.text, match, str(dice.choice([one for one in values if one != int(old)])))


def wrong_name(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """Another name from another post."""
    found = [one for one in _WORD.finditer(sample.text) if _is_name(one, sample.text)]
    if not found:
        return None
    match = dice.choice(found)
    is_cyrillic = bool(_CYRILLIC.search(match.group()))
    held = {one.casefold()[:4] for part in sample.post.sentences for one in _WORD.findall(part)}
    fit = [
        one
        for one in names
        if bool(_CYRILLIC.search(one)) == is_cyrillic and one.casefold()[:4] not in held
    ]
    return _put(sample.text, match, dice.choice(fit)) if fit else None


def _is_name(match: re.Match[str], text: str) -> bool:
    word = match.group()
    if not word[0].isupper() or len(word) < 4 or word.isupper():
        return False
    if not _CYRILLIC.search(word):
        return (
            match.start() > 0
            and text[match.start() - 1] == " "
            and text[match.start() - 2] not in ".!?:"
        )
    tags = set(re.split("[ ,]", str(_MORPH.parse(word)[0].tag)))
    return bool(tags & _NAME_TAGS)


def wrong_negation(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """A "not" more, or one less."""
    del names
    text = sample.text
    present = [
        one
        for one in re.finditer(r"(?<!\w)(?:не|Не|not) (?=\w)", text)
        if text[one.end() : one.end() + 6].split()[0] not in {"только", "тольк", "просто", "only"}
    ]
    if present:
        return _put(text, dice.choice(present), "")
    if not _CYRILLIC.search(text):
        found = list(re.finditer(r"\b(?:is|are|was|were|has|have|will|can|would)\b ", text))
        match = dice.choice(found) if found else None
        return _put(text, match, match.group() + "not ") if match else None
    verbs = [one for one in _WORD.finditer(text) if _is_verb(one.group())]
    verb = dice.choice(verbs) if verbs else None
    return _put(text, verb, "не " + verb.group()) if verb else None


def _is_verb(word: str) -> bool:
    best = _MORPH.parse(word)[0]
    return best.tag.POS == "VERB" and best.is_known and word.islower() and best.score > 0.6


def wrong_unit(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """Another unit or magnitude behind a figure."""
    del names
    found = []
    for old, new in UNITS:
        border = r"(?!\w)" if old.isalpha() else ""
        for match in re.finditer(rf"(?<=\d) ?{re.escape(old)}{border}", sample.text):
            if re.search(r"\b(?:19|20)\d\d$", sample.text[: match.start()]):
                continue  # a year
            space = " " if match.group().startswith(" ") else ""
            found.append((match, space + new))
    if not found:
        return None
    match, new = dice.choice(found)
    return _put(sample.text, match, new)


def wrong_channel(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """The same as said by another channel."""
    del names
    said = dice.choice(("Канал «{}» сообщил: {}", "Как пишет канал «{}», {}", "«{}» сообщает: {}"))
    return said.format(sample.other_title, sample.text)


def wrong_roles(sample: Sample, dice: random.Random, names: Sequence[str]) -> str | None:
    """Subject and object exchanged, each in the other's case."""
    del dice, names
    words = list(_WORD.finditer(sample.text))
    for place, verb in enumerate(words):
        tag = _MORPH.parse(verb.group())[0].tag
        if tag.POS != "VERB" or "tran" not in tag or verb.group().endswith(("ся", "сь")):
            continue
        subject = _noun(words[max(0, place - 3) : place], "nomn", sample.text, verb.start())
        thing = _noun(words[place + 1 : place + 3], "accs", sample.text, verb.end())
        if subject is None or thing is None:
            continue
        first = _inflected(thing, "nomn")
        second = _inflected(subject, "accs")
        if first is None or second is None or first.casefold() == subject.group().casefold():
            continue
        text = _put(sample.text, thing, second)
        return _put(text, subject, first)
    return None


def _noun(words: Sequence[re.Match[str]], case: str, text: str, verb: int) -> re.Match[str] | None:
    for one in words:
        best = _MORPH.parse(one.group())[0]
        between = text[min(one.end(), verb) : max(one.start(), verb)]
        is_noun = best.tag.POS == "NOUN" and best.is_known
        if is_noun and case == best.tag.case and not re.search("[,.:;—–(]", between):
            return one
    return None


def _inflected(match: re.Match[str], case: str) -> str | None:
    found = _MORPH.parse(match.group())[0].inflect({case})
    if found is None:
        return None
    return found.word.capitalize() if match.group()[0].isupper() else str(found.word)


KINDS: dict[str, Corruption] = {
    "number": wrong_number,
    "date": wrong_date,
    "name": wrong_name,
    "negation": wrong_negation,
    "unit": wrong_unit,
    "channel": wrong_channel,
    "roles": wrong_roles,
}


def true_claims(sample: Sample) -> dict[str, str]:
    """The sentence in forms that say the same."""
    cut = trimmed(sample.text)
    claims = {
        "as it stands": sample.text,
        "recased": recased(sample.text),
        "said by its channel": f"Канал «{sample.title}» сообщил: {sample.text}",
    }
    return claims | ({"trimmed": cut} if cut else {})


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--sentences", "count", default=1000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--show", help="Print what went wrong with claims of this kind.")
def main(folder: Path, count: int, seed: int, show: str | None) -> None:
    """Prints the shares, with and without taking whole sentences as they are."""
    dice = random.Random(seed)
    found = samples(folder, count, dice)
    names = sorted(
        {m.group() for one in found for m in _WORD.finditer(one.text) if _is_name(m, one.text)}
    )
    lies = {
        kind: [(one, text) for one in found if (text := make(one, dice, names))]
        for kind, make in KINDS.items()
    }
    for verbatim in (True, False):
        strictness = replace(Strictness(), verbatim=verbatim)
        print(f"{len(found)} sentences; whole sentences taken as they are: {verbatim}")
        began = time.perf_counter()
        kept, asked = Counter[str](), Counter[str]()
        for one in found:
            for kind, text in true_claims(one).items():
                finding = check(text, one.post, strictness=strictness)
                asked[kind] += 1
                kept[kind] += not finding.problems
                if show == kind and finding.problems:
                    print("   lost:", text, "|", finding.problems)
        for kind, total in asked.items():
            _tell(f"kept, {kind}", kept[kind], total, KEPT)
        checked = asked.total()
        for kind, claims in lies.items():
            caught = 0
            for one, text in claims:
                finding = check(text, one.post, strictness=strictness)
                caught += bool(finding.problems)
                checked += 1
                if show == kind and not finding.problems:
                    print("   missed:", text, "| true:", one.text)
            _tell(f"caught, {kind}", caught, len(claims), WANTED[kind])
        print(f"  {1000 * (time.perf_counter() - began) / checked:.1f} ms a claim")


def _tell(name: str, count: int, total: int, wanted: float) -> None:
    share = count / total if total else 0.0
    mark = "" if share >= wanted else "   < wanted"
    print(f"  {name:28}{count:5} of {total:5}  {share:.3f}  (wanted {wanted:.2f}){mark}")


if __name__ == "__main__":
    main()
