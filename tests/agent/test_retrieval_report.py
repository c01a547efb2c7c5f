"""Figures of retrieval: differences between runs, and the page with plots."""

from __future__ import annotations

from datetime import UTC, datetime
from html.parser import HTMLParser

from agent.evaluation.datasets import Example
from agent.evaluation.report import retrieval_page
from agent.evaluation.retrieval import Outcome, difference
from agent.types import Question


def outcome(number: int, rank: int | None, text: str = "Где мост?") -> Outcome:
    example = Example(
        id=f"q{number}",
        question=Question(text=text, now=datetime(2026, 10, 1, tzinfo=UTC)),
        type="fact",
        answerable=True,
        gold=frozenset({"news:1"}),
        gold_sets=(),
        must=(),
        corrected_by=frozenset(),
        channels=(),
        from_on=None,
        to_on=None,
    )
    timings_ms = {"plan": 1.0, "retrieve": 20.0, "retrieve.lists": 10.0}
    return Outcome(example=example, hits=(), ranks=(rank,), timings_ms=timings_ms)


class Balanced(HTMLParser):
    """Fails where an element is not closed, and collects what would be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop()


def test_a_page_stands_by_itself() -> None:
    """Well-formed, fetches nothing, shows the figures and the questions that failed."""
    page = retrieval_page([outcome(1, 1), outcome(2, None), outcome(3, 7)], title="Sample")
    parser = Balanced()
    parser.feed(page)
    assert ([], []) == (parser.open, parser.fetched)
    assert "<script" not in page
    assert "0.333" in page
    assert "q2" in page
    assert "q1" not in page


def test_questions_cannot_bring_markup() -> None:
    page = retrieval_page([outcome(1, None, "<script>alert(1)</script>")], title="<b>")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_differences_are_paired() -> None:
    """Only questions that change widen the interval; equal runs differ by nothing."""
    before = [outcome(n, 1 if n % 2 else 20) for n in range(40)]
    assert (0.0, 0.0, 0.0) == difference(before, before)["recall@5"]

    after = [outcome(n, 1) for n in range(40)]
    value, low, high = difference(before, after)["recall@5"]
    assert 0.5 == value
    assert 0.3 < low < 0.5 < high < 0.7
