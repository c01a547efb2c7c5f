"""Tokens and posts stay out of what is said about errors."""

from __future__ import annotations

from bot.redaction import redact, where

TOKEN = "123456789:AAE-test-token-that-has-the-right-length"


def test_tokens_are_taken_out_of_text() -> None:
    """Wherever they stand, several at once."""
    text = f"https://api.telegram.org/bot{TOKEN}/getMe and {TOKEN}"

    assert redact(text) == "https://api.telegram.org/bot<bot token>/getMe and <bot token>"


def test_an_errors_place_tells_nothing_else() -> None:
    """Enough to find it, without what it says."""
    place = ""
    try:
        int("words of a post")
    except ValueError as error:
        place = where(error)

    assert place.startswith("test_redaction.py:")
    assert "words" not in place
