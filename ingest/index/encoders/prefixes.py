"""What a model family wants written before a question and before a passage."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_E5: Final = re.compile(r"(?:^|[/_-])e5-(?:small|base|large)(?:$|[/_.-])", re.IGNORECASE)
"""Not e5-mistral or an ``e5-instruct``, which are told their task in a sentence instead."""


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The two beginnings, with their space; "" where the family has none."""

    query: str = ""
    passage: str = ""


def prefixes_of(model: str) -> Prefixes:
    """The prefixes of a model by its name.

    Source: the model cards of intfloat/multilingual-e5-*.
    """
    if _E5.search(model) and "instruct" not in model.lower():
        return Prefixes("query: ", "passage: ")
    return Prefixes()
