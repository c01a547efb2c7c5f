"""The bot's words in both languages."""

from __future__ import annotations

from datetime import date

import pytest

from bot.texts import Language, en, language_of, ru, texts

D = date


def test_both_languages_say_the_same_things() -> None:
    """Every constant and function of one stands in the other, and none is empty."""
    names = {name for name in vars(ru) if not name.startswith("_") and name != "annotations"}

    assert {name for name in vars(en) if not name.startswith("_")} - {"annotations"} == names
    for name in names:
        assert type(getattr(ru, name)) is type(getattr(en, name))
        assert getattr(ru, name)
        assert getattr(en, name)
    assert [name for name, _ in ru.COMMANDS] == [name for name, _ in en.COMMANDS]


@pytest.mark.parametrize(
    ("first", "last", "russian", "english"),
    [
        (D(2024, 10, 1), D(2024, 10, 31), "1–31 октября 2024", "1–31 October 2024"),
        (D(2024, 10, 7), D(2024, 10, 7), "7 октября 2024", "7 October 2024"),
        (D(2024, 9, 30), D(2024, 10, 1), "30 сентября – 1 октября 2024",
         "30 September – 1 October 2024"),
        (D(2023, 12, 31), D(2024, 1, 1), "31 декабря 2023 – 1 января 2024",
         "31 December 2023 – 1 January 2024"),
        (D(2024, 5, 1), None, "с 1 мая 2024", "since 1 May 2024"),
        (None, D(2024, 5, 1), "по 1 мая 2024", "until 1 May 2024"),
        (None, None, "", ""),
    ],
)  # fmt: skip
def test_periods_are_written_as_people_write_them(
    first: date | None, last: date | None, russian: str, english: str
) -> None:
    """What both ends share is said once."""
    assert (ru.period(first, last), en.period(first, last)) == (russian, english)


@pytest.mark.parametrize(
    ("count", "expected"),
    [(1, "и ещё 1 канал"), (3, "и ещё 3 канала"), (11, "и ещё 11 каналов"),
     (21, "и ещё 21 канал"), (112, "и ещё 112 каналов"), (1024, "и ещё 1\u00a0024 канала")],
)  # fmt: skip
def test_russian_counts_agree(count: int, expected: str) -> None:
    """One, few and many."""
    assert ru.also_in(count) == expected


@pytest.mark.parametrize(
    ("text", "interface", "expected"),
    [
        ("что нового?", "en", "ru"),
        ("что про Python 3.13 и Qdrant?", "en", "ru"),
        ("what about Хабр and its new post?", "ru", "en"),
        ("", "uk-UA", "ru"),
        ("123?", "de", "en"),
        ("", None, "en"),
    ],
)
def test_the_asker_is_spoken_to_in_their_language(
    text: str, interface: str | None, expected: Language
) -> None:
    """By their words, then by their Telegram; the owner's choice goes before both."""
    assert language_of(text, interface=interface, setting="auto") == expected
    assert language_of(text, interface=interface, setting="en") == "en"


def test_unknown_languages_get_english() -> None:
    """Rather than nothing."""
    assert texts("fi") is en
