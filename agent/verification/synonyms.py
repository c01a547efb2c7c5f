"""Words of news that say the same: a claim may use one where its post uses another."""

from __future__ import annotations

from collections.abc import Iterable

from agent.verification.spelling import SAME_NAME

# A group a line: lemmas in Russian, stems in English. No hyponyms, nothing merely related. Who
# won and who lost stand together, for one sentence says both; `opposites` tells the sides apart.
_GROUPS = """
сообщить сообщать заявить заявлять рассказать рассказывать сказать говорить объявить отметить \
написать писать уточнить подчеркнуть поведать информировать
купить приобрести покупка покупать приобретение
вырасти увеличиться возрасти повыситься подняться рост увеличение повышение расти подорожать \
прибавить
упасть снизиться уменьшиться сократиться понизиться падение снижение уменьшение сокращение \
подешеветь опуститься
снизить сократить уменьшить понизить
увеличить повысить поднять нарастить
начать начаться начало стартовать старт запустить запуск заработать
закончить завершить закончиться завершиться завершение окончание
построить возвести строительство сооружать строить возводить
умереть скончаться погибнуть смерть гибель
задержать арестовать задержание арест
выпустить представить релиз выпуск выход выйти анонсировать представлять опубликовать
показать продемонстрировать демонстрировать показывать
разработать создать создание разработка создавать разрабатывать
компания фирма корпорация предприятие
человек житель гражданин люди посетитель пассажир участник персона лицо
город столица
врач медик доктор
полиция полицейский правоохранитель
машина автомобиль авто
деньги средство
цена стоимость стоить расценка
работа труд
сотрудник работник
ребенок дети
школьник ученик
студент учащийся
вуз университет
длиться продлиться продолжаться занять продолжаться длительность
открыть открыться открытие открывать
закрыть закрыться закрытие закрывать
ремонт реконструкция обновление
новый свежий
большой крупный огромный
около примерно порядка почти приблизительно
использовать применять использование применение пользоваться
помочь помощь помогать
получить получать обрести
исследователь ученый
исследование изучение
решение постановление
суд судья
власть чиновник администрация
глава руководитель начальник директор
назначить назначение
победить выиграть победа обыграть одолеть уступить проиграть поражение
перевезти перевозить перевозка
поддержать одобрить поддержка одобрение
пострадать пострадавший ранение ранить
дом здание
шоссе дорога трасса
провести состояться пройти проходить
находиться располагаться расположить
say said report announc state told tell declar note claim
buy bought acquir purchas acquisit
rise rose risen increas grew grow climb up jump gain
fall fell fallen decreas drop declin down reduc cut
begin began start launch
end finish complet conclud
build built construct
die dead death kill
arrest detain
releas launch publish unveil present
show demonstr
creat develop made make
compani firm corpor
peopl resid person
car vehicl
doctor physician medic
price cost
job work
worker employe staff
child children kid
use appli
help assist aid
research scientist
offici author
head chief leader boss
win won beat victori defeat lose lost
approv back support
big larg huge
near about approxim around
get got receiv obtain
last continu
open reopen
hous home
may might could
both two
оба два
say said tell told
among between
also too
однако но
сейчас теперь
очень весьма крайне
injur wound hurt
"""
_GROUP_OF: dict[str, set[int]] = {}
for _number, _line in enumerate(_GROUPS.strip().splitlines()):
    for _word in _line.split():
        _GROUP_OF.setdefault(_word, set()).add(_number)


def meanings(lemmas: Iterable[str]) -> frozenset[int]:
    """Numbers of what some lemmas may say; words without synonyms and spellings have none."""
    found: set[int] = set()
    for lemma in lemmas:
        found.update(_GROUP_OF.get(lemma, ()))
        if lemma in SAME_NAME:
            found.add(-1 - SAME_NAME[lemma])
    return frozenset(found)


def same_meaning(lemma: str, others: Iterable[str]) -> bool:
    """Whether one of the other lemmas can stand for this one."""
    own = meanings((lemma,))
    return bool(own) and not own.isdisjoint(meanings(others))
