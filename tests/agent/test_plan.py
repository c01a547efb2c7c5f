"""The plan that rules make of a question: periods, phrases, parts, kind and language."""

from __future__ import annotations

import dataclasses
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.dates import DateFilter
from agent.stages.plan import RulePlanner
from agent.types import Plan
from tests.agent.planning_samples import ALL, asked, dates, shorts, utc


def planned(text: str, *earlier: str) -> Plan:
    """A plan over all the channels."""
    return RulePlanner(dates)(asked(text, *earlier), ALL)


def test_days_become_half_open_utc_times() -> None:
    """The asker's May begins and ends at their own midnight."""
    plan = planned("Кто в мае построил синий мост?")

    assert (date(2031, 5, 1), date(2031, 5, 31)) == (plan.filters.from_on, plan.filters.to_on)
    assert utc(2031, 4, 30, 21) == plan.posted_from
    assert utc(2031, 5, 31, 21) == plan.posted_before
    assert plan.filters.date_phrase == "в мае"


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (None, date(2031, 5, 1), (None, utc(2031, 5, 1, 21))),
        (date(2031, 5, 1), None, (utc(2031, 4, 30, 21), None)),
        (None, date.max, (None, None)),
    ],
)
def test_open_periods_stay_open(
    first: date | None, last: date | None, expected: tuple[datetime | None, datetime | None]
) -> None:
    """«до мая» has no beginning; the end of the calendar is no end."""
    period = DateFilter(from_on=first, to_on=last, phrase="тогда", kind="before", spans=((0, 5),))
    plan = RulePlanner(lambda *_, **__: period)(asked("тогда кто построил синий мост?"), ALL)

    assert expected == (plan.posted_from, plan.posted_before)


def test_a_question_without_a_zone_is_refused() -> None:
    """Days without a zone would be somebody else's days."""
    question = dataclasses.replace(asked("Что было?"), now=datetime(2031, 6, 18))  # noqa: DTZ001 - the case itself

    with pytest.raises(ValueError, match="aware"):
        RulePlanner(dates)(question, ALL)


def test_no_period_is_read_out_of_titles_and_quotations() -> None:
    """«Вчера» in quotation marks is a title, not yesterday."""
    assert planned("Кто снял фильм «Вчера в мае»?").filters.from_on is None


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Где прошла выставка «Синий кит и море»?", ("Синий кит и море",)),
        ('Who said "trams will fly"?', ("trams will fly",)),
        ("Кто портировал «Героев»?", ("Героев",)),
        ("Что за жёлтый «митинг» плавал на прудах?", ()),
        ("Что было в канале «Высшая математика» про козу?", ()),
        ("Что было в канале «Высшая математика» про «козу Машу»?", ("козу Машу",)),
        ("Сколько мостов в городе?", ()),
    ],
)
def test_quoted_phrases_have_to_be_in_a_post(question: str, expected: tuple[str, ...]) -> None:
    """Phrases and names in quotation marks, but no titles of channels and no irony."""
    assert expected == planned(question).must_phrases


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "Сколько хомяков сбежало из самолёта и почему в итоге их ловили?",
            (
                "Сколько хомяков сбежало из самолёта",
                "сбежало самолёта почему в итоге их ловили",
            ),
        ),
        (
            "Чем отличается синий трамвай от красного троллейбуса?",
            ("синий трамвай", "красного троллейбуса"),
        ),
        (
            "Что быстрее едет по мосту — на лыжах или на санках?",
            ("Что быстрее едет по мосту на лыжах", "Что быстрее едет по мосту на санках"),
        ),
        (
            "What is the difference between blue trams and red buses?",
            ("blue trams", "red buses"),
        ),
        ("Сколько мостов и трамваев в городе?", ()),
        ("Где рыба и что с ней?", ()),
        ("Кто пришёл, увидел и победил?", ()),
        ("Как дойти до моста или хотя бы доехать?", ()),
        ("Надо ли чинить мост, который построили недавно?", ()),
    ],
)
def test_parts_are_searched_for_as_well(question: str, expected: tuple[str, ...]) -> None:
    """A question of several parts gives a query each, after the whole one."""
    whole, *parts = planned(question).queries

    assert (question, expected) == (whole, tuple(part.rstrip("?") for part in parts))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Сколько хомяков сбежало?", "fact"),
        ("Что было на Бырбыре за неделю?", "digest"),
        ("О чём писал Бырбыр в мае?", "digest"),
        ("Что нового?", "digest"),
        ("Главное за неделю", "digest"),
        ("Бырбыр за неделю", "digest"),
        ("Какие сайты показывал канал «Тропы треугольные» за неделю?", "digest"),
        ("What's new in the Python channel?", "digest"),
        ("Summarize QuokkaTV for May", "digest"),
        ("Правда ли, что мост упал?", "yes_no"),
        ("Правда, что мост упал?", "yes_no"),
        ("Упал ли мост через Волгу?", "yes_no"),
        ("Каток у моста уже работает?", "yes_no"),
        ("Is it true that the bridge fell?", "yes_no"),
        ("Did the bridge fall?", "yes_no"),
        ("Чем отличается трамвай от троллейбуса?", "comparison"),
        ("Что быстрее, трамвай или троллейбус?", "comparison"),
        ("Compare trams and buses", "comparison"),
        ("Как менялась цена билета на трамвай?", "timeline"),
        ("Дай хронологию ремонта моста", "timeline"),
        ("Give me a timeline of the bridge repair", "timeline"),
        ("Какие каналы у тебя есть?", "coverage"),
        ("За какой период у тебя посты?", "coverage"),
        ("Сколько у тебя постов?", "coverage"),
        ("Which channels do you know?", "coverage"),
        ("Привет!", "chitchat"),
        ("Спасибо большое", "chitchat"),
        ("Кто ты?", "chitchat"),
        ("thanks a lot", "chitchat"),
        ("Что ты умеешь?", "help"),
        ("/help", "help"),
        ("Какие каналы перекрыли в Венеции?", "fact"),
        ("Привет! Сколько хомяков сбежало?", "fact"),
        ("月亮的猫猫日记里说了什么？", "fact"),
    ],
)
def test_the_kind_of_reply(question: str, expected: str) -> None:
    """Wording tells what is wanted; a plain question wants a fact."""
    assert expected == planned(question).intent


def test_a_greeting_is_not_searched_for() -> None:
    """What follows the greeting is the question."""
    assert planned("Привет! Сколько хомяков сбежало?").queries == ("Сколько хомяков сбежало?",)


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("Сколько мостов?", None, "ru"),
        ("Скільки мостів?", None, "ru"),
        ("How many bridges?", None, "en"),
        ("Сколько мостов?", "en", "en"),
        ("How many bridges?", "ru", "ru"),
    ],
)
def test_the_language_of_the_answer(text: str, chosen: str | None, expected: str) -> None:
    """The asker's choice, else the question's."""
    question = dataclasses.replace(asked(text), language=chosen)

    assert expected == RulePlanner(dates)(question, ALL).language


def test_a_query_keeps_the_question_when_nothing_else_is_left() -> None:
    """A digest is searched for as it was asked, channel and period included."""
    plan = planned("Что было на Бырбыре в мае?")

    assert plan.queries == ("Что было на Бырбыре в мае?",)
    assert shorts(plan.filters.channels) == "byr"


def test_no_channels_no_filters() -> None:
    """An empty archive is planned for like any other."""
    plan = RulePlanner(dates)(asked("Что писал Бырбыр про синие кометы?"), ())

    assert (plan.filters.channels, plan.filters.unknown_channels) == ((), ())


@settings(max_examples=150, deadline=None)
@given(
    text=st.text(max_size=80)
    | st.lists(
        st.sampled_from(
            "а и «Бырбыр» на Бырбыре в канале про Go , ? — @ t.me/ писал мае «» или от".split()
        ),
        max_size=14,
    ).map(" ".join),
    earlier=st.lists(st.sampled_from(["Что писал Бырбыр в мае?", "", "а?"]), max_size=3),
)
def test_anything_can_be_planned(text: str, earlier: list[str]) -> None:
    """No text breaks the planner: one to four distinct queries, times aware and in order."""
    plan = planned(text, *earlier)

    assert 1 <= len(plan.queries) <= 4
    assert len(set(plan.queries)) == len(plan.queries)
    if plan.posted_from and plan.posted_before:
        assert plan.posted_from < plan.posted_before
        assert UTC is plan.posted_from.tzinfo
