"""An agent that says what a test tells it to, over a real database file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from agent.types import Answer, Citation, CitedClaim, Coverage, Question, Refusal
from ingest.settings import Settings
from ingest.store import schema
from ingest.store.engine import Database, open_database
from ingest.types import Channel, ChannelId, Message, MessageId, MessageRef

HABR = Channel(channel_id=ChannelId(1), title="Хабр", username="habr")
CLOSED = Channel(channel_id=ChannelId(77), title="Закрытый чат")
POSTED_AT = datetime(2024, 10, 7, 9, tzinfo=UTC)

Script = Callable[[Question], Awaitable[Answer | Refusal]]


def citation(
    number: int = 1, *, channel: Channel = HABR, quote: str = "Вышел Python."
) -> Citation:
    """A footnote to post number × 100."""
    message_id = MessageId(number * 100)
    return Citation(
        number=number,
        channel=channel,
        message_id=message_id,
        posted_at=POSTED_AT,
        url=channel.link(message_id),
        quote=quote,
    )


def answer_to(question: Question) -> Answer:
    """An answer that names its question, so that a test can tell whose it is."""
    return Answer(
        claims=(CitedClaim(text=f"Ответ на «{question.text}».", citations=(1,)),),
        citations=(citation(),),
        confidence=0.9,
    )


async def answer_at_once(question: Question) -> Answer:
    """The simplest script."""
    return answer_to(question)


@dataclass
class FixedArchive:
    """An archive with two channels and no posts."""

    held: tuple[Channel, ...] = (HABR, CLOSED)

    async def channels(self) -> Sequence[Channel]:
        return self.held

    async def messages(self, refs: Collection[MessageRef]) -> dict[MessageRef, Message]:
        del refs
        return {}

    async def coverage(self, channels: Collection[ChannelId] | None) -> Coverage:
        del channels
        return Coverage(
            posted_from=POSTED_AT, posted_to=POSTED_AT, synced_at=POSTED_AT, count_messages=12345
        )


@dataclass
class ScriptedServices:
    """What `open_bot` expects of an agent."""

    script: Script
    database: Database
    archive: FixedArchive = field(default_factory=FixedArchive)
    asked: list[Question] = field(default_factory=list)

    async def answer(self, question: Question) -> Answer | Refusal:
        """Plays the script."""
        self.asked.append(question)
        return await self.script(question)


def scripted(
    script: Script = answer_at_once, *, opened: list[ScriptedServices] | None = None
) -> Callable[[Settings], AbstractAsyncContextManager[ScriptedServices]]:
    """An `open_agent` for tests; the services it opens are put into `opened`."""

    @asynccontextmanager
    async def open_agent(settings: Settings) -> AsyncIterator[ScriptedServices]:
        async with open_database(settings.database_path) as database:
            await schema.upgrade(database)
            services = ScriptedServices(script, database)
            if opened is not None:
                opened.append(services)
            yield services

    return open_agent
