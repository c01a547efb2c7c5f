"""Whatever a model's server does, the drafter hears one plain sentence, and in time."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from agent.errors import ModelUnavailable
from agent.models.chat import ChatLimits, OpenAiChat
from agent.models.faults import Fault, ModelFault
from tests.peers.llm_server import (
    LlmServer,
    Step,
    breaks_off,
    completion,
    fails,
    floods,
    floods_with_an_error,
    llm_server,
    moves_to,
    resets,
    says,
    sends,
    zips,
)

KEY = "sk-canary-4f1d"
POST = "Канарейка поёт в посте"
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    "required": ["claims"],
}
QUICK = ChatLimits(
    deadline_s=5, read_timeout_s=0.2, connect_timeout_s=1, max_retries=0, max_reply_bytes=200_000
)

FAULTS: dict[str, tuple[Step, Fault]] = {
    "resets the connection": (resets, Fault.UNREACHABLE),
    "breaks off in the body": (breaks_off, Fault.UNREACHABLE),
    "a web page": (sends(b"<html>Log in</html>", content_type="text/html"), Fault.MALFORMED),
    "an empty body": (sends(b""), Fault.MALFORMED),
    "half an envelope": (sends(b'{"choices": [{"fin'), Fault.MALFORMED),
    "bytes that are no text": (sends(b"\xff\xfe\xfa\x00\xd8"), Fault.MALFORMED),
    "a bottomless nesting": (sends(b"[" * 100_000), Fault.MALFORMED),
    "null for an envelope": (sends(None), Fault.MALFORMED),
    "an error with status 200": (sends({"error": {"message": KEY}}), Fault.MALFORMED),
    "no choices": (sends({"choices": []}), Fault.MALFORMED),
    "no message": (sends({"choices": [{"finish_reason": "stop"}]}), Fault.MALFORMED),
    "null content": (sends(completion(None)), Fault.MALFORMED),
    "blank content": (sends(completion(" \n")), Fault.MALFORMED),
    "content in pieces": (sends(completion([{"type": "text"}])), Fault.MALFORMED),
    "cut off by length": (says('{"claims": ["a"]}', finish_reason="length"), Fault.CUT_OFF),
    "cut off without reason": (says('{"claims": ["a"]}', finish_reason=None), Fault.CUT_OFF),
    "filtered": (says('{"claims": ["a"]}', finish_reason="content_filter"), Fault.DECLINED),
    "a refusal": (sends(completion(None, refusal="I can't")), Fault.DECLINED),
    "no JSON, twice": (says("I think so."), Fault.MALFORMED),
    "half of the JSON, twice": (says('{"claims": ["a", '), Fault.MALFORMED),
    "another shape, twice": (says({"answer": "a"}), Fault.MALFORMED),
    "wrong types, twice": (says({"claims": [1]}), Fault.MALFORMED),
    "NaN, twice": (says('{"claims": NaN}'), Fault.MALFORMED),
    "nesting in the content": (says('{"claims":' + "[" * 50_000), Fault.MALFORMED),
    "401": (fails(401, f"Incorrect API key provided: {KEY}"), Fault.BAD_KEY),
    "403": (fails(403), Fault.BAD_KEY),
    "404": (fails(404, "model not found"), Fault.NO_MODEL),
    "413": (fails(413), Fault.REJECTED),
    "429": (fails(429), Fault.BUSY),
    "500": (fails(500, f"cannot answer: {POST}"), Fault.BROKEN),
    "503 with a page": (sends(b"<html/>", content_type="text/html", status=503), Fault.BROKEN),
    "too long a prompt": (
        fails(400, "the request exceeds the available context size (4096 tokens)"),
        Fault.TOO_LONG,
    ),
    "400 whatever is asked": (fails(400, "bad request"), Fault.REJECTED),
    "a flood": (floods, Fault.TOO_LARGE),
    "a flood of an error": (floods_with_an_error, Fault.TOO_LARGE),
    "an unwanted archive": (zips(completion('{"claims": []}')), Fault.MALFORMED),
}


@pytest.fixture
async def server() -> AsyncIterator[LlmServer]:
    async with llm_server() as running:
        yield running


async def failure(base_url: str, limits: ChatLimits = QUICK, key: str = KEY) -> ModelFault:
    """What `complete` raises; nothing else may come out of it."""
    chat = OpenAiChat(base_url=base_url, model="m", api_key=SecretStr(key), limits=limits)
    try:
        with pytest.raises(ModelUnavailable) as caught:
            await chat.complete(system="s", user=POST, schema=SCHEMA)
    finally:
        await chat.aclose()
    assert isinstance(caught.value, ModelFault)
    return caught.value


@pytest.mark.parametrize("name", FAULTS)
async def test_every_fault_is_one_sentence(server: LlmServer, name: str) -> None:
    """No fault passes for an answer, and none shows the key or the post, not even its cause."""
    step, expected = FAULTS[name]
    server.will(step)

    error = await failure(server.base_url)

    assert error.fault is expected
    assert error.__cause__ is None
    assert error.__suppress_context__
    for language in ("ru", "en"):
        sentence = error.sentence(language)
        assert sentence
        assert "\n" not in sentence
        assert KEY not in sentence
        assert POST not in sentence


async def test_silence_ends_at_the_read_timeout(server: LlmServer) -> None:
    """A server that hangs costs no more than the read timeout."""
    server.will(server.hangs())

    error = await failure(server.base_url)

    assert error.fault is Fault.TIMEOUT


async def test_a_dripping_server_ends_at_the_deadline(server: LlmServer) -> None:
    """A byte now and then keeps no one waiting beyond the total deadline."""
    server.will(server.drips())

    error = await failure(server.base_url, ChatLimits(deadline_s=0.6, max_retries=0))

    assert error.fault is Fault.TIMEOUT


async def test_retries_end_at_the_deadline(server: LlmServer) -> None:
    """The deadline is of all tries together, and not of each."""
    server.will(server.hangs())
    loop = asyncio.get_running_loop()
    begun = loop.time()

    error = await failure(
        server.base_url, ChatLimits(deadline_s=0.8, read_timeout_s=0.7, max_retries=2)
    )

    assert error.fault is Fault.TIMEOUT
    assert loop.time() - begun < 0.8 + 1.4  # one deadline, and the import of the SDK


async def test_a_refused_connection(server: LlmServer) -> None:
    """Nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

        error = await failure(f"http://127.0.0.1:{port}/v1")

    assert error.fault is Fault.UNREACHABLE


@pytest.mark.parametrize("status", [429, 500])
async def test_the_sdk_alone_retries(server: LlmServer, status: int) -> None:
    """A failing server is asked three times: two layers of retries would make it nine."""
    server.will(fails(status))

    await failure(server.base_url, ChatLimits(deadline_s=5, max_retries=2))

    assert len(server.requests) == 3


async def test_a_passing_failure_is_not_noticed(server: LlmServer) -> None:
    """A busy server that recovers gives its answer."""
    server.will(fails(429), fails(500), says({"claims": ["a"]}))
    chat = OpenAiChat(base_url=server.base_url, model="m", limits=ChatLimits(deadline_s=5))

    reply = await chat.complete(system="s", user="u", schema=SCHEMA)
    await chat.aclose()

    assert reply == {"claims": ["a"]}


async def test_posts_are_not_sent_on(server: LlmServer) -> None:
    """A redirect is refused: the owner named one server and no other."""
    async with llm_server() as other:
        other.will(says({"claims": []}))
        server.will(moves_to(f"{other.base_url}/chat/completions"))

        error = await failure(server.base_url)

    assert error.fault is Fault.REJECTED
    assert other.requests == []


@pytest.mark.parametrize(
    ("base_url", "key"),
    [
        ("http://127.0.0.1:99999/v1", KEY),
        ("http://[::1/v1", KEY),
        ("localhost:11434/v1", KEY),
        ("/v1", KEY),
        ("http://127.0.0.1:1/v1", "ключ"),
    ],
)
async def test_a_mistyped_address_or_key(base_url: str, key: str) -> None:
    """What no request can be made of is told as such."""
    error = await failure(base_url, key=key)

    assert error.fault is Fault.MISCONFIGURED


async def test_cancelling_is_not_a_fault(server: LlmServer) -> None:
    """Who is not waited for any longer stops, and does not report a broken model."""
    server.will(server.hangs())
    chat = OpenAiChat(base_url=server.base_url, model="m", limits=ChatLimits(deadline_s=30))

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await chat.complete(system="s", user="u", schema=SCHEMA)
    await chat.aclose()


def test_every_fault_has_its_words() -> None:
    """Both languages, for every fault, each another sentence."""
    sentences = [ModelFault(fault).sentence(tongue) for fault in Fault for tongue in ("ru", "en")]

    assert len(set(sentences)) == 2 * len(Fault)
