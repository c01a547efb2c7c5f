"""Late interaction: words, their signs, the best of them, and the file that keeps them."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest

from ingest.index.encode import TokenVectors
from ingest.index.late import Words, max_sim, signs_of, words_of
from ingest.index.late_store import LateStore, remove
from ingest.index.request import Place
from ingest.types import ChannelId, MessageId, MessageRef

DIMENSION = 64
POST = MessageRef(ChannelId(-1001), MessageId(7))
COPY = MessageRef(ChannelId(-1002), MessageId(9))


def some_words(seed: int, count: int = 300) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, DIMENSION))
    return vectors.astype(np.float32)


def tokens(*spans: tuple[int, int], ids: list[int] | None = None) -> TokenVectors:
    return TokenVectors(
        token_ids=np.array(ids or range(10, 10 + len(spans))),
        vectors=np.eye(len(spans), 8, dtype=np.float32),
        spans=np.array(spans, np.int64).reshape(-1, 2),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index" / "words.sqlite"


def opened(path: Path, encoder: str = "one") -> LateStore:
    return LateStore(path, encoder=encoder, dimension=DIMENSION)


# --- words


def test_pieces_of_a_word_are_one_word() -> None:
    """Letters that touch are joined; a mark that stands alone is no word."""
    found = words_of("мосты, да", tokens((0, 3), (3, 5), (5, 6), (7, 9)))
    assert (2, 8) == found.vectors.shape
    assert [0.5, 0.5] == found.vectors[0, :2].tolist()


def test_rare_words_weigh_more() -> None:
    """A word's weight grows with the place of its rarest token in the vocabulary."""
    found = words_of("и мост", tokens((0, 1), (2, 6), ids=[5, 200_000]))
    assert found.weights[1] > 3 * found.weights[0]
    assert 1.0 == pytest.approx(float(found.weights.sum()))


@pytest.mark.parametrize("text", ["", "!!!", "🙂"])
def test_a_text_without_words_has_none(text: str) -> None:
    spans = [(n, n + 1) for n in range(len(text))]
    found = words_of(text, tokens(*spans))
    assert (0, 0) == (len(found.vectors), len(found.weights))


# --- scores


def test_the_passage_with_the_words_is_nearest() -> None:
    """What has a question's own words scores highest; what is not known has no score."""
    asked = some_words(1, 4)
    mean = np.zeros(DIMENSION, np.float32)
    question = Words(vectors=asked, weights=np.full(4, 0.25, np.float32))
    same, other = signs_of(asked, mean), signs_of(some_words(2, 4), mean)
    nothing = signs_of(some_words(3, 0), mean)

    scores = max_sim(question, mean, [other, None, same, nothing])

    assert (None, None) == (scores[1], scores[3])
    assert scores[0] is not None
    assert scores[2] is not None
    assert -1 <= scores[0] < scores[2] <= 1


def test_signs_stand_for_angles() -> None:
    """Scores by signs are close to those by whole vectors, up to a constant factor."""
    mean = np.zeros(DIMENSION, np.float32)
    asked, passage = some_words(4, 1), some_words(5, 1)
    unit = asked / np.linalg.norm(asked)
    expected = float((unit @ np.where(passage > 0, 1, -1).T / DIMENSION**0.5).item())
    question = Words(vectors=asked, weights=np.ones(1, np.float32))
    (score,) = max_sim(question, mean, [signs_of(passage, mean)])
    assert expected == pytest.approx(score, abs=1e-5)


def test_a_question_without_words_has_no_scores() -> None:
    nothing = Words(vectors=some_words(1, 0), weights=np.zeros(0, np.float32))
    mean = np.zeros(DIMENSION, np.float32)
    assert [None] == max_sim(nothing, mean, [signs_of(some_words(1, 3), mean)])


# --- the file


def test_words_come_back(path: Path) -> None:
    """What was kept is there after opening again, under every place of the text."""
    store = opened(path)
    words = some_words(1)
    store.keep({"a": words})
    store.place({POST: [(0, "a")], COPY: [(0, "a")]})
    mean = store.mean
    store.close()

    store = opened(path)
    assert mean is not None
    assert store.mean is not None
    assert mean.tolist() == store.mean.tolist()
    found = store.words([Place(COPY, 0), Place(POST, 0), Place(POST, 5)])
    store.close()
    assert found[0] is not None
    assert found[1] is not None
    assert found[2] is None
    assert signs_of(words, mean).tolist() == found[0].tolist() == found[1].tolist()


def test_the_words_of_a_deleted_post_go_with_its_last_copy(path: Path) -> None:
    store = opened(path)
    store.keep({"a": some_words(1), "b": some_words(2)})
    store.place({POST: [(0, "a"), (80, "b")], COPY: [(0, "a")]})

    store.place({POST: []})
    assert {"b"} == store.missing(["a", "b"])

    store.place({COPY: []})
    assert {"a", "b"} == store.missing(["a", "b"])
    store.close()


def test_an_edit_changes_what_a_place_has(path: Path) -> None:
    store = opened(path)
    store.keep({"old": some_words(1), "new": some_words(2)})
    store.place({POST: [(0, "old")]})
    store.place({POST: [(0, "new")]})
    assert {"old"} == store.missing(["old", "new"])
    store.close()


def test_few_words_tell_no_mean(path: Path) -> None:
    """Nothing is kept until there are enough words: later ones could not be compared."""
    store = opened(path)
    store.keep({"a": some_words(1, 3)})
    assert {"a"} == store.missing(["a"])
    assert store.mean is None
    assert [None] == store.words([Place(POST, 0)])
    store.close()


def test_another_encoder_starts_anew(path: Path) -> None:
    store = opened(path)
    store.keep({"a": some_words(1)})
    store.close()

    store = opened(path, encoder="another")
    assert {"a"} == store.missing(["a"])
    assert store.mean is None
    store.close()


def test_a_damaged_file_is_made_anew(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 1000)
    store = opened(path)
    store.keep({"a": some_words(1)})
    assert set() == store.missing(["a"])
    store.close()
    assert 0 == stat.S_IMODE(path.stat().st_mode) & 0o077

    remove(path)
    assert [] == list(path.parent.iterdir())
