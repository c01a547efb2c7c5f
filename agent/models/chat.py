"""One structured exchange with any OpenAI-compatible server; every failure is one sentence."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import structlog
from pydantic import SecretStr

from agent.models.dialect import Dialect, is_about_format, is_too_long
from agent.models.faults import Fault, ModelFault
from agent.models.replies import Completion, json_in, misfit, read_completion

if TYPE_CHECKING:  # the import takes 0.8 s, and answers without a model shall not pay it
    from openai import APIStatusError, AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam
    from openai.types.chat.completion_create_params import ResponseFormat

log = structlog.get_logger(__name__)

_SEED = 1
_MAX_SHOWN_BACK_CHARS = 2_000
"""Of a bad reply that the model shall repair: the context is small and the reply may not be."""

_FAULTS = {401: Fault.BAD_KEY, 403: Fault.BAD_KEY, 404: Fault.NO_MODEL, 429: Fault.BUSY}
_WRONG_REQUEST = frozenset({400, 415, 422, 501})
_FIRST_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLimits:
    """How long and how much.

    Attributes:
        deadline_s: Of one `complete` with all its retries and repairs.
        read_timeout_s: Silence on the wire; a server without streaming is silent while it thinks.
        max_retries: By the SDK, of lost connections, 408, 409, 429 and 5xx.
        max_answer_tokens: The model may write; the answer that is cut there is not used.
        max_reply_bytes: Of an HTTP body.
    """

    deadline_s: float = 50
    read_timeout_s: float = 45
    connect_timeout_s: float = 5
    max_retries: int = 2
    max_answer_tokens: int = 700
    max_reply_bytes: int = 1_000_000


class OpenAiChat:
    """A `ChatModel` over chat completions: OpenAI, Ollama, vLLM, llama.cpp and their kin.

    The first exchange finds out which way of asking for JSON the server understands (a schema,
    any object, plain text); later ones remember it.

    Args:
        base_url: With the version, as in ``http://localhost:11434/v1``.
        api_key: None for servers that need none.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key: SecretStr | None = None,
        limits: ChatLimits = ChatLimits(),
    ) -> None:
        self._base_url, self._model, self._api_key = base_url, model, api_key
        self._limits = limits
        self._dialect = Dialect()
        self._client: AsyncOpenAI | None = None
        self._connecting = asyncio.Lock()

    async def complete(self, *, system: str, user: str, schema: dict[str, object]) -> object:
        """The model's reply as JSON with the types that `schema` asks for.

        A reply that is no such JSON is asked for once more.

        Raises:
            ModelFault: There is no such reply; the message says why and repeats nothing of it.
        """
        try:
            async with asyncio.timeout(self._limits.deadline_s):
                return await self._complete(system, user, schema)
        except TimeoutError:
            fault = ModelFault(Fault.TIMEOUT)
        except ModelFault as error:
            fault = error
        log.warning("model.failed", fault=str(fault.fault), status=fault.status)
        # What led here may hold the key, the posts or the reply: a traceback shall not show it.
        raise fault from None

    async def aclose(self) -> None:
        """Closes the connections; harmless when there are none."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _complete(self, system: str, user: str, schema: dict[str, object]) -> object:
        content = await self._ask(system, user, schema)
        value, problem = _read(content, schema)
        if problem is None:
            return value
        log.info("model.repairing")
        mended = await self._ask(
            system, user, schema, bad=content[:_MAX_SHOWN_BACK_CHARS], problem=problem
        )
        value, problem = _read(mended, schema)
        if problem is not None:
            raise ModelFault(Fault.MALFORMED)
        return value

    async def _ask(
        self,
        system: str,
        user: str,
        schema: dict[str, object],
        *,
        bad: str | None = None,
        problem: str = "",
    ) -> str:
        """The text of a reply, in the dialect that the server turns out to understand."""
        dialect = self._dialect
        while True:
            messages: list[ChatCompletionMessageParam] = [
                {"role": "system", "content": _system(system, dialect, schema)},
                {"role": "user", "content": user},
            ]
            if bad is not None:
                messages.append({"role": "assistant", "content": bad})
                messages.append({"role": "user", "content": f"{problem}. Reply with JSON only."})
            sent = await self._send(messages, dialect, schema)
            if isinstance(sent, Completion):
                self._dialect = dialect
                log.debug(
                    "model.answered",
                    format=dialect.format,
                    prompt_tokens=sent.prompt_tokens,
                    answer_tokens=sent.answer_tokens,
                )
                return sent.content
            dialect = sent

    async def _send(
        self,
        messages: list[ChatCompletionMessageParam],
        dialect: Dialect,
        schema: dict[str, object],
    ) -> Completion | Dialect:
        """One request: its completion, or the simpler dialect that the server needs."""
        client = await self._connected()
        import httpx2  # noqa: PLC0415 - comes with openai, see above
        import openai  # noqa: PLC0415 - see above

        limit = self._limits.max_answer_tokens
        try:
            response = await client.chat.completions.with_raw_response.create(
                model=self._model,
                messages=messages,
                response_format=_response_format(dialect, schema) or openai.omit,
                temperature=0 if dialect.temperature else openai.omit,
                seed=_SEED if dialect.seed else openai.omit,
                max_tokens=limit if dialect.limit == "max_tokens" else openai.omit,
                max_completion_tokens=limit if dialect.limit != "max_tokens" else openai.omit,
            )
        except openai.APITimeoutError:
            raise ModelFault(Fault.TIMEOUT) from None
        except openai.APIConnectionError:
            raise ModelFault(Fault.UNREACHABLE) from None
        except openai.APIStatusError as error:
            return _simpler(error, dialect)
        except (openai.OpenAIError, httpx2.HTTPError):
            raise ModelFault(Fault.BROKEN) from None
        except (httpx2.InvalidURL, UnicodeError):
            raise ModelFault(Fault.MISCONFIGURED) from None
        # The body is parsed here and not by the SDK, which hands out HTML as a string, fails
        # with JSONDecodeError on bad JSON, and lets absent fields pass for None.
        return read_completion(response.content)

    async def _connected(self) -> AsyncOpenAI:
        async with self._connecting:
            if self._client is None:
                # The import and the certificates would hold up the loop for a second.
                self._client = await asyncio.to_thread(self._connect)
            return self._client

    def _connect(self) -> AsyncOpenAI:
        import httpx2  # noqa: PLC0415 - see above
        import openai  # noqa: PLC0415 - see above

        from agent.models.bounded import at_most  # noqa: PLC0415 - imports httpx2

        limits = self._limits
        key = self._api_key.get_secret_value() if self._api_key else "none"
        if not _is_address(self._base_url):
            raise ModelFault(Fault.MISCONFIGURED)
        try:
            return openai.AsyncOpenAI(
                base_url=self._base_url,
                api_key=key,
                timeout=httpx2.Timeout(limits.read_timeout_s, connect=limits.connect_timeout_s),
                max_retries=limits.max_retries,
                default_headers={"Accept-Encoding": "identity"},
                http_client=openai.DefaultAsyncHttpxClient(
                    event_hooks={"response": [at_most(limits.max_reply_bytes)]},
                    follow_redirects=False,  # posts go to the server that the owner named
                ),
            )
        except (openai.OpenAIError, httpx2.InvalidURL, ValueError):
            raise ModelFault(Fault.MISCONFIGURED) from None


def _is_address(url: str) -> bool:
    """Whether a request can be sent there; the transport fails in ways of its own if not."""
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port beyond 65535, a bracket that is left open
        return False


def _simpler(error: APIStatusError, dialect: Dialect) -> Dialect:
    """The dialect to try next.

    Raises:
        ModelFault: The dialect is not to blame, or there is no simpler one.
    """
    status = error.status_code
    complaint = json.dumps(error.body, ensure_ascii=False).lower()
    if status in _WRONG_REQUEST or (status >= _FIRST_SERVER_ERROR and is_about_format(complaint)):
        if is_too_long(complaint):
            raise ModelFault(Fault.TOO_LONG, status=status)
        simpler = dialect.simpler(complaint)
        if simpler is not None:
            return simpler
    broken = Fault.BROKEN if status >= _FIRST_SERVER_ERROR else Fault.REJECTED
    raise ModelFault(_FAULTS.get(status, broken), status=status)


def _read(content: str, schema: dict[str, object]) -> tuple[object, str | None]:
    """The JSON of a reply, and what is wrong with it; None: nothing."""
    try:
        value = json_in(content)
    except ValueError:
        return None, "That is not valid JSON"
    problem = misfit(value, schema)
    return value, f"That JSON is wrong: {problem}" if problem else None


def _system(system: str, dialect: Dialect, schema: dict[str, object]) -> str:
    """The system message; it carries the schema where the server cannot enforce it."""
    if dialect.format == "json_schema":
        return system
    shape = json.dumps(schema, ensure_ascii=False, separators=(",", ":"))
    return f"{system}\n\nReply with one JSON object that follows this JSON Schema: {shape}"


def _response_format(dialect: Dialect, schema: dict[str, object]) -> ResponseFormat | None:
    if dialect.format == "json_schema":
        return {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": schema, "strict": True},
        }
    if dialect.format == "json_object":
        return {"type": "json_object"}
    return None
