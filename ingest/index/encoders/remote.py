"""An encoder behind an OpenAI-compatible ``/v1/embeddings``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from openai import APIStatusError, APITimeoutError, OpenAI, OpenAIError
from pydantic import SecretStr

from ingest.errors import EncoderUnavailable
from ingest.index.encode import Vectors
from ingest.index.encoders.prefixes import prefixes_of

_TIMEOUT_S: Final = 30.0
"""The client's own default is ten minutes."""

_MAX_RETRIES: Final = 2
_TEXTS_A_CALL: Final = 64
_MAX_TOKENS: Final = 512
"""What the smallest servers read; passages of one size also compare better."""

_BYTES_A_TOKEN: Final = 3
"""A careful guess where the tokenizer is unknown: 1.5 Russian letters, 3 English ones, one
Chinese sign. Real tokenizers fit more."""

_MARKS: Final = 2


class RemoteEncoder:
    """An `Encoder` that asks a server; texts leave the machine."""

    def __init__(self, model: str, *, base_url: str | None, api_key: SecretStr | None) -> None:
        """Asks the server for one short vector, to learn the dimension.

        Args:
            model: Its name at the server.
            base_url: The address up to ``/v1``; None for OpenAI's own.
            api_key: None for servers that want none.

        Raises:
            EncoderUnavailable: The server does not answer, or refuses.
        """
        self._model, self._prefixes = model, prefixes_of(model)
        self._client = OpenAI(
            base_url=base_url,
            # The client insists on a key; local servers ignore it.
            api_key=api_key.get_secret_value() if api_key else "none",
            timeout=_TIMEOUT_S,
            max_retries=_MAX_RETRIES,
        )
        self._dimension: int | None = None
        self._dimension = self._ask(["."]).shape[1]

    @property
    def name(self) -> str:
        """The model, wherever it is served: its vectors are the same."""
        return f"openai:{self._model}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        assert self._dimension is not None
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """A limit that every server holds."""
        return _MAX_TOKENS

    def count_tokens(self, text: str) -> int:
        """An estimate that rather says too many."""
        size = len((self._prefixes.passage + text).encode())
        return -(-size // _BYTES_A_TOKEN) + _MARKS

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors ``(n, dimension)`` in the order given.

        Raises:
            EncoderUnavailable: The server does not answer, refuses, or changed its dimension.
        """
        prefixed = [self._prefixes.passage + text for text in texts]
        answers = [self._ask(call) for call in _calls(prefixed)]
        return np.concatenate([np.empty((0, self.dimension), np.float32), *answers])

    def encode_query(self, text: str) -> Vectors:
        """The question's unit vector, ``(dimension,)``.

        Raises:
            EncoderUnavailable: As for passages.
        """
        vector: Vectors = self._ask([self._prefixes.query + text])[0]
        return vector

    def _ask(self, texts: list[str]) -> Vectors:
        try:
            answer = self._client.embeddings.create(
                model=self._model,
                input=[text or " " for text in texts],  # an empty text is refused
                encoding_format="float",
            )
            rows = sorted(answer.data, key=lambda row: row.index)
            vectors = np.array([row.embedding for row in rows], np.float32)
        except OpenAIError as error:
            raise EncoderUnavailable(self._explain(error)) from error
        except (AttributeError, TypeError, ValueError) as error:
            raise self._unusable("something that is no embedding") from error
        return self._checked(vectors, count=len(texts))

    def _checked(self, vectors: Vectors, *, count: int) -> Vectors:
        shape = (count, self._dimension or vectors.shape[-1])
        if vectors.shape != shape or not shape[1]:
            raise self._unusable(f"vectors of shape {vectors.shape} where {shape} is expected")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths)) or not np.all(lengths):
            raise self._unusable("vectors without a direction")
        unit: Vectors = vectors / lengths
        return unit

    def _explain(self, error: OpenAIError) -> str:
        match error:
            case APIStatusError(status_code=status):
                why = f"answers HTTP {status}"
            case APITimeoutError():
                why = f"does not answer in {_TIMEOUT_S:.0f} s"
            case _:
                why = f"cannot be asked ({type(error).__name__})"
        return (
            f"the embedding server at {self._client.base_url.host} {why} for {self._model}; "
            "check CITEGRAM_EMBEDDER, its address and its key"
        )

    def _unusable(self, what: str) -> EncoderUnavailable:
        return EncoderUnavailable(
            f"the embedding server at {self._client.base_url.host} gave {what}; "
            f"check that {self._model} is an embedding model"
        )


def _calls(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), _TEXTS_A_CALL):
        yield texts[start : start + _TEXTS_A_CALL]
