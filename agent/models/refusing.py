"""Tells a model's "there is no answer" from an answer."""

from __future__ import annotations

import re

from ingest.text.normalise import searchable

_RU_IN_POSTS = (
    r"(?:в|во|из|по)\s+(?:эт\w+\s+|данн\w+\s+|предоставленн\w+\s+|приведенн\w+\s+|доступн\w+\s+)?"
    r"(?:пост\w*|текст\w*|сообщени\w+|источник\w*|материал\w*|контекст\w*)\s+"
)
_RU_PLACE = rf"(?:{_RU_IN_POSTS})?"
_RU_NEWS = r"(?:данн\w+|информаци\w+|ответ\w*|сведени\w+|упоминани\w+)"
_RU_GONE = (
    r"(?:нет|не\s+найден\w*|не\s+нашл\w+|отсутству\w+|не\s+содерж\w+|не\s+представлен\w*|"
    r"не\s+указан\w*|не\s+упомина\w+|не\s+упомянут\w*|не\s+сообща\w+|не\s+говор\w+)"
)
_EN_PLACE = (
    r"(?:(?:in|from)\s+(?:the|these)\s+(?:\w+\s+)?(?:posts?|texts?|sources?|evidence|context)\W+)?"
)
_EN_POSTS = (
    r"(?:the\s+|these\s+)?(?:(?:provided|given)\s+)?(?:posts?|texts?|sources?|evidence|context)"
)

_REFUSALS = tuple(
    re.compile(pattern)
    for pattern in (
        # «Нет данных», «в постах нет точной информации о ...», «данные отсутствуют»
        rf"{_RU_PLACE}{_RU_GONE}\s+(?:\w+\s+)?{_RU_NEWS}\b",
        rf"{_RU_IN_POSTS}(?:\w+\s+)?{_RU_GONE}\b",
        rf"{_RU_NEWS}(?:\s+(?:о|об|про|на|по)\s[^.]*?)?\s+{_RU_PLACE}{_RU_GONE}\b",
        r"(?:предоставленн\w+\s+|эти\s+|данные\s+)?(?:пост\w*|текст\w*|источник\w*|сообщени\w+)"
        r"\s+(?:не\s+(?:содерж\w+|сообща\w+|упомина\w+|отвеча\w+|говор\w+|да\w+))",
        r"(?:я\s+)?не\s+(?:знаю|могу\s+ответить|нашел|нашла|располагаю)\b",
        r"(?:к\s+сожалению\W+)?(?:на\s+(?:этот\s+)?вопрос\s+)?ответить\s+(?:нельзя|невозможно)\b",
        # the same in English
        rf"{_EN_PLACE}(?:there\s+(?:is|are|was)\s+)?no\s+(?:\w+\s+)?"
        r"(?:information|data|answers?|mentions?|details?|evidence)\b",
        rf"{_EN_POSTS}\s+(?:do|does|did)(?:\s+not|n't)\s+"
        r"(?:mention|contain|say|provide|specify|answer|include|state|give)",
        r"(?:it\s+is\s+|this\s+is\s+)?not\s+(?:mentioned|specified|stated|answerable)\b",
        r"i\s+(?:do\s+not|don't|cannot|can't|am\s+unable\s+to|could\s+not)\s+"
        r"(?:know|answer|find|determine)",
        r"(?:the\s+|this\s+)?question\s+(?:cannot|can't|can\s+not)\s+be\s+answered",
    )
)
_BARE = frozenset(
    "нет|не указано|неизвестно|не знаю|нет ответа|n/a|none|null|unknown|no|no answer|not found|"
    "unanswerable|answerable false".split("|")
)


def is_refusal(text: str) -> bool:
    """Whether a sentence says no more than that the posts do not answer."""
    plain = " ".join(searchable(text).split()).strip(" .!?…:;«»\"'*()[]-")
    return plain in _BARE or any(pattern.match(plain) for pattern in _REFUSALS)
