"""What a grammar rule gives back, and the choice between several rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agent.dates.nodes import Node
from agent.dates.tokens import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A date phrase read from the tokens.

    Attributes:
        node: What it says.
        end: The place after its last token.
        is_firm: A date wherever it stands; if not, it needs a preposition or to stand alone.
    """

    node: Node
    end: int
    is_firm: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A date phrase and the tokens it takes: ``tokens[start:end]``.

    Attributes:
        core: The place of the date itself, after its preposition.
        is_firm: A date wherever it stands.
        is_digest: A period only if news are asked for: «за неделю».
    """

    node: Node
    start: int
    core: int
    end: int
    is_firm: bool
    is_digest: bool = False


Rule = Callable[[Words, int], Found | None]


def longest(rules: Iterable[Rule], words: Words, at: int) -> Found | None:
    """The reading that takes the most tokens; of equals the first."""
    best: Found | None = None
    for rule in rules:
        found = rule(words, at)
        if found and (best is None or found.end > best.end):
            best = found
    return best
