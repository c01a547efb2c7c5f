"""Figures of answers: facts however they are spelt, shares, and the trade-off."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.evaluation.answers import Outcome, rows, summary
from agent.evaluation.datasets import Example
from agent.evaluation.facts import states
from agent.types import Answer, Citation, CitedClaim, Question, Refusal, RefusalReason
from ingest.types import Channel, ChannelId

NOW = datetime(2026, 10, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "fact", "expected"),
    [
        ("Украли 41 024 320 рублей", "41,024,320", True),
        ("Выросла до 7.5 %", "7,5", True),
        ("Выросла до 17,5 %", "7,5", False),
        ("Весит до 12 (двенадцати) кг", "12 кг", True),
        ("Двенадцать человек, 3 кг", "12 кг", False),
        ("Средний результат — 4 минуты", "4 мин", True),
        ("за 5 million dollars", "5 млн", True),
        ("Из-за неверных настроек где-то в Индии", "Инди", True),
        ("пять суток", "5|пять", True),
        ("О цене не сказано", "5|пять", False),
    ],
)
def test_facts(text: str, fact: str, expected: bool) -> None:
    """Case, endings, grouping, decimal commas and the language of units do not matter."""
    assert expected is states(text, fact)


def example(name: str, *, answerable: bool = True) -> Example:
    return Example(
        id=name,
        question=Question(text="?", now=NOW),
        type="fact",
        answerable=answerable,
        gold=frozenset({"news:1"} if answerable else ()),
        gold_sets=(),
        must=("74",) if answerable else (),
        corrected_by=frozenset(),
        channels=(),
        from_on=None,
        to_on=None,
    )


def outcome(asked: Example, *, score: float, is_refused: bool = False) -> Outcome:
    news = Channel(channel_id=ChannelId(1), title="Новости", username="news")
    cited = Citation(number=1, channel=news, message_id=1, posted_at=NOW, url=None, quote="74")
    answer = Answer(
        claims=(CitedClaim(text="74 дня", citations=(1,)),), citations=(cited,), confidence=1.0
    )
    refusal = Refusal(reason=RefusalReason.INSUFFICIENT, message="Не знаю.")
    return Outcome(
        example=asked,
        reply=refusal if is_refused else answer,
        sufficiency=score,
        timings_ms={"draft": 2.0},
    )


def test_shares_and_trade_off() -> None:
    """A right answer, a wrong refusal, a right refusal and a wrong answer."""
    found = [
        outcome(example("a"), score=0.9),
        outcome(example("b"), score=0.2, is_refused=True),
        outcome(example("c", answerable=False), score=0.1, is_refused=True),
        outcome(example("d", answerable=False), score=0.6),
    ]

    figures = summary(found)

    assert 0.5 == figures["cites_gold"] == figures["states_facts"] == figures["wrongly_refused"]
    assert 0.5 == figures["refused"]
    curve = {one["threshold"]: one for one in figures["trade_off"]}
    assert (0.0, 1.0) == (curve[0.05]["wrongly_refused"], curve[0.05]["wrongly_answered"])
    assert (0.5, 0.0) == (curve[0.7]["wrongly_refused"], curve[0.7]["wrongly_answered"])


def test_a_row_names_posts_and_reasons() -> None:
    """What others can judge."""
    answered, refused = rows(
        [outcome(example("a"), score=0.9), outcome(example("b"), score=0.2, is_refused=True)]
    )

    assert ("answered", "74 дня", ["news:1"]) == (
        answered["status"],
        answered["answer"],
        answered["citations"],
    )
    assert ("refused", "insufficient") == (refused["status"], refused["reason"])
