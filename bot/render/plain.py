"""Makes text that others wrote safe to show: no hidden characters, nothing to click."""

from __future__ import annotations

import re
import unicodedata

WORD_JOINER = "\u2060"
"""Invisible, and no part of an address for Telegram, so that it ends one wherever it stands.

Source: TDLib, MessageEntity.cpp, is_url_unicode_symbol: of U+2000..U+206F only U+200C, U+200D
and the dashes may stand in an address. That is also why those two joiners are taken out.
"""

_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"
# Letters by category, yet without a shape: they hide text as well as zero-width spaces do.
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5")
_SPACE = re.compile(r"[^\S\u00a0]+")  # a non-breaking one is there for a reason
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})

_CLICKABLE = re.compile(
    r"""
      :(?=//)                      # https://, tg://
    | \.(?=[^\W\d_][^\W_])         # the dot before a top-level domain
    | (?<![\d.])\d{1,3}(?=(?:\.\d{1,3}){3}(?![\d.]))  # the first number of 127.0.0.1
    | @(?=\w)                      # @name, me@example.org
    | (?<![\w/<>])/(?=[A-Za-z0-9_])  # /command
    """,
    re.VERBOSE,
)


def shown(text: str) -> str:
    """`text` without controls, bidi and zero-width characters, and with nothing to click.

    Line breaks stay. Telegram turns addresses, mentions and commands of plain text into links
    by itself, so an invisible character goes into each; people read the same words.
    """
    return _CLICKABLE.sub(_broken, visible(text))


def one_line(text: str) -> str:
    """`shown`, with every run of white space as one blank."""
    return shown(_SPACE.sub(" ", visible(text)).strip())


def visible(text: str) -> str:
    """`text` without the characters that nobody sees; emoji keep what joins them."""
    text = text.replace("\r\n", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    kept: list[str] = []
    for at, char in enumerate(text):
        if char == "\n" or not _is_hidden(char):
            kept.append(char)
        elif char in "\t\v\f\r\x85":
            kept.append(" ")
        elif char == _ZERO_WIDTH_JOINER and _joins_emoji(kept, text[at + 1 : at + 2]):
            kept.append(char)
    return "".join(kept)


def shortened(text: str, max_chars: int) -> str:
    """At most `max_chars` characters of `text`, cut after a word and marked with "…"."""
    if len(text) <= max_chars:
        return text
    head = text[: max_chars - 1]
    cut = max(head.rfind(" "), head.rfind("\n"))
    # A word of half the length is no word: cut it.
    head = head[:cut] if cut > max_chars // 2 else head
    return head.rstrip(" \n,;:—–-" + _ZERO_WIDTH_JOINER) + "…"


def _is_hidden(char: str) -> bool:
    return char in _BLANK_LETTERS or unicodedata.category(char) in _HIDDEN


def _joins_emoji(before: list[str], after: str) -> bool:
    def is_emoji(char: str) -> bool:
        return char == _EMOJI_STYLE or unicodedata.category(char) in {"So", "Sk"}

    return bool(before and after) and is_emoji(before[-1]) and is_emoji(after)


def _broken(match: re.Match[str]) -> str:
    return match.group() + WORD_JOINER
