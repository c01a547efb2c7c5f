"""Near-copies: what is one post in two wordings, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.text.bands import COUNT_BANDS, MIN_SHARED, bands
from ingest.text.fingerprint import copy_hash
from ingest.text.near_copies import holds, is_copy, similarity
from ingest.text.wording import Fact, wording

BRIDGE = (
    "Мост через Сольву открыли для движения: реконструкция длилась 250 дней и обошлась "
    "в 1,2 млрд рублей."
)


@pytest.mark.parametrize(
    "copy",
    [
        BRIDGE.upper(),
        "⚡️" + BRIDGE.replace("млрд", "миллиарда") + "\n\nПодписаться на канал @city",
        "Коллеги пишут, а мы радуемся вместе с ними:\n\n" + BRIDGE,
        BRIDGE + " Первыми по нему проехали пожарные машины и старый трамвай.",
        BRIDGE.replace("открыли для движения", "снова открыли для движения"),
        BRIDGE.replace("рублей.", "рублей, сообщает ТАСС."),
    ],
)
def test_a_reworded_post_is_a_copy(copy: str) -> None:
    assert is_copy(BRIDGE, copy)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("🎉", "🎉"),
        ("Доброе утро!", "доброе утро"),
        (
            "今天北京发布了新的人工智能管理办法，要求平台对生成内容进行标识并承担责任。",
            "今天北京发布了新的人工智能管理办法,要求平台对生成内容进行标识并承担责任!",
        ),
        (
            "The city council approved the new budget on Tuesday, setting aside 40 million "
            "dollars for road repairs.",
            "BREAKING: The city council approved the new budget on Tuesday, setting aside "
            "$40 million for road repairs. Details to follow.",
        ),
        (
            "В Москве начинает работу новогодняя почта: письма примут в парках и на площадках",
            "В столице начинает работу новогодняя почта: письма примут в парках и на площадках",
        ),
    ],
)
def test_copies_in_other_scripts_and_sizes(one: str, other: str) -> None:
    assert is_copy(one, other)


TEMPLATES = {
    "a month": (
        "Борщ-индекс за {}: набор продуктов для борща подорожал на 3,2% и стоит 412 рублей "
        "в среднем по стране.",
        "август",
        "сентябрь",
    ),
    "a toll": (
        "В аварии на трассе М-4 погибли {} человек, ещё пятеро в больнице, сообщили в МВД.",
        "12",
        "14",
    ),
    "a correction": (
        "В аварии на трассе М-4 погибли {} человек, ещё пятеро в больнице, сообщили в МВД.",
        "12",
        "не 12, а 14",
    ),
    "a sign": (
        "Завтра в Москве облачно, без осадков. Днём до {} градусов, ветер северный, слабый.",
        "-5",
        "+5",
    ),
    "a rate": (
        "Курс доллара на сегодня составляет {} рубля, курс евро не изменился, сообщает банк.",
        "92,5",
        "93,1",
    ),
    "a score": (
        "Сборная завершила товарищеский матч со счётом {}, игра прошла вечером в столице.",
        "3:0",
        "0:3",
    ),
    "a surname": (
        "{} объявил об отставке с поста мэра после скандала с закупками школьного питания.",
        "Иванов",
        "Петров",
    ),
    "a bank": (
        "{} снизил ставки по вкладам для физических лиц, изменения вступят в силу с января",
        "Сбербанк",
        "ВТБ",
    ),
    "a place": (
        "Аэропорт {} временно закрыт на приём и выпуск рейсов. Просим уточнять расписание.",
        "Внуково",
        "Домодедово",
    ),
    "opposites": (
        "Аэропорт Внуково {} на приём и выпуск рейсов. Пассажиров просят уточнять расписание.",
        "закрыт",
        "открыт",
    ),
    "a fall": (
        "Цены на бензин за неделю {} на два процента, дизель остался на прежнем уровне.",
        "выросли",
        "снизились",
    ),
    "a negation": (
        "Суд {} бывшего министра виновным в получении взятки и назначил наказание, штраф.",
        "признал",
        "не признал",
    ),
    "a quantity": (
        "Выручка компании за квартал составила 12 {} рублей, говорится в отчёте для всех.",
        "млн",
        "млрд",
    ),
    "an ordinal": (
        "Выручка компании за {} квартал составила 12 млн рублей, говорится в отчёте компании.",
        "первый",
        "второй",
    ),
    "a day": (
        "{} в городе отключат горячую воду на улицах Ленина и Мира, работы до вечера.",
        "В понедельник",
        "Во вторник",
    ),
    "a range": (
        "Куда сходить в городе: прогулки, ярмарки, выставки и концерты {} октября, список",
        "19-20",
        "20",
    ),
    "a thing": (
        "В Москве подорожала {}: за неделю цена выросла на 5 процентов, пишет Росстат.",
        "картошка",
        "морковь",
    ),
    "a cause": (
        "В Москве объявили жёлтый уровень погодной опасности из-за {}, будьте осторожны",
        "гололедицы",
        "сильного ветра",
    ),
    "a person": (
        "{} при пожаре в жилом доме на улице Садовой, причина возгорания устанавливается.",
        "Женщина пострадала",
        "Мужчина пострадал",
    ),
    "a version": (
        "Python {} вышел: список изменений, новый синтаксис и советы по обновлению проектов",
        "3.12",
        "3.13",
    ),
    "an English figure": (
        "The central bank raised its key rate to {} percent on Friday, as analysts expected.",
        "5",
        "6",
    ),
    "an English direction": (
        "The dollar {} against the yen as investors await the jobs report due this week.",
        "rises",
        "falls",
    ),
    "an English company": (
        "{} will hold its annual developer conference in June, it said in a statement today.",
        "Apple",
        "Google",
    ),
}


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES.keys())
def test_one_fact_that_differs_keeps_posts_apart(template: tuple[str, str, str]) -> None:
    """However much else they share, in either order."""
    text, one, other = template
    assert not is_copy(text.format(one), text.format(other))
    assert not is_copy(text.format(other), text.format(one))


def test_an_accuser_is_not_the_accused() -> None:
    one = "Глава банка Иван Петров обвинил главу завода Сергея Сидорова в хищении средств."
    other = "Глава завода Сергей Сидоров обвинил главу банка Ивана Петрова в хищении средств."
    assert not is_copy(one, other)


def test_an_item_of_a_digest_is_not_its_copy() -> None:
    """Else two news of one digest would be one story."""
    digest = "\n".join(
        (
            "Главное за день",
            "Депутаты обсудили бюджет города на будущий год и отложили голосование",
            BRIDGE,
            "Зоопарк показал посетителям новорождённого жирафа, имя ему ещё не выбрали",
            "Библиотека на набережной открылась после ремонта, читальный зал стал больше",
        )
    )
    assert not is_copy(BRIDGE, digest)


def test_a_headline_belongs_to_the_post_that_begins_with_it() -> None:
    post = BRIDGE + " " + "Проезд открыт для машин и трамваев, пешеходы ждут до осени. " * 3
    assert is_copy(BRIDGE, post)


def test_a_post_holds_what_its_copy_says_but_not_what_that_adds() -> None:
    longer = BRIDGE + " На открытие пришли 300 горожан."
    assert holds(longer, BRIDGE)
    assert not holds(BRIDGE, "На открытие пришли 300 горожан.")


texts = st.lists(
    st.sampled_from("мост открыли не 12 14 мая Иванов дней в на после ремонта . ! город".split()),
    max_size=25,
).map(" ".join)


@given(texts, texts)
def test_it_does_not_matter_which_post_comes_first(a: str, b: str) -> None:
    assert is_copy(a, b) == is_copy(b, a)
    assert similarity(a, b) == similarity(b, a)


@given(texts)
def test_every_post_is_its_own_copy(text: str) -> None:
    assert is_copy(text, text)
    assert copy_hash(text) == copy_hash(text + "\n\nПодписаться")


def test_a_number_is_one_however_it_is_written() -> None:
    """Grouping, decimal commas and «тысяч» change no number; its minus does."""
    numbers = [w.text for w in wording("889 000, 889 тысяч, 3,5 и -3.5") if w.fact is Fact.NUMBER]
    assert ["889000", "889000", "3.5", "-3.5"] == numbers


def test_likely_copies_share_bands() -> None:
    """And posts about something else share none; too short ones have none."""
    mine, theirs = bands(wording(BRIDGE)), bands(wording("Друзья! " + BRIDGE))
    assert len(mine) == COUNT_BANDS
    assert len(set(mine) & set(theirs)) >= MIN_SHARED
    assert not set(mine) & set(bands(wording("Зоопарк показал посетителям жирафа и двух ослов.")))
    assert () == bands(wording("Доброе утро, город!"))
