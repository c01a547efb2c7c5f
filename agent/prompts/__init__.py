"""The texts that language models are asked with: a file per purpose and language.

A file has the system message, a line ``---``, and the user message with ``$names`` to fill in.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Literal

_BORDER = "\n---\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Both messages of a request, and a digest that tells one wording from another."""

    system: str
    user: Template
    digest: str


@cache
def load_prompt(purpose: str, language: Literal["ru", "en"]) -> Prompt:
    """The prompt of a purpose ("draft") in a language; read once from the package.

    Raises:
        FileNotFoundError: There is no such file.
    """
    text = files(__name__).joinpath(f"{purpose}.{language}.md").read_text(encoding="utf-8")
    system, user = text.split(_BORDER)
    return Prompt(
        system=system.strip(),
        user=Template(user.strip()),
        digest=hashlib.sha256(text.encode()).hexdigest()[:12],
    )
