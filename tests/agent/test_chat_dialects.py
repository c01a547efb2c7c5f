"""JSON from servers of every degree of understanding, found out once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
from pydantic import SecretStr

from agent.models.chat import ChatLimits, OpenAiChat
from agent.models.replies import json_in, misfit
from tests.peers.llm_server import LlmServer, fails, llm_server, says

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "answerable": {"type": "boolean"},
        "claims": {"type": "array", "items": {"type": "string", "enum": ["e1"]}},
    },
    "required": ["answerable", "claims"],
}
REPLY = {"answerable": True, "claims": ["e1"]}
LIMITS = ChatLimits(deadline_s=5, max_retries=0, max_answer_tokens=77)


@pytest.fixture
async def server() -> AsyncIterator[LlmServer]:
    async with llm_server() as running:
        running.will(says(REPLY))
        yield running


@pytest.fixture
async def chat(server: LlmServer) -> AsyncIterator[OpenAiChat]:
    made = OpenAiChat(base_url=server.base_url, model="m", limits=LIMITS)
    yield made
    await made.aclose()


async def ask(chat: OpenAiChat) -> object:
    return await chat.complete(system="System.", user="User.", schema=SCHEMA)


def formats(server: LlmServer) -> list[str | None]:
    return [one.get("response_format", {}).get("type") for one in server.requests]


async def test_a_server_that_knows_schemas(server: LlmServer, chat: OpenAiChat) -> None:
    """One request, with the schema where the server enforces it and a bounded answer."""
    assert await ask(chat) == REPLY

    (request,) = server.requests
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    assert request["messages"] == [
        {"role": "system", "content": "System."},
        {"role": "user", "content": "User."},
    ]
    assert (request["temperature"], request["max_tokens"], request["seed"]) == (0, 77, 1)
    assert "stream" not in request


async def test_a_server_that_knows_objects_only(server: LlmServer, chat: OpenAiChat) -> None:
    """The schema moves into the system message; the next question does not try again."""
    server.formats = frozenset({"json_object"})

    assert [await ask(chat), await ask(chat)] == [REPLY, REPLY]

    assert formats(server) == ["json_schema", "json_object", "json_object"]
    assert '"required":["answerable","claims"]' in server.requests[-1]["messages"][0]["content"]


async def test_a_server_that_knows_text_only(server: LlmServer, chat: OpenAiChat) -> None:
    """JSON is taken out of a talkative reply."""
    server.formats = frozenset()
    server.will(says('Sure! {here}:\n```json\n{"answerable": true, "claims": ["e1"]}\n```\nBye'))

    assert [await ask(chat), await ask(chat)] == [REPLY, REPLY]

    assert formats(server) == ["json_schema", "json_object", None, None]


async def test_a_server_that_fails_over_a_schema(server: LlmServer, chat: OpenAiChat) -> None:
    """Some say 500 to a grammar that they cannot build: that is no reason to give up."""
    server.will(fails(500, "failed to parse grammar"), says(REPLY))

    assert await ask(chat) == REPLY

    assert formats(server) == ["json_schema", "json_object"]


async def test_a_server_with_other_parameters(server: LlmServer, chat: OpenAiChat) -> None:
    """What a reasoning model of OpenAI's rejects is left out or renamed, and stays so."""
    server.unknown = {
        "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
        "temperature": "Unsupported value: 'temperature' does not support 0 with this model.",
        "seed": "Unknown parameter: 'seed'.",
    }

    assert [await ask(chat), await ask(chat)] == [REPLY, REPLY]

    assert len(server.requests) == 5
    request = server.requests[-1]
    assert request["max_completion_tokens"] == 77
    assert not {"max_tokens", "temperature", "seed"} & set(request)
    assert request["response_format"]["type"] == "json_schema"


@pytest.mark.parametrize("bad", ["I would say yes.", '{"claims": ["e1"]}', '{"answerable": tr'])
async def test_one_repair(server: LlmServer, chat: OpenAiChat, bad: str) -> None:
    """A reply of another shape is shown back once, with what is wrong about it."""
    server.will(says(bad), says(REPLY))

    assert await ask(chat) == REPLY

    *_, shown, complaint = server.requests[-1]["messages"]
    assert shown == {"role": "assistant", "content": bad}
    assert complaint["content"].endswith("Reply with JSON only.")
    assert len(server.requests) == 2


async def test_a_foreign_enum_value_is_the_callers(server: LlmServer, chat: OpenAiChat) -> None:
    """An unknown id is no reason to ask again: the drafter drops it."""
    server.will(says({"answerable": True, "claims": ["e9"]}))

    assert await ask(chat) == {"answerable": True, "claims": ["e9"]}

    assert len(server.requests) == 1


async def test_the_key_is_sent(server: LlmServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """The configured key, and never the one that the environment has for another server."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    keyed = OpenAiChat(
        base_url=server.base_url, model="m", api_key=SecretStr("sk-ours"), limits=LIMITS
    )
    keyless = OpenAiChat(base_url=server.base_url, model="m", limits=LIMITS)

    for chat in (keyed, keyless):
        await ask(chat)
        await chat.aclose()

    assert server.keys == ["Bearer sk-ours", "Bearer none"]


@pytest.mark.processes
def test_answers_without_a_model_do_not_pay_for_the_sdk() -> None:
    """Importing the adapter does not import openai, which takes most of a second."""
    code = "import sys, agent.models.chat, agent.models.drafting; print('openai' in sys.modules)"

    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)

    assert printed.stdout.strip() == b"False"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('<think>{"a": 0} or {"a": 2}?</think>\n{"a": 1}', {"a": 1}),
        ('Here {you} are: {"a": {"b": [1]}} {"c": 2}', {"a": {"b": [1]}}),
    ],
)
def test_json_is_found(content: str, expected: object) -> None:
    """Alone, fenced, after thoughts and among talk."""
    assert json_in(content) == expected


@pytest.mark.parametrize("content", ["", "no", "{", '{"a": ', "{" * 3_000, '{"a": Infinity}'])
def test_no_json_is_found(content: str) -> None:
    """Half an object is none."""
    with pytest.raises(ValueError, match=r"^"):
        json_in(content)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (REPLY, None),
        ({**REPLY, "more": 1}, None),
        ([], "the reply is not of type object"),
        ({"claims": []}, 'the reply has no "answerable"'),
        ({"answerable": 1, "claims": []}, '"answerable" is not of type boolean'),
        ({"answerable": True, "claims": "e1"}, '"claims" is not of type array'),
        ({"answerable": True, "claims": [None]}, 'an item of "claims" is not of type string'),
    ],
)
def test_misfits(value: object, problem: str | None) -> None:
    """The first thing that is wrong, said so that a model can mend it."""
    assert misfit(value, SCHEMA) == problem
