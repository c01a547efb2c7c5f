"""Tells what kind of reply a question wants, from its wording alone."""

from __future__ import annotations

import re
from typing import Literal

from agent.planning.reading import Reading
from agent.planning.vocabulary import INTERROGATIVES, SAYING
from agent.types import Intent

_CYRILLIC = re.compile("[\u0400-\u04ff]")


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_GREETING = (
    r"привет\w*|здравствуй(?:те)?|здаров\w*|хай|ку|добр(?:ый|ое|ого)\s+(?:день|вечер|утро|дня)|салют|"
    r"hi|hello|hey|good\s+(?:morning|evening|afternoon)"
)
_THANKS = r"(?:большое\s+)?(?:спасибо|благодарю|спс|thanks?|thank\s+you|thx)(?:\s+\w+){0,3}"
_LEADING_GREETING = re.compile(rf"^(?:{_GREETING})\b[\s,!.—–-]+", re.IGNORECASE)
_CHITCHAT = _any_of(
    rf"^(?:{_GREETING})$",
    rf"^{_THANKS}$",
    r"^(?:а\s+)?(?:ты\s+кто|кто\s+ты(?:\s+такой|\s+такая)?|как\s+тебя\s+зовут|как\s+дела|как\s+ты)$",
    r"^(?:пока|до\s+свидания|ок|окей|ok|okay|понятно|ясно|хорошо|ладно|супер|класс|круто|bye|goodbye|cool|great|nice)$",
    r"^(?:who|what)\s+are\s+you$",
    r"^how\s+are\s+you(?:\s+\w+)?$",
    r"^what(?:'s|\s+is)\s+your\s+name$",
)
_HELP = _any_of(
    r"^/?(?:help|start|помощь|справка)$",
    r"^(?:а\s+)?что\s+ты\s+(?:умеешь|можешь)(?:\s+делать)?$",
    r"^как\s+(?:тобой|этим|ботом|этим\s+ботом)\s+пользоваться$",
    r"^как\s+(?:ты|это|этот\s+бот)\s+работае(?:т|шь)$",
    r"^what\s+can\s+you\s+do$",
    r"^how\s+(?:do\s+i|to|can\s+i)\s+use\s+(?:you|this(?:\s+bot)?|the\s+bot)$",
    r"^how\s+do(?:es)?\s+(?:you|this|this\s+bot)\s+work$",
)
_COVERAGE = _any_of(
    r"\bкаки(?:е|х)\s+(?:\w+\s+)?канал\w*\b.*\b(?:у\s+тебя|ты|вы|есть|доступн\w+|загружен\w+|подключен\w+|архив\w*)",
    r"\b(?:спис(?:ок|ка)|перечень|перечисли|покажи)\s+(?:\w+\s+){0,2}канал(?:ов|ы)\b",
    r"\b(?:по|в)\s+каким\s+каналам\s+(?:ты\s+)?(?:ищешь|искать)",
    r"\bсколько\s+(?:у\s+тебя\s+)?(?:\w+\s+)?(?:каналов|постов|сообщений|записей)\b(?=.*\b(?:у\s+тебя|в\s+(?:архиве|базе|индексе)|ты\s+знаешь))",
    r"\bсколько\s+у\s+тебя\s+(?:\w+\s+)?(?:каналов|постов|сообщений|записей)\b",
    r"\bза\s+как(?:ой|ие|ое)\s+(?:\w+\s+)?(?:период|время|даты|годы|сроки?)\s*(?:у\s+тебя|есть|(?:ты\s+)?(?:знаешь|ищешь|видишь)|посты|данные|$)",
    r"\b(?:с|по)\s+как(?:ого|ое)\s+числ[ао]\s+(?:у\s+тебя|есть\s+(?:посты|данные))",
    r"\bкогда\s+(?:ты\s+)?(?:в\s+последний\s+раз\s+)?(?:обновлял(?:ся|ась|ось|ись)?)\s*(?:(?:архив|баз\w+|канал\w*|данные|индекс)\b|$)",
    r"\b(?:which|what)\s+channels\s+(?:do|are|can|have)\b",
    r"\b(?:list|show)\s+(?:me\s+)?(?:all\s+|the\s+|your\s+)*channels\b",
    r"\bhow\s+many\s+(?:channels|posts|messages)\s+(?:do\s+you|are\s+(?:there\s+)?(?:in\s+the\s+archive|indexed))",
    r"\b(?:what|which)\s+(?:period|dates|time\s+span|time\s+range)\s+(?:do|does|is|are)\s+(?:you|the\s+archive|covered)",
    r"\bhow\s+far\s+back\s+(?:do|does|can)\s+(?:you|the\s+archive)",
)
_POSTING = _any_of(
    r"\b(?:на)?писал\w*\b",
    r"\bпиш(?:ут|ет)\b",
    r"\b(?:рас)?сказывал\w*\b",
    r"\bсообщал\w*\b",
    r"\bпубликов\w+",
    r"\bпост(?:ы|ов|ах|е|а)?\b",
    r"\bновост\w+",
    r"\bканал\w*\b",
    r"\bwrote\b|\bwrite\b|\breport(?:ed)?\b|\bpost(?:s|ed)?\b|\bnews\b|\bchannels?\b",
)
_COMPARISON = _any_of(
    r"\bчем\s+(?:\w+\s+)?отлича",
    r"\b(?:в\s+чем|какая|есть\s+ли)\s+разниц",
    r"\bразница\s+между",
    r"\bсравни\w*\b",
    r"\bпо\s+сравнению\s+с",
    r"\bчто\s+(?:\w+\s+)?(?:лучше|быстрее|дешевле|дороже|больше|выгоднее)\b.*\bили\b",
    r"\b(?:\w+ее|лучше|больше|меньше|дешевле)\b[^?]*\bили\b",
    r"\bdifferences?\s+between\b",
    r"\bcompar(?:e|ed|ison)\b",
    r"\bdiffers?\s+from\b",
    r"\w\s+(?:vs\.?|versus|против)\s+\w",
    r"\b(?:better|faster|cheaper|more|bigger)\b[^?]*\bor\b",
)
_TIMELINE = _any_of(
    r"\bхронологи",
    r"\bтаймлайн",
    r"\bкак\s+развива(?:л|ют|ет)",
    r"\bкак\s+(?:из)?меня(?:л|ю|е)",
    r"\bпо\s+(?:датам|дням|месяцам)\b",
    r"\bистори[яю]\s+(?:вопроса|событий|скандала|конфликта|дела)\b",
    r"\btimeline\b",
    r"\bchronolog",
    r"\bhow\s+(?:did|has|have)\s+.+\s+(?:evolved?|changed?|developed?|unfold(?:ed)?)\b",
)
_YES_NO = _any_of(
    r"^(?:а\s+|и\s+)?(?:это\s+)?правда\b",
    r"\b(?:правда|верно|действительно)\s+ли\b",
    r"^(?:а\s+|и\s+|но\s+)?(?:\w+\s+){1,3}?ли\s",
    r"^(?:and\s+|so\s+|but\s+)?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\s",
)
_DIGEST = _any_of(
    r"\bдайджест",
    r"\b(?:обзор|сводк[ауи]|подборк[ау]|выжимк[ау]|итоги)\s+(?:за|новост|дня|недели|месяца|постов|канала)",
    r"\b(?:главн(?:ое|ые)|основн(?:ое|ые)|важн(?:ое|ые))\s+(?:новости\s+|темы\s+|события\s+)?за\b",
    r"\bчто\s+(?:\w+\s+)?(?:интересного|нового|важного|главного)\b",
    r"\b(?:summari[sz]e|summary|digest|recap|round-?up|catch\s+me\s+up)\b",
    r"\bwhat(?:'s|\s+is|\s+was)\s+(?:new|up|happening)\b",
    r"\bщо\s+(?:\w+\s+)?(?:цікавого|нового|важливого)\b",
)
_GENERIC = _any_of(
    r"\b(?:что|чего)\s+(?:там\s+)?(?:было|происходило|случилось|произошло|творилось)\b",
    r"\b(?:что|о\s+ч[её]м|про\s+что)\s+(?:\w+\s+){0,3}(?:писал|пишет|пишут|рассказ|сообща|говор|публик|постил)",
    r"\b(?:новост|главн|пост[ыа]\b|событи)",
    r"\bwhat\s+(?:did|has|have|was|were|happened)\b",
    r"\b(?:news|posts|events|headlines)\b",
    r"\bщо\s+(?:було|писа)",
)
_LIST = re.compile(r"^(?:а\s+|и\s+)?(?:какие|что\s+за|which|what)\s+", re.IGNORECASE)


def without_greeting(text: str) -> str:
    """The text without the greeting it opens with, if something follows."""
    return _LEADING_GREETING.sub("", text) or text


def intent_of(reading: Reading) -> Intent:
    """What kind of reply the question asks for; "fact" where nothing says otherwise."""
    said = reading.text.casefold().replace("ё", "е").strip(" .!?…,)(:;")
    for pattern, intent in _BY_WORDING:
        if pattern.search(said):
            return intent
    if _is_digest(reading, said):
        return "digest"
    is_yes_no = bool(_YES_NO.search(said)) or _asks_nothing(reading)
    return "yes_no" if is_yes_no else "fact"


_BY_WORDING: tuple[tuple[re.Pattern[str], Intent], ...] = (
    (_CHITCHAT, "chitchat"),
    (_HELP, "help"),
    (_COVERAGE, "coverage"),
    (_TIMELINE, "timeline"),
    (_COMPARISON, "comparison"),
)


def _is_digest(reading: Reading, said: str) -> bool:
    """Nothing in particular is asked, or all of a kind that a channel posted in a period."""
    if not reading.content:
        return bool(_DIGEST.search(said) or _GENERIC.search(said) or _is_address_only(reading))
    if not reading.has_subject:
        in_period = reading.has_period and not reading.named.is_empty
        return bool(_DIGEST.search(said)) or (in_period and bool(_LIST.search(said)))
    return said.startswith(("дайджест", "digest"))


def _is_address_only(reading: Reading) -> bool:
    """«Хабр за неделю»."""
    return not reading.named.is_empty and reading.has_period


def _asks_nothing(reading: Reading) -> bool:
    """«Каток уже работает?»: a question mark and no question word."""
    if not any(word.is_cyrillic or word.key.isascii() for word in reading.words):
        return False  # no question words are known in other scripts
    return reading.text.rstrip(' )"»').endswith("?") and not any(
        word.key in INTERROGATIVES or word.lemma in INTERROGATIVES or word.lemma in SAYING
        for word in reading.words
    )


def language_of(text: str, chosen: Literal["ru", "en"] | None) -> Literal["ru", "en"]:
    """The language to answer in: the chosen one, else Russian for anything in Cyrillic."""
    return chosen or ("ru" if _CYRILLIC.search(text) else "en")


def speaks_of_posting(text: str) -> bool:
    """Whether a question speaks of what was written, so that its period is the posts' own."""
    return _POSTING.search(text) is not None
