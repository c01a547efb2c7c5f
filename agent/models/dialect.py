"""Which of the chat completions parameters a server understands; found out by asking."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

Format = Literal["json_schema", "json_object", "text"]

_NEXT_FORMAT: dict[Format, Format] = {"json_schema": "json_object", "json_object": "text"}

_TOO_LONG = re.compile(
    r"context[_ ](?:length|size|window)|exceed\w* (?:the )?(?:available |maximum )?context"
    r"|maximum context|too many tokens|prompt is too long"
)
"""Source: the errors of OpenAI (context_length_exceeded), llama.cpp ("exceeds the available
context size"), vLLM ("maximum context length is") and Anthropic's compatible server."""

_ABOUT_FORMAT = re.compile(r"response_format|json_schema|json_object|grammar|guided|schema")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What is put into a request.

    Attributes:
        format: The strictest ``response_format`` that the server takes; "text" is none.
        limit: The name of the answer's length limit: OpenAI's newer models renamed it.
        temperature, seed: Whether they may be set at all.
    """

    format: Format = "json_schema"
    limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True

    def simpler(self, complaint: str) -> Dialect | None:
        """The dialect to try after a server rejected this one; None: there is no other.

        Args:
            complaint: The server's error, in lower case.
        """
        if self.limit == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit="max_completion_tokens")
        if self.temperature and "temperature" in complaint:
            return replace(self, temperature=False)
        if self.seed and re.search(r"\bseed\b", complaint):
            return replace(self, seed=False)
        if self.format in _NEXT_FORMAT:
            return replace(self, format=_NEXT_FORMAT[self.format])
        return None


def is_too_long(complaint: str) -> bool:
    """Whether a server complains that the prompt does not fit, whatever its parameters."""
    return bool(_TOO_LONG.search(complaint))


def is_about_format(complaint: str) -> bool:
    """Whether a server stumbled over the reply's format: some say 500 then."""
    return bool(_ABOUT_FORMAT.search(complaint))
