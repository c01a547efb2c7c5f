"""Somebody's own model in a folder: here a table of four words, small enough to check by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from fastembed.common.model_description import PoolingType
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from ingest.errors import EncoderUnavailable
from ingest.index.encode import Encoder, TokenEncoder
from ingest.index.encoders import open_encoder
from ingest.index.encoders.loading import load_folder
from ingest.index.encoders.prefixes import Prefixes

VOCABULARY = ("[PAD]", "[CLS]", "[UNK]", "query", "passage", ":", "кот", "пёс")
TABLE = np.array(
    [[9, 9, 9], [0, 0, 1], [1, 1, 1], [5, 0, 0], [0, 5, 0], [0, 0, 0], [2, 0, 0], [0, 4, 0]],
    np.float32,
)
LIMIT = 8


def write_model(folder: Path) -> Path:
    """A model whose token states are the table's rows."""
    folder.mkdir(parents=True)
    words = {word: index for index, word in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", 1)]
    )
    tokenizer.add_special_tokens(["[PAD]", "[CLS]", "[UNK]"])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"pad_token": "[PAD]", "model_max_length": LIMIT}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]"}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    ids = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "t"])
        for name in ("input_ids", "attention_mask")
    ]
    states = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["b", "t", 3])
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph(
        [node], "table", ids, [states], [numpy_helper.from_array(TABLE, "table")]
    )
    opset = [helper.make_opsetid("", 18)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), folder / "model.onnx")
    return folder


def open_model(folder: Path) -> Encoder:
    return open_encoder(str(folder), data_dir=folder.parent, threads=1)


def unit(*vector: float) -> np.ndarray:
    return np.array(vector) / np.linalg.norm(vector)


def test_a_vector_is_the_mean_of_token_states(tmp_path: Path) -> None:
    """[CLS] кот пёс -> the direction of their sum; padding beside a longer text counts nothing."""
    encoder = open_model(write_model(tmp_path / "table"))

    vectors = encoder.encode_passages(["кот пёс", "кот", "пёс пёс пёс пёс"])

    expected = [unit(2, 4, 1), unit(2, 0, 1), unit(0, 16, 1)]
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    assert encoder.dimension == 3


def test_order_is_kept_over_many_batches(tmp_path: Path) -> None:
    """Batches are sorted by length; the answers are not."""
    encoder = open_model(write_model(tmp_path / "table"))
    texts = ["кот " * (index % 6) + "пёс" for index in range(1200)]

    vectors = encoder.encode_passages(texts)

    expected = np.stack([unit(2.0 * (index % 6), 4, 1) for index in range(1200)])
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_no_passages_give_an_empty_matrix(tmp_path: Path) -> None:
    assert open_model(write_model(tmp_path / "table")).encode_passages([]).shape == (0, 3)


def test_e5_prefixes_follow_the_folder_s_name(tmp_path: Path) -> None:
    """It reads [CLS] passage : кот in one case, query : кот in the other."""
    encoder = open_model(write_model(tmp_path / "my-e5-small-ru"))

    np.testing.assert_allclose(encoder.encode_passages(["кот"])[0], unit(2, 5, 1), atol=1e-6)
    np.testing.assert_allclose(encoder.encode_query("кот"), unit(7, 0, 1), atol=1e-6)


def test_pooling_follows_sentence_transformers(tmp_path: Path) -> None:
    """A model trained on its first token is read by its first token."""
    folder = write_model(tmp_path / "table")
    (folder / "1_Pooling").mkdir()
    config = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(config))

    np.testing.assert_allclose(open_model(folder).encode_query("кот"), [0, 0, 1], atol=1e-6)


def test_tokens_past_the_limit_are_counted(tmp_path: Path) -> None:
    """Who cuts passages must see how much too long a text is."""
    encoder = open_model(write_model(tmp_path / "table"))

    assert encoder.max_tokens == LIMIT
    assert [encoder.count_tokens("кот " * words) for words in (0, 3, 7, 8, 50)] == [1, 4, 8, 9, 51]


def test_token_vectors_leave_prefix_and_marks_out(tmp_path: Path) -> None:
    """Only the text's own words, with their places in it, whatever the batch's padding."""
    encoder = open_model(write_model(tmp_path / "my-e5-small-ru"))
    assert isinstance(encoder, TokenEncoder)

    long, empty, short = encoder.encode_tokens(["пёс  кот пёс", "", "кот"], kind="passage")

    assert long.token_ids.tolist() == [7, 6, 7]
    assert long.spans.tolist() == [[0, 3], [5, 8], [9, 12]]
    np.testing.assert_array_equal(long.vectors, TABLE[[7, 6, 7]])
    assert empty.vectors.shape == (0, 3)
    assert short.token_ids.tolist() == [6]


def test_two_models_of_one_folder_name_have_two_names(tmp_path: Path) -> None:
    """Else an index built by one would be searched by the other."""
    one, other = (write_model(tmp_path / part / "table") for part in "ab")
    model = onnx.load(other / "model.onnx")
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(TABLE * 2, "table"))
    onnx.save(model, other / "model.onnx")

    assert open_model(one).name != open_model(other).name
    assert open_model(one).name.startswith("table/")


@pytest.mark.parametrize("file", ["tokenizer.json", "model.onnx"])
def test_a_damaged_file_is_named(tmp_path: Path, file: str) -> None:
    """The message names the folder, so that its owner knows what to repair."""
    folder = write_model(tmp_path / "table")
    (folder / file).write_bytes(b"{}")

    with pytest.raises(EncoderUnavailable, match="table"):
        open_model(folder)


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json"])
def test_a_missing_file_makes_it_unavailable(tmp_path: Path, file: str) -> None:
    folder = write_model(tmp_path / "table")
    (folder / file).unlink()

    with pytest.raises(EncoderUnavailable, match="table"):
        open_model(folder)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnavailable, match="holds 0 ONNX files"):
        open_model(tmp_path)


def test_a_model_without_token_states_says_so(tmp_path: Path) -> None:
    """One that pools in the graph can encode, but feeds no late interaction."""
    folder = write_model(tmp_path / "table")
    model = onnx.load(folder / "model.onnx")
    model.graph.node[0].output[0] = "states"
    axes = numpy_helper.from_array(np.array([1]), "axes")
    model.graph.initializer.append(axes)
    model.graph.node.append(
        helper.make_node("ReduceMean", ["states", "axes"], ["last_hidden_state"], keepdims=0)
    )
    del model.graph.output[0].type.tensor_type.shape.dim[1]
    onnx.save(model, folder / "model.onnx")
    encoder = load_folder(
        folder,
        model_file="model.onnx",
        name="pooled",
        prefixes=Prefixes(),
        threads=1,
        pooling=PoolingType.DISABLED,
    )

    np.testing.assert_allclose(encoder.encode_query("кот"), unit(2, 0, 1), atol=1e-6)
    with pytest.raises(EncoderUnavailable, match="no token vectors"):
        encoder.encode_tokens(["кот"], kind="query")
