"""Text that others wrote, made safe to show."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.plain import WORD_JOINER, one_line, shortened, shown, visible
from tests.peers.telegram_rules import auto_links

HOSTILE = [
    "https://evil.example/?q=secret",
    "http://127.0.0.1/x",
    "tg://resolve?domain=evil",
    "evil.com/path",
    "EVIL.COM",
    "пример.рф",
    "t.me/evil",
    "telegram.me/evil/1",
    "пишите @evil_bot",
    "me@evil.com",
    "10.0.0.1",
    "нажмите /start",
    "/start@evil_bot",
    "evil\u200d.com",
    "evil.\u200dcom",
    "ev\u00adil.com",
    "evil\u200b.com",
    "https:\u200b//evil.com",
    "t\u2060.\u2060me/evil",
    "[ссылка](https://evil.com)",
    "a.b.c.co.uk/x.html",
    "ftp://user:pass@evil.com:21",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_others_text_can_be_clicked(text: str) -> None:
    """Addresses, mentions, mail addresses and commands stay words."""
    # The rule itself must see what is being tested.
    assert auto_links(visible(text)) != []

    assert auto_links(shown(text)) == []
    assert shown(text).replace(WORD_JOINER, "") == visible(text)


@given(st.lists(st.sampled_from([*HOSTILE, " ", "\n", ".", "@", "/", "a", "ё", "1", "😀"])))
def test_no_combination_can_be_clicked(pieces: list[str]) -> None:
    """However the pieces are put together."""
    assert auto_links(shown("".join(pieces))) == []


@pytest.mark.parametrize(
    "text",
    [
        "Вышел Python 3.13, т.е. сегодня. И/или завтра: 1/2 команды, в 10:30.",
        "Цена 1.5 млн; e-mail не нужен… «Хабр» — v2.0.1",
        "#теги и $TON остаются",
        "👨‍👩‍👧 ❤️ 👍🏽 1️⃣",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Versions, abbreviations, fractions and joined emoji are nobody's links."""
    assert shown(text) == text


@given(st.text())
def test_hidden_characters_go(text: str) -> None:
    """No controls, no direction overrides, no zero-width signs but those inside emoji."""
    kept = visible(text)

    hidden = {unicodedata.category(char) for char in kept if char not in "\n\u200d"}
    assert hidden & {"Cc", "Cf", "Cs", "Co", "Cn"} == set()
    assert visible(kept) == kept


def test_direction_overrides_and_blank_letters_go() -> None:
    """Text reads in the order in which it is stored."""
    assert visible("a\u202egnp.exe\u2066\u3164\u034f\u200e") == "agnp.exe"


def test_one_line_has_no_line_breaks() -> None:
    """For titles and names."""
    assert one_line("  Канал\n\n про\tвсё ") == "Канал про всё"


@given(st.text(min_size=1), st.integers(min_value=2, max_value=50))
def test_shortened_text_fits(text: str, max_chars: int) -> None:
    """And says that it was cut."""
    short = shortened(text, max_chars)

    assert len(short) <= max_chars
    assert short == text or short.endswith("…")
