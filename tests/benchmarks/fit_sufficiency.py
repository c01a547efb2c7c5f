"""Fits the model of "these posts answer" to question sets, and cross-validates it.

    python tests/benchmarks/fit_sufficiency.py DATA_DIR=QUESTIONS.jsonl [DATA_DIR=…]

Each archive has to be imported and indexed. Answerable and unanswerable questions of every set
weigh the same, so that a large set does not drown a small one. Prints the weights for
`agent/stages/suffice.py`, and for each threshold what would be refused, of each set, by models
that never saw the question.
"""

from __future__ import annotations

import asyncio
import random
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.answering import Agent, Found
from agent.evaluation.datasets import Example, load_questions
from agent.relations import commands_the_bot, is_overview
from agent.stages.rerank import rerank
from agent.stages.suffice import Features, features
from agent.wiring import open_agent
from ingest.settings import Settings, load

Numbers = NDArray[np.float64]

_EVIDENCE = 8
_FOLDS = 10
_SHRINKAGE = 0.003
_ROUNDS = 50
_THRESHOLDS = tuple(number / 100 for number in range(20, 62, 3))
_BY_HAND = frozenset({"alien"})
"""Set by hand: only one of the sets has short questions."""


@dataclass(frozen=True)
class Row:
    """One question of one set."""

    of: str
    is_answerable: bool
    seen: Features


def main(arguments: list[str]) -> None:
    """Reads the sets, fits, and prints."""
    if not arguments or not all("=" in one for one in arguments):
        sys.exit(__doc__)
    rows: list[Row] = []
    for argument in arguments:
        folder, _, questions = argument.partition("=")
        settings = load().model_copy(update={"data_dir": Path(folder)})
        rows += asyncio.run(_rows(settings, Path(questions)))
    names = [field.name for field in fields(Features) if field.name not in _BY_HAND]
    table = np.array([[asdict(row.seen)[name] for name in names] for row in rows])
    truth = np.array([row.is_answerable for row in rows])
    weights = _weights(rows)
    fitted = _fit(table, truth, weights)
    _say(f"intercept={fitted[0]:.2f}")
    for name, value in zip(names, fitted[1:], strict=True):
        _say(f"{name}={value:.2f}")
    _report(rows, _held_out(table, truth, weights))


async def _rows(settings: Settings, questions: Path) -> list[Row]:
    async with open_agent(settings) as services:
        found = [
            await _row(services.answer, questions.parent.name, example)
            for example in load_questions(questions, zone=settings.zone)
        ]
    return [row for row in found if row is not None]


async def _row(agent: Agent, of: str, example: Example) -> Row | None:
    """None where the model is not asked: refused at once, or answered whatever there is."""
    found = await agent.find(example.question)
    if not isinstance(found, Found) or not found.stories:
        return None
    if is_overview(found.plan) or commands_the_bot(found.plan.queries[0]):
        return None
    evidence = rerank(found.plan, found.stories[:_EVIDENCE])
    return Row(of, example.answerable, features(found.plan, evidence))


def _weights(rows: list[Row]) -> Numbers:
    """Every set and class the same."""
    counts: dict[tuple[str, bool], int] = {}
    for row in rows:
        counts[row.of, row.is_answerable] = counts.get((row.of, row.is_answerable), 0) + 1
    weights = np.array([1 / counts[row.of, row.is_answerable] for row in rows])
    return np.asarray(weights / weights.mean())


def _fit(table: Numbers, truth: NDArray[np.bool_], weights: Numbers) -> Numbers:
    """Ridge logistic regression by Newton's method; the intercept first."""
    mean, deviation = table.mean(0), table.std(0) + 1e-9
    scaled = np.c_[np.ones(len(table)), (table - mean) / deviation]
    shrinkage = np.r_[0.0, np.full(table.shape[1], _SHRINKAGE)]
    found = np.zeros(scaled.shape[1])
    for _ in range(_ROUNDS):
        guess = 1 / (1 + np.exp(-scaled @ found))
        slope = scaled.T @ (weights * (guess - truth)) / weights.sum() + shrinkage * found
        bend = (scaled * (weights * guess * (1 - guess))[:, None]).T @ scaled / weights.sum()
        found -= np.linalg.solve(bend + np.diag(shrinkage + 1e-9), slope)
    raw = found[1:] / deviation
    return np.r_[found[0] - raw @ mean, raw]


def _held_out(table: Numbers, truth: NDArray[np.bool_], weights: Numbers) -> Numbers:
    """For every question the guess of a model that was fitted without its fold."""
    dice = random.Random(20261001)
    folds = np.array([dice.randrange(_FOLDS) for _ in truth])
    guesses = np.zeros(len(truth))
    for fold in range(_FOLDS):
        others = folds != fold
        fitted = _fit(table[others], truth[others], weights[others])
        guesses[~others] = 1 / (1 + np.exp(-(fitted[0] + table[~others] @ fitted[1:])))
    return guesses


def _report(rows: list[Row], guesses: Numbers) -> None:
    for of in dict.fromkeys(row.of for row in rows):
        _say(f"\n{of}: threshold, answerable refused, unanswerable refused")
        for threshold in _THRESHOLDS:
            shares = [
                np.mean([g < threshold for g, row in zip(guesses, rows, strict=True) if one(row)])
                for one in (
                    lambda row, of=of: row.of == of and row.is_answerable,
                    lambda row, of=of: row.of == of and not row.is_answerable,
                )
            ]
            _say(f"{threshold:9.2f} {shares[0]:10.3f} {shares[1]:10.3f}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
