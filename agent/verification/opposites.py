"""Words that say the opposite of each other: rose and fell, more and less, opened and closed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.verification.assertion import Mood, moods
from agent.verification.words import Reading, read

# A pair a line; either side may have many words: lemmas in Russian, stems in English.
_PAIRS = """
вырасти расти рост увеличиться увеличить увеличение повыситься повысить повышение подняться \
поднять подорожать прибавить возрасти увеличивать увеличиваться повышать повышаться дорожать \
подорожание / упасть падать падение снизиться снизить снижение уменьшиться уменьшить \
уменьшение сократиться сократить сокращение подешеветь понизить понизиться снижать снижаться \
сокращать сокращаться опуститься рухнуть дешеветь подешевение
больше более выше много большой высокий / меньше менее ниже мало маленький низкий
открыть открыться открытие открывать открываться / закрыть закрыться закрытие закрывать закрываться
победить выиграть победа обыграть / проиграть поражение уступить
разрешить разрешение разрешать разрешить позволить / запретить запрет запрещать
начать начаться начало запустить запуск начинать стартовать / закончить закончиться завершить \
завершиться прекратить остановить окончание
принять одобрить поддержать / отклонить отвергнуть
купить приобрести покупка покупать / продать продажа продавать
ускорить ускориться ускорение / замедлить замедлиться замедление
улучшить улучшиться улучшение / ухудшить ухудшиться ухудшение
включить включать включение / выключить отключить отключение исключить
быстрее быстрый быстро раньше рано / медленнее медленный медленно позже поздно
первый / последний
прибыль доход / убыток
назначить назначение / уволить увольнение
построить строительство построить / снести снос разрушить
лучший лучше / худший хуже
север северный / юг южный
запад западный / восток восточный
до / после
внутренний / внешний
ввести введение вводить / отменить отмена отменять
задержать арестовать / освободить отпустить
подтвердить подтвердиться подтверждать / опровергнуть опровергать
вход войти / выход выйти
утро утром утренний / вечер вечером вечерний
мужчина мужской / женщина женский
импорт / экспорт
минимум минимальный / максимум максимальный
rise rose risen increas grew grow grown gain climb jump soar surg up higher / fall fell fallen \
decreas drop declin plung shrank lower reduc slump down
more / less fewer
open / close shut
win won victori beat defeat / lose lost
allow permit / ban prohibit forbid
begin began start launch / end finish stop ceas halt
accept approv back / reject
buy bought acquir purchas / sell sold
acceler / slow
improv / worsen deterior
faster fast earlier / slower slow later
first / last
profit / loss
hire appoint / fire dismiss sack
best better / worst wors
north northern / south southern
west western / east eastern
before / after
import / export
arrest detain / releas freed
confirm / deni
maximum / minimum
above / below
"""
_SIDES: dict[str, set[int]] = {}
for _number, _line in enumerate(_PAIRS.strip().splitlines(), start=1):
    for _sign, _side in zip((1, -1), _line.split(" / "), strict=True):
        for _word in _side.split():
            _SIDES.setdefault(_word, set()).add(_sign * _number)


_CONVERSE = frozenset(
    abs(side) for word in ("победить", "купить", "won", "bought") for side in _SIDES[word]
)
"""Pairs that say the same once the two sides change places: «А победил Б», «Б проиграл А»."""


def disagreement(claim: str, sentences: Sequence[str]) -> str | None:
    """The claim's word of which the closest sentence has only the opposite, as a problem.

    The clause that shares the claim's subject tells, where the sentence has both sides: «выручка
    выросла, прибыль упала». «Не выросли» and «упали» are no opposites: a negation turns a side
    round.

    Args:
        sentences: The closest first; the others speak of other things.
    """
    if not sentences:
        return None
    claimed, told = read(claim), read(sentences[0])
    wanted, every = _sides(claim, None), _sides(sentences[0], None)
    for side, place in wanted.items():
        if -side not in every or -side in wanted:
            continue
        if abs(side) in _CONVERSE and _subject(claimed) != _subject(told):
            continue
        if side in every:
            clause = _clause_of_subject(claimed, place, told)
            here = _sides(sentences[0], clause) if clause is not None else {}
            if -side not in here or side in here:
                continue
        return f"says «{told.words[every[-side]].written}», not «{claimed.words[place].written}»"
    return None


def _sides(text: str, clause: int | None) -> dict[int, int]:
    """Sides of pairs with the place of the word that takes each; a negated word takes the other.

    Args:
        clause: Only this one is looked at; None: all.
    """
    found: dict[int, int] = {}
    for place, (word, mood) in enumerate(zip(read(text).words, moods(text), strict=True)):
        if clause is not None and word.clause != clause:
            continue
        for name in dict.fromkeys((word.plain, word.form.lemmas[0])):
            for side in _SIDES.get(name, ()):
                found.setdefault(-side if mood & Mood.NEGATED else side, place)
    return found


def _subject(reading: Reading) -> str | None:
    """The first noun, or the first English word that says something."""
    for word in reading.words:
        if word.is_content and (word.form.pos == "NOUN" or word.plain.isascii()):
            return word.form.stem
    return None


def _clause_of_subject(claimed: Reading, place: int, told: Reading) -> int | None:
    """The sentence's clause that has the noun in front of a word of the claim."""
    for before in reversed(claimed.words[:place]):
        if before.is_content and (before.form.pos == "NOUN" or before.plain.isascii()):
            for word in told.words:
                if set(word.form.lemmas) & set(before.form.lemmas):
                    return word.clause
    return None
