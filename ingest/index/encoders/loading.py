"""Loads an ONNX text model from a folder through fastembed."""

from __future__ import annotations

import hashlib
import json
import os
import threading
from pathlib import Path
from typing import Final

from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
from loguru import logger
from onnxruntime.capi import onnxruntime_pybind11_state as onnx_errors
from tokenizers import Tokenizer

from ingest.errors import EncoderUnavailable
from ingest.index.encoders.onnx_text import FastembedEncoder
from ingest.index.encoders.prefixes import Prefixes, prefixes_of

# fastembed tells of every model that it did not find by loguru, on stderr; our errors say it.
logger.disable("fastembed")

LOAD_ERRORS: Final = (
    OSError,
    ValueError,
    onnx_errors.Fail,
    onnx_errors.InvalidArgument,
    onnx_errors.InvalidGraph,
    onnx_errors.InvalidProtobuf,
    onnx_errors.NoModel,
    onnx_errors.NoSuchFile,
    onnx_errors.NotImplemented,
    onnx_errors.RuntimeException,
)
"""What fastembed lets through when files are absent, damaged or for another runtime."""

_registering = threading.Lock()

_MODEL_FILES: Final = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx")
_EDGE_BYTES: Final = 1 << 20


def load_folder(
    folder: Path,
    *,
    model_file: str,
    name: str,
    prefixes: Prefixes,
    threads: int,
    pooling: PoolingType = PoolingType.MEAN,
) -> FastembedEncoder:
    """Loads a model whose vectors are pooled token states.

    Raises:
        EncoderUnavailable: A file is missing or damaged.
    """
    # fastembed's registry is one for the process and takes a name once.
    key = f"{folder.resolve()}#{model_file}"
    register(key, source=key, model_file=model_file, pooling=pooling)
    try:
        model = TextEmbedding(key, specific_model_path=str(folder), threads=threads)
        return FastembedEncoder(model, name=name, prefixes=prefixes)
    except LOAD_ERRORS as error:
        raise EncoderUnavailable(
            f"the encoder in {folder} cannot be loaded ({type(error).__name__}); "
            "delete the folder, or set CITEGRAM_EMBEDDER to another one"
        ) from error


def open_folder(folder: Path, *, threads: int) -> FastembedEncoder:
    """Loads somebody's own model: ``tokenizer.json``, ``tokenizer_config.json``, an ONNX file.

    The family, and so the prefixes, is told by the folder's name; the pooling by
    ``1_Pooling/config.json`` as sentence-transformers writes it, else the mean.

    Raises:
        EncoderUnavailable: A file is missing or damaged.
    """
    model_file = _find_model(folder)
    try:
        # fastembed's own way of reading it fails with a bare Exception.
        Tokenizer.from_buffer((folder / "tokenizer.json").read_bytes())
        digest = _fingerprint(folder / model_file)
        pooling = _read_pooling(folder)
    except (OSError, ValueError) as error:
        raise EncoderUnavailable(
            f"{folder} is not a model's folder: {error}; it needs tokenizer.json, "
            "tokenizer_config.json and an ONNX file"
        ) from error
    return load_folder(
        folder,
        model_file=model_file,
        name=f"{folder.resolve().name}/{digest}",
        prefixes=prefixes_of(folder.resolve().name),
        threads=threads,
        pooling=pooling,
    )


def register(name: str, *, source: str, model_file: str, pooling: PoolingType) -> None:
    """Makes fastembed know a model that its catalogue lacks; again is no error."""
    with _registering:
        known = {model["model"].lower() for model in TextEmbedding.list_supported_models()}
        if name.lower() not in known:
            TextEmbedding.add_custom_model(
                model=name,
                pooling=pooling,
                normalization=True,
                sources=ModelSource(hf=source),
                dim=0,  # asked of the model itself
                model_file=model_file,
            )


def _find_model(folder: Path) -> str:
    """The ONNX file's path in the folder."""
    for usual in _MODEL_FILES:
        if (folder / usual).is_file():
            return usual
    found = sorted(folder.glob("*.onnx"))
    if len(found) != 1:
        raise EncoderUnavailable(
            f"{folder} holds {len(found)} ONNX files; name the one to use model.onnx"
        )
    return found[0].name


def _read_pooling(folder: Path) -> PoolingType:
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return PoolingType.MEAN
    config = json.loads(path.read_text(encoding="utf-8"))
    if config.get("pooling_mode_cls_token"):
        return PoolingType.CLS
    if config.get("pooling_mode_lasttoken"):
        return PoolingType.LAST_TOKEN
    return PoolingType.MEAN


def _fingerprint(path: Path) -> str:
    """Tells two models in folders of one name apart, without reading gigabytes."""
    size = path.stat().st_size
    digest = hashlib.blake2b(str(size).encode(), digest_size=4)
    with path.open("rb") as content:
        digest.update(content.read(_EDGE_BYTES))
        content.seek(-min(size, _EDGE_BYTES), os.SEEK_END)
        digest.update(content.read())
    return digest.hexdigest()
