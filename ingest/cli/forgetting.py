"""`citegram forget`: a channel, a post, or everything of an author, gone for good."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

import click

from ingest.cli.console import json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from ingest.settings import Settings
    from ingest.store.archive import Archive
    from ingest.store.forgetting import Target
    from ingest.wiring import ArchiveServices

# Source: core.telegram.org/api/links#message-links.
_POST = re.compile(r"(?:https?://)?t\.me/(?:c/)?(?P<name>\w+)/(?:\d+/)?(?P<id>\d+)/?$")

_PATIENCE_S = 10.0
"""How long the search index may take to forget before we stop waiting for it."""


@click.command("forget")
@click.argument("what", required=False, metavar="[CHANNEL|LINK]")
@click.option("--author", help="Everything of this author: the name as signed, or userNUMBER.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def forget_command(what: str | None, author: str | None, yes: bool, as_json: bool) -> None:
    """Forget a channel, one post, or an author: texts, versions, vectors, kept answers.

    CHANNEL is a name or id from `citegram channels`; LINK is the address of a post. With
    --author, only that author's posts, of the channel if one is given. A post or an author that
    is forgotten stays so; a channel comes back when it is asked for again.
    """
    if what is None and author is None:
        raise click.UsageError("give a channel, a post's link, or --author")
    settings = load_settings()
    if not yes:
        subject = " of ".join(part for part in (author, what) if part)
        click.confirm(f"Forget {subject} for good?", abort=True, err=True)
    count, is_gone = run(lambda: _forget(settings, what, author))
    if as_json:
        print_json({"forgotten": count, "gone_from_search": is_gone})
    else:
        click.echo(f"{count:,} posts forgotten")
        if not is_gone:
            click.echo("the search index is still at it: see `citegram status`", err=True)


async def _forget(settings: Settings, what: str | None, author: str | None) -> tuple[int, bool]:
    from ingest.store.archive import utc_now  # noqa: PLC0415 - `--help` needs none
    from ingest.store.forgetting import forget  # noqa: PLC0415
    from ingest.wiring import open_archive  # noqa: PLC0415

    async with open_archive(settings) as services:
        target = await _target(services.archive, what, author)
        count = await forget(services.database, target, now=utc_now())
        return count, await _gone(services)


async def _target(archive: Archive, what: str | None, author: str | None) -> Target:
    from ingest.store.forgetting import Target  # noqa: PLC0415 - with the rest of the archive
    from ingest.types import MessageId  # noqa: PLC0415

    if what is None:
        return Target(author=author)
    post = _POST.match(what.strip())
    channel = await archive.channel(post["name"] if post else what)
    message_id = MessageId(int(post["id"])) if post else None
    return Target(channel_id=channel.channel_id, message_id=message_id, author=author)


async def _gone(services: ArchiveServices) -> bool:
    """Waits until the index has forgotten too; False: it takes longer."""
    from ingest.errors import IndexUnavailable  # noqa: PLC0415 - `--help` needs none

    try:
        await services.index.wake()
    except IndexUnavailable:
        return False
    deadline = time.monotonic() + _PATIENCE_S
    while (await services.archive.backlog()).count_text:
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.1)
    return True
