"""Reads what a chat completions server sent back, trusting none of it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from agent.models.faults import Fault, ModelFault

_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
"""Reasoning models put their thoughts in front of the reply when the server lets them."""

_MAX_BEGINNINGS = 20
"""Brackets in a chatty reply that are tried as the beginning of the JSON."""

_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A reply that the model finished by itself, and what it cost as the server counts."""

    content: str
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


def read_completion(body: bytes) -> Completion:
    """The completion that an HTTP body holds.

    Raises:
        ModelFault: The body is something else, or the model did not come to its end.
    """
    envelope = _parsed(body)
    choices = _field(envelope, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = _field(choice, "message")
    if not isinstance(message, dict):
        raise ModelFault(Fault.MALFORMED)
    _check_end(_field(choice, "finish_reason"))
    if message.get("refusal"):
        raise ModelFault(Fault.DECLINED)
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise ModelFault(Fault.MALFORMED)
    usage = _field(envelope, "usage")
    return Completion(
        content=content,
        prompt_tokens=_count(_field(usage, "prompt_tokens")),
        answer_tokens=_count(_field(usage, "completion_tokens")),
    )


def json_in(content: str) -> object:
    """The JSON object of a reply: alone, in a code fence, or with talk around it.

    Raises:
        ValueError: There is none.
    """
    text = _THOUGHTS.sub("", content).strip()
    try:
        return _plain_json(text)
    except ValueError:
        pass
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    for beginning in list(re.finditer(r"\{", text))[:_MAX_BEGINNINGS]:
        try:
            value, _ = decoder.raw_decode(text, beginning.start())
        except (ValueError, RecursionError):
            continue
        return value
    raise ValueError("there is no complete JSON object in it")


def misfit(value: object, schema: object, where: str = "the reply") -> str | None:
    """What about `value` does not follow `schema`, in one sentence; None: it follows it.

    Only types, required properties and items are looked at. Values outside an ``enum`` are the
    caller's to drop: asking again would cost more than it mends.
    """
    if not isinstance(schema, dict):
        return None
    kind = schema.get("type")
    if isinstance(kind, str) and not _is_of(value, kind):
        return f"{where} is not of type {kind}"
    if isinstance(value, dict):
        return _misfit_of_object(value, schema, where)
    if isinstance(value, list):
        found = (misfit(item, schema.get("items"), f"an item of {where}") for item in value)
        return next((problem for problem in found if problem), None)
    return None


def _misfit_of_object(
    value: dict[str, object], schema: dict[str, object], where: str
) -> str | None:
    required, properties = schema.get("required"), schema.get("properties")
    for name in required if isinstance(required, list) else ():
        if name not in value:
            return f'{where} has no "{name}"'
    for name, inner in properties.items() if isinstance(properties, dict) else ():
        if name in value:
            problem = misfit(value[name], inner, f'"{name}"')
            if problem:
                return problem
    return None


def _is_of(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"  # for Python it would be an integer too
    return isinstance(value, _JSON_TYPES.get(kind, (object,)))


def _check_end(reason: object) -> None:
    if reason == "stop":
        return
    if reason == "content_filter":
        raise ModelFault(Fault.DECLINED)
    # "length", and servers that hung up in mid-sentence: half an answer is none.
    raise ModelFault(Fault.CUT_OFF)


def _parsed(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise ModelFault(Fault.MALFORMED) from None


def _plain_json(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _field(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
