"""Questions that lean on the dialogue are made to stand on their own; others are left alone."""

from __future__ import annotations

from datetime import date

import pytest

from agent.stages.plan import RulePlanner
from tests.agent.planning_samples import ALL, asked, dates, shorts

ROBOT = "Что за робот чинил мост в Рязани?"
TICKETS = ("Когда начнут продавать билеты на «Золушку» в Оперном?", "Почём билеты для детей?")

LEANING = [
    (("А чем его красили?",), ROBOT, "робот чинил мост Рязани чем его красили?"),
    (
        ("А когда её спилят?",),
        "Откуда привезут главную ёлку?",
        "привезут главную ёлку когда её спилят?",
    ),
    (
        ("И кто стал врио?",),
        "Из-за чего уволили директора зоопарка?",
        "уволили директора зоопарка кто стал врио?",
    ),
    (
        ("Сколько он украл?",),
        "Кто ограбил музей пряников?",
        "ограбил музей пряников Сколько он украл?",
    ),
    (("Кто это придумал?",), ROBOT, "робот чинил мост Рязани Кто это придумал?"),
    (("Почему?",), ROBOT, "робот чинил мост Рязани Почему?"),
    (("Кто победил?",), "Где прошёл турнир по шашкам?", "прошёл турнир шашкам Кто победил?"),
    (("Сколько стоит?",), "Где продают синий трамвай?", "продают синий трамвай Сколько стоит?"),
    (
        ("Сколько длится турнир?",),
        "Где пройдёт турнир по шашкам?",
        "пройдёт шашкам Сколько длится турнир?",
    ),
    (("но зачем?",), ROBOT, "робот чинил мост Рязани зачем?"),
    (("А тот, что с колёсами?",), ROBOT, "робот чинил мост Рязани тот, что с колёсами?"),
    (
        ("And who paid for it?",),
        "Which robot repaired the old bridge?",
        "robot repaired old bridge who paid for it?",
    ),
    (
        ("What about the engineer?",),
        "Which robot repaired the old bridge?",
        "robot repaired old bridge the engineer?",
    ),
    (
        ("How much did it cost?",),
        "Which robot repaired the old bridge?",
        "robot repaired old bridge How much did it cost?",
    ),
    (("Where is he now?",), "Who stole the golden tram?", "stole golden tram Where is he now?"),
    (
        ("А сколько времени он это готовил?",),
        ("Кто ограбил музей пряников?", "Сколько он украл?"),
        "ограбил музей пряников украл сколько времени он это готовил?",
    ),
    (
        ("А по телевизору её покажут?",),
        TICKETS,
        "начнут продавать билеты Золушку Оперном детей по телевизору её покажут?",
    ),
]

SELF_CONTAINED = [
    "Сколько нейронов в мозге мухи?",
    "А сколько стоит новый мост через Волгу в Саратове?",
    "И где построят самый длинный стеклянный мост области?",
    "Какой курс доллара?",
    "Что такое сепсис?",
    "А что такое DECnet?",
    "Правда ли, что озеро Байкал замёрзло раньше срока и там закрыли дорогу?",
    "Кто ограбил музей, и сколько он украл?",
    "Как зовут кота губернатора Пензы?",
    "Это правда, что закрыли метро в Самаре?",
    "Is it true that the Samara metro closed?",
    "Who designed the glass bridge in Saratov?",
    "Какие каналы у тебя есть?",
    "Что нового?",
]


@pytest.mark.parametrize(("question", "earlier", "expected"), LEANING)
def test_a_followup_takes_its_subject_over(
    question: tuple[str], earlier: str | tuple[str, ...], expected: str
) -> None:
    """The first query stands on its own; the second one is the question as it was asked."""
    turns = (earlier,) if isinstance(earlier, str) else earlier

    assert (expected, *question) == RulePlanner(dates)(asked(*question, *turns), ALL).queries


@pytest.mark.parametrize("question", SELF_CONTAINED)
def test_a_selfcontained_question_takes_nothing_over(question: str) -> None:
    """It is planned as if nothing had been asked before."""
    plan = RulePlanner(dates)

    alone = plan(asked(question), ALL)
    after = plan(asked(question, "Что Бырбыр писал в мае про «Золушку»?"), ALL)

    assert alone == after


@pytest.mark.parametrize("question", ["А чем его красили?", "Почему?", "а в марте?", "Хабр?"])
def test_nothing_is_taken_over_from_nowhere(question: str) -> None:
    """Without a dialogue the shortest question is searched for as it is."""
    assert question in RulePlanner(dates)(asked(question), ALL).queries


ELLIPSES = [
    ("а в марте?", "Что Бырбыр писал про кометы в мае?", "byr", date(2031, 3, 1)),
    ("А за январь?", "Что Бырбыр писал про кометы в мае?", "byr", date(2031, 1, 1)),
    ("в марте?", "Что Бырбыр писал про кометы в мае?", "byr", date(2031, 3, 1)),
    ("and in March?", "What did QuokkaTV report about trams in May?", "quo", date(2031, 3, 1)),
    ("what about January?", "What did QuokkaTV report about trams?", "quo", date(2031, 1, 1)),
    ("а на Бырбыре?", "Что Kvantik писал про кометы в мае?", "byr", date(2031, 5, 1)),
    ("А Глузгач что писал?", "Что Бырбыр писал про кометы в мае?", "glu", date(2031, 5, 1)),
    ("а в канале «Рязань Live»?", "Что Бырбыр писал про кометы?", "rli", None),
    ("а на Бырбыре в марте?", "Что Kvantik писал про кометы в мае?", "byr", date(2031, 3, 1)),
    ("А что у @gluzgach?", "Что Бырбыр писал про кометы в мае?", "glu", date(2031, 5, 1)),
]


@pytest.mark.parametrize(("question", "earlier", "channels", "from_on"), ELLIPSES)
def test_a_bare_period_or_channel_replaces_the_one_before(
    question: str, earlier: str, channels: str, from_on: date | None
) -> None:
    """«а в марте?» asks the same again: only the filter that it states is another."""
    plan = RulePlanner(dates)(asked(question, earlier), ALL)
    found = (shorts(plan.filters.channels), plan.filters.from_on)

    assert (channels, from_on) == found


def test_an_ellipsis_searches_for_the_same_words() -> None:
    """The words of the question before stay, without its channel and its period."""
    plan = RulePlanner(dates)(
        asked("а в марте?", "Что Бырбыр писал про зелёные кометы в мае?"), ALL
    )

    assert plan.queries[0] == "Что про зелёные кометы?"


def test_an_ellipsis_of_a_digest_names_the_new_channel() -> None:
    """Where there was nothing to search for but a channel, the new one is in the text."""
    plan = RulePlanner(dates)(asked("а на Бырбыре?", "Что было в Kvantik в мае?"), ALL)

    assert (plan.queries[0], plan.intent) == ("Что было? на Бырбыре в мае", "digest")


def test_ellipses_can_be_chained() -> None:
    """«а в марте?» and then «а на Бырбыре?» is about March and Byrbyr."""
    plan = RulePlanner(dates)(
        asked("а на Бырбыре?", "Что Kvantik писал про зелёные кометы в мае?", "а в марте?"), ALL
    )
    found = (plan.queries[0], shorts(plan.filters.channels), plan.filters.from_on)

    assert ("Что про зелёные кометы?", "byr", date(2031, 3, 1)) == found


def test_a_followup_takes_filters_over_that_it_does_not_state() -> None:
    """Channel and period hold until the dialogue says otherwise."""
    plan = RulePlanner(dates)(asked("А чем её чинили?", "Какую ракету Бырбыр хвалил в мае?"), ALL)

    assert ("byr", date(2031, 5, 1)) == (shorts(plan.filters.channels), plan.filters.from_on)


def test_an_unknown_channel_is_taken_over_too() -> None:
    """A follow-up to a refused question is not searched for everywhere."""
    plan = RulePlanner(dates)(asked("А чем её чинили?", "Что за ракету хвалили в @fialka?"), ALL)

    assert plan.filters.unknown_channels == ("@fialka",)


def test_thanks_do_not_end_the_topic() -> None:
    """Chit-chat between two questions is skipped."""
    plan = RulePlanner(dates)(asked("А чем его красили?", ROBOT, "спасибо!"), ALL)

    assert plan.queries[0] == "робот чинил мост Рязани чем его красили?"
