"""Posts that disagree on the point of a question: other figures, a denial, a correction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.answer_type import AnswerType
from agent.lines import Line
from agent.models.extractive.choosing import corrects
from agent.models.extractive.scoring import Scored

_FIGURE = re.compile(r"\d[\d \u00a0\u202f]*(?:[.,]\d+)?")
_NEAR = 0.8
"""Share of the best sentence's coverage of the question that the other side has to have: two
figures that answer different questions are no disagreement."""

_NEAR_CORRECTED = 0.6
"""The same where one side takes back what the other says."""

_LEAST = 0.6
"""Share of the question that has to be covered at all."""

_MERIT = 0.8
"""Share of the best sentence's own score, for other figures."""

_MERIT_CORRECTED = 0.65
"""The same where one side takes back what the other says."""

MAX_SIDES = 3


def other_sides(found: Sequence[Scored], wanted: AnswerType) -> tuple[Scored, ...]:
    """The best sentence of each post that disagrees with the best one; () if none does.

    Args:
        found: Best first.
        wanted: What the question asks for.
    """
    if not found or found[0].around < _LEAST or found[0].merit <= 0:
        return ()
    sides = [
        one
        for one in _best_of_posts(found)
        if one.around >= _LEAST and _disagree(found[0], one, wanted)
    ]
    return tuple(sides[: MAX_SIDES - 1])


def _best_of_posts(found: Sequence[Scored]) -> Iterator[Scored]:
    """The best sentence of every post but the first one's."""
    seen = {found[0].line.evidence.id}
    for one in found:
        if one.line.evidence.id not in seen:
            seen.add(one.line.evidence.id)
            yield one


def _disagree(best: Scored, one: Scored, wanted: AnswerType) -> bool:
    covered, merit = one.around / best.around, one.merit / best.merit
    if _corrects(best.line) != _corrects(one.line):
        return covered >= _NEAR_CORRECTED and merit >= _MERIT_CORRECTED
    if covered < _NEAR or merit < _MERIT:
        return False
    if not (wanted.is_quantity and best.is_typed and one.is_typed):
        return False
    said, other = figures(best.line.text), figures(one.line.text)
    return bool(said and other and not said & other)


def _corrects(line: Line) -> bool:
    title = line.evidence.sentences[0] if line.evidence.sentences else ""
    return corrects(line.text) or corrects(title)


def figures(text: str) -> frozenset[str]:
    """The numbers of a text without grouping, with a decimal point."""
    return frozenset(re.sub(r"\s", "", found).replace(",", ".") for found in _FIGURE.findall(text))
