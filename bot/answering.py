"""Asks the agent and turns whatever comes back, failures included, into a reply to store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from zoneinfo import ZoneInfo

import structlog

from agent.errors import AgentError
from agent.types import Answer, Question, Refusal
from bot.redaction import where
from bot.render import render
from bot.texts import Language, texts
from bot.types import Letter, Outcome, Part, StoredReply
from ingest.errors import ArchiveError

log = structlog.get_logger(__name__)

Agent = Callable[[Question], Awaitable[Answer | Refusal]]


class Answering:
    """Question in, reply out; never silence.

    Attributes:
        deadline_s: The agent keeps its own deadline; this one is for an agent that hangs.
        language: Of all answers; None: each question's.
    """

    def __init__(
        self, agent: Agent, *, zone: ZoneInfo, deadline_s: float, language: Language | None
    ) -> None:
        self._agent, self._zone = agent, zone
        self.deadline_s, self.language = deadline_s, language

    async def __call__(self, letter: Letter) -> StoredReply:
        """What to say to `letter`: an answer, a refusal, or an error in plain words."""
        words, started = texts(letter.language), monotonic()
        question = Question(
            text=letter.question,
            now=letter.asked_at.astimezone(self._zone),
            language=self.language,
        )
        try:
            async with asyncio.timeout(self.deadline_s):
                answer = await self._agent(question)
            reply = _stored(answer, self._zone)
        except TimeoutError:
            reply = error_reply("deadline", words.TOOK_TOO_LONG)
        except (ArchiveError, AgentError) as error:
            log.warning("letter.unanswerable", letter=letter.inbox_id, error=_name(error))
            reply = error_reply("unavailable", words.ARCHIVE_UNAVAILABLE)
        except Exception as error:  # noqa: BLE001 - whatever broke, the asker hears of it
            log.error(  # noqa: TRY400 - a traceback may quote posts; the place is enough
                "letter.answer_failed", letter=letter.inbox_id, error=_name(error), at=where(error)
            )
            reply = error_reply("failed", words.SOMETHING_BROKE)
        log.info(
            "letter.answered",
            letter=letter.inbox_id,
            outcome=reply.outcome.value,
            reason=reply.reason,
            parts=len(reply.parts),
            took_ms=round((monotonic() - started) * 1000),
        )
        return reply


def error_reply(reason: str, text: str) -> StoredReply:
    """A plain sentence instead of an answer."""
    return StoredReply(outcome=Outcome.ERROR, parts=(Part(text),), reason=reason)


def _stored(answer: Answer | Refusal, zone: ZoneInfo) -> StoredReply:
    parts = render(answer, zone)
    if isinstance(answer, Refusal):
        return StoredReply(
            outcome=Outcome.REFUSED,
            parts=parts,
            reason=answer.reason.value,
            cited=tuple((c.channel.channel_id, c.message_id) for c in answer.nearest),
        )
    return StoredReply(
        outcome=Outcome.ANSWERED,
        parts=parts,
        confidence=answer.confidence,
        cited=tuple((c.channel.channel_id, c.message_id) for c in answer.citations),
    )


def _name(error: BaseException) -> str:
    return type(error).__name__
