"""`citegram eval retrieval`: how well the right posts are found, whole and part by part."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agent.cli.rows import file_argument, rows_option, write_rows
from ingest.cli.console import fail, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from agent.evaluation.datasets import Example
    from agent.evaluation.retrieval import Finder, Outcome
    from agent.wiring import AgentServices
    from ingest.settings import Settings

LISTS = ("hybrid", "bm25", "dense")
PARTS = ("bm25", "dense", "late", "rerank", "skip", "dates", "channels")


@click.command("retrieval")
@file_argument
@click.option(
    "--lists",
    type=click.Choice(LISTS),
    default="hybrid",
    show_default=True,
    help="Which ranked lists take part.",
)
@click.option(
    "--without",
    type=click.Choice(PARTS),
    multiple=True,
    help="Leave a part out; may be repeated. skip: never skip reranking.",
)
@click.option("--no-rerank", is_flag=True, help="The same as --without rerank.")
@click.option("--ablation", is_flag=True, help="Measure the whole, then without each part.")
@click.option(
    "--field", default="question", show_default=True, help="Which of a row's texts is asked."
)
@click.option("--limit", type=click.IntRange(1), help="Ask only so many questions.")
@rows_option
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page with plots (HTML).",
)
@json_option
def retrieval_command(
    file: Path,
    lists: str,
    without: tuple[str, ...],
    no_rerank: bool,
    ablation: bool,
    field: str,
    limit: int | None,
    rows: Path | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """How well the right posts of FILE's questions are found in the archive."""
    from agent.evaluation.datasets import BadDataset, load_questions  # noqa: PLC0415
    from agent.evaluation.retrieval import difference, scored, summary  # noqa: PLC0415
    from agent.evaluation.retrieval import rows as rows_of  # noqa: PLC0415

    settings = load_settings()
    try:
        examples = load_questions(file, zone=settings.zone, field=field)[:limit]
    except BadDataset as error:
        fail(str(error))
    left_out = frozenset(without) | _meant(lists) | ({"rerank"} if no_rerank else set())
    every = run(partial(_retrieval, settings, examples, left_out))
    outcomes = scored(every)
    write_rows(rows, rows_of(every))
    if not outcomes:
        fail(f"{file} has no answerable question with gold posts: there are no figures")
    _write_page(outcomes, out, title=f"Retrieval: {file.name}")
    figures = summary(outcomes)
    if ablation:
        figures["ablation"] = {
            part: difference(
                outcomes, scored(run(partial(_retrieval, settings, examples, left_out | {part})))
            )
            for part in PARTS
            if part not in left_out
        }
    if as_json:
        print_json(figures)
    else:
        _show(figures)


def _meant(lists: str) -> frozenset[str]:
    """What `--lists` leaves out."""
    return {
        "hybrid": frozenset[str](),
        "bm25": frozenset({"dense"}),
        "dense": frozenset({"bm25"}),
    }[lists]


def _write_page(outcomes: Sequence[Outcome], path: Path | None, *, title: str) -> None:
    from agent.evaluation.report import retrieval_page  # noqa: PLC0415 - `--help`

    if path is not None:
        path.write_text(retrieval_page(outcomes, title=title), "utf-8")


async def _retrieval(
    settings: Settings, examples: Sequence[Example], left_out: frozenset[str]
) -> list[Outcome]:
    from agent.dates import find_dates  # noqa: PLC0415 - `--help`
    from agent.evaluation.ablation import Unfiltered, parts_left  # noqa: PLC0415
    from agent.evaluation.retrieval import run_retrieval  # noqa: PLC0415
    from agent.stages.plan import RulePlanner  # noqa: PLC0415
    from agent.wiring import open_agent  # noqa: PLC0415

    left = parts_left(left_out)
    async with open_agent(
        settings,
        planner=Unfiltered(RulePlanner(find_dates), without=left_out),
        fusion=left.fusion,
        weights=left.weights,
        rerank_limits=left.limits,
    ) as services:
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
    for part, change in figures.get("ablation", {}).items():
        values = "   ".join(
            f"{name} {value:+.3f} ({low:+.3f} … {high:+.3f})"
            for name, (value, low, high) in change.items()
        )
        click.echo(f"without {part:10}{values}")
