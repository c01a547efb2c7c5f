"""Makes two texts that look the same be the same, for search; and makes a text safe to show."""

from __future__ import annotations

import re
import unicodedata

# Zero-width, bidirectional and tag characters carry no visible text. They are used to hide
# instructions from people, and to hide words from search.
# Source: Unicode 16, Default_Ignorable_Code_Point and Bidi_Control.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_SHOWN_INVISIBLE = re.compile(
    "[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)
_SPACES = re.compile(r"[^\S\n]+")

_LATIN = "ABCEHKMOPTXYaceopxykmtbhi"
_CYRILLIC = "АВСЕНКМОРТХУасеорхукмтвні"
_TO_CYRILLIC = str.maketrans(_LATIN, _CYRILLIC)
_TO_LATIN = str.maketrans(_CYRILLIC, _LATIN)
_LOOKALIKES = frozenset(_LATIN + _CYRILLIC)
_HAS_CYRILLIC = re.compile("[\u0400-\u04ff]")
_HAS_LATIN = re.compile("[A-Za-z]")


def without_invisible(text: str) -> str:
    """The text without characters that can't be seen; what is left looks the same.

    Joiners and variation selectors stay: emoji are built with them.
    """
    return _SHOWN_INVISIBLE.sub("", text)


def searchable(text: str) -> str:
    """The form that is compared: NFKC, case folded, ё as е, nothing invisible, plain spaces.

    Line breaks stay. Words in mixed alphabets are left to `untangle`, which needs word borders.
    """
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    return _SPACES.sub(" ", folded.replace("ё", "е"))


def untangle(word: str) -> str:
    """A word whose letters come from one alphabet, if look-alikes were mixed into it.

    "Mосква" with a Latin M becomes «Москва»; "iPhone15" and «3D-принтер» stay as they are,
    for not every letter of their smaller part has a twin.
    """
    if not (_HAS_CYRILLIC.search(word) and _HAS_LATIN.search(word)):
        return word
    cyrillic = _HAS_CYRILLIC.findall(word)
    latin = _HAS_LATIN.findall(word)
    if len(cyrillic) >= len(latin) and _LOOKALIKES.issuperset(latin):
        return word.translate(_TO_CYRILLIC)
    if len(latin) > len(cyrillic) and _LOOKALIKES.issuperset(cyrillic):
        return word.translate(_TO_LATIN)
    return word
