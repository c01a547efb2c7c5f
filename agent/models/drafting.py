"""Answers with a language model's sentences, each tied to the posts it was given."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC

import structlog

from agent.errors import ModelUnavailable
from agent.models.claims import MAX_CLAIMS, read_claims
from agent.models.faults import Fault, ModelFault
from agent.models.posts import CHARS_PER_TOKEN, prompt_text, shortened, write_posts
from agent.ports import ChatModel, Drafter
from agent.prompts import load_prompt
from agent.types import Draft, Evidence, Plan, Question

log = structlog.get_logger(__name__)

PURPOSE = "draft"
_MAX_QUESTION_CHARS = 1_000
_MARKER_BYTES = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A prompt as it is sent, and the evidence that found room in it, in its order."""

    system: str
    user: str
    evidence: tuple[Evidence, ...]
    digest: str
    """Of the prompt's wording."""


class LlmDrafter:
    """A `Drafter` that lets a model phrase the answer and believes it nothing.

    Args:
        prompt_tokens: Of the whole prompt, estimated; the weakest posts are cut or left out.
        new_marker: Makes the word that fences the posts in: one that no post can know.
    """

    def __init__(
        self,
        chat: ChatModel,
        *,
        prompt_tokens: int = 3_000,
        new_marker: Callable[[], str] = lambda: secrets.token_hex(_MARKER_BYTES),
    ) -> None:
        self._chat, self._prompt_tokens, self._new_marker = chat, prompt_tokens, new_marker

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        """Claims that cite only what was given; none and ``complete=False`` if it says so.

        Raises:
            ModelUnavailable: There is no usable reply: the caller falls back.
        """
        rendered = await asyncio.to_thread(self.render, question, plan, evidence)
        if not rendered.evidence:
            return _refusal()
        log.debug("draft.asking", prompt=rendered.digest, count_posts=len(rendered.evidence))
        reply = await self._chat.complete(
            system=rendered.system, user=rendered.user, schema=reply_schema(rendered.evidence)
        )
        return await asyncio.to_thread(read_draft, reply, rendered.evidence)

    def render(self, question: Question, plan: Plan, evidence: Sequence[Evidence]) -> Rendered:
        """The prompt of a question; the same marker gives the same prompt. CPU work only."""
        prompt = load_prompt(PURPOSE, plan.language)
        marker = self._new_marker()
        asked = plan.queries[0] if question.history and plan.queries else question.text
        asked = shortened(prompt_text(asked).replace("\n", " "), _MAX_QUESTION_CHARS)
        around = len(prompt.system) + len(prompt.user.template) + len(asked)
        posts, kept = write_posts(
            evidence,
            marker=marker,
            max_tokens=self._prompt_tokens - around // CHARS_PER_TOKEN,
            zone=question.now.tzinfo or UTC,
        )
        user = prompt.user.substitute(
            marker=marker,
            posts=posts,
            asked_on=question.now.date().isoformat(),
            question=asked,
        )
        return Rendered(system=prompt.system, user=user, evidence=kept, digest=prompt.digest)


class FallingBack:
    """A `Drafter` that asks a model first and does without it when it fails.

    Args:
        model: May raise `ModelUnavailable`.
        instead: May not.
    """

    def __init__(self, model: Drafter, *, instead: Drafter) -> None:
        self._model, self._instead = model, instead

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        """The model's draft, or the other's with a sentence in ``errors`` that says why."""
        try:
            return await self._model(question, plan, evidence)
        except ModelUnavailable as error:
            failure = error
        draft = await self._instead(question, plan, evidence)
        return replace(draft, errors=(*draft.errors, _apology(failure, plan)))


def reply_schema(evidence: Sequence[Evidence]) -> dict[str, object]:
    """The JSON Schema of a reply: ids come from a closed list.

    The quote stands first: a model that writes from left to right then names the post that it
    has just copied from, and phrases what it has copied.
    """
    claim = {
        "type": "object",
        "properties": {
            "quote": {"type": "string"},
            "evidence": {
                "type": "array",
                "items": {"type": "string", "enum": [str(one.id) for one in evidence]},
            },
            "text": {"type": "string"},
        },
        "required": ["quote", "evidence", "text"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {
            "answerable": {"type": "boolean"},
            "claims": {"type": "array", "items": claim, "maxItems": MAX_CLAIMS},
        },
        "required": ["answerable", "claims"],
        "additionalProperties": False,
    }


def read_draft(reply: object, evidence: Sequence[Evidence]) -> Draft:
    """A model's reply as a draft: what it may not say is left out.

    Raises:
        ModelUnavailable: The reply has another shape than `reply_schema`.
    """
    claims = reply.get("claims") if isinstance(reply, dict) else None
    if not isinstance(reply, dict) or not isinstance(claims, list):
        raise ModelFault(Fault.MALFORMED)
    if reply.get("answerable") is not True:
        return _refusal()
    kept = read_claims(claims, evidence)
    log.debug("draft.read", count_claims=len(claims), count_kept=len(kept))
    # "Answerable" and not one claim that holds: small models refuse in this way.
    return Draft(claims=kept, mode="llm") if kept else _refusal()


def _refusal() -> Draft:
    return Draft(claims=(), mode="llm", complete=False)


def _apology(error: ModelUnavailable, plan: Plan) -> str:
    if plan.language == "ru":
        reason = error.sentence("ru") if isinstance(error, ModelFault) else "модель недоступна"
        return f"Ответ составлен из цитат без языковой модели: {reason}."
    reason = error.sentence("en") if isinstance(error, ModelFault) else "it is unavailable"
    return f"The answer is made of quotes without the language model: {reason}."
