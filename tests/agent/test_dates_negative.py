"""What looks like a date and is none, or dates the fact that is asked about and not the posts."""

from __future__ import annotations

from datetime import date

import pytest

from agent.dates import NO_DATES, find_dates

NOW = date(2024, 11, 20)

NO_DATE_AT_ALL = """
глава 5
глава 5.10
Windows 10
2 из 3
iPhone 15
версия 3.11
Python 3.13
что нового в Python 3.12?
Ubuntu 24.10
что изменилось с Python 3.10 до 3.11
Feb 30
30 февраля
31 апреля 2024
29 февраля 2023
32.01.2024
05.13
сколько часов длился сбой?
24 часа
5 дней
за 3 дня
в 10.1
это в 10 - 20
15 часов 29 минут
ребёнку 5 лет
сироп от кашля ребёнку в год
цена 2000 рублей
за 2000 рублей
стоит 1999 $
1500 человек
три тысячи
в день
за день
по понедельникам
каждый понедельник
каждую пятницу
каждое 5 мая
по выходным
среда разработки
в среде разработчиков
окружающая среда
канал Пятница
мартышка
майор
когда вышел Python?
в каком году?
сколько дней назад?
на днях
недавно
в конце концов
следующие 5
последние
январ
телефон 8-800-555-35-35
адрес 192.168.1.1
10:30
школа 1512
дело № 2024
Олимпиада-2024
Евро-2024
ВАЗ 2107
Boeing 737
rat 6
may I ask you?
they march every day
who may join
sat down
the second song
give me a second
a third of users
in 5 minutes
every Monday
on Mondays
day one
Pay ABC 2000
fifth Sunday
at single
three twenty
Fall guys
@may_2024_news
что в @september?
#октябрь2024
https://example.org/2024/10/05/march
new_year_2024
open 24/7
What is the order of Venus from the Sun?
бюджет на 2026 год
что такое Windows 11 24H2?
90-е шоссе
"""

DATES_OF_FACTS = """
законы, вступившие в силу с 1 января 2025
какие тарифы действуют с 1 июля?
что будет завтра в Москве?
какие концерты пройдут в следующем месяце?
сколько спутников подтверждено на сегодня?
курс доллара на 5 мая
кто победил на выборах 2020 года?
сколько номеров отключили во втором квартале 2022-го?
сколько людей заявили осенью 2023-го и сколько оказалось потом?
как вырос штраф с конца октября к началу декабря 2023?
How many users are there as of today?
Google says its fragments are visible even today
сколько жертв было у засухи 2010 года?
что обещали открыть к 1 октября?
С нового года подорожает проезд?
What caused the 2010 drought?
What will happen next week?
"""


@pytest.mark.parametrize("text", NO_DATE_AT_ALL.strip().splitlines())
def test_what_is_no_date_is_left_alone(text: str) -> None:
    """Numbers, names, verbs and impossible days set no date filter."""
    assert find_dates(text, now=NOW) == NO_DATES


@pytest.mark.parametrize("text", DATES_OF_FACTS.strip().splitlines())
def test_date_of_the_fact_is_no_filter(text: str) -> None:
    """Posts that tell of such a fact may be of any day, so none are filtered out."""
    assert find_dates(text, now=NOW) == NO_DATES
