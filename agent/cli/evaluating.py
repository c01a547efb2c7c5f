"""`citegram eval`: figures against question sets."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import fail, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from agent.evaluation.datasets import Example
    from agent.evaluation.retrieval import Finder, Outcome
    from agent.wiring import AgentServices
    from ingest.settings import Settings

LISTS = ("hybrid", "bm25", "dense")


@click.group("eval")
def eval_command() -> None:
    """Measure against question sets (JSONL; README describes the form)."""


@eval_command.command("retrieval")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--lists",
    type=click.Choice(LISTS),
    default="hybrid",
    show_default=True,
    help="Which ranked lists take part.",
)
@click.option("--no-rerank", is_flag=True, help="Leave the closer look at the best stories out.")
@click.option(
    "--field", default="question", show_default=True, help="Which of a row's texts is asked."
)
@click.option("--limit", type=click.IntRange(1), help="Ask only so many questions.")
@click.option(
    "--rows",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a line for each question: its id and its hits.",
)
@json_option
def retrieval_command(
    file: Path,
    lists: str,
    no_rerank: bool,
    field: str,
    limit: int | None,
    rows: Path | None,
    as_json: bool,
) -> None:
    """How well the right posts of FILE's questions are found in the archive."""
    from agent.evaluation.datasets import BadDataset, load_questions  # noqa: PLC0415
    from agent.evaluation.retrieval import rows as rows_of  # noqa: PLC0415
    from agent.evaluation.retrieval import summary  # noqa: PLC0415

    settings = load_settings()
    try:
        examples = load_questions(file, zone=settings.zone, field=field)[:limit]
    except BadDataset as error:
        fail(str(error))
    outcomes = run(lambda: _retrieval(settings, examples, lists, rerank=not no_rerank))
    if not outcomes:
        fail(f"{file} has no answerable question with gold posts")
    if rows is not None:
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows_of(outcomes))
        rows.write_text("".join(lines), "utf-8")
    figures = summary(outcomes)
    if as_json:
        print_json(figures)
    else:
        _show(figures)


async def _retrieval(
    settings: Settings, examples: Sequence[Example], lists: str, *, rerank: bool
) -> list[Outcome]:
    from agent.evaluation.retrieval import run_retrieval  # noqa: PLC0415 - `--help`
    from agent.stages.rerank import RerankWeights  # noqa: PLC0415
    from agent.stages.retrieve import Fusion  # noqa: PLC0415
    from agent.wiring import open_agent  # noqa: PLC0415

    fusion = {
        "hybrid": Fusion(),
        "bm25": Fusion(dense=0, lexical=1),
        "dense": Fusion(dense=1, lexical=0),
    }[lists]
    nothing = RerankWeights(dense=0, sentence=0, coverage=0, phrase=0)
    weights = RerankWeights() if rerank else nothing
    async with open_agent(settings, fusion=fusion, weights=weights) as services:
        return await run_retrieval(
            examples, _finder(services), on_progress=lambda done: _tell(done, len(examples))
        )


def _finder(services: AgentServices) -> Finder:
    from agent.answering import Found  # noqa: PLC0415 - `--help`

    async def find(question: Any, trace: Any) -> list[Any]:
        found = await services.answer.find(question, trace)
        if not isinstance(found, Found):
            return []
        return [(story.lead, *story.others) for story in found.stories]

    return find


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {total} questions ", nl=False, err=True)


def _show(figures: dict[str, Any]) -> None:
    names = ("recall@1", "recall@5", "recall@10", "recall@50", "mrr@10", "ndcg@10")
    click.echo(f"{'':16}{'n':>5}" + "".join(f"{name:>11}" for name in names))
    parts = {"all": figures, **figures["by_type"]}
    for name, part in parts.items():
        values = "".join(f"{part[one]:11.3f}" for one in names)
        click.echo(f"{name:16}{part['questions']:5}{values}")
    low, high = figures["recall@5_95%"]
    click.echo(f"recall@5 of all lies in {low:.3f} … {high:.3f} (95 %)")
    for stage, spent in figures["latency_ms"].items():
        click.echo(f"{stage:24}p50 {spent['p50']:7.1f} ms   p95 {spent['p95']:7.1f} ms")
