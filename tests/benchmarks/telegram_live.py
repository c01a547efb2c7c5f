"""How soon a post pushed live can be found, and a deleted one no more, by `citegram watch`.

    python -m tests.benchmarks.telegram_live [--posts 40] [--embedder auto]

Measured from the push on the wire to the first search that shows it (by words, and by sense).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from ingest.index.request import SearchRequest
from ingest.settings import Settings
from ingest.types import ChannelId, MessageId, MessageRef
from ingest.wiring import ArchiveServices, open_archive
from tests.peers.mtproto_fixtures import Channel
from tests.peers.mtproto_server import MTProtoServer
from tests.peers.telegram_archive import channel

_WATCH = "from ingest.cli.syncing import watch_command; watch_command()"
_WORDS = "банк вузы погода космос футбол налог музей поезд рынок закон".split()


async def measure(count: int, embedder: str) -> None:
    """Prints the figures."""
    news = channel(count=300)
    server = MTProtoServer()
    server.add_channel(news)
    await server.start()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "CITEGRAM_DATA_DIR": folder,
            "CITEGRAM_API_ID": "1",
            "CITEGRAM_API_HASH": "x",
            "CITEGRAM_SESSION": server.session_string(),
            "CITEGRAM_EMBEDDER": embedder,
        }
        watch = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _WATCH, "@news", cwd=Path(__file__).parents[2]
        )
        async with open_archive(Settings()) as services:
            last = MessageRef(ChannelId(news.id), MessageId(300))
            await _until(services, "post 300", last, is_there=True, seconds=120)
            while (await services.archive.backlog()).count_vector:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.2)
            await _live(services, news, count)
        watch.send_signal(signal.SIGTERM)
        began_at = time.perf_counter()
        code = await watch.wait()
        print(f"SIGTERM: exit {code} after {time.perf_counter() - began_at:.1f} s")
    await server.stop()


async def _live(services: ArchiveServices, news: Channel, count: int) -> None:
    by_words_s, by_sense_s, gone_s = [], [], []
    for at in range(count):
        text = f"Событие{at}ое: {_WORDS[at % len(_WORDS)]} и {_WORDS[at // len(_WORDS) % 10]}"
        began_at = time.perf_counter()
        made = news.post(text)
        ref, words = MessageRef(ChannelId(news.id), MessageId(made.id)), f"событие{at}ое"
        by_words_s.append(await _until(services, words, ref, is_there=True, at=began_at))
        while (await services.archive.backlog()).count_vector:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.02)
        by_sense_s.append(time.perf_counter() - began_at)
        began_at = time.perf_counter()
        news.delete(made.id)
        gone_s.append(await _until(services, words, ref, is_there=False, at=began_at))
        await asyncio.sleep(0.2)
    for name, times in (("found", by_words_s), ("embedded", by_sense_s), ("gone", gone_s)):
        times.sort()
        p95 = times[int(len(times) * 0.95)]
        print(f"{name}: median {statistics.median(times):.2f} s, p95 {p95:.2f} s, n {len(times)}")


async def _until(
    services: ArchiveServices,
    words: str,
    ref: MessageRef,
    *,
    is_there: bool,
    at: float | None = None,
    seconds: float = 60,
) -> float:
    """Seconds until the index gives a post for these words, or no more."""
    began_at = at if at is not None else time.perf_counter()
    while time.perf_counter() - began_at < seconds:
        result = await services.index(SearchRequest(text=words, limit=10))
        if is_there == any(hit.ref == ref and hit.lexical for hit in result.hits):
            return time.perf_counter() - began_at
        await asyncio.sleep(0.02)
    raise TimeoutError(words)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--posts", type=int, default=40)
    parser.add_argument("--embedder", default="auto")
    given = parser.parse_args()
    asyncio.run(measure(given.posts, given.embedder))
