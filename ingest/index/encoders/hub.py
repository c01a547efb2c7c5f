"""Opens a model of fastembed's catalogue: from its cache, else by one bounded download."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from fastembed import TextEmbedding
from fastembed.common.model_description import PoolingType

from ingest.errors import EncoderUnavailable
from ingest.index.encoders.loading import LOAD_ERRORS, register
from ingest.index.encoders.onnx_text import FastembedEncoder
from ingest.index.encoders.prefixes import prefixes_of

E5_SMALL: Final = "intfloat/multilingual-e5-small"
"""The same model as the bundled one, in full precision (470 MB)."""

_SILENCE_S: Final = 60.0
_LOOK_EVERY_S: Final = 0.2
_YES: Final = frozenset({"1", "ON", "YES", "TRUE"})
"""What huggingface_hub takes for true in its environment variables."""


def open_catalogued(
    model: str, *, data_dir: Path, threads: int, silence_s: float = _SILENCE_S
) -> FastembedEncoder:
    """Loads a model by its name in the catalogue.

    Args:
        model: Such as "intfloat/multilingual-e5-large"; letter case does not matter.
        data_dir: Models are kept under it, unless FASTEMBED_CACHE_PATH says where.
        threads: Threads of one session.
        silence_s: A download that brings nothing for so long is given up.

    Raises:
        EncoderUnavailable: No such model; or it is not in the cache and HF_HUB_OFFLINE is set
            or the hub does not give it.
    """
    register_e5_small()
    if not is_known(model):
        raise EncoderUnavailable(
            f"«{model}» is neither a folder nor a model that fastembed knows; "
            "set CITEGRAM_EMBEDDER to auto, or to a model's folder"
        )
    cache = Path(os.environ.get("FASTEMBED_CACHE_PATH") or data_dir / "models" / "hub")
    try:
        return _load(model, cache, threads)
    except LOAD_ERRORS as absent:
        if os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in _YES:
            raise EncoderUnavailable(
                f"{model} is not in {cache}, and HF_HUB_OFFLINE forbids downloading it; "
                "unset that, or set CITEGRAM_EMBEDDER to auto"
            ) from absent
    _download(model, cache, silence_s=silence_s)
    try:
        return _load(model, cache, threads)
    except LOAD_ERRORS as error:
        raise EncoderUnavailable(
            f"{model} was downloaded to {cache} but cannot be loaded ({type(error).__name__}); "
            "delete that folder and try again, or set CITEGRAM_EMBEDDER to auto"
        ) from error


def register_e5_small() -> None:
    """Adds the one model of ours that fastembed's catalogue lacks."""
    register(E5_SMALL, source=E5_SMALL, model_file="onnx/model.onnx", pooling=PoolingType.MEAN)


def is_known(model: str) -> bool:
    """Whether fastembed can load a model of that name."""
    known = (entry["model"] for entry in TextEmbedding.list_supported_models())
    return model.lower() in {name.lower() for name in known}


def _load(model: str, cache: Path, threads: int) -> FastembedEncoder:
    loaded = TextEmbedding(model, cache_dir=str(cache), local_files_only=True, threads=threads)
    return FastembedEncoder(loaded, name=model.lower(), prefixes=prefixes_of(model))


def _download(model: str, cache: Path, *, silence_s: float) -> None:
    """Fetches the model's files in a process of its own: a thread could not be stopped."""
    cache.mkdir(parents=True, exist_ok=True)
    child = subprocess.Popen(  # noqa: S603 - our own module, no shell
        [sys.executable, "-m", "ingest.index.encoders.download", model, str(cache)],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            # The other transport writes elsewhere first, and would look silent.
            "HF_HUB_DISABLE_XET": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        fetched = _watch(child, cache, silence_s=silence_s)
    finally:
        child.kill()
        child.wait()
    if not fetched:
        raise EncoderUnavailable(
            f"{model} is not in {cache} and could not be downloaded; check the connection to "
            "the model hub, or set CITEGRAM_EMBEDDER to auto"
        )


def _watch(child: subprocess.Popen[bytes], cache: Path, *, silence_s: float) -> bool:
    """Waits while the cache grows; whether the child did its work."""
    size, grew_at = _count_bytes(cache), time.monotonic()
    while time.monotonic() - grew_at < silence_s:
        try:
            return child.wait(timeout=_LOOK_EVERY_S) == 0
        except subprocess.TimeoutExpired:
            now = _count_bytes(cache)
            if now != size:
                size, grew_at = now, time.monotonic()
    return False


def _count_bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.lstat().st_size
        except FileNotFoundError:  # renamed by the download while we look
            continue
    return total
