"""The encoder without a model: deterministic, unit vectors, alike for like spellings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from ingest.index.encoders import open_encoder
from ingest.index.encoders.hashing import HashingEncoder

ENCODER = HashingEncoder()


def test_vectors_are_of_length_one() -> None:
    """Also those of texts without a single word."""
    vectors = ENCODER.encode_passages(["Москва приняла закон", "", "🔥🔥", "a", "x" * 5000])

    assert vectors.shape == (5, 256)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_nothing_gives_an_empty_matrix() -> None:
    assert ENCODER.encode_passages([]).shape == (0, 256)


def test_other_forms_of_a_word_are_closer_than_other_words() -> None:
    """«Налоги» finds «налоговую» before a post about the weather."""
    question = ENCODER.encode_query("налоги на квартиру")
    same, other = ENCODER.encode_passages(["Налоговую квартиры проверит", "Завтра дождь и ветер"])

    assert question @ same > question @ other + 0.2


def test_a_question_and_a_passage_of_one_text_are_one_vector() -> None:
    expected = ENCODER.encode_query("Хабр")

    np.testing.assert_array_equal(expected, ENCODER.encode_passages(["ХАБР!"])[0])


def test_vectors_are_the_same_in_another_process() -> None:
    """Python's own string hashes differ between processes; a stored index must not."""
    code = (
        "from ingest.index.encoders.hashing import HashingEncoder as E;"
        "print(E(32).encode_query('что писал Хабр').tobytes().hex())"
    )
    here = HashingEncoder(32).encode_query("что писал Хабр").tobytes().hex()

    root = Path(__file__).parents[2]
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )

    assert here == there.stdout.strip()


def test_the_setting_opens_it(tmp_path: Path) -> None:
    assert open_encoder("hashing", data_dir=tmp_path).name == "hashing-256"


def test_importing_the_package_loads_no_model_library() -> None:
    """The command line starts fast because encoders bring their libraries when opened."""
    heavy = {"fastembed", "onnx", "onnxruntime", "openai", "tokenizers"}
    code = "import sys, ingest.index.encoders; print(*sys.modules)"

    root = Path(__file__).parents[2]
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )

    assert heavy.isdisjoint(loaded.stdout.split())
