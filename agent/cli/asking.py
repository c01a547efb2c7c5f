"""`citegram ask` and `citegram search`."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

import click

from ingest.cli.console import EXIT_REFUSED, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from agent.answering import Found
    from agent.types import Answer, Question, Refusal
    from ingest.settings import Settings

now_option = click.option(
    "--now",
    metavar="TIME",
    help="Answer as if asked at that time (ISO 8601); for «yesterday» and the like.",
)


@click.command("ask")
@click.argument("question", nargs=-1, required=True)
@click.option("--history", multiple=True, help="An earlier question of the same dialogue.")
@now_option
@json_option
def ask_command(
    question: tuple[str, ...], history: tuple[str, ...], now: str | None, as_json: bool
) -> None:
    """Ask the archive; the answer has a footnote for every sentence.

    Exit code 3: the archive does not answer this question, and the reply says why.
    """
    settings = load_settings()
    asked = question_of(" ".join(question), now, history, settings)
    reply = run(lambda: _ask(settings, asked))
    if as_json:
        from agent.reply_json import reply_json  # noqa: PLC0415 - one of two ways to print

        print_json(reply_json(reply))
    else:
        from agent.cli.showing import show_reply  # noqa: PLC0415

        show_reply(reply)
    from agent.types import Refusal  # noqa: PLC0415 - `--help` needs no types

    if isinstance(reply, Refusal):
        sys.exit(EXIT_REFUSED)


@click.command("search")
@click.argument("question", nargs=-1, required=True)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 200))
@now_option
@json_option
def search_command(question: tuple[str, ...], limit: int, now: str | None, as_json: bool) -> None:
    """Find posts: by words and by meaning, forwards and copies folded into one story."""
    settings = load_settings()
    asked = question_of(" ".join(question), now, (), settings)
    found = run(lambda: _search(settings, asked))
    from agent.types import Refusal  # noqa: PLC0415 - `--help` needs no types

    if isinstance(found, Refusal):
        _show_no_hits(found, as_json)
        return
    if as_json:
        from agent.reply_json import filters_json, hit_json  # noqa: PLC0415

        print_json(
            {
                "hits": [hit_json(story) for story in found.stories[:limit]],
                "filters": filters_json(found.plan.filters),
                "errors": list(found.errors),
            }
        )
        return
    from agent.cli.showing import show_stories  # noqa: PLC0415

    show_stories(found, limit)


def question_of(
    text: str, now: str | None, history: tuple[str, ...], settings: Settings
) -> Question:
    """The question as the agent takes it; bad times end the command with exit code 2."""
    from agent.types import Question, Turn  # noqa: PLC0415 - `--help` needs no types

    return Question(
        text=text,
        now=_moment(now, settings),
        history=tuple(Turn(question=earlier) for earlier in history),
        language=None if settings.language == "auto" else settings.language,
    )


def _moment(now: str | None, settings: Settings) -> datetime:
    if now is None:
        return datetime.now(settings.zone)
    try:
        moment = datetime.fromisoformat(now)
    except ValueError as error:
        raise click.BadParameter(
            "write the time like 2026-10-01 or 2026-10-01T12:00+03:00", param_hint="--now"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=settings.zone)


async def _ask(settings: Settings, asked: Question) -> Answer | Refusal:
    from agent.wiring import open_agent  # noqa: PLC0415 - loads the archive's libraries

    async with open_agent(settings) as services:
        return await services.answer(asked)


async def _search(settings: Settings, asked: Question) -> Found | Refusal:
    from agent.wiring import open_agent  # noqa: PLC0415 - loads the archive's libraries

    async with open_agent(settings) as services:
        return await services.answer.find(asked)


def _show_no_hits(refusal: Refusal, as_json: bool) -> None:
    if as_json:
        from agent.reply_json import filters_json  # noqa: PLC0415

        print_json({"hits": [], "filters": filters_json(refusal.filters), "errors": []})
    click.echo(refusal.message, err=True)
    sys.exit(EXIT_REFUSED)
