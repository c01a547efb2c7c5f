"""True paraphrases survive verification; sentences a word away from the truth do not."""

from __future__ import annotations

from datetime import date

import pytest

from agent.verification.checking import Post, check
from ingest.text.sentences import sentences
from tests.agent.verify_samples import ACROSS, ENGLISH, RUSSIAN

POSTED_ON = date(2024, 5, 5)
EVERY = (*RUSSIAN, *ENGLISH, *ACROSS)


def problems(claim: str, text: str) -> tuple[str, ...]:
    parts = tuple(text[span.start : span.end] for span in sentences(text))
    return check(claim, Post(sentences=parts, posted_on=POSTED_ON)).problems


@pytest.mark.parametrize(
    ("claim", "text"), [(claim, text) for text, true, _ in EVERY for claim in true]
)
def test_a_true_paraphrase_is_supported(claim: str, text: str) -> None:
    assert () == problems(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"), [(claim, text) for text, _, false in EVERY for claim in false]
)
def test_a_sentence_a_word_away_is_not(claim: str, text: str) -> None:
    assert problems(claim, text)
