"""What kind of thing a question asks for, and whether a sentence has one."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping


class AnswerType(enum.Enum):
    """What a sentence has to have in it to answer."""

    MONEY = "money"
    DURATION = "duration"
    PERCENT = "percent"
    WEIGHT = "weight"
    LENGTH = "length"
    NUMBER = "number"
    TIME = "time"
    NAME = "name"
    PLACE = "place"
    REASON = "reason"
    ANY = "any"

    @property
    def is_quantity(self) -> bool:
        """It is told in figures."""
        return self in _QUANTITIES


_QUANTITIES = frozenset(
    {
        AnswerType.MONEY,
        AnswerType.DURATION,
        AnswerType.PERCENT,
        AnswerType.WEIGHT,
        AnswerType.LENGTH,
        AnswerType.NUMBER,
    }
)


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_HOW_MANY = r"\b(?:сколько|скольк\w+|скільки|насколько|how many|how much)"
_WHICH = r"\bкак(?:ой|ая|ую|ова|ово|им|ого|ое|ие|их)\s+(?:\w+\s+)?"

# The more special first: a question of money is a question of a number too.
_ASKED: Mapping[AnswerType, re.Pattern[str]] = {
    AnswerType.TIME: _any_of(
        r"(?<!, )\b(?:когда|коли|when)\b",
        r"\b(?:в|с|до|к|на|от)\s+како(?:м|го|му|й)\s+(?:\w+\s+)?(?:год\w*|месяц\w*|числ\w*|дн\w+|день|час\w*|времен\w*)\b",
        r"\bкакого\s+числа\b",
        r"\b(?:what|which)\s+(?:day|date|year|month|time)\b",
    ),
    AnswerType.WEIGHT: _any_of(
        rf"{_HOW_MANY}\s+(?:\w+\s+)?(?:вес\w+|кг|килограмм\w*|тонн\w*|грамм\w*|weigh\w*)",
        rf"{_WHICH}(?:масс[ауы]|вес(?:а|ом)?)\b",
        r"\bhow (?:heavy|much (?:does|did|do) .{1,60} weigh)|what .{0,20}\bweight\b",
    ),
    AnswerType.PERCENT: _any_of(
        rf"{_HOW_MANY}\s+процент",
        rf"{_WHICH}(?:процент|дол[яюи]\b|част[ьи]\b|ставк)",
        r"\b(?:what|which) (?:percentage|share|proportion|percent)",
    ),
    AnswerType.MONEY: _any_of(
        rf"{_HOW_MANY}\s+(?:\w+\s+){{0,2}}?(?:стои[тл]\w*|обойд[её]тся|обош\w+|платят|заплати\w*|"
        r"плати\w*|потрат\w+|заработ\w+|денег|руб\w*|доллар\w*|евро|зарабатыва\w+|выдели\w*)",
        rf"{_WHICH}(?:цен[аыуе]\b|стоимост|сумм|штраф|зарплат|бюджет|выручк|ущерб)",
        r"\bв\s+какую\s+сумму|\bна\s+какую\s+сумму|\bпоч[её]м\b|\bво\s+сколько\s+(?:обо|оцен)",
        r"\bhow much (?:does|did|do|is|are|was|were|money|will)\b(?!.{1,60}\bweigh)",
        r"\b(?:what|which) .{0,20}\b(?:price|fee|cost|salary|fine)\b",
    ),
    AnswerType.DURATION: _any_of(
        rf"{_HOW_MANY}\s+(?:лет|год\w*|дней|суток|час\w*|минут\w*|секунд\w*|недел\w*|месяц\w*|времени)\b",
        r"\bкак\s+долго\b|\bза\s+какой\s+срок|\bна\s+какой\s+срок|\bкакой\s+срок|\bза\s+сколько\b",
        r"\bhow (?:long|old)\b|\bhow many (?:years|days|hours|minutes|months|weeks|seconds)\b",
    ),
    AnswerType.LENGTH: _any_of(
        rf"{_HOW_MANY}\s+(?:\w+\s+)?(?:метр\w*|километр\w*|км|сантиметр\w*)\b",
        rf"{_WHICH}(?:длин[аыуе]|высот[аыуе]|глубин[аыуе]|ширин[аыуе]|расстояни[ея])\b",
        r"\bкак\s+далеко\b|\bhow (?:far|tall|deep|wide|high)\b",
    ),
    AnswerType.NUMBER: _any_of(
        _HOW_MANY,
        rf"{_WHICH}(?:сч[её]т|объ[её]м\w*|номер|верси\w|размер\w*|скорост\w*|температур\w*|"
        r"количеств\w*|числ[оа]|рекорд\w*)\b",
        r"\bдо\s+скольк|\b(?:what|which) (?:number|version|score)\b",
    ),
    AnswerType.NAME: _any_of(
        r"\b(?:кто|кого|кому|кем|чей|чья|чь[её]|хто|кого)\b",
        r"\bкак\s+(?:\w+\s+)?(?:зовут|звали|назыв\w+|назва\w+|окрестили|прозвали)\b",
        r"\b(?:who|whom|whose|(?:what|which) (?:is|was|are|were) the names?)\b|\bnamed?\b.*\?",
    ),
    AnswerType.PLACE: _any_of(
        r"(?<!, )\b(?:где|куда|откуда|де|звідки|where)\b",
        r"\bв\s+как(?:ом|ой)\s+(?:город\w*|стран\w*|район\w*|област\w*|мест\w*)\b",
    ),
    AnswerType.REASON: _any_of(
        r"\b(?:почему|зачем|отчего|чому|why)\b",
        r"\bиз-за\s+чего\b|\bпо\s+какой\s+причине\b|\bчто\s+(?:\w+\s+)?(?:стало|было)\s+причиной",
    ),
}

_NUMERAL = (
    r"\b(?:один|одна|одну|одного|два|две|двух|двумя|три|трёх|трех|четыре|четырёх|четырех|пят[ьи]|"
    r"шест[ьи]|сем[ьи]|восемь|восьми|девят[ьи]|десят[ьи]|\w+надцат[ьи]|двадцат[ьи]|тридцат[ьи]|"
    r"сорок\w?|пятьдесят|сто|сотн\w+|тысяч\w*|миллион\w*|миллиард\w*|полтора|полторы|дюжин\w+|"
    r"половин\w+|трет[ьи]|четверть|вдвое|втрое|ни одн\w+|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|dozen\w*|twenty|thirty|hundred\w*|"
    r"thousand\w*|million\w*|billion\w*|half)\b"
)
_FIGURE = rf"(?:\d|{_NUMERAL})"
_TIME = (
    r"\b(?:январ|феврал|март|апрел|ма[йяе]\b|июн|июл|август|сентябр|октябр|ноябр|декабр|"
    r"понедельник|вторник|сред[ауы]\b|четверг|пятниц|суббот|воскресень|сегодня|завтра|вчера|"
    r"jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|"
    r"saturday|sunday|today|tomorrow|yesterday|tonight)\w*|\b\d{1,2}[.:/]\d{2}\b|"
    r"\b(?:1\d|20)\d\d\b|\b\d+\s+(?:век|год|лет|дн|час|минут|недел)|\bвек\w*"
)
_CALENDAR = re.compile(r"\b(?:1\d|20)\d\d\s*(?:год\w*|гг?\.)?", re.IGNORECASE)
"""A year of the calendar is no length of time."""

_CAPITAL = r"[A-ZА-ЯЁІЇЄҐ]"

_GIVEN: Mapping[AnswerType, re.Pattern[str]] = {
    AnswerType.MONEY: _any_of(
        rf"{_FIGURE}.{{0,25}}(?:руб|₽|долл|\$|€|евро|фунт|юан|иен|тенге|грн|гривен|цент|копе|"
        r"usd|eur|btc|биткоин|rouble|ruble|dollar|euro|cents?\b|pounds?\b)",
        r"[$€£₽]\s?\d|\bбесплатн\w+|\b(?:free of charge|for free)\b",
        r"\b(?:млн|млрд|миллион|миллиард)",
    ),
    AnswerType.DURATION: _any_of(
        rf"{_FIGURE}\W{{0,3}}(?:\w+\W+){{0,2}}?(?:лет|год\w*|дн\w+|день|сут\w+|час\w*|мин\w*|"
        r"сек\w*|недел\w*|месяц\w*|years?|days?|hours?|minutes?|months?|weeks?|seconds?|yo)\b",
        r"\b(?:пожизненн\w+|полгода|полчаса|сутки|за (?:день|ночь|неделю|месяц|год|час|вечер))\b",
        r"\b\d+-(?:лет|летн|year|дневн|час)",
    ),
    AnswerType.PERCENT: _any_of(
        r"\d\s?%|процент|percent|\b(?:половин|трет[ьи]|четверт)\w*|\bдол[яюи]\b|п\.\s?п\."
    ),
    AnswerType.WEIGHT: _any_of(
        rf"{_FIGURE}\W{{0,3}}(?:\w+\W+)?(?:кг|килограмм\w*|кило|грамм\w*|г|т|тонн\w*|kg|kilos?|"
        r"kilogram\w*|grams?|tons?|tonnes?|pounds?|lbs?)\b"
    ),
    AnswerType.LENGTH: _any_of(
        rf"{_FIGURE}\W{{0,3}}(?:\w+\W+)?(?:м|метр\w*|км|километр\w*|см|сантиметр\w*|мм|миллиметр\w*|"
        r"миль|мил[ияь]|дюйм\w*|фут\w*|m|met(?:er|re)s?|km|kilomet\w+|miles?|feet|foot|inch\w*|cm)\b"
    ),
    AnswerType.NUMBER: re.compile(_FIGURE, re.IGNORECASE),
    AnswerType.TIME: re.compile(_TIME, re.IGNORECASE),
    AnswerType.NAME: re.compile(
        rf"(?<=[\w,:—–\-»«\"(] )[«\"“(]?{_CAPITAL}[\w-]+|[«\"“]{_CAPITAL}|@\w"
    ),
    AnswerType.PLACE: re.compile(
        rf"\b(?i:в|во|на|из|с|у|под|над|около|рядом|in|at|from|near|to)\s+(?:\w+\s+){{0,2}}?"
        rf"[«\"“]?(?:{_CAPITAL}|\d)[\w-]*"
    ),
    AnswerType.REASON: _any_of(
        r"\b(?:из-за|потому|поскольку|так как|ибо|причин\w*|чтобы|вследствие|благодаря|поэтому|"
        r"в результате|связан\w*|вызва\w+|because|due to|since|so that|caused?|reason\w*|owing)\b"
    ),
}


def answer_type(question: str) -> AnswerType:
    """What the question asks for first; ANY where its words do not tell.

    «How many were hurt when it fell» asks for a number: what comes first counts, and of what
    comes at the same place the more special.
    """
    found = [
        (match.start(), number, kind)
        for number, (kind, asked) in enumerate(_ASKED.items())
        if (match := asked.search(question))
    ]
    return min(found)[2] if found else AnswerType.ANY


def has_answer(sentence: str, wanted: AnswerType) -> bool:
    """Whether the sentence has such a thing in it; always for ANY."""
    if wanted is AnswerType.ANY:
        return True
    said = _CALENDAR.sub(" ", sentence) if wanted is AnswerType.DURATION else sentence
    return bool(_GIVEN[wanted].search(said))
