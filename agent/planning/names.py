"""Knows every name that the archive's channels go by, and how much each name is worth."""

from __future__ import annotations

import enum
import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.planning.dictionary import word_kind
from agent.planning.spelling import sound, stem
from agent.planning.vocabulary import COMMON_LATIN
from agent.planning.words import Word, clean, words_of
from ingest.types import Channel

_PART_BORDER = re.compile(r"\s*[|•·/:(\[,;]\s*|\.\s+|\s+[-–—]\s+|\s*—\s*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_SHORTEST_RARE = 4
"""Letters from which on a word that no dictionary has is taken for a name."""
_LONGEST_AFFIX = 2
"""Letters of a username's first part («ru_…», «tg_…») that is not the name itself."""


class Worth(enum.IntEnum):
    """How much it takes for a name in a question to mean the channel; more takes less."""

    TOPIC = 0
    """Only the word "channel" beside it makes it one: a one-word head as «Москва»."""
    COMMON = 1
    """Made of everyday words: «Новости Москвы», "Python"."""
    RARE = 2
    """Has a word that means nothing else: «Хабр», «Библиотека питониста»."""


class Part(enum.IntEnum):
    """Which part of the title or username a name is; the less, the more it is the name."""

    WHOLE = 0
    HEAD = 1
    """What stands before «|» or «•»; a username without its short prefix."""
    WORD = 2
    """One rare word of a longer title or username."""


@dataclass(frozen=True, slots=True)
class NameWord:
    """One word of a name, ready to be compared."""

    key: str
    lemma: str
    is_capital: bool

    @property
    def is_rare(self) -> bool:
        """It means nothing but a name."""
        if len(self.key) < _SHORTEST_RARE or self.key.isdigit():
            return False
        if self.key.isascii():
            return self.key not in COMMON_LATIN
        kind = word_kind(self.key)
        return not kind.is_known or kind.is_organisation


@dataclass(frozen=True, slots=True)
class Name:
    """A name of one or more channels (two may share a title)."""

    words: tuple[NameWord, ...]
    worth: Worth
    part: Part
    channels: tuple[Channel, ...]

    @property
    def is_latin(self) -> bool:
        """No letter of it is Cyrillic."""
        return all(word.key.isascii() for word in self.words)

    @property
    def joined(self) -> str:
        """Its words without spaces: «Press TV» and "PressTV" are one."""
        return "".join(word.key for word in self.words)


@dataclass(frozen=True, slots=True)
class NameBook:
    """The names of some channels, by the words they begin with.

    Attributes:
        usernames: Channels by their casefolded usernames.
        ids: Channels by their ids.
        first: Names by any form of their first word.
        first_words: The first words themselves, for mistyped ones.
        joined: Names of several words by the word that they make together, and the other way.
        topics: What each word of a title or username, by lemma and by sound, belongs to.
        wide: Names in scripts without spaces, to be looked for as they are.
    """

    usernames: dict[str, Channel]
    ids: dict[int, Channel]
    first: dict[str, tuple[Name, ...]]
    first_words: dict[str, tuple[Name, ...]]
    joined: dict[str, tuple[Name, ...]]
    topics: dict[str, tuple[Channel, ...]]
    wide: tuple[tuple[str, Channel], ...]


@functools.lru_cache(maxsize=32)
def name_book(channels: tuple[Channel, ...]) -> NameBook:
    """The names of the channels; remembered for the same channels."""
    names = _settled(name for channel in channels for name in _names_of(channel))
    first: dict[str, dict[Name, None]] = defaultdict(dict)
    first_words: dict[str, list[Name]] = defaultdict(list)
    joined: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        for form in forms(name.words[0].key, name.words[0].lemma):
            first[form][name] = None
        first_words[name.words[0].key].append(name)
        joined[name.joined].append(name)
    return NameBook(
        usernames={c.username.casefold(): c for c in channels if c.username},
        ids={int(c.channel_id): c for c in channels},
        first={form: tuple(found) for form, found in first.items()},
        first_words={key: tuple(found) for key, found in first_words.items()},
        joined={key: tuple(found) for key, found in joined.items()},
        topics=_topics(channels),
        wide=tuple(_wide(channels)),
    )


def forms(key: str, lemma: str) -> frozenset[str]:
    """What two words have in common when they may be the same one."""
    heard = {"~" + sound(key), "~" + sound(stem(key))}
    return frozenset((key, lemma, stem(key))) | heard


def _names_of(channel: Channel) -> Iterator[Name]:
    """Every name a channel may go by, the same name perhaps more than once."""
    title = clean(channel.title)
    head = next((part for part in _PART_BORDER.split(title) if words_of(part)), "")
    whole, front = _name_words(title), _name_words(head)
    if whole:
        yield Name(whole, _worth(whole), Part.WHOLE, (channel,))
    if front and len(front) < len(whole):
        worth = _worth(front)
        if len(front) == 1 and worth is Worth.COMMON and _is_topic(front[0]):
            worth = Worth.TOPIC
        yield Name(front, worth, Part.HEAD, (channel,))
    if len(front) > 1:
        for word in front:
            if word.is_capital and (word.is_rare or word_kind(word.key).is_person):
                yield Name((word,), Worth.RARE, Part.WORD, (channel,))
    if channel.username:
        yield from _username_names(channel, channel.username)


def _is_topic(word: NameWord) -> bool:
    """A place or an English word («Москва - новостная»): people ask about those themselves."""
    return word.key.isascii() or word_kind(word.key).is_place


def _username_names(channel: Channel, username: str) -> Iterator[Name]:
    parts = [part for part in _CAMEL.sub("_", username).split("_") if part]
    words = tuple(_lower_word(part) for part in parts)
    whole = (_lower_word(username.replace("_", "")),)
    yield Name(whole if len(parts) == 1 else words, _worth(words), Part.WHOLE, (channel,))
    if len(parts) > 1:
        core = words[1:] if len(parts[0]) <= _LONGEST_AFFIX else words
        if len(core) > 1 or core[0].is_rare:
            yield Name(core, _worth(core), Part.HEAD, (channel,))
        for word in core:
            if word.is_rare and not any(sign.isdigit() for sign in word.key):
                yield Name((word,), Worth.RARE, Part.WORD, (channel,))


def _name_words(text: str) -> tuple[NameWord, ...]:
    return tuple(NameWord(w.key, w.lemma, w.text[0].isupper()) for w in words_of(text))


def _lower_word(part: str) -> NameWord:
    word = words_of(part.lower())[0]
    return NameWord(word.key, word.lemma, is_capital=False)


def _worth(words: tuple[NameWord, ...]) -> Worth:
    return Worth.RARE if any(word.is_rare for word in words) else Worth.COMMON


def _settled(names: Iterable[Name]) -> list[Name]:
    """One entry a name: the channel whose whole name it is has it, not one that it is part of.

    A single word that several channels have in their names names none of them.
    """
    claims: dict[tuple[str, ...], list[Name]] = defaultdict(list)
    for name in names:
        claims[tuple(word.key for word in name.words)].append(name)
    settled = []
    for rivals in claims.values():
        part = min(name.part for name in rivals)
        best = [name for name in rivals if name.part is part]
        channels = tuple(dict.fromkeys(channel for name in best for channel in name.channels))
        if part is Part.WORD and len(channels) > 1:
            continue
        # A title says whether it is written with a capital letter; a username does not.
        first = max(best, key=lambda name: name.words[0].is_capital)
        settled.append(Name(first.words, max(n.worth for n in best), part, channels))
    return settled


def _topics(channels: Iterable[Channel]) -> dict[str, tuple[Channel, ...]]:
    found: dict[str, dict[Channel, None]] = defaultdict(dict)
    for channel in channels:
        for word in words_of(
            clean(f"{channel.title} {(channel.username or '').replace('_', ' ')}")
        ):
            for form in topic_forms(word):
                found[form][channel] = None
    return {form: tuple(having) for form, having in found.items()}


def topic_forms(word: Word) -> tuple[str, str]:
    """By what a word of a topic is compared: «питон» is "Python"."""
    return word.lemma, "~" + sound(stem(word.key))


def _wide(channels: Iterable[Channel]) -> Iterator[tuple[str, Channel]]:
    """Heads of titles in Chinese, Japanese or Korean, where words have no borders."""
    for channel in channels:
        head = next((part for part in _PART_BORDER.split(clean(channel.title)) if part), "")
        if len(head) >= _SHORTEST_RARE and _WIDE.fullmatch(head):
            yield head, channel
