"""What holds for every text: order of the ends, honest spans, no surprises."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.dates import NO_DATES, DateFilter, find_dates

NOW = date(2024, 11, 20)

WORDS = (
    "в с по до за на от между и или через назад последние прошлой этой следующий первый второй "
    "пятого двадцать три две неделю недели дней месяц года год 90-х 2024 2023-го 31 29 5 5-го "
    "февраля марта мае октябрь-ноябрь понедельник выходные квартал II летом зимой начало конце "
    "половине вчера завтра каждый числа Пасху Новый Рождество 05.10 31.12.2023 2024-W40 Q3 24H2 - "
    "– , . / the of last next past this from to since until before after ago in on at may March "
    "Monday weekend quarter century decade week year years early mid-April end couple thousand "
    "hundred Easter Christmas half 99 9999 0 1st 10/5/2024 1800 2199 A.D. EOM now hence сентбярь"
).split()

TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join),
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=10).map("".join),
)
DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31))


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, now=DAYS)
def test_any_text_gives_an_ordered_period_and_true_spans(text: str, now: date) -> None:
    """No text raises; the ends are in order; the spans are where the phrase stands."""
    found = find_dates(text, now=now)

    if found.from_on and found.to_on:
        assert found.from_on <= found.to_on
    assert (found.phrase is None) == (found == NO_DATES)
    assert (found.phrase or "") == " … ".join(text[start:end] for start, end in found.spans)
    edges = [edge for span in found.spans for edge in span]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(text) for start, end in found.spans)


@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_same_question_gives_same_period(text: str) -> None:
    """Nothing but the text and the day of asking counts."""
    assert find_dates(text, now=NOW) == find_dates(text, now=NOW)


@given(
    phrase=st.sampled_from(
        [
            "в марте 2023", "вчера", "на прошлой неделе", "с 5 по 10 мая", "в 2022 году",
            "за последние 10 дней", "летом 2023", "14 октября", "в понедельник", "два года назад",
            "last week", "in March 2023", "from May 5 to 10", "yesterday", "two weeks ago",
            "mid-April 2024", "between June 3 and 8", "since last Monday", "on 10/10/2024",
        ]
    ),
    before=st.sampled_from(["что писали про котов", "новости:", "what did they post about"]),
    after=st.sampled_from(["про погоду?", "в Москве?", "about cats?", ")", "!", ""]),
)  # fmt: skip
def test_words_around_a_phrase_change_nothing(phrase: str, before: str, after: str) -> None:
    """A phrase means the same days wherever it stands in a question about posts."""
    alone = find_dates(phrase, now=NOW)
    found = find_dates(f"{before} {phrase} {after}", now=NOW)

    assert (found.from_on, found.to_on) == (alone.from_on, alone.to_on)
    assert found.phrase == alone.phrase


@given(day=st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_written_day_is_read_back(day: date) -> None:
    """A full date in figures is that day, whenever it is asked."""
    assert find_dates(f"посты за {day:%d.%m.%Y}", now=date(2100, 1, 1)).from_on == day
    assert find_dates(f"posts on {day:%m/%d/%Y}", now=date(2100, 1, 1)).from_on == day
    assert find_dates(day.isoformat(), now=NOW).to_on == day


@given(day=st.dates(min_value=date(2000, 1, 1), max_value=date(2060, 1, 1)))
def test_yearless_day_is_the_latest_one(day: date) -> None:
    """A day and a month without a year lie within the year up to the day of asking."""
    found = find_dates("что было 15 июня", now=day).from_on

    assert found is not None
    assert timedelta() <= day - found <= timedelta(days=366)


def test_zone_decides_which_day_it_is() -> None:
    """At half past ten in the evening in UTC it is already tomorrow in Vladivostok."""
    now = datetime(2024, 11, 20, 22, 30, tzinfo=UTC)

    assert find_dates("сегодня", now=now).from_on == date(2024, 11, 20)
    vladivostok = timezone(timedelta(hours=10))
    assert find_dates("сегодня", now=now, zone=vladivostok).from_on == date(2024, 11, 21)


def test_several_phrases_are_cut_out_one_by_one() -> None:
    """Each phrase has its own span, so that the rest of the question can be searched for."""
    text = "что было в марте 2023, а что в мае?"

    assert find_dates(text, now=NOW) == DateFilter(
        from_on=date(2023, 3, 1),
        to_on=date(2023, 5, 31),
        phrase="в марте 2023 … в мае",
        kind="interval",
        spans=((9, 21), (29, 34)),
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("вчера", "day"), ("на прошлой неделе", "week"), ("в марте", "month"),
        ("в 2022 году", "year"), ("летом 2023", "season"), ("в 90-х", "decade"),
        ("на выходных", "weekend"), ("с 5 по 10 мая", "interval"), ("с марта", "since"),
        ("до 5 мая", "before"), ("после 5 мая", "after"), ("until May 5", "until"),
        ("II квартал", "quarter"), ("first half of 2024", "interval"), ("Halloween", "holiday"),
    ],
)  # fmt: skip
def test_kind_says_what_was_named(text: str, kind: str) -> None:
    """The kind is that of the words, for the sentence that shows the filter."""
    assert find_dates(text, now=NOW).kind == kind


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("qué pasó el 5 de octubre de 2023", "2023-10-05", "2023-10-05"),
        ("am 5. März 2023", "2023-03-05", "2023-03-05"),
        ("2023年10月5日发生了什么", "2023-10-05", "2023-10-05"),
        ("2023年10月的新闻", "2023-10-01", "2023-10-31"),
        ("2023年有什么", "2023-01-01", "2023-12-31"),
    ],
)
def test_full_date_in_another_language_is_read(text: str, first: str, last: str) -> None:
    """A day, a month and a year are understood in the other languages of channels."""
    found = find_dates(text, now=NOW)

    assert (found.from_on, found.to_on) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize("text", ["12 игр 2024", "он выпил 5 чашек 2023", "第5章 2024"])
def test_what_only_looks_foreign_is_no_date(text: str) -> None:
    """Any word between a number and a year is not a month."""
    assert find_dates(text, now=NOW) == NO_DATES


@pytest.mark.parametrize(
    "words",
    ["5 мая и ", "5 мая, ", "the ", "в ", "1 год ", "день после ", "a ", "с 5 по ", "last "],
)
def test_long_text_of_date_words_is_read(words: str) -> None:
    """A message of Telegram's full length made of date words neither fails nor stalls."""
    found = find_dates(words * (4096 // len(words)), now=NOW)

    assert found.from_on is None or found.from_on <= NOW
