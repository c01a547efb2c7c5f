"""Names of months and weekdays as people mistype them: within a small edit distance."""

from __future__ import annotations

import functools

# Shorter names have too many neighbours: «июнь» and «июль» are one letter apart.
_MIN_CHARS = 6
_TWO_SLIPS_CHARS = 9  # a name this long may carry two slips

_RUSSIAN_SOFT = ("январ", "феврал", "апрел", "сентябр", "октябр", "ноябр", "декабр")
_FORMS = {
    **{stem + end: stem + "ь" for stem in _RUSSIAN_SOFT for end in ("ь", "я", "ю", "е", "ем")},
    **{"август" + end: "август" for end in ("", "а", "у", "е", "ом")},
    **{
        name + end: name
        for name in ("понедельник", "вторник", "четверг")
        for end in ("", "а", "у", "е", "ом")
    },
    **{
        stem + end: stem + "а" for stem in ("пятниц", "суббот") for end in ("а", "у", "ы", "е")
    },
    **{"воскресень" + end: "воскресенье" for end in ("е", "я", "ю")},
    **{
        name: name
        for name in (
            "january", "february", "august", "september", "october", "november", "december",
            "monday", "tuesday", "wednesday", "thursday", "saturday", "sunday",
        )
    },
}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def corrected(word: str) -> str | None:
    """The month or weekday that a mistyped word stands for, as its dictionary form, or None.

    Args:
        word: Lower case, «е» for «ё».
    """
    if len(word) < _MIN_CHARS - 1 or word in _FORMS:
        return _FORMS.get(word)
    best: tuple[int, str] | None = None
    for form, name in _FORMS.items():
        allowed = 2 if len(form) >= _TWO_SLIPS_CHARS else 1
        # People seldom slip on the first letter; the rule spares most other words.
        if form[0] != word[0] or abs(len(form) - len(word)) > allowed or len(form) < _MIN_CHARS:
            continue
        slips = _distance(form, word)
        if slips <= allowed and (best is None or slips < best[0]):
            best = (slips, name)
    return best[1] if best else None


def _distance(left: str, right: str) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours between two words.

    Source: optimal string alignment, Boytsov, ACM JEA 16, 2011.
    """
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        current = [i]
        for j, b in enumerate(right, start=1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]
