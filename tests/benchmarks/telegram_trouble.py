"""What a channel's life does to the archive at full size: lost events, poison, floods.

python -m tests.benchmarks.telegram_trouble [--posts 1000] [--messages 10000]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from sqlalchemy import select

from ingest.store.models import ingest_failures, message_versions, outbox
from ingest.sync.clock import SystemClock
from ingest.sync.syncer import Wanted
from ingest.sync.watching import Rhythm, Watcher
from tests.peers.mtproto_fixtures import Channel
from tests.peers.mtproto_poison import KINDS, poison
from tests.peers.telegram_archive import Rig, channel, present, rig, stored


async def lost_events(count: int, share: int | None) -> None:
    """Posts, edits and deletions while one event in `share` is lost (None: no event)."""
    news = channel(count=500)
    with tempfile.TemporaryDirectory() as folder:
        async with rig(Path(folder), news, clock=SystemClock()) as here:
            await here.syncer.follow("@news")
            await here.syncer.run(Wanted())
            lost = [0]

            def loses(update: object) -> bool:
                is_lost = share is not None and update.pts % share == 0  # type: ignore[attr-defined]
                lost[0] += is_lost
                return is_lost

            here.server.loses = loses
            here.account.listen()
            rhythm = Rhythm(gather_s=0.1, refresh_s=1, pass_s=10_000, sweep_s=10_000)
            watcher = asyncio.create_task(Watcher(here.syncer, here.account.hints, rhythm).run())
            await _live(news, count)
            await asyncio.sleep(3)
            behind = _difference(await stored(here.database), present(news))
            here.gate.stop()
            await watcher
            here.gate._stop.clear()
            before = here.server.count("messages.getHistory")
            await here.syncer.run(Wanted(sweep=True))
            asked = here.server.count("messages.getHistory") - before
            after = _difference(await stored(here.database), present(news))
            print(
                f"{count} posts, {count} edits, {count // 2} deletions, {lost[0]} events lost: "
                f"missing/too many/stale before the pass {behind}, after it {after} "
                f"({asked} pages)"
            )


async def _live(news: Channel, count: int) -> None:
    for at in range(count):
        made = news.post(f"live {at}")
        news.edit(made.id, f"live {at}, edited")
        if at % 2:
            news.delete(made.id - 1)
        if at % 10 == 0:
            await asyncio.sleep(0.01)


def _difference(
    held: dict[tuple[int, int], str], wanted: dict[tuple[int, int], str]
) -> tuple[int, int, int]:
    common = held.keys() & wanted.keys()
    return (
        len(wanted.keys() - held.keys()),
        len(held.keys() - wanted.keys()),
        sum(held[key] != wanted[key] for key in common),
    )


async def poisoned(count: int) -> None:
    """A hundred messages in so many that cannot be read, of twenty kinds."""
    news = channel(count=count, megagroup=True)
    for at in range(100):
        poison(news, 50 + at * (count // 101), KINDS[at % len(KINDS)])
    with tempfile.TemporaryDirectory() as folder:
        async with rig(Path(folder), news) as here:
            began_at = time.perf_counter()
            await here.syncer.follow("@news")
            await here.syncer.run(Wanted())
            took_s = time.perf_counter() - began_at
            figures = (len(await stored(here.database)), await _count(here, ingest_failures))
            requests = here.server.count("messages.getHistory") + here.server.count(
                "channels.getMessages"
            )
            print(f"{count} messages, 100 unreadable: {figures[0]} stored, {figures[1]} in "
                  f"failures, {requests} requests, {took_s:.1f} s")  # fmt: skip


async def missed(count: int) -> None:
    """Posts that came while nobody was connected."""
    news = channel(count=100)
    with tempfile.TemporaryDirectory() as folder:
        async with rig(Path(folder), news, clock=SystemClock()) as here:
            await here.syncer.follow("@news")
            await here.syncer.run(Wanted())
            for at in range(count):
                news.post(f"missed {at}", silent_push=True)
            began_at = time.perf_counter()
            here.account.listen()
            watcher = asyncio.create_task(Watcher(here.syncer, here.account.hints).run())
            while await stored(here.database) != present(news):  # noqa: ASYNC110 - the watcher does it
                await asyncio.sleep(0.02)
            print(f"{count} posts missed while away: all there after "
                  f"{time.perf_counter() - began_at:.1f} s")  # fmt: skip
            here.gate.stop()
            await watcher


async def edits_only(count: int) -> None:
    """Views, reactions and hidden edits of every post: how much the index has to do for them."""
    news = channel(count=count)
    with tempfile.TemporaryDirectory() as folder:
        async with rig(Path(folder), news) as here:
            await here.syncer.follow("@news")
            await here.syncer.run(Wanted())
            queued = await _count(here, outbox)
            for message in news.messages.values():
                message.views, message.edit_date, message.edit_hide = 9, 1_800_000_000, True
            await here.syncer.run(Wanted(sweep=True))
            print(f"{count} hidden edits: {await _count(here, outbox) - queued} queued, "
                  f"{await _count(here, message_versions)} versions")  # fmt: skip


async def _count(here: Rig, table: object) -> int:
    async with here.database.reading() as connection:
        return len((await connection.execute(select(table))).all())  # type: ignore[call-overload]


async def _main(posts: int, messages: int) -> None:
    for share in (None, 10, 1):
        await lost_events(posts, share)
    await missed(1500)
    await poisoned(messages)
    await edits_only(1000)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=10_000)
    given = parser.parse_args()
    asyncio.run(_main(given.posts, given.messages))
