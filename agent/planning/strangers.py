"""Reads «канал …»: a channel by its topic, or by a name that none of ours has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.planning.dictionary import word_kind
from agent.planning.leads import lead
from agent.planning.names import NameBook, topic_forms
from agent.planning.phrases import Quotation
from agent.planning.vocabulary import (
    CHANNEL_NOUNS,
    CONJUNCTIONS,
    EXCLUSIONS,
    OTHER_CHANNELS,
    PLACE_PREPOSITIONS,
    SAYING,
    SOURCE_NOUNS,
    TELEGRAM,
    TOPIC_PREPOSITIONS,
)
from agent.planning.words import Span, Word
from ingest.types import Channel

_MAX_TOPIC = 3
_MAX_NAME = 4


def described(
    text: str, words: Sequence[Word], book: NameBook
) -> Iterator[tuple[Span, tuple[Channel, ...]]]:
    """«канал про Go», "the Python channel": the channels whose names have all its words."""
    for index, word in enumerate(words):
        if word.lemma not in CHANNEL_NOUNS or _is_other(words, index):
            continue
        first = index + 1
        if first < len(words) and words[first].key in TOPIC_PREPOSITIONS | {"по", "on"}:
            first += 1
        elif word.key != "channel" or not index:
            continue
        else:
            yield from _topic_before(text, words, index, book)
            continue
        last, having = _topic(words, first, book)
        while having and last + 1 < len(words) and words[last].key in CONJUNCTIONS:
            further, also = _topic(words, last + 1, book)  # «про Go и Python»
            if not also:
                break
            last, having = further, tuple(dict.fromkeys((*having, *also)))
        if having:
            yield (_start(text, words, index), words[last - 1].end), having


def _topic(words: Sequence[Word], first: int, book: NameBook) -> tuple[int, tuple[Channel, ...]]:
    """Where the longest topic that begins at a word ends, and the channels that have it."""
    for last in range(min(first + _MAX_TOPIC, len(words)), first, -1):
        having = _having(words[first:last], book)
        if having:
            return last, having
    return first, ()


def _topic_before(
    text: str, words: Sequence[Word], index: int, book: NameBook
) -> Iterator[tuple[Span, tuple[Channel, ...]]]:
    having = _having(words[index - 1 : index], book)
    if having:
        yield (_start(text, words, index - 1), words[index].end), having


def _having(about: Sequence[Word], book: NameBook) -> tuple[Channel, ...]:
    """Channels whose title or username has every one of these words."""
    matches: list[set[Channel]] = []
    first: tuple[Channel, ...] = ()
    for word in about:
        if word.is_empty:
            return ()
        found = [channel for form in topic_forms(word) for channel in book.topics.get(form, ())]
        first = first or tuple(dict.fromkeys(found))
        matches.append(set(found))
    common = set.intersection(*matches) if matches else set()
    return tuple(channel for channel in first if channel in common)


def strangers(
    text: str, words: Sequence[Word], quoted: Sequence[Quotation]
) -> Iterator[tuple[Span, str]]:
    """Names after «канал» (or before "channel") that have to be somebody's, with their spans."""
    for index, word in enumerate(words):
        if word.lemma not in CHANNEL_NOUNS - {"чат"} or _is_other(words, index):
            continue
        quotation = next((q for q in quoted if not text[word.end : q.start].strip(" :")), None)
        if quotation is not None and quotation.start >= word.end:
            if not _is_aside(words, index):
                yield (_start(text, words, index), quotation.end), quotation.text.strip()
            continue
        if word.lemma == "channel":
            yield from _before(text, words, index)
        elif _is_addressed(words, index):
            yield from _after(text, words, index)


def _after(text: str, words: Sequence[Word], index: int) -> Iterator[tuple[Span, str]]:
    """«в канале Фонтанка Live»: the capitalised words right after."""
    last = index + 1
    while last < min(len(words), index + 1 + _MAX_NAME) and _is_title_word(
        text, words[last - 1], words[last]
    ):
        last += 1
    named = words[index + 1 : last]
    if named and named[0].key not in TELEGRAM:
        end = named[-1].end
        yield (_start(text, words, index), end), text[named[0].start : end]


def _before(text: str, words: Sequence[Word], index: int) -> Iterator[tuple[Span, str]]:
    """Reads "in the Foo Bar channel": the capitalised words right before."""
    first = index
    while (
        first
        and index - first < _MAX_NAME
        and _is_title_word(text, words[first - 1], words[first - 1])
    ):
        first -= 1
    before = words[first - 1] if first else None
    is_led = before is not None and before.key in PLACE_PREPOSITIONS | {"the", "by"}
    if first < index and is_led and words[first].key not in TELEGRAM:
        name = text[words[first].start : words[index - 1].end]
        yield (_start(text, words, first), words[index].end), name


def _is_title_word(text: str, before: Word, word: Word) -> bool:
    if before is not word and text[before.end : word.start] != " ":
        return False
    kind = word_kind(word.key)
    # «канал Грибоедова» is water: titles beside «канал» are not inflected.
    is_genitive = kind.is_person and word.key.endswith(("а", "я"))
    return word.is_proper and (not kind.is_known or (kind.is_nominative and not is_genitive))


def _is_addressed(words: Sequence[Word], index: int) -> bool:
    """«в канале», «по данным канала», «канал X писал», «писал канал»."""
    if _is_aside(words, index):
        return False
    before = words[index - 1] if index else None
    if before is not None:
        if before.key in TELEGRAM and index > 1:
            before = words[index - 2]
        if before.key in PLACE_PREPOSITIONS | {"по"} or before.lemma in SOURCE_NOUNS | SAYING:
            return True
    later = words[index + 2 : index + 2 + _MAX_NAME]
    return any(word.lemma in SAYING for word in later if not word.is_proper)


def _is_other(words: Sequence[Word], index: int) -> bool:
    before = words[index - 1] if index else None
    return before is not None and (before.key in OTHER_CHANNELS or before.lemma in OTHER_CHANNELS)


def _is_aside(words: Sequence[Word], index: int) -> bool:
    """«про канал X», «кроме канала X»: it is spoken of, or left out."""
    return any(
        word.key in TOPIC_PREPOSITIONS | EXCLUSIONS for word in words[max(0, index - 2) : index]
    )


def _start(text: str, words: Sequence[Word], index: int) -> int:
    return words[lead(text, words, index)].start
