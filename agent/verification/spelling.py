"""Names across alphabets: transliteration, and the names that differ more than letters do."""

from __future__ import annotations

import functools
import re

_LETTERS = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
        "a b v g d e e zh z i i k l m n o p r s t u f h ts ch sh sch  i  e iu ia i i e g".split(
            " "
        ),
        strict=True,
    )
)
# Spellings that stand for one sound in the usual systems (BGN/PCGN, GOST, ISO 9, the press).
_SAME = (
    (re.compile("kh"), "h"),
    (re.compile("shch|sch|tsch"), "sh"),
    (re.compile("tch"), "ch"),
    (re.compile("ph"), "f"),
    (re.compile("th"), "t"),
    (re.compile("ck|q"), "k"),
    (re.compile("x"), "ks"),
    (re.compile("tz|cz"), "ts"),
    (re.compile("c(?=[eiy])"), "ts"),
    (re.compile("c(?!h)"), "k"),
    (re.compile("w"), "v"),
    (re.compile("[yj]"), "i"),
    (re.compile("ii+"), "i"),
    (re.compile("ie(?=[aeiou])|ie"), "e"),
    (re.compile(r"(.)\1"), r"\1"),
    (re.compile("['’ʹ]"), ""),
)
_ENDING = re.compile("(?:[aeiou]|om|em|oi|ei|ov|am|ami|ah|imi|im|ogo|omu|skogo|skoi)*$")
_MIN_SKELETON = 3

_SAME_NAMES = """
россия russia рф russian россиянин российский русский|москва moscow московский
петербург petersburg питер спб|украина ukraine ukrainian украинский україна|киев kyiv kiev київ
сша usa us u.s america american америка американский штаты states
великобритания britain uk u.k british англия england английский британия british британский \
лондонский
германия germany german немецкий|франция france french французский|париж paris парижский
китай china chinese китайский кнр|пекин beijing|япония japan japanese японский|токио tokyo
италия italy italian|испания spain spanish|польша poland polish|турция turkey turkish турецкий
грузия georgia georgian|белоруссия беларусь belarus минский|казахстан kazakhstan
иран iran iranian|израиль israel israeli израильский|египет egypt|индия india indian
европа europe european европейский|ес eu евросоюз evrosoiuz|оон un|нато nato|воз who
цб центробанк cbr|фас fas|мид mfa|мвд|фсб fsb|госдума дума duma|кремль kremlin
лондон london|вашингтон washington|нью-йорк new-york|женева geneva|вена vienna|рим rome
афины athens|варшава warsaw|прага prague|брюссель brussels|стамбул istanbul|иерусалим jerusalem
яндекс yandex|гугл google|телеграм telegram телеграмм|хабр habr|эппл apple|майкрософт microsoft
фейсбук facebook|ютуб youtube|сбер сбербанк sber sberbank|втб vtb|газпром gazprom
мгу msu|вшэ hse ниу|рбк rbc|тасс tass|риа ria|путин putin|зеленский zelensky zelenskyy
трамп trump|байден biden|илон elon|маск musk|нвидиа nvidia|интел intel|питон python
"""
SAME_NAME: dict[str, int] = {
    name: number
    for number, group in enumerate(
        part for line in _SAME_NAMES.strip().splitlines() for part in line.split("|")
    )
    for name in group.split()
}
"""Names that are one thing under several spellings share a number."""


@functools.lru_cache(maxsize=65536)
def skeleton(word: str) -> str:
    """What is left of a name when alphabet, system of spelling and case ending are taken away.

    Собянина, Sobyanin and Sobianin have one skeleton. Words too short to tell have "".
    """
    latin = "".join(_LETTERS.get(char, char) for char in word.casefold())
    for pattern, replacement in _SAME:
        latin = pattern.sub(replacement, latin)
    bare = _ENDING.sub("", latin)
    return bare if len(bare) >= _MIN_SKELETON else ""
