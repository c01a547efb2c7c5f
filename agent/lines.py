"""Sentences of evidence as candidates for an answer: each with what stands around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.answer_type import AnswerType, has_answer
from agent.relations import commands_the_bot
from agent.relevance import terms_of
from agent.types import Evidence

_LETTERS = re.compile(r"[^\W\d_]{2,}")
_ATTACHED = re.compile(r"https?://\S+|\b[\w.-]+\.(?:com|ru|org|io|net|me)/\S+|[@#][\w\d_]+")
_SENTENCE_END = re.compile(r"[.!?…:;][)\]»”\"'’\s\W]*$")
_CALL = re.compile(
    r"\b(?:подпис(?:ывайтесь|ывайся|аться|ись|чики)|подпишись|подпишитесь|промокод\w*|erid|"
    r"ставь(?:те)? (?:лайк|реакц)\w*|прислать новость|предложить новость|"
    r"наш(?:и)? (?:чат|канал)\w*|"
    r"пересылай(?:те)?|делитесь|поделись|жми(?:те)?|переходи(?:те)? по|ссылка (?:на|в)|"
    r"subscribe|follow us|join (?:us|our)|sign up|click here|promo code)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"^\W*(?:подробнее|подробности|читать|читайте|источник|смотреть|фото|видео|скачать|репозиторий|"
    r"больше новостей|read more|source|via|watch|photo|video)\b.{0,60}$",
    re.IGNORECASE,
)
_AD = re.compile(r"^\W*(?:реклама\b|#реклама|ad\b|sponsored\b)|\berid[:\s]", re.IGNORECASE)
_LONGEST_CALL = 160
"""Characters: a longer sentence with a call in it says something else too."""

_WORD = re.compile(r"\w+(?:[.,]\d+)*")

_LONGEST_TITLE = 140
_BEFORE = 2
"""Sentences before whose subject a sentence may go on with."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One sentence of a piece of evidence; equal to itself only.

    Attributes:
        position: Its number among the sentences of its evidence.
        terms: Its own.
        around: Those of the title, of the sentences just before it and of itself: what it
            speaks of without saying it again.
        is_title: It heads the post.
        is_noise: No answer to anything: a link, tags, an advertisement, a call to subscribe,
            an order to whoever answers.
    """

    evidence: Evidence
    position: int
    text: str
    terms: frozenset[str]
    around: frozenset[str]
    is_title: bool
    is_noise: bool


def lines_of(evidence: Sequence[Evidence]) -> list[Line]:
    """The sentences of some evidence, in its order. CPU work: a millisecond a post."""
    return [line for one in evidence for line in _lines(one)]


def is_noise(text: str) -> bool:
    """Whether a sentence answers nothing whatever is asked."""
    said = _ATTACHED.sub(" ", text)
    if not _LETTERS.search(said):
        return True
    is_call = len(text) <= _LONGEST_CALL and bool(_CALL.search(said))
    return is_call or commands_the_bot(said) or bool(_POINTER.search(said) or _AD.search(text))


def gives(text: str, wanted: AnswerType, known: frozenset[str]) -> bool:
    """Whether a sentence has the kind of thing asked for, beside what the question says.

    Args:
        known: The question's terms. Never true where its words do not tell the kind.
    """
    return wanted is not AnswerType.ANY and has_answer(_news(text, known), wanted)


def _news(text: str, known: frozenset[str]) -> str:
    """The text with a blank for each name and number that the question has itself."""

    def blank(match: re.Match[str]) -> str:
        word = match.group()
        if not (word[0].isdigit() or word[0].isupper()):
            return word
        return "x" if set(terms_of(word)) & known else word

    return _WORD.sub(blank, text)


def _lines(one: Evidence) -> Iterator[Line]:
    terms = [frozenset(terms_of(text)) for text in one.sentences]
    has_title = len(terms) > 1 and _is_title(one.sentences[0]) and one.story.lead.start == 0
    title = terms[0] if terms else frozenset()
    for position, text in enumerate(one.sentences):
        before = terms[max(0, position - _BEFORE) : position + 1]
        yield Line(
            evidence=one,
            position=position,
            text=text,
            terms=terms[position],
            around=title.union(*before),
            is_title=has_title and position == 0,
            is_noise=is_noise(text),
        )


def _is_title(text: str) -> bool:
    return len(text) <= _LONGEST_TITLE and not _SENTENCE_END.search(text)
