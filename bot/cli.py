"""`citegram`: one command line over the archive, the agent and the bot."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class _Lazy:
    """A command that is imported when it is run, and its line in the help."""

    target: str
    summary: str


COMMANDS = {
    "demo": _Lazy("bot.demo:demo_command", "Import the sample archive and ask it six questions."),
    "import": _Lazy("ingest.cli.importing:import_command", "Import Telegram Desktop exports."),
    "login": _Lazy("ingest.cli.login:login_command", "Log in to Telegram, to read channels live."),
    "sync": _Lazy("ingest.cli.syncing:sync_command", "Fetch channels from Telegram."),
    "watch": _Lazy("ingest.cli.syncing:watch_command", "Keep channels up to date, for weeks."),
    "export": _Lazy("ingest.cli.exporting:export_command", "Write a channel as a Desktop export."),
    "channels": _Lazy("ingest.cli.listing:channels_command", "List the archive's channels."),
    "search": _Lazy("agent.cli.asking:search_command", "Find posts."),
    "ask": _Lazy("agent.cli.asking:ask_command", "Ask; every sentence has a footnote."),
    "dates": _Lazy("agent.cli.dating:dates_command", "Show how a period is understood."),
    "eval": _Lazy("agent.cli.evaluating:eval_command", "Measure against a question set."),
    "bot": _Lazy("bot.running:bot_command", "Run the Telegram bot."),
    "status": _Lazy("ingest.cli.listing:status_command", "Show what is stored and indexed."),
    "doctor": _Lazy("ingest.cli.checking:doctor_command", "Check settings, archive and index."),
    "failures": _Lazy("ingest.cli.failures:failures_command", "List unreadable messages."),
    "forget": _Lazy("ingest.cli.forgetting:forget_command", "Forget a channel, post or author."),
    "reindex": _Lazy("ingest.cli.indexing:reindex_command", "Build the search index anew."),
}


class LazyGroup(click.Group):
    """Commands that cost nothing until they are called: `--help` imports none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports one command."""
        del ctx
        lazy = COMMANDS.get(cmd_name)
        if lazy is None:
            return None
        module, _, name = lazy.target.partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from the table alone."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.summary) for name, lazy in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="citegram", prog_name="citegram")
def main() -> None:
    """Ask your Telegram channels: every sentence of the answer carries a footnote.

    Settings are read from CITEGRAM_* variables and from .env; nothing is needed for
    `citegram demo`. Exit codes: 0 done or answered, 1 failed, 2 asked wrongly, 3 refused.
    """
