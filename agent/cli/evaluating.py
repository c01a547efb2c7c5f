"""`citegram eval`: figures against question sets."""

from __future__ import annotations

import click

from agent.cli.evaluating_answers import answers_command
from agent.cli.evaluating_claims import claims_command
from agent.cli.evaluating_copies import copies_command
from agent.cli.evaluating_dates import dates_command
from agent.cli.evaluating_retrieval import retrieval_command


@click.group("eval")
def eval_command() -> None:
    """Measure against question sets (JSONL; README describes the form)."""


eval_command.add_command(answers_command)
eval_command.add_command(retrieval_command)
eval_command.add_command(copies_command)
eval_command.add_command(claims_command)
eval_command.add_command(dates_command)
