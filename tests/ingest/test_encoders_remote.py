"""The encoder behind a server: a loopback one that answers as it is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import cast

import numpy as np
import pytest
from pydantic import SecretStr

from ingest.errors import EncoderUnavailable
from ingest.index.encode import Encoder
from ingest.index.encoders import open_encoder


class EmbeddingServer(ThreadingHTTPServer):
    """Gives each text the vector (its length, 1, 0, ...); remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.dimension, self.failures, self.status = 4, 0, 500
        self.asked: list[list[str]] = []
        self.keys: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = cast("EmbeddingServer", self.server)
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["input"]
        server.asked.append(asked)
        server.keys.append(self.headers.get("authorization"))
        if server.failures:
            server.failures -= 1
            self._answer(server.status, {"error": {"message": "broken"}})
            return
        tail = [0.0] * (server.dimension - 2)
        rows = [
            {"object": "embedding", "index": i, "embedding": [float(len(text)), 1.0, *tail]}
            for i, text in enumerate(asked)
        ]
        # Backwards: the index says which text a vector belongs to, not its place.
        self._answer(200, {"object": "list", "data": rows[::-1], "model": "m", "usage": {}})

    def _answer(self, status: int, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keeps the test's output clean."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with EmbeddingServer() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def open_remote(server: EmbeddingServer, model: str = "some-model") -> Encoder:
    key = SecretStr("sk-secret")
    return open_encoder(f"openai:{model}", data_dir=Path(), base_url=server.url, api_key=key)


def test_dimension_is_learned_from_the_server(server: EmbeddingServer) -> None:
    server.dimension = 7

    assert open_remote(server).dimension == 7


def test_order_is_kept_over_several_calls(server: EmbeddingServer) -> None:
    """A hundred and fifty texts take three calls and come back in order, of length one."""
    texts = ["x" * size for size in range(1, 151)]

    vectors = open_remote(server).encode_passages(texts)

    assert [len(call) for call in server.asked[1:]] == [64, 64, 22]
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], range(1, 151), rtol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_e5_is_told_questions_from_passages(server: EmbeddingServer) -> None:
    encoder = open_remote(server, "intfloat/multilingual-e5-base")

    encoder.encode_query("кто")
    encoder.encode_passages(["он"])

    assert server.asked[1:] == [["query: кто"], ["passage: он"]]


def test_another_family_gets_texts_as_they_are(server: EmbeddingServer) -> None:
    """An empty text is sent as a space: servers refuse empty ones."""
    open_remote(server, "bge-m3").encode_passages(["он", ""])

    assert server.asked[1:] == [["он", " "]]


def test_the_key_is_sent(server: EmbeddingServer) -> None:
    open_remote(server)

    assert server.keys == ["Bearer sk-secret"]


def test_no_passages_need_no_call(server: EmbeddingServer) -> None:
    encoder = open_remote(server)

    assert encoder.encode_passages([]).shape == (0, 4)
    assert len(server.asked) == 1


def test_two_failures_are_survived(server: EmbeddingServer) -> None:
    encoder = open_remote(server)
    server.failures = 2

    assert encoder.encode_query("кто").shape == (4,)


def test_a_broken_server_is_unavailable(server: EmbeddingServer) -> None:
    """The error names the status and neither the key nor the text."""
    encoder = open_remote(server)
    server.failures = 99

    with pytest.raises(EncoderUnavailable, match="HTTP 500") as caught:
        encoder.encode_query("тайна")

    assert "тайна" not in str(caught.value)
    assert "sk-secret" not in str(caught.value)
    assert len(server.asked) == 1 + 3


def test_a_refused_key_is_not_tried_again(server: EmbeddingServer) -> None:
    server.failures, server.status = 99, 401

    with pytest.raises(EncoderUnavailable, match="HTTP 401"):
        open_remote(server)

    assert len(server.asked) == 1


def test_a_changed_dimension_is_unavailable(server: EmbeddingServer) -> None:
    """The server was given another model under the same name."""
    encoder = open_remote(server)
    server.dimension = 5

    with pytest.raises(EncoderUnavailable, match="shape"):
        encoder.encode_passages(["он"])


def test_the_estimate_of_tokens_is_careful(server: EmbeddingServer) -> None:
    """A Russian text of 300 letters is taken for 200 tokens and two marks."""
    assert open_remote(server).count_tokens("я" * 300) == 202
