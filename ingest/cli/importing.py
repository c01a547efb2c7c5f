"""`citegram import`: exports of Telegram Desktop into the archive."""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ingest.cli.console import EXIT_FAILED, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from ingest.pipeline import ChannelImport, ImportReport, Progress
    from ingest.settings import Settings
    from ingest.types import Channel


@click.command("import")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH..."
)
@click.option("--username", help="The channel's @name, which exports lack: links are built of it.")
@click.option(
    "--username-from-folder",
    is_flag=True,
    help="Take each channel's @name from the name of its export's folder.",
)
@click.option("--no-index", is_flag=True, help="Only store; the index catches up when next used.")
@json_option
def import_command(
    paths: tuple[Path, ...],
    username: str | None,
    username_from_folder: bool,
    no_index: bool,
    as_json: bool,
) -> None:
    """Import Telegram Desktop exports: files, or folders of them.

    PATH is a result.json (or messages.html), a folder that holds one, or a folder of such
    folders. Importing again adds what is new and changes nothing else.
    """
    if username and username_from_folder:
        raise click.UsageError("give either --username or --username-from-folder")
    settings = load_settings()
    reports = run(
        lambda: _import(
            settings, paths, _renamer(username, username_from_folder), no_index, as_json
        )
    )
    if as_json:
        print_json({"channels": [line for report in reports for line in _summaries(report)]})
    else:
        for report in reports:
            _show(report)
    errors = [report.error for report in reports if report.error]
    for error in errors:
        click.echo(str(error), err=True)
    if errors:
        sys.exit(EXIT_FAILED)


Renamer = Callable[[Path], Callable[["Channel"], "Channel"]]


def _renamer(username: str | None, from_folder: bool) -> Renamer:
    """How a file's channels get their usernames."""

    def for_file(path: Path) -> Callable[[Channel], Channel]:
        name = path.absolute().parent.name if from_folder else username
        return lambda channel: _renamed(channel, name)

    return for_file


def _renamed(channel: Channel, username: str | None) -> Channel:
    """The channel under that @name; whoever has one is public."""
    if not username or channel.kind == "group":
        return channel
    from ingest.types import Visibility  # noqa: PLC0415 - with the rest of the archive

    return dataclasses.replace(
        channel, username=username.lstrip("@"), visibility=Visibility.PUBLIC
    )


async def _import(
    settings: Settings,
    paths: Sequence[Path],
    renamer: Renamer,
    no_index: bool,
    quiet: bool,
) -> list[ImportReport]:
    from ingest.errors import BadExport, IndexUnavailable  # noqa: PLC0415 - see `_renamed`
    from ingest.pipeline import Importer, ImportReport  # noqa: PLC0415
    from ingest.sources.exports import find_exports, size_bytes  # noqa: PLC0415
    from ingest.store.archive import utc_now  # noqa: PLC0415
    from ingest.wiring import open_archive  # noqa: PLC0415

    reports: list[ImportReport] = []
    async with open_archive(settings) as services:
        with _Bar(shown=not quiet and sys.stderr.isatty()) as bar:
            importer = Importer(
                services.database, zone=settings.zone, clock=utc_now, on_progress=bar.move
            )
            for path in paths:
                try:
                    files = await asyncio.to_thread(find_exports, path)
                except BadExport as error:
                    reports.append(ImportReport(error=error))
                    continue
                for file in files:
                    bar.begin(file, await asyncio.to_thread(size_bytes, file))
                    reports.append(await importer(file, rename=renamer(file)))
        if not no_index:
            try:
                await services.index.wake()
            except IndexUnavailable as error:
                click.echo(f"stored, but not yet searchable: {error}", err=True)
    return reports


def _summaries(report: ImportReport) -> list[dict[str, Any]]:
    """A line for each channel, and one for what belongs to none (personal chats)."""
    lines = [_summary(one) for one in report.channels]
    if report.skipped_elsewhere:
        elsewhere = {
            "channel": None,
            "messages": report.skipped_elsewhere.total(),
            "added": 0,
            "updated": 0,
            "unchanged": 0,
            "skipped": dict(report.skipped_elsewhere),
            "failed": 0,
        }
        lines.append(elsewhere)
    return lines


def _summary(one: ChannelImport) -> dict[str, Any]:
    return {
        "channel": one.channel.name,
        "messages": one.count_messages,
        "added": one.added,
        "updated": one.updated,
        "unchanged": one.unchanged,
        "skipped": dict(one.skipped),
        "failed": one.failed,
    }


def _show(report: ImportReport) -> None:
    for one in report.channels:
        skipped = ", ".join(f"{reason} {count:,}" for reason, count in one.skipped.items())
        click.echo(
            f"{one.channel.title} ({one.channel.name}): {one.count_messages:,} messages, "
            f"{one.added:,} added, {one.updated:,} updated, {one.unchanged:,} unchanged"
            + (f", skipped: {skipped}" if skipped else "")
        )
    for reason, count in report.skipped_elsewhere.items():
        click.echo(f"outside any channel: {count:,} messages skipped ({reason})")


class _Bar:
    """A progress bar with rate and time left, on terminals only."""

    def __init__(self, *, shown: bool) -> None:
        from rich.console import Console  # noqa: PLC0415 - only this command draws
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[count]:,} messages, {task.fields[rate]:,.0f}/s"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=not shown,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, count=0, rate=0)

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def begin(self, path: Path, total: int) -> None:
        """A file of so many bytes begins."""
        self._progress.reset(
            self._task, total=total, description=path.parent.name, count=0, rate=0
        )

    def move(self, progress: Progress) -> None:
        """A batch is stored."""
        self._progress.update(
            self._task,
            completed=progress.count_bytes,
            count=progress.count_messages,
            rate=progress.count_messages / max(progress.elapsed_s, 0.001),
        )
