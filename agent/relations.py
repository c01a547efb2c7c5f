"""What a text has to speak of to answer, beside the kind of thing: a name, a verdict, a winner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent.relevance import terms_of
from agent.types import Plan

_CAPITAL = r"[A-ZА-ЯЁІЇЄҐ]"
_NAME_OF = re.compile(
    r"\b(?:как(?:\s+\w+)?\s+(?:зовут|звали|назыв\w+|назвали|окрестили|прозвали)|как\w*\s+(?:имя|кличка|"
    r"название)(?:\s+(?:у|было у))?|"
    r"what (?:is|was|are|were) the names?(?:\s+of(?:\s+the)?)?|what (?:is|was) \w+ called)\s+"
    r"(?:(?:тот|та|то|этот|эта|это|the|that|this)\s+)?(?P<of>[\w-]+)",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"\b(?:про|насч[её]т|касательно|о|об|обо|about|on|regarding)\s+"
    r"(?!ч[её]м\b|what\b|вс[её]м\b|everything\b|\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\w",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:систем\w+ (?:промпт|инструкц|подсказк)\w*|system prompt|"
    r"(?:забудь|игнорируй|проигнорируй|отбрось|ignore|forget|disregard)\b.{0,40}\b(?:правил\w*|"
    r"инструкци\w*|указани\w*|предыдущ\w*|rules|instructions|previous))",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"\b(?:зовут|звали|по имени|имя|имени|кличк\w+|прозвищ\w+|"
    r"назыв\w+|назвал\w*|назван\w*|под названием|"
    r"окрестил\w*|named|called|name is|dubbed|known as)\b",
    re.IGNORECASE,
)
_PART = re.compile(r"[«\"“]?[\w-]+")
_NAME = re.compile(rf"[«\"“]?{_CAPITAL}")
_PREPOSITIONS = frozenset(
    "в во на из с со у к о об от до по за для при про и а но in on at of from to by and".split()
)
_HEADING_NAME = re.compile(
    rf"^\W*(?:{_CAPITAL}[\w.-]*\s){{1,4}}[—–-] |^\W*[A-Z][\w.-]+(?:[:,]| [—–-] )"
)
"""«Reaper — первый антивирус», «SSH-Snake: …»."""

# The words of a question, and the words of texts that answer it.
_CUES = tuple(
    (re.compile(asked, re.IGNORECASE), re.compile(said, re.IGNORECASE))
    for asked, said in (
        (
            r"\b(?:кто|кому|чья|какая команда|who|which team)\b.{0,40}\b(?:побед\w+|"
            r"выиграл\w*|одержал\w*|won|wins?)\b",
            r"\b(?:победил\w*|победител(?:ем|ями) стал\w*|победительниц\w+|выиграл\w*|"
            r"одержал\w*|одолел\w*|обыграл\w*|обош[её]л\w*|занял\w* перв\w+ мест\w+|"
            r"перв\w+ мест\w+ (?:занял\w*|у|достал\w*|получил\w*)|"
            r"стал\w* (?:чемпион\w*|победител\w*)|won|winner|beat|defeated|champion)\b",
        ),
        (
            r"\b(?:приговор\w*|какой срок (?:получил|дали|назначил)|сколько (?:лет )?дали|осудили|"
            r"sentenced?|prison term)\b",
            r"\b(?:приговор\w*|осудил\w*|осужд[её]н\w*|"
            r"назначил\w* (?:\w+ ){0,3}(?:колони\w*|лишени\w*|срок\w*|год\w*|лет)|"
            r"лет (?:колонии|тюрьмы|заключения|лишения)|sentenced|convicted|"
            r"years in (?:prison|jail))\b",
        ),
        (
            r"\b(?:как(?:ой|ая|ую)\s+(?:модел\w+|марк\w+)|какого бренда|"
            r"what (?:model|brand|make))\b",
            rf"\b(?:[A-Z][A-Za-z]+[\s-]?\d*\b|модел\w+ {_CAPITAL}|марк\w+ {_CAPITAL})",
        ),
    )
)


def lacks_relation(question: str, sentences: Iterable[str]) -> bool:
    """Whether the question asks of something that no sentence speaks of.

    «Кто победил?» of an announcement, «как звали голубя?» of a post where no name stands by the
    pigeon. False where the question is of no kind that is known here.
    """
    every = tuple(sentences)
    for asked, said in _CUES:
        if asked.search(question):
            return not any(said.search(one) for one in every)
    match = _NAME_OF.search(question)
    return match is not None and not _names(every, match["of"])


def _names(sentences: Sequence[str], thing: str) -> bool:
    """Whether a sentence that speaks of a thing names it; or else whether any gives a name."""
    wanted = set(terms_of(thing))
    speaking = [one for one in sentences if wanted & set(terms_of(one))]
    if any(_NAMING.search(one) or _has_name_beside(one, wanted) for one in speaking):
        return True
    # Where the thing is called otherwise, «странички» of a «сайт», a name may stand anywhere.
    return any(_HEADING_NAME.search(one) for one in sentences) or (
        not speaking and any(_NAMING.search(one) for one in sentences)
    )


def _has_name_beside(sentence: str, wanted: set[str]) -> bool:
    words = _PART.findall(sentence)
    return any(
        wanted & set(terms_of(word)) and _begins_with_name(words[at + 1 : at + 3])
        for at, word in enumerate(words)
    )


def _begins_with_name(words: Sequence[str]) -> bool:
    """«козёл Степан», «козёл породы Степан»; but «козёл в Туле» has no name."""
    for word in words:
        if _NAME.match(word):
            return True
        if word.casefold() in _PREPOSITIONS:
            return False
    return False


def is_overview(plan: Plan) -> bool:
    """Whether all of a channel or of a period is asked for, and nothing in particular."""
    return plan.intent == "digest" and not _TOPIC.search(plan.queries[0])


def commands_the_bot(question: str) -> bool:
    """Whether it is no question to the archive, but an order to whoever answers."""
    return bool(_ORDER.search(question))
