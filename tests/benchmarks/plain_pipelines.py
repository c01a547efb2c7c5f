"""What the plain pipelines that people use find, beside ours, on the same posts and questions.

    citegram eval retrieval QUESTIONS --rows ours.jsonl
    python tests/benchmarks/plain_pipelines.py QUESTIONS [--rows ours.jsonl]

The pipelines get the archive of CITEGRAM_DATA_DIR: whole posts, no filters, no earlier turns.

- fts5: SQLite's full-text search with its default tokenizer, any of the question's words
- bm25: rank_bm25's BM25Okapi over lower-case words as they are written
- dense: the vectors of our own encoder
- rrf: the ranks of bm25 and dense by reciprocal rank fusion, k = 60 (Cormack et al., SIGIR 2009)
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import click
import numpy as np
from rank_bm25 import BM25Okapi

# The file is run by its path, from a checkout that need not be installed.
sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.evaluation.datasets import Example, load_questions
from agent.evaluation.metrics import interval, reciprocal_rank
from ingest.index.encoders import open_encoder
from ingest.settings import load
from ingest.text.fingerprint import content_hash

WORD = re.compile(r"\w+")
DEPTH = 100
K = 60

Pipeline = Callable[[str], Sequence[int]]
"""A question to posts, the best first."""


@dataclass(frozen=True, slots=True)
class Posts:
    """The posts of an archive.

    Attributes:
        names: As "channel:message_id".
        vectors: ``(n, dim)``, zeros where the archive has none: posts of several passages.
    """

    names: list[str]
    texts: list[str]
    vectors: np.ndarray


def read_posts(path: Path, encoder: str, dimension: int) -> Posts:
    """All live posts, with the vectors that were made at import."""
    with sqlite3.connect(path) as file:
        rows = file.execute(
            "SELECT c.username, m.message_id, m.text FROM messages m "
            "JOIN channels c USING (channel_id) WHERE m.deleted_at IS NULL AND m.text <> ''"
        ).fetchall()
        packed = dict(
            file.execute(
                "SELECT content_hash, vector FROM embeddings WHERE encoder = ?", (encoder,)
            ).fetchall()
        )
    vectors = np.zeros((len(rows), dimension), np.float32)
    for number, (_, _, text) in enumerate(rows):
        known = packed.get(content_hash(text.strip()))
        if known is not None:
            vectors[number] = np.frombuffer(known, np.float16)
    return Posts([f"{name}:{number}" for name, number, _ in rows], [r[2] for r in rows], vectors)


def fts5(posts: Posts) -> Pipeline:
    """SQLite's own search."""
    file = sqlite3.connect(":memory:")
    file.execute("CREATE VIRTUAL TABLE posts USING fts5(text)")
    file.executemany(
        "INSERT INTO posts (rowid, text) VALUES (?, ?)", enumerate(posts.texts, start=1)
    )

    def search(question: str) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in WORD.findall(question))
        query = f"SELECT rowid FROM posts WHERE posts MATCH ? ORDER BY bm25(posts) LIMIT {DEPTH}"
        return [row[0] - 1 for row in file.execute(query, (words,))]

    return search


def bm25(posts: Posts) -> Pipeline:
    """BM25 over words as they are written."""
    index = BM25Okapi([WORD.findall(text.casefold()) or [""] for text in posts.texts])

    def search(question: str) -> list[int]:
        scores = index.get_scores(WORD.findall(question.casefold()))
        return [int(n) for n in np.argsort(-scores, kind="stable")[:DEPTH]]

    return search


def dense(posts: Posts, encode: Callable[[str], np.ndarray]) -> Pipeline:
    """The nearest vectors."""

    def search(question: str) -> list[int]:
        cosines = posts.vectors @ encode(question)
        return [int(n) for n in np.argsort(-cosines, kind="stable")[:DEPTH]]

    return search


def rrf(*pipelines: Pipeline) -> Pipeline:
    """Reciprocal rank fusion."""

    def search(question: str) -> list[int]:
        scores: dict[int, float] = {}
        for pipeline in pipelines:
            for rank, number in enumerate(pipeline(question), start=1):
                scores[number] = scores.get(number, 0.0) + 1 / (K + rank)
        return sorted(scores, key=scores.__getitem__, reverse=True)

    return search


def places(example: Example, names: Sequence[str]) -> list[int | None]:
    """The place of the first post of each needed set."""
    return [
        next((rank for rank, name in enumerate(names, start=1) if name in gold), None)
        for gold in example.gold_sets or (example.gold,)
    ]


def show(name: str, found: Sequence[Sequence[int | None]]) -> None:
    """One line of the table."""
    cells = []
    for depth in (1, 5, 10, 50):
        values = [sum(r is not None and r <= depth for r in ranks) / len(ranks) for ranks in found]
        low, high = interval(values)
        cells.append(f"{np.mean(values):.3f} ({low:.2f}…{high:.2f})")
    mrr = np.mean([reciprocal_rank([r for r in ranks if r is not None]) for ranks in found])
    click.echo(f"{name:8}" + "".join(f"{cell:>20}" for cell in cells) + f"{mrr:>9.3f}")


@click.command()
@click.argument("questions", type=click.Path(path_type=Path, exists=True))
@click.option("--rows", type=click.Path(path_type=Path, exists=True), help="What ours found.")
@click.option("--field", default="question", show_default=True)
def main(questions: Path, rows: Path | None, field: str) -> None:
    """Prints recall and MRR@10 of each pipeline; the figures of ours count copies as one."""
    settings = load()
    encoder = open_encoder(settings.embedder, data_dir=settings.data_dir)
    posts = read_posts(settings.database_path, encoder.name, encoder.dimension)
    asked = [
        one
        for one in load_questions(questions, zone=ZoneInfo("Europe/Moscow"), field=field)
        if one.answerable and one.gold
    ]
    share = np.mean(np.any(posts.vectors, axis=1))
    click.echo(f"{len(posts.names)} posts, {share:.0%} with vectors; {len(asked)} questions")
    header = "".join(f"{f'recall@{depth}':>20}" for depth in (1, 5, 10, 50))
    click.echo(f"{'':8}{header}{'mrr@10':>9}")
    by_words, by_sense = bm25(posts), dense(posts, encoder.encode_query)
    pipelines = {
        "fts5": fts5(posts),
        "bm25": by_words,
        "dense": by_sense,
        "rrf": rrf(by_words, by_sense),
    }
    for name, search in pipelines.items():
        show(
            name,
            [places(e, [posts.names[n] for n in search(e.question.text)]) for e in asked],
        )
    if rows is not None:
        hits = {
            row["id"]: row["hits"] for row in map(json.loads, rows.read_text("utf-8").splitlines())
        }
        show("ours", [places(e, hits[e.id]) for e in asked if e.id in hits])


if __name__ == "__main__":
    main()
