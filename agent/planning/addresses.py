"""Decides whether a name in a question says where to look, or is what the question is about."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from agent.planning.dictionary import word_kind
from agent.planning.leads import BELIEVING, lead, source
from agent.planning.names import Part, Worth
from agent.planning.sightings import Sighting
from agent.planning.speech import speech, verb_after
from agent.planning.spelling import Likeness
from agent.planning.vocabulary import (
    BETWEEN,
    CHANNEL_NOUNS,
    CONJUNCTIONS,
    DIGEST_WORDS,
    EXCLUSIONS,
    INTERROGATIVES,
    MEDIA_NOUNS,
    PLACE_PREPOSITIONS,
    POSTED,
    SAYING,
    TOPIC_PREPOSITIONS,
)
from agent.planning.words import Span, Word


class Cue(enum.IntEnum):
    """How plainly a question addresses a channel; more is plainer."""

    PLACE = 1
    """«на X», «из X»."""
    SAID = 2
    """«X писал», «по данным X», "according to X"."""
    NAMED = 3
    """«канал X», «X» in quotation marks."""


@dataclass(frozen=True, slots=True)
class Address:
    """How a channel is addressed, and the words ``[first, last)`` that only do that."""

    cue: Cue
    first: int
    last: int


class Reader:
    """Reads the surroundings of possible names in one question."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self._text = text
        self._words = words
        self._posts = any(w.lemma in POSTED or w.key in POSTED for w in words)

    def span(self, sighting: Sighting) -> Span | None:
        """The piece of the question that addresses this name; None where it is no address."""
        if self._is_fragment(sighting) or self._is_topic(sighting):
            return None
        cues = [self._named(sighting), self._source(sighting), self._said(sighting)]
        cues += [self._place(sighting), self._bare(sighting)]
        found = [cue for cue in cues if cue is not None]
        if not any(self._suffices(sighting, cue.cue) for cue in found):
            return None
        first, last = min(cue.first for cue in found), max(cue.last for cue in found)
        return self._between(sighting, lead(self._text, self._words, first), last)

    def joins(self, sighting: Sighting, accepted: Sighting) -> bool:
        """Whether only «, », «и» and prepositions stand between it and an addressed name."""
        left, right = sorted((sighting, accepted), key=lambda s: s.first)
        between = self._words[left.last : right.first]
        if self._is_fragment(sighting) or not self._is_name(sighting):
            return False
        gap = self._text[self._words[left.last - 1].end : self._words[right.first].start]
        if not between:
            return gap.strip(' «»"') in {",", "/", "+", "&"}
        return all(word.key in CONJUNCTIONS | PLACE_PREPOSITIONS for word in between) and (
            any(word.key in CONJUNCTIONS for word in between) or "," in gap
        )

    def plain(self, sighting: Sighting) -> Span:
        """The words of a name with the preposition before them and the quotation marks."""
        first = lead(self._text, self._words, sighting.first)
        return self._between(sighting, first, sighting.last)

    # Each of these knows one way to address a channel.

    def _named(self, sighting: Sighting) -> Address | None:
        """«канал X», "the X channel", X in quotation marks."""
        before, after = self._at(sighting.first - 1), self._at(sighting.last)
        if before is not None and before.lemma in CHANNEL_NOUNS and self._touches(sighting):
            return Address(Cue.NAMED, sighting.first - 1, sighting.last)
        if after is not None and after.lemma == "channel":
            return Address(Cue.NAMED, sighting.first, sighting.last + 1)
        if not sighting.is_quoted or sighting.name.worth is Worth.TOPIC:
            return None
        is_thing = (  # «фильм «Москвач»»
            before is not None
            and before.lemma not in MEDIA_NOUNS | SAYING | BELIEVING
            and before.key not in PLACE_PREPOSITIONS
            and (word_kind(before.key).is_known and word_kind(before.key).is_noun)
        )
        return None if is_thing else Address(Cue.NAMED, sighting.first, sighting.last)

    def _source(self, sighting: Sighting) -> Address | None:
        """«по данным X», «если верить X», «посты X», "according to X"."""
        if sighting.first and self._touches(sighting) and source(self._words, sighting.first):
            return Address(Cue.SAID, sighting.first, sighting.last)
        return None

    def _said(self, sighting: Sighting) -> Address | None:
        """«X писал», «писал ли X», "did X say"."""
        found = speech(self._text, self._words, sighting)
        return Address(Cue.SAID, *found) if found else None

    def _place(self, sighting: Sighting) -> Address | None:
        """«на X», «у X», "in X"."""
        before = self._at(sighting.first - 1)
        if before is None or before.key not in PLACE_PREPOSITIONS or not self._touches(sighting):
            return None
        return Address(Cue.PLACE, sighting.first - 1, sighting.last)

    def _bare(self, sighting: Sighting) -> Address | None:
        """«Библиотека питониста, помню, …», «Хабр про …», «Хабр: …»."""
        name = sighting.name
        if name.worth is not Worth.RARE or sighting.likeness < Likeness.INFLECTED:
            return None
        address = Address(Cue.SAID, sighting.first, sighting.last)
        if len(name.words) > 1 and name.part <= Part.HEAD:
            return address
        return address if sighting.is_uninflected and self._is_heading(sighting) else None

    def _is_heading(self, sighting: Sighting) -> bool:
        """«Хабр про …», «Хабр: …», «дайджест Хабр», «Хабр за неделю»."""
        before, after = self._at(sighting.first - 1), self._at(sighting.last)
        if before is not None and (before.lemma in DIGEST_WORDS or before.key in DIGEST_WORDS):
            return True
        rest = self._text[self._words[sighting.last - 1].end :].lstrip()
        is_about = after is not None and after.key in TOPIC_PREPOSITIONS - {"of"}
        if is_about and rest[0].isalpha():  # but «что объявил Хабр о продаже» is about it
            return all(word.is_empty for word in self._words[: sighting.first])
        return self._is_all(sighting) or (sighting.first == 0 and rest.startswith(":"))

    # What the ways have in common.

    def _suffices(self, sighting: Sighting, cue: Cue) -> bool:
        """Whether a cue is plain enough for this name, as it is written."""
        name = sighting.name
        if cue is Cue.NAMED:
            return True
        if name.worth is Worth.TOPIC or not self._is_name(sighting):
            return False
        kind = word_kind(self._words[sighting.first].key)
        is_single = len(name.words) == 1
        if cue is Cue.SAID:
            return not (is_single and name.worth is Worth.COMMON and kind.is_place)
        return self._is_place(sighting)

    def _is_place(self, sighting: Sighting) -> bool:
        """Whether «на X» can be meant of this name."""
        name, kind = sighting.name, word_kind(self._words[sighting.first].key)
        is_single = len(name.words) == 1
        if name.part is Part.WORD and kind.is_known:
            return False  # a surname in a title: «у Иванова» may be anybody's
        if name.is_latin and is_single:  # «в Kubernetes» is no channel unless people post there
            return name.worth is Worth.RARE and self._posts
        if name.part is Part.WORD and not self._posts:
            return False  # «в Верхнеозёрске» is the town, not the channel «Верхнеозёрск Live»
        if name.worth is Worth.RARE:
            return not self._is_longer_name(sighting)
        return not (is_single and (kind.is_place or kind.is_person))

    def _is_name(self, sighting: Sighting) -> bool:
        """Whether it is written as a name, as far as this name has to be."""
        word, name = self._words[sighting.first], sighting.name
        is_rare = name.worth is Worth.RARE and name.part <= Part.HEAD
        if is_rare and sighting.likeness >= Likeness.SOUNDS:
            return True
        if name.worth is Worth.RARE and not name.words[0].is_capital:
            return sighting.likeness >= Likeness.SOUNDS or word.is_capital
        if word.opens:  # a capital there says nothing, unless the verb of a channel follows
            is_subject = verb_after(self._words, sighting.last) is not None
            return word.is_capital and (is_rare or is_subject)
        return word.is_capital

    def _is_fragment(self, sighting: Sighting) -> bool:
        """Hyphened to something («Хабр-карьера», «анти-Хабр»), or after «кроме»."""
        start, end = self._words[sighting.first].start, self._words[sighting.last - 1].end
        after = self._at(sighting.last)
        if start and self._text[start - 1] in "-_@/":
            return True
        if after is not None and after.start == end + 1 and self._text[end] in "-_./":
            return len(after.key) > 2 or not after.is_cyrillic  # noqa: PLR2004 - «Cybred-а»
        near = (self._at(sighting.first - 1), self._at(sighting.first - 2))
        return any(word is not None and word.key in EXCLUSIONS for word in near)

    def _is_topic(self, sighting: Sighting) -> bool:
        """«про X», «о канале X»."""
        before = self._at(sighting.first - 1)
        if before is not None and before.lemma in CHANNEL_NOUNS:
            before = self._at(sighting.first - 2)
        return before is not None and before.key in TOPIC_PREPOSITIONS

    def _is_all(self, sighting: Sighting) -> bool:
        """«А Хабр?», «Хабр за неделю»: nothing else is said, or only when."""
        others = [*self._words[: sighting.first], *self._words[sighting.last :]]
        return all(
            w.is_empty or w.lemma in BETWEEN or w.key.isdigit() for w in others
        ) and not any(w.key in TOPIC_PREPOSITIONS or w.lemma in INTERROGATIVES for w in others)

    def _is_longer_name(self, sighting: Sighting) -> bool:
        """«в Хабр Карьере»: not inflected, and a capital goes on: some other name."""
        after = self._at(sighting.last)
        if after is None or not after.is_capital or sighting.name.is_latin:
            return False
        gap = self._text[self._words[sighting.last - 1].end : after.start]
        return sighting.is_uninflected and gap == " " and len(sighting.name.words) == 1

    def _touches(self, sighting: Sighting) -> bool:
        before = self._words[sighting.first - 1]
        gap = self._text[before.end : self._words[sighting.first].start]
        return not gap.strip(" «“„\"'‘:—–-")

    def _at(self, index: int) -> Word | None:
        return self._words[index] if 0 <= index < len(self._words) else None

    def _between(self, sighting: Sighting, first: int, last: int) -> Span:
        """The words as a piece of text, with the quotation marks around the name."""
        start, end = self._words[first].start, self._words[last - 1].end
        if sighting.is_quoted:
            start -= first == sighting.first
            end += last == sighting.last
        return start, end
