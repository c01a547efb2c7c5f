"""Scores passages by late interaction, with the encoder and the file of the index process."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog

from ingest.errors import EncoderUnavailable
from ingest.index.encode import Encoder, TokenEncoder
from ingest.index.late import Words, max_sim, words_of
from ingest.index.late_store import FILE_NAME, LateStore, remove
from ingest.index.request import Place

if TYPE_CHECKING:
    from ingest.settings import Settings

log = structlog.get_logger(__name__)

_QUESTIONS_REMEMBERED = 256


class LateInteraction:
    """How well the words of a question are found, in their sense, in passages.

    Blocking and thread-safe.

    Attributes:
        store: Where the words of passages are kept.
    """

    def __init__(self, encoder: TokenEncoder, store: LateStore) -> None:
        self.store = store
        self._encoder = encoder
        self._words = functools.lru_cache(maxsize=_QUESTIONS_REMEMBERED)(self._words_now)

    def __call__(self, question: str, places: Sequence[Place]) -> list[float | None]:
        """See `late.max_sim`; None for passages whose words are not kept (yet)."""
        mean = self.store.mean
        known = self.store.words(places)
        if mean is None or all(one is None for one in known):
            return [None] * len(places)
        return max_sim(self._words(question), mean, known)

    def close(self) -> None:
        """Closes the file."""
        self.store.close()

    def _words_now(self, question: str) -> Words:
        (tokens,) = self._encoder.encode_tokens([question], kind="query")
        return words_of(question, tokens)


def open_late(settings: Settings, encoder: Encoder | None) -> LateInteraction | None:
    """Late interaction where it is wanted and possible; else its file goes. Blocking."""
    path = settings.data_dir / "index" / FILE_NAME
    if settings.reranker != "late":
        remove(path)
        return None
    if encoder is None or not isinstance(encoder, TokenEncoder):
        return None
    try:
        encoder.encode_tokens(["."], kind="query")
    except EncoderUnavailable as error:
        log.info("late.unavailable", reason=str(error))
        return None
    store = LateStore(path, encoder=encoder.name, dimension=encoder.dimension)
    return LateInteraction(encoder, store)
