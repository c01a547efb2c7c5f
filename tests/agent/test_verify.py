"""What verification compares: figures, dates, names, negation, sources, quotes, sides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.stages.verify import verify
from agent.types import CheckedClaim, Claim, Draft, EvidenceId
from agent.verification.checking import Post, Strictness, check
from agent.verification.dates import mentions, resolved, states
from agent.verification.names import lexicon, missing_names, names
from agent.verification.numbers import quantities
from agent.verification.quantity import says
from agent.verification.quotes import stands_in
from ingest.text.sentences import sentences
from tests.peers.evidence import post

MAY_5 = date(2024, 5, 5)


def on_may_5(text: str, *sources: str) -> Post:
    parts = tuple(text[span.start : span.end] for span in sentences(text))
    return Post(sentences=parts, posted_on=MAY_5, sources=sources)


def checked(
    text: str, cited: Sequence[str], *texts: str, quote: str | None = None
) -> CheckedClaim:
    """A claim checked against posts e1, e2, ..."""
    ids = tuple(EvidenceId(one) for one in cited)
    draft = Draft(claims=(Claim(text=text, evidence_ids=ids, quote=quote),), mode="llm")
    evidence = [post(f"e{number}", one, day=number) for number, one in enumerate(texts, start=1)]
    return verify(draft, evidence).checked[0]


# --- figures


@pytest.mark.parametrize(
    ("claimed", "told"),
    [
        ("3 500 000 000 рублей", "3,5 млрд руб."),
        ("$3.5bn", "3.5 billion dollars"),
        ("половина", "50%"),
        ("1500 м", "1,5 км"),
        ("две недели", "14 дней"),
        ("вдвое", "в 2 раза"),
        ("двадцать пять тысяч человек", "25 000 человек"),
        ("3 млн евро", "2–3 млн евро"),
        ("2 млн евро", "2–3 млн евро"),
        ("около 3,5 млрд рублей", "3 512 000 000 рублей"),
        ("более 3 млрд рублей", "3,5 млрд рублей"),
        ("2 тыс. кв. м", "2000 квадратных метров"),
        ("1,200 people", "1200 people"),
        ("25 лет", "25-летний"),
    ],
)
def test_one_quantity_is_written_in_many_ways(claimed: str, told: str) -> None:
    (wanted,) = quantities(claimed)
    assert any(says(one, wanted, units=frozenset()) for one in quantities(told))


@pytest.mark.parametrize(
    ("claimed", "told"),
    [
        ("3,5 млн рублей", "3,5 млрд рублей"),
        ("3,5 млрд долларов", "3,5 млрд рублей"),
        ("5%", "5 рублей"),
        ("3.10", "3.1"),
        ("менее 50 человек", "более 50 человек"),
        ("более 50 человек", "50 человек"),
        ("12 часов", "12 минут"),
        ("3:2", "3:1"),
    ],
)
def test_another_quantity_is_another(claimed: str, told: str) -> None:
    (wanted,) = quantities(claimed)
    assert not any(says(one, wanted, units=frozenset()) for one in quantities(told))


def test_a_figure_that_counts_something_else_is_wrong() -> None:
    """«5 школ и 7 садов» does not say «7 школ», though it has both words."""
    text = on_may_5("В районе построят 5 школ и 7 садов.")
    assert check("В районе построят 7 школ.", text).problems
    assert not check("В районе построят 5 школ.", text).problems


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    """No text breaks the readers, and none supports what it does not have."""
    quantities(text)
    mentions(text)
    names(text)
    assert check("Мост открыли 4 мая за 17 рублей", on_may_5(text)).problems


# --- dates


@pytest.mark.parametrize(
    ("told", "claimed", "expected"),
    [
        ("вчера", "4 мая", True),
        ("вчера", "5 мая", False),
        ("завтра", "6 мая 2024 года", True),
        ("5 мая", "в мае", True),
        ("в мае", "5 мая", False),
        ("7 декабря", "7 декабря 2023 года", True),
        ("в прошлом году", "в 2023 году", True),
        ("3 мая", "в пятницу", True),
        ("в пятницу", "3 мая", True),
        ("в пятницу", "2 мая", False),
        ("07.10.2023", "7 October 2023", True),
        ("October 7, 2023", "8 октября 2023", False),
        ("в 10:30", "в 10:30", True),
        ("в 10:30", "в 11:30", False),
        ("вчера", "вчера", True),
        ("", "5 мая 2024 года", True),
        ("в 2023 году", "в 2024 году", False),
    ],
)
def test_dates_are_resolved_against_the_post(told: str, claimed: str, expected: bool) -> None:
    (wanted,) = mentions(claimed)
    assert expected is states(mentions(told), wanted, MAY_5)


def test_a_date_without_a_year_is_the_nearest() -> None:
    (new_year,) = mentions("31 декабря")
    assert 2023 == resolved(new_year, date(2024, 1, 2)).year


def test_a_posts_day_is_counted_in_the_readers_zone() -> None:
    """At 9:00 UTC of the 7th it is the 6th in Honolulu until 10:00."""
    draft = Draft(
        claims=(Claim(text="Мост открыли 5 октября.", evidence_ids=(EvidenceId("e1"),)),),
        mode="llm",
    )
    evidence = [post("e1", "Мост открыли вчера.")]
    assert verify(draft, evidence, zone=ZoneInfo("Pacific/Honolulu")).supported
    assert not verify(draft, evidence).supported


# --- names


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Об этом сказал Собянин", "Сказано Собяниным"),
        ("Said by Sobyanin", "Сказано Собяниным"),
        ("Он живёт в Москве", "Moscow is where he lives"),
        ("Это сделали США", "Соединенные Штаты Америки сделали это"),
        ("Вышла GPT-4o", "Появилась gpt-4o"),
    ],
)
def test_a_name_is_found_in_any_case_and_alphabet(claim: str, text: str) -> None:
    assert [] == missing_names(names(claim), lexicon([text]), is_foreign=False)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Об этом сказал Собянин", "Сказано Сониным"),
        ("Он живёт в Австрии", "Он живёт в Австралии"),
        ("Вышла GPT-5", "Появилась GPT-4"),
    ],
)
def test_another_name_is_missing(claim: str, text: str) -> None:
    assert missing_names(names(claim), lexicon([text]), is_foreign=False)


# --- what is asserted


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Компания не планирует открывать офис в Казани.", "Компания планирует открывать офис."),
        ("Компания планирует открыть офис в Казани.", "Компания открыла офис в Казани."),
        ("Минтранс опроверг, что прокат закроют.", "Прокат закроют."),
        ("Якобы завод продали.", "Завод продали."),
        ("Завод продали.", "Завод не продали."),
        ("Если цены вырастут, завод закроют.", "Завод закроют."),
        ("Цены на хлеб выросли в мае.", "Цены на хлеб упали в мае."),
        ("The court may ban the app.", "The court banned the app."),
        ("The firm didn't sell the plant.", "The firm sold the plant."),
    ],
)
def test_what_is_denied_doubted_or_planned_is_not_said(text: str, claim: str) -> None:
    assert check(claim, on_may_5(text)).problems


def test_not_only_negates_nothing() -> None:
    text = on_may_5("Мост открыли не только для машин, но и для пешеходов.")
    assert not check("Мост открыли для машин и для пешеходов.", text).problems


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Полиция задержала журналиста.", "Журналист задержал полицию."),
        ("Сын обманул отца в споре.", "Отец обманул сына в споре."),
        ("Harrow beat Eton in the final.", "Eton beat Harrow in the final."),
    ],
)
def test_sides_that_are_exchanged_are_noticed(text: str, claim: str) -> None:
    assert check(claim, on_may_5(text)).problems


# --- whose words


NEWS = on_may_5("Мост открыли после ремонта.", "Новости Города", "city_news")


@pytest.mark.parametrize(
    "claim",
    [
        "Канал «Новости города» сообщил: мост открыли после ремонта.",
        "Как пишет @city_news, мост открыли после ремонта.",
        "Новости Города сообщают, что мост открыли после ремонта.",
    ],
)
def test_a_channel_that_is_cited_may_be_named(claim: str) -> None:
    assert not check(claim, NEWS).problems


@pytest.mark.parametrize(
    "claim",
    [
        "Канал «Вестник» сообщил: мост открыли после ремонта.",
        "Как пишет @other_news, мост открыли после ремонта.",
        "«Вестник» сообщает: Мост открыли после ремонта.",
        "По словам Иванова, мост открыли после ремонта.",
    ],
)
def test_a_claim_names_no_other_source(claim: str) -> None:
    assert check(claim, NEWS).problems


def test_quotations_are_verbatim() -> None:
    text = on_may_5("Мэр сказал: «Мы откроем этот мост в срок».")
    assert not check("Мэр сказал: «Мы откроем этот мост в срок».", text).problems
    assert check("Мэр сказал: «Мы откроем новый мост в срок».", text).problems


def test_an_ellipsis_skips_words_of_a_quote() -> None:
    assert stands_in("Мы откроем … в срок", "Мы откроем этот мост в срок")
    assert not stands_in("в срок … мы откроем", "Мы откроем этот мост в срок")


def test_a_claim_whose_quote_is_made_up_is_unsupported() -> None:
    text = "Мост открыли после ремонта."
    assert checked(text, ["e1"], text, quote="Мост открыли").supported_by
    assert not checked(text, ["e1"], text, quote="Мост закрыли навсегда").supported_by


# --- several posts


def test_each_part_of_a_claim_may_have_its_own_post() -> None:
    claim = "Мост через Сольву открыли в мае, а трамвай на Лесную запустили в июне."
    texts = (
        "Мост через Сольву открыли в мае.",
        "Трамвай на Лесную запустили в июне.",
        "В городе дождь.",
    )
    assert {"e1", "e2"} == set(checked(claim, ["e1", "e2", "e3"], *texts).supported_by)
    assert () == checked(claim, ["e1", "e3"], *texts).supported_by


def test_every_sentence_of_a_claim_is_checked() -> None:
    text = on_may_5("Мост открыли в мае. Ремонт длился год.")
    assert not check("Мост открыли в мае. Ремонт длился год.", text).problems
    assert check("Мост открыли в мае. Мэр ушёл в отставку.", text).problems


def test_problems_say_which_post_and_what() -> None:
    found = checked("Ремонт длился 251 день.", ["e1"], "Ремонт длился 250 дней.")
    assert ("e1: does not have «251 день»",) == found.problems


# --- meaning


def test_an_encoder_lets_a_paraphrase_pass_but_no_wrong_figure() -> None:
    text = on_may_5("Реконструкция переправы длилась 250 дней.")
    strict = check("Обновление переправы тянулось 250 дней.", text)
    close = check("Обновление переправы тянулось 250 дней.", text, closeness=lambda *_: 0.95)
    wrong = check("Обновление переправы тянулось 251 день.", text, closeness=lambda *_: 0.95)
    assert (True, False, True) == tuple(bool(one.problems) for one in (strict, close, wrong))


def test_a_translation_needs_figures_and_names_or_an_encoder() -> None:
    text = on_may_5("Мост открыли вчера. Ремонт длился 250 дней.")
    vague = "The bridge is open again."
    assert check(vague, text).problems
    assert not check(vague, text, closeness=lambda *_: 0.95).problems
    assert not check("Opened on May 4 after 250 days of repairs.", text).problems


def test_whole_sentences_can_be_checked_like_any_other() -> None:
    text = on_may_5("Ремонт моста длился 250 дней.")
    strictness = Strictness(verbatim=False)
    assert not check("Ремонт моста длился 250 дней.", text, strictness=strictness).problems
