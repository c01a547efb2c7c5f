"""What other weights of the reranker would give, without asking everything anew for each.

    python tests/benchmarks/fit_reranker.py QUESTIONS [QUESTIONS ...]

Each set is asked once of the archive of CITEGRAM_DATA_DIR with skipping off, the features of
what was read are kept, and rankings with other weights are computed from them: each weight by
itself at nought, half and double, then the best of a coarse search on every other question
(even ones), judged on the rest (odd ones), so that what fits by chance shows.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import numpy as np

# The file is run by its path, from a checkout that need not be installed.
sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.evaluation.datasets import Example, load_questions
from agent.evaluation.metrics import reciprocal_rank
from agent.stages.rerank import Reranker, RerankLimits, RerankWeights
from agent.trace import Trace
from agent.types import Plan, Story
from agent.wiring import open_agent
from ingest.settings import Settings, load

LIMITS = RerankLimits(read=100, clear_by=None)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the features of each story that was read, and which sets it belongs to."""

    features: list[dict[str, float]]
    belongs: np.ndarray
    """``(stories, sets) bool``."""


class Recording(Reranker):
    """Keeps what it saw."""

    def __init__(self, reranker: Reranker) -> None:
        self.inner, self.seen = reranker, ()

    async def __call__(self, plan: Plan, stories: Sequence[Story], trace: Trace):
        ranking = await self.inner(plan, stories, trace)
        self.seen = ranking.evidence
        return ranking


async def record(settings: Settings, examples: Sequence[Example]) -> list[Asked]:
    """Asks every answerable question once."""
    asked = []
    async with open_agent(settings, rerank_limits=LIMITS) as services:
        agent = services.answer
        recording = agent._rerank_stories = Recording(agent._rerank_stories)
        for example in examples:
            if not (example.answerable and example.gold):
                continue
            recording.seen = ()
            await agent.find(example.question, Trace())
            asked.append(_asked(example, recording.seen))
    return asked


def _asked(example: Example, evidence) -> Asked:
    sets = example.gold_sets or (example.gold,)
    belongs = np.zeros((len(evidence), len(sets)), bool)
    for number, one in enumerate(evidence):
        posts = (one.story.lead, *one.story.others)
        names = {f"{post.channel.name}:{post.message.message_id}" for post in posts}
        belongs[number] = [bool(names & gold) for gold in sets]
    return Asked([dict(one.features) for one in evidence], belongs)


def judge(asked: Sequence[Asked], weights: RerankWeights) -> tuple[float, float, float]:
    """recall@5, recall@10 and MRR@10 with some weights."""
    figures = []
    for one in asked:
        if not one.features:
            figures.append((0.0, 0.0, 0.0))
            continue
        scores = np.array([weights.relevance(features) for features in one.features])
        ordered = one.belongs[np.argsort(-scores, kind="stable")]
        ranks = [int(c.argmax()) + 1 if c.any() else 1000 for c in ordered.T]
        share = [sum(rank <= depth for rank in ranks) / len(ranks) for depth in (5, 10)]
        figures.append((*share, reciprocal_rank(ranks)))
    return tuple(float(f) for f in np.mean(figures, axis=0))


def show(name: str, asked: Sequence[Asked], weights: RerankWeights) -> None:
    """One line of the table."""
    click.echo(f"{name:28}" + "".join(f"{value:9.3f}" for value in judge(asked, weights)))


def search(asked: Sequence[Asked]) -> RerankWeights:
    """The best of a coarse grid by the sum of the three figures."""
    grid = itertools.product((0.0, 4.0, 8.0, 16.0), (0.0, 10.0, 20.0, 40.0), (0.0, 0.1, 0.5))
    tried = [replace(RerankWeights(), dense=d, late=late, sentence=s) for d, late, s in grid]
    return max(tried, key=lambda weights: sum(judge(asked, weights)))


@click.command()
@click.argument("questions", type=click.Path(path_type=Path, exists=True), nargs=-1)
def main(questions: tuple[Path, ...]) -> None:
    """Prints recall@5, recall@10 and MRR@10 for each set and choice of weights."""
    settings = load()
    for path in questions:
        asked = asyncio.run(record(settings, load_questions(path, zone=settings.zone)))
        click.echo(f"{path.name}: {len(asked)} questions{'recall@5':>18}{'@10':>7}{'mrr':>9}")
        show("as they are", asked, RerankWeights())
        for name, value in asdict(RerankWeights()).items():
            for factor in (0, 0.5, 2):
                changed = replace(RerankWeights(), **{name: value * factor})
                show(f"{name} x {factor}", asked, changed)
        even, odd = asked[::2], asked[1::2]
        fitted = search(even)
        click.echo(f"fitted to every other question: {asdict(fitted)}")
        show("  on those", even, fitted)
        show("  on the rest", odd, fitted)
        show("  the rest, as they are", odd, RerankWeights())


if __name__ == "__main__":
    main()
