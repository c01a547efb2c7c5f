"""Words around a date that tell whether it dates the posts or the fact that is asked about."""

from __future__ import annotations

import re

from agent.dates.tokens import Token, Words

# Words about posting, news and happening: with them a date is the posts' date.
_NEWS = (
    r"новост(?!ро)\w*|нов(?:ое|ого|инк\w*)|дайджест\w*|итог(?:и|ов|ам)|сводк\w*|обзор\w*|событи\w*"
    r"|главно\w*|интересн\w*|важн\w*|коротко|пересказ\w*|пропустил\w*|измен\w*|писал\w*|пишут|пишет|было"
    r"|произошл\w*|происход\w*|случил\w*|цікав\w*|news|digest|summar\w*|happen\w*|highlights|new"
)
_POSTING = (
    rf"{_NEWS}|напис\w*|рассказ\w*|сообщ\w*|\w*публик\w*|пост(?:ы|ов|а|ах|е|ил\w*|ят|ит)?|говор\w*"
    r"|выход\w*|выш\w+|обсужда\w*|упом\w*|запис[ьи]\w*|измен\w*|появ\w*|канал\w*|показыв\w*|анонс\w*|писав|було"
    r"|posts?|posted|posting|wrote|writ\w+|report\w*|said|says?|publish\w*|mention\w*|chang\w+"
    r"|discuss\w*|talk\w*|announc\w*|appear\w*|channels?|updates?|show\w*|find|search"
)
_QUANTITY = (
    r"сколь\w*|насколь\w*|об[ъь]ем\w*|выручк\w*|прибыл\w*|дол[яюи]|процент\w*|many|much|percent\w*"
    r"|revenue|profits?"
)
_LATER = r"потом|позже|позднее|впоследствии|затем|later|afterwards|eventually"
_THING = (
    r"руб\w*|долл\w*|евро|тыс\w*|млн|млрд|миллион\w*|человек\w*|люд\w*|штук\w*|раза?|метр\w*|км|кг|м"
    r"|балл\w*|градус\w*|очк\w*|процент\w*|секунд\w*|минут\w*|dollars?|euros?|people|users?|times|points|items|millions?|[%$€₽]"
)
_VERSIONED = (
    r"верс\w*|релиз\w*|version|release|v|глав[аеуы]|пункт\w*|стать\w*|раздел\w*|част[ьи]|chapter"
    r"|section|part"
)
_AS_OF_NEWS = r"новост\w*|афиш\w*|дайджест\w*|сводк\w*|событи\w*|план\w*"

_FIGURE_SHAPES = frozenset({"plain", "dm", "odd"})

_PATTERNS = {
    name: re.compile(pattern)
    for name, pattern in {
        "news": _NEWS,
        "posting": _POSTING,
        "quantity": _QUANTITY,
        "later": _LATER,
        "thing": _THING,
        "versioned": _VERSIONED,
        "as of": _AS_OF_NEWS,
    }.items()
}


def _any(words: Words, cue: str) -> bool:
    fits = _PATTERNS[cue].fullmatch
    return any(
        token.shape == "word" and fits(token.norm) and not _is_of_new_year(words, place)
        for place, token in enumerate(words.tokens)
    )


def _is_of_new_year(words: Words, at: int) -> bool:
    """«с нового года» tells of nothing new."""
    return words[at].norm.startswith("нов") and words[at + 1].norm.startswith("год")


def is_about_posting(words: Words) -> bool:
    """Tells whether the question speaks of posts, news or what happened."""
    return _any(words, "posting")


def is_news_word(token: Token) -> bool:
    """Tells whether the word is about posting, news or happening."""
    return _PATTERNS["posting"].fullmatch(token.norm) is not None


def is_digest(words: Words) -> bool:
    """Tells whether the question asks for what was new, so that «за неделю» is a period."""
    return _any(words, "news") and not _any(words, "quantity")


def asks_quantity(words: Words) -> bool:
    """Tells whether a figure is asked for."""
    return _any(words, "quantity")


def looks_later(words: Words) -> bool:
    """Tells whether the question goes on to a later time that it does not name."""
    return _any(words, "later")


def is_counted_thing(token: Token) -> bool:
    """Tells whether a number before this word counts things: «2000 рублей»."""
    return _PATTERNS["thing"].fullmatch(token.norm) is not None


def is_as_of(words: Words, at: int) -> bool:
    """«на сегодня», "as of May 5", "even today": the state on a day, wherever it was posted."""
    if words[at - 1].norm in {"даже", "even", "still"}:
        return True
    if words[at].norm == "на":
        return not _any(words, "as of")
    return words[at - 1].norm == "of" and words[at - 2].norm == "as"


def is_version(words: Words, at: int) -> bool:
    """Tells whether figures at the place belong to a name: "Python 3.10 to 3.11", «глава 5.10»."""
    place = at - 1
    while words[place].meaning.roles or words[place].shape in _FIGURE_SHAPES:
        place -= 1
    named = words[place]
    if named.shape != "word":
        return False
    is_name = named.norm < "а" and (words.is_russian or named.text[0].isupper())
    return is_name or _PATTERNS["versioned"].fullmatch(named.norm) is not None
