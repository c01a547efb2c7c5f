"""Finds the verb of saying that a name is the subject of: «X писал», "what did X report"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.planning.dictionary import word_kind
from agent.planning.sightings import Sighting
from agent.planning.vocabulary import (
    BETWEEN,
    CONJUNCTIONS,
    INTERROGATIVES,
    MEDIA_NOUNS,
    PLACE_PREPOSITIONS,
    SAYING,
    TOPIC_PREPOSITIONS,
)
from agent.planning.words import Word

_MAX_BETWEEN = 5
"""Words that may stand between a channel and its verb: «Хабр ещё 14 октября 2024 года писал»."""
_PLURAL = ("ли", "лись", "ют", "ут", "ят", "ат")
_INDECLINABLE = ("у", "ю", "и", "о", "е", "э")
_WHO = frozenset({"кто", "who", "хто"})
_AUXILIARIES = frozenset({"как", "as", "did", "does", "do", "has", "have", "had"})
_OTHER_PREPOSITIONS = frozenset({"к", "за", "для", "перед", "to", "for", "against"})


def speech(text: str, words: Sequence[Word], sighting: Sighting) -> tuple[int, int] | None:
    """The words ``[first, last)`` that only say that the name says something.

    None where it says nothing, or another one does: «основатель X рассказал», «кто писал X».
    """
    if not sighting.is_uninflected:
        return None
    after = verb_after(words, sighting.last)
    if after is not None and not _is_complement(text, words, sighting):
        return _opening(words, sighting.first), after + 1
    ahead = _verb_of(words, range(sighting.first - 1, -1, -1))
    if ahead is None or not _may_be_subject(text, words, sighting, ahead):
        return None
    is_near = ahead == sighting.first - 1
    return (_opening(words, ahead) if is_near else sighting.first), sighting.last


def verb_after(words: Sequence[Word], index: int) -> int | None:
    """The verb of saying that follows, past nothing but adverbs, days and parentheses."""
    if index < len(words) and words[index].key in {"что", "what", "шо"}:
        index += 1  # «А Хабр что писал?»
    return _verb_of(words, range(index, len(words)))


def _verb_of(words: Sequence[Word], indices: range) -> int | None:
    for distance, index in enumerate(indices):
        word = words[index]
        if word.lemma in SAYING or word.key in SAYING:
            kind = word_kind(word.key)
            return index if kind.is_verb or not kind.is_known else None
        is_light = word.lemma in BETWEEN or word.key in BETWEEN or word.key.isdigit()
        if distance >= _MAX_BETWEEN or not is_light:
            return None
    return None


def _opening(words: Sequence[Word], first: int) -> int:
    """Where «как», "did" or «о которой» before the words of saying begins."""
    if first and words[first - 1].key in _AUXILIARIES:
        return first - 1
    if first > 1 and words[first - 1].lemma == "который":
        return first - 2 if words[first - 2].key in TOPIC_PREPOSITIONS else first - 1
    return first


def _is_complement(text: str, words: Sequence[Word], sighting: Sighting) -> bool:
    """«основатель X рассказал», "the founder of X said": another one speaks."""
    if not sighting.first:
        return False
    before, name = words[sighting.first - 1], words[sighting.first]
    if before.lemma in MEDIA_NOUNS or before.key in INTERROGATIVES:
        return False
    if before.key in TOPIC_PREPOSITIONS | PLACE_PREPOSITIONS | _OTHER_PREPOSITIONS:
        return True
    if name.is_cyrillic and not name.key.endswith(_INDECLINABLE):
        return False  # a complement would be inflected: «основатель Хабра»
    kind = word_kind(before.key)
    is_noun = kind.is_known and kind.is_noun and kind.is_nominative and not kind.is_verb
    return (
        is_noun
        and before.lemma not in BETWEEN
        and text[before.end :].lstrip()[:1] not in set(",—–-:;.?!")
    )


def _may_be_subject(text: str, words: Sequence[Word], sighting: Sighting, verb: int) -> bool:
    """«что писал X»: not «кто писал X», and not «писали X» of some other people."""
    before = words[:verb]
    if any(word.key in _WHO for word in before):
        return False
    has_object = any(word.lemma in INTERROGATIVES | {"который"} for word in before)
    if sighting.name.is_latin and not has_object:
        return False  # it is not inflected, so it may be the object: «написал Python»
    if not words[verb].is_cyrillic:
        return True
    if not words[verb].key.endswith(_PLURAL) or word_kind(words[sighting.first].key).is_plural:
        return True
    return _is_listed(text, words, sighting.last)


def _is_listed(text: str, words: Sequence[Word], last: int) -> bool:
    """«писали X, Y и Z»: another name follows."""
    after = last + 1 if last < len(words) and words[last].key in CONJUNCTIONS else last
    is_apart = after > last or text[words[last - 1].end :].startswith(",")
    return is_apart and after < len(words) and words[after].is_capital
