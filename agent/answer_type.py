"""What kind of thing a question asks for, and whether a sentence has one."""

from __future__ import annotations

import enum
import re

_HOW_MANY = re.compile(
    r"\b(сколько|скольк\w+|почём|почем|скільки|какая (?:доля|масса|сумма|цена|ставка)|"
    r"как(?:ой|ая|ую|ова|ово|им|ого) (?:\w+ )?(?:процент|дол\w|сумм\w|цен\w|стоимост\w|ставк\w|"
    r"сч[её]т|объ[её]м\w*|номер|срок|верси\w|размер\w*|высот\w|длин\w|вес|масс\w)|"
    r"how (?:many|much|long|old|far|tall|big)|what (?:percentage|share|price|number))\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(когда|коли|в каком (?:году|месяце)|какого числа|с какого (?:числа|дня)|"
    r"до какого (?:числа|дня)|"
    r"на какой день|в какой день|в како[ем] \w+ году|when|what (?:day|date|year|month))\b",
    re.IGNORECASE,
)
_WHO = re.compile(
    r"\b(кто|кого|кому|кем|чей|чья|чьё|хто|как (?:зовут|звали|называ\w+)|who|whom|whose|"
    r"what is the name)\b",
    re.IGNORECASE,
)
_WHERE = re.compile(r"\b(где|куда|откуда|де|звідки|в како[мй] (?:городе|стране)|where)\b", re.I)

_DIGIT = re.compile(r"\d")
_NUMERAL = re.compile(
    r"\b(?:один|одна|одну|два|две|двух|три|трёх|трех|четыре|четырёх|пят[ьи]|шест[ьи]|сем[ьи]|"
    r"восемь|восьми|девят[ьи]|десят[ьи]|сто|тысяч\w*|миллион\w*|миллиард\w*|половин\w+|трет[ьи]|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand|million|billion|half)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:январ|феврал|март|апрел|ма[йяе]\b|июн|июл|август|сентябр|октябр|ноябр|декабр|"
    r"понедельник|вторник|сред[ауы]\b|четверг|пятниц|суббот|воскресень|сегодня|завтра|вчера|"
    r"jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|"
    r"saturday|sunday|today|tomorrow|yesterday)\w*|\b\d{1,2}[.:/]\d{2}\b|\b(?:19|20)\d\d\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,:—–-] )[«\"]?[A-ZА-ЯЁІЇЄҐ][\w-]+")


class AnswerType(enum.Enum):
    """What a sentence has to have in it to answer."""

    NUMBER = "number"
    TIME = "time"
    NAME = "name"
    ANY = "any"


def answer_type(question: str) -> AnswerType:
    """What the question asks for; ANY where its words do not tell."""
    if _WHEN.search(question):
        return AnswerType.TIME
    if _HOW_MANY.search(question):
        return AnswerType.NUMBER
    if _WHO.search(question) or _WHERE.search(question):
        return AnswerType.NAME
    return AnswerType.ANY


def has_answer(sentence: str, wanted: AnswerType) -> bool:
    """Whether the sentence has such a thing in it; always for ANY."""
    match wanted:
        case AnswerType.NUMBER:
            return bool(_DIGIT.search(sentence) or _NUMERAL.search(sentence))
        case AnswerType.TIME:
            return bool(_TIME.search(sentence))
        case AnswerType.NAME:
            return bool(_NAME.search(sentence))
        case AnswerType.ANY:
            return True
