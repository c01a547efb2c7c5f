"""Tells whether two posts are one: reworded a little, cut or lengthened, with no fact changed."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

from ingest.text.wording import OPPOSITE, Fact, Word, noun, wording

SHINGLE = 3
"""Words: two texts that share many such runs were not written independently."""

MIN_WORDS = 8
"""A shorter post is a copy only to the letter."""

MAX_WORDS = 1_500
"""A longer one too: comparing takes the square of the length, and articles are rarely reworded."""

MIN_CONTAINMENT = 0.7
"""Of the shorter one's shingles, in the longer one."""

MIN_SHARE = 0.5
"""Of the longer one's words: else the shorter is an item of a digest, not its copy."""

MIN_SHARE_AT_START = 0.2
"""An extract that the longer one begins with is its headline."""

MAX_NAME_ENDING = 3
"""Letters that cases may change at the end of a name."""

_NAME_STEM = 3
_OUTLETS = frozenset(
    "тасс риа интерфакс рбк коммерсантъ коммерсант ведомости известия лента газета медуза shot "
    "mash baza reuters bloomberg ap afp cnn bbc axios уніан укрінформ рбк-украина".split()
)
_CLAUSE_WORDS = 5
_PHRASE_WORDS = 3
"""Who carried the news is no part of it."""

_INTERCHANGEABLE = _OUTLETS | frozenset(
    "столица город страна регион область республика компания сайт "
    "синоптик врач медик эксперт специалист аналитик ученый исследователь власть сми издание "
    "источник пресс-служба газета журналист "
    "число количество объем цена стоимость".split()
)
"""Words that stand for a name said elsewhere, vague sources, and what is counted anyhow."""

_Facts = dict[Fact, Counter[str]]


def is_copy(a: str, b: str) -> bool:
    """Whether two posts are one, told apart only by wording, length, marks and signature.

    Precision comes first: a number, a date, a name, a negation or a rise that the other one
    replaces keeps them apart, however alike they are.
    """
    return a.strip() == b.strip() or are_copies(wording(a), wording(b))


def are_copies(a: Sequence[Word], b: Sequence[Word]) -> bool:
    """`is_copy` of texts that are cut into words already."""
    shorter, longer = sorted((a, b), key=_by_length)
    if [word.text for word in shorter] == [word.text for word in longer]:
        return bool(shorter)
    if len(shorter) < MIN_WORDS or len(longer) > MAX_WORDS:
        return False
    if len(shorter) < MIN_SHARE_AT_START * len(longer):
        return False
    if containment(shorter, longer) < MIN_CONTAINMENT:
        return False
    return _tells_the_same(shorter, longer)


def holds(text: str, part: str) -> bool:
    """Whether a text says what a part of another one says, all its numbers included."""
    few, many = wording(part), wording(text)
    if not few:
        return True
    has_numbers = _numbers(few).keys() <= _numbers(many).keys()
    return has_numbers and containment(few, many) >= MIN_CONTAINMENT


def similarity(a: str, b: str) -> float:
    """The share of the shorter one's runs of three words that the longer one has, in [0, 1]."""
    shorter, longer = sorted((wording(a), wording(b)), key=_by_length)
    return containment(shorter, longer)


def containment(shorter: Sequence[Word], longer: Sequence[Word]) -> float:
    """See `similarity`. Source: Broder, "On the resemblance and containment", 1997."""
    few, many = shingles(shorter), shingles(longer)
    return len(few & many) / len(few) if few else 0.0


def shingles(words: Sequence[Word]) -> set[str]:
    """Every run of `SHINGLE` words; of a shorter text, itself."""
    texts = [word.text for word in words]
    count = max(1, len(texts) - SHINGLE + 1) if texts else 0
    return {" ".join(texts[start : start + SHINGLE]) for start in range(count)}


def _by_length(words: Sequence[Word]) -> tuple[int, list[str]]:
    """An order that does not depend on which text was named first."""
    return len(words), [word.text for word in words]


def _tells_the_same(shorter: Sequence[Word], longer: Sequence[Word]) -> bool:
    """Whether what differs is wording and additions, and not what is told."""
    if not _has_numbers_of(shorter, longer):
        return False
    matcher = difflib.SequenceMatcher(
        None, [word.text for word in shorter], [word.text for word in longer], autojunk=False
    )
    changes = matcher.get_opcodes()
    if len(shorter) < MIN_SHARE * len(longer) and not _begins_alike(changes):
        return False
    everything = (_facts(shorter), _facts(longer))
    return not any(
        _denies(shorter[i1:i2], longer[j1:j2], everything)
        or _breaks_figures(shorter, i1, i2)
        or _breaks_figures(longer, j1, j2)
        for tag, i1, i2, j1, j2 in changes
        if tag != "equal"
        and not (i1 == i2 and _is_addition(longer, j1, j2))
        and not (j1 == j2 and _is_addition(shorter, i1, i2))
    )


def _begins_alike(changes: Sequence[tuple[str, int, int, int, int]]) -> bool:
    """Whether the first run in common stands at the beginning of both."""
    starts = [(i, j) for tag, i, _, j, _ in changes if tag == "equal"]
    return bool(starts) and max(starts[0]) <= SHINGLE


def _is_addition(words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a piece is a sentence of its own, or a clause that ends one."""
    is_whole = end == len(words) or words[end].opens
    return is_whole and (words[start].opens or end - start >= _CLAUSE_WORDS)


def _breaks_figures(words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a piece takes one of two neighbouring numbers: «19-20 октября», «20 октября»."""
    return any(
        0 < border < len(words)
        and start < end
        and words[border - 1].fact is words[border].fact is Fact.NUMBER
        for border in (start, end)
    )


def _denies(one: Sequence[Word], other: Sequence[Word], everything: tuple[_Facts, _Facts]) -> bool:
    """Whether one wording of a place states what the other one does not."""
    mine, theirs = _facts(one), _facts(other)
    if mine[Fact.NEGATION] != theirs[Fact.NEGATION]:
        return True
    if any(OPPOSITE[key] in theirs[Fact.DIRECTION] for key in mine[Fact.DIRECTION]):
        return True
    if mine[Fact.NUMBER] and theirs[Fact.NUMBER] and mine[Fact.NUMBER] != theirs[Fact.NUMBER]:
        return True
    if _are_other_things(one, other):
        return True
    # Word for word, another place of the text is no excuse: «А обвинил Б», «Б обвинил А».
    whole, other_whole = (mine, theirs) if len(one) == len(other) else everything
    return any(
        _unknown(mine[kind], other_whole[kind]) and _unknown(theirs[kind], whole[kind])
        for kind in (Fact.CALENDAR, Fact.MEASURE, Fact.NAME)
    )


def _are_other_things(one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether nouns stand for other ones: carrots for potatoes, a strong wind for black ice."""
    if len(one) == len(other):
        pairs = [
            (_nouns([mine]), _nouns([theirs])) for mine, theirs in zip(one, other, strict=True)
        ]
    elif max(len(one), len(other)) <= _PHRASE_WORDS:
        pairs = [(_nouns(one), _nouns(other))]
    else:
        return False
    return any(_are_others(mine, theirs) for mine, theirs in pairs)


def _are_others(mine: set[str], theirs: set[str]) -> bool:
    if not mine or not theirs or _INTERCHANGEABLE & (mine | theirs):
        return False
    return not any(_is_same_name(one, other) for one in mine for other in theirs)


def _nouns(words: Iterable[Word]) -> set[str]:
    """Dictionary forms; measures are judged with their numbers."""
    found = (noun(word.text) for word in words if word.fact is not Fact.MEASURE)
    return {form for form in found if form is not None}


def _facts(words: Iterable[Word]) -> _Facts:
    found: _Facts = {kind: Counter() for kind in Fact}
    for word in words:
        if word.fact is not None:
            found[word.fact][word.key] += 1
    return found


def _unknown(names: Iterable[str], known: Iterable[str]) -> bool:
    """Whether a name is in no case among the known ones."""
    return any(
        name not in _OUTLETS and not any(_is_same_name(name, other) for other in known)
        for name in names
    )


def _is_same_name(one: str, other: str) -> bool:
    if one == other or f"{one}-" == other[: len(one) + 1] or f"{other}-" == one[: len(other) + 1]:
        return True
    shared = min(len(one), len(other)) - MAX_NAME_ENDING + 1
    return shared >= _NAME_STEM and one[:shared] == other[:shared]


def _has_numbers_of(shorter: Sequence[Word], longer: Sequence[Word]) -> bool:
    """Whether the longer has each sentence's numbers in their order: 3:0 is not 0:3."""
    every = [word.key for word in longer if word.fact is Fact.NUMBER]
    asked: list[list[str]] = [[]]
    for word in shorter:
        if word.opens:
            asked.append([])
        if word.fact is Fact.NUMBER:
            asked[-1].append(word.key)
    if _numbers(shorter) - Counter(every):
        return False
    return all(_is_subsequence(part, every) for part in asked)


def _numbers(words: Iterable[Word]) -> Counter[str]:
    return Counter(word.key for word in words if word.fact is Fact.NUMBER)


def _is_subsequence(few: Iterable[str], many: Iterable[str]) -> bool:
    rest = iter(many)
    return all(one in rest for one in few)
