"""Normalisation, tokens, lemmas, sentences and passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.text.fingerprint import content_hash, copy_hash
from ingest.text.language import guess_language
from ingest.text.lemmas import Lemmatiser, lemma, query_terms, terms
from ingest.text.normalise import searchable, untangle, without_invisible
from ingest.text.passages import cut
from ingest.text.sentences import sentences
from ingest.text.tokens import TokenKind, tokens

RIGHT_TO_LEFT_OVERRIDE = "\u202e"
ZERO_WIDTH_SPACE = "\u200b"
TAG_A = "\U000e0041"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ёлка", "елка"),
        ("e\u0301", "é"),
        (f"Мос{ZERO_WIDTH_SPACE}ква", "москва"),
        (f"{RIGHT_TO_LEFT_OVERRIDE}abc{TAG_A}", "abc"),
        ("ｆｕｌｌ", "full"),
        ("𝐛𝐨𝐥𝐝", "bold"),
        ("a\u00a0b\tc", "a b c"),
    ],
)
def test_what_looks_the_same_is_searched_the_same(written: str, expected: str) -> None:
    assert expected == searchable(written)


def test_shown_text_keeps_its_emoji_and_loses_what_hides() -> None:
    family = "👨‍👩‍👧"
    assert f"{family} Ё" == without_invisible(f"{family}{RIGHT_TO_LEFT_OVERRIDE} Ё{TAG_A}")


@pytest.mark.parametrize(
    ("word", "expected"),
    [("Mосква", "Москва"), ("сaхар", "сахар"), ("Pythоn", "Python"), ("iPhoneы", "iPhoneы")],
)
def test_lookalikes_of_the_other_alphabet_are_put_right(word: str, expected: str) -> None:
    assert expected == untangle(word)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPT-5.4", ["gpt-5.4", "gpt", "5.4"]),
        ("3,5 млрд", ["3.5", "млрд"]),
        ("41 024 320 цифр", ["41024320", "цифра"]),
        ("@Durov", ["@durov", "durov"]),
        ("#python_jobs", ["#python_jobs", "python", "job"]),
        ("https://habr.com/ru/x?y=1", ["habr.com"]),
        ("C++ и C#", ["c++", "и", "c#"]),
        ("премьер-министра", ["премьер-министр", "премьер", "министр"]),
        ("Python 3.13", ["python", "3.13"]),
        ("凌莞的", ["凌莞", "莞的"]),
        ("підписала угоду", ["підписати", "угода"]),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    """Words give lemmas; names, versions and numbers stay whole."""
    assert expected == terms(text)


def test_another_latin_language_is_found_by_both_stems() -> None:
    found = terms("Die Häuser und das Geld der Regierung sind nicht für den Markt")
    assert {"häuser", "haus", "regierung", "regier"} <= set(found)


def test_a_question_loses_the_words_that_say_nothing() -> None:
    assert query_terms("что на Хабре про Python") == ["хабр", "python"]


def test_a_question_of_such_words_only_keeps_them() -> None:
    assert query_terms("что это") == ["что", "это"]


def test_lemmas_are_told_once() -> None:
    """`take_fresh` gives each new word once; what was learned is not new."""
    lemmatiser = Lemmatiser()
    lemmatiser.learn([("котов", "кот")])
    assert [lemmatiser.lemma("котов"), lemmatiser.lemma("собаки")] == ["кот", "собака"]
    assert lemmatiser.take_fresh() == [("собаки", "собака")]
    assert lemmatiser.take_fresh() == []


def test_yo_is_no_other_letter() -> None:
    assert lemma("ёлки".replace("ё", "е")) == lemma("елка")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Сегодня открыли мост", "ru"),
        ("Україна підписала угоду", "uk"),
        ("The bridge was opened for the public", "en"),
        ("Die Brücke ist nicht für den Verkehr offen", "de"),
        ("凌莞的喵喵喵", "zh"),
        ("12:30 🎉", None),
    ],
)
def test_language(text: str, expected: str | None) -> None:
    assert expected == guess_language(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Он родился в 1799 г. Вот ссылка.", ["Он родился в 1799 г.", "Вот ссылка."]),
        ("Дали 5 млн. рублей А. С. Пушкину.", ["Дали 5 млн. рублей А. С. Пушкину."]),
        ("Да? Нет!!! Что ж… Пора.", ["Да?", "Нет!!!", "Что ж…", "Пора."]),
        ("Заголовок\nТекст. Ещё", ["Заголовок", "Текст.", "Ещё"]),
        ("«Пора?» — спросил он. Ушли.", ["«Пора?» — спросил он.", "Ушли."]),
        ("Mr. Smith met Dr. Jones. They left.", ["Mr. Smith met Dr. Jones.", "They left."]),
        ("凌莞的喵。喵喵。", ["凌莞的喵。", "喵喵。"]),
        ("1. Первый пункт", ["1. Первый пункт"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert expected == [text[span.start : span.end] for span in sentences(text)]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=400))
def test_sentences_lose_nothing_but_space(text: str) -> None:
    spans = sentences(text)
    borders = [0, *(edge for span in spans for edge in (span.start, span.end)), len(text)]
    assert borders == sorted(borders)
    outside = [text[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]
    assert "".join(outside).strip() == ""


@given(
    st.lists(st.text("абв .!?\n", min_size=1, max_size=40), max_size=12).map(" ".join),
    st.integers(12, 60),
)
def test_passages_are_short_enough_and_hold_every_word(body: str, limit: int) -> None:
    passages = cut(body, max_tokens=limit, count_tokens=lambda text: len(text) + 2)
    assert all(len(passage.text) + 2 <= limit for passage in passages)
    kept = "".join(body[passage.start : passage.end] for passage in passages)
    assert "".join(body.split()) == "".join(kept.split())


def test_each_passage_of_a_long_post_has_its_title() -> None:
    body = "Итоги года\n" + " ".join(f"Событие номер {n} было важным." for n in range(40))
    passages = cut(body, max_tokens=50, count_tokens=lambda text: len(text.split()))
    assert len(passages) > 1
    assert all(passage.text.startswith("Итоги года\n") for passage in passages)


def test_copies_differ_in_nothing_that_is_read() -> None:
    one = copy_hash("⚡️ Мост через Сольву открыли в 12:00!")
    other = copy_hash("мост   через сольву ОТКРЫЛИ в 12:00 🎉")
    assert one is not None
    assert one == other


def test_a_greeting_is_nobodys_copy() -> None:
    assert copy_hash("Доброе утро!") is None


def test_content_hash_sees_every_letter() -> None:
    assert content_hash("Мост") != content_hash("мост")
    assert content_hash("й") == content_hash("и\u0306")


@given(st.text(max_size=200))
def test_any_text_has_tokens_without_complaint(text: str) -> None:
    assert all(token.text and isinstance(token.kind, TokenKind) for token in tokens(text))
