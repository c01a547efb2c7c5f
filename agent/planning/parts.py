"""Cuts a question of several parts into questions that can be searched for one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.planning.dictionary import word_kind
from agent.planning.vocabulary import INTERROGATIVES
from agent.planning.words import Word, spelled, without, words_of

_MAX_PARTS = 3
_MAX_SIDE = 3
"""Words that one side of a comparison may have: more is a clause, not a thing."""
_MAX_ADVERBS = 2
_FEWEST_SHARED = 2
"""Words about something in the first part: with fewer, the rest says what it is all about."""
_LONGEST = 400
"""Characters: longer questions are texts, and are searched for as a whole."""
_AND = re.compile(r",?\s+(?:и|а|а также|and|та)\s+|[;?]\s+|,\s+(?=(?:а|и)\s)", re.IGNORECASE)
_OR = frozenset({"или", "or", "vs", "versus", "против", "либо", "чи"})
_DIFFERENCE = (
    re.compile(
        r"(?P<stem>чем\s+(?:\w+\s+){0,2}отлича\w+)\s+(?P<a>[^?]+?)\s+от\s+(?P<b>[^?]+?)\s*\??$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<stem>(?:разниц\w+|сравнени\w+)(?:\s+\w+){0,2}?\s+между)\s+(?P<a>[^?]+?)\s+и\s+"
        r"(?P<b>[^?]+?)\s*\??$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<stem>сравни(?:те|ть)?|compare)\s+(?P<a>[^?]+?)\s+(?:и|с|со|and|with|to)\s+"
        r"(?P<b>[^?]+?)\s*\??$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<stem>differences?\s+between)\s+(?P<a>[^?]+?)\s+and\s+(?P<b>[^?]+?)\s*\??$",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<stem>how\s+(?:does|do|is|are|did))\s+(?P<a>[^?]+?)\s+(?:differ|different)\s+from\s+"
        r"(?P<b>[^?]+?)\s*\??$",
        re.IGNORECASE,
    ),
)


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a question, each with what they share; () for a question of one part."""
    if len(text) > _LONGEST:
        return ()
    return _sides(text) or _alternatives(text) or _clauses(text)


def _sides(text: str) -> tuple[str, ...]:
    """«чем отличается A от B»: A, and B."""
    for pattern in _DIFFERENCE:
        match = pattern.search(text)
        if match:
            first, second = match["a"].strip(" ,"), match["b"].strip(" ,")
            ahead = text[: match.start()].strip(" ,:—–-")
            ahead = ahead if _content(ahead) else ""
            sides = [
                " ".join(piece for piece in (ahead, side) if piece) for side in (first, second)
            ]
            return tuple(sides) if all(_content(side) for side in (first, second)) else ()
    return ()


def _alternatives(text: str) -> tuple[str, ...]:
    """«что быстрее, на Go или на Питоне»: the rest with each."""
    words = words_of(text)
    for index, word in enumerate(words):
        if word.key not in _OR or not 0 < index < len(words) - 1:
            continue
        first, last = _side(text, words, index, -1), _side(text, words, index, 1)
        left, right = words[first:index], words[index + 1 : last]
        if not (_is_thing(left) and _is_thing(right)):
            continue
        middle = (left[0].start, right[-1].end)
        shared = without(text, [middle]).strip(" ?")
        if not _content(shared):
            return ()
        sides = (text[left[0].start : left[-1].end], text[right[0].start : right[-1].end])
        return tuple(f"{shared} {side}" for side in sides)
    return ()


def _side(text: str, words: Sequence[Word], index: int, step: int) -> int:
    """The border of the thing beside «или»: up to punctuation, a verb or three words."""
    edge, count = index, 0
    while count < _MAX_SIDE:
        near, following = words[edge], edge + step
        if not 0 <= following < len(words):
            break
        word = words[following]
        gap = text[near.end : word.start] if step > 0 else text[word.end : near.start]
        kind = word_kind(word.key)
        is_verb = kind.is_known and kind.is_verb and not kind.is_noun
        if gap.strip(' «»"“”') or is_verb or word.key in INTERROGATIVES:
            break
        edge, count = following, count + 1
    return edge if step < 0 else edge + 1


def _is_thing(side: Sequence[Word]) -> bool:
    return bool(side) and any(
        not word.is_empty and (not word_kind(word.key).is_known or word_kind(word.key).is_noun)
        for word in side
    )


def _clauses(text: str) -> tuple[str, ...]:
    """«сколько … и почему в итоге …»: each question word begins a part."""
    starts = [0]
    for match in _AND.finditer(text):
        if _asks(text[match.end() :]) and _content(text[starts[-1] : match.start()]):
            starts.append(match.end())
    if len(starts) == 1:
        return ()
    ends = [*starts[1:], len(text)]
    clauses = [_trim(text[start:end]) for start, end in zip(starts, ends, strict=True)]
    subject = _subject(clauses[0])
    if len(subject) < _FEWEST_SHARED:
        return ()
    found = [clauses[0]]
    for clause in filter(_content, clauses[1:_MAX_PARTS]):
        known = {word.lemma for word in words_of(clause)}
        shared = spelled(word for word in subject if word.lemma not in known)
        found.append(f"{shared} {clause}".strip())
    return tuple(found) if len(found) > 1 else ()


def _asks(clause: str) -> bool:
    """It begins with a question word, perhaps after a preposition or two, or with «… ли»."""
    words = words_of(clause)[: _MAX_ADVERBS + 1]
    for index, word in enumerate(words):
        if word.key in INTERROGATIVES or word.lemma in INTERROGATIVES:
            return word.key not in {"что", "как", "чем", "that"} or index == 0
        if word.key == "ли" and index == 1:
            return True
        if not word.is_empty and index:
            return False
        if not word.is_empty and not word_kind(word.key).is_verb:
            return False
    return False


def _subject(clause: str) -> list[Word]:
    """What the first part is about, without the thing it counts or asks for («сколько дней»)."""
    words = words_of(clause)
    found = []
    for index, word in enumerate(words):
        asked = index and words[index - 1].lemma in {"какой", "сколько", "чей", "which", "many"}
        if not word.is_empty and not asked:
            found.append(word)
    return found


def _content(text: str) -> bool:
    return any(not word.is_empty for word in words_of(text))


def _trim(clause: str) -> str:
    return re.sub(r"[\s,;?—–-]+$|^(?:,|;|\s)+|,?\s+(?:и|а|and)$", "", clause.strip())
