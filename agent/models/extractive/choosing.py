"""Which of the scored sentences to say: the best, its continuation, and what adds to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.lines import Line
from agent.models.extractive.scoring import Scored

_GOES_ON = re.compile(
    r"^\W*(?:это (?:неверно|не так|ошибка|неправда)|неверно|поправка|уточнение|исправление|upd|"
    r"update|апдейт|на самом деле|однако|но\b|впрочем|наоборот|напротив|actually|correction|"
    r"in fact|however|but\b|this (?:is|was) (?:wrong|not true|incorrect))",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:поправк\w+|исправлен\w+|уточнени\w+|опроверг\w*|опроверж\w+|неверно|неправд\w+|"
    r"на самом деле|ошиб(?:лись|ся|ка|очно)|фейк\w*|не подтверди\w+|не соответствует|вопреки|"
    r"не \S+, а \S+|correction|corrected|den(?:y|ies|ied)|false|fake|was wrong|not true|"
    r"it turned out|оказал(?:ось|ся|ась|ись))\b",
    re.IGNORECASE,
)
_ALIKE = 0.7
"""Share of the shorter sentence's words. Measured on reposts that are no exact copies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How much is said.

    Attributes:
        claims: Sentences of an answer at most.
        also: A further sentence has to score this share of the best one's score.
        elsewhere: The same for a sentence of another post.
        beside_kind: The same beside a sentence that has the kind of thing that is asked for:
            little is missing then.
    """

    claims: int = 3
    also: float = 0.66
    elsewhere: float = 0.7
    beside_kind: float = 0.8


def choose(found: Sequence[Scored], choice: Choice = Choice()) -> list[Line]:
    """The best sentence, what corrects it, and others nearly as good that say something else.

    Args:
        found: Best first, at least one.
    """
    best = found[0]
    chosen = [best.line, *corrections(best, found)]
    for one in found[1:]:
        least = choice.beside_kind if best.is_typed else choice.also
        if len(chosen) >= choice.claims or one.score < least * best.score:
            break
        is_same_post = one.line.evidence.id == best.line.evidence.id
        if not is_same_post and one.score < choice.elsewhere * best.score:
            continue
        if best.is_typed and not one.is_typed and not is_same_post:
            continue
        if best.is_typed and not one.is_typed and (one.line.is_title or best.around >= one.around):
            continue  # it would only say again what the question says already
        if not any(alike(one.line, other) for other in chosen):
            chosen.append(one.line)
    return in_reading_order(chosen)


def corrections(best: Scored, found: Sequence[Scored]) -> list[Line]:
    """The sentences of the same post without which the chosen one would mislead."""
    post = sorted(
        (one.line for one in found if one.line.evidence.id == best.line.evidence.id),
        key=lambda line: line.position,
    )
    at = best.line.position
    return [
        line
        for line in post
        if (line.position == at + 1 and _GOES_ON.search(line.text))
        or (line.is_title and line.position != at and corrects(line.text))
    ]


def corrects(text: str) -> bool:
    """Whether a sentence takes something back or denies it."""
    return bool(_CORRECTS.search(text))


def alike(one: Line, other: Line) -> bool:
    """Whether two sentences say much the same."""
    shorter = min(len(one.terms), len(other.terms)) or 1
    return len(one.terms & other.terms) / shorter > _ALIKE


def in_reading_order(lines: Iterable[Line]) -> list[Line]:
    """Post by post in the order of their first sentence here; within a post, as written."""
    every = list(dict.fromkeys(lines))
    order = {line.evidence.id: number for number, line in reversed(list(enumerate(every)))}
    return sorted(every, key=lambda line: (order[line.evidence.id], line.position))
