"""Builds the agent over an open archive: used by `citegram ask` and by the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from agent.answering import Agent, Limits
from agent.dates import find_dates
from agent.models.extractive import ExtractiveDrafter
from agent.ports import Drafter, Planner
from agent.stages.plan import RulePlanner
from agent.stages.rerank import RerankLimits, RerankWeights
from agent.stages.retrieve import Fusion
from agent.types import Coverage
from ingest.index.client import IndexClient
from ingest.settings import Settings
from ingest.store import archive as store
from ingest.store.engine import Database
from ingest.store.stories import Stories
from ingest.types import Channel, ChannelId, Message, MessageRef
from ingest.wiring import open_archive

_MODEL_SHARE = 0.8
"""Of the time for an answer, for the model: the rest is for the answer without it."""


class ArchiveReader:
    """The archive as the agent sees it."""

    def __init__(self, archive: store.Archive) -> None:
        self._archive = archive
        self._stories = Stories(archive.database)

    async def channels(self) -> Sequence[Channel]:
        """Every channel of the archive."""
        return await self._archive.channels()

    async def messages(self, refs: Collection[MessageRef]) -> dict[MessageRef, Message]:
        """The live messages among `refs`."""
        return await self._archive.messages(refs)

    async def coverage(self, channels: Collection[ChannelId] | None) -> Coverage:
        """What is held of some channels; None: of all."""
        status = await self._archive.status()
        held, everything = store.taken_together(status, channels), store.taken_together(status)
        if held is None or everything is None:
            return Coverage()
        backlog = await self._archive.backlog()
        waiting = backlog.count_text + backlog.count_vector
        return Coverage(
            posted_from=held.posted_from,
            posted_to=held.posted_to,
            synced_at=held.synced_at,
            count_messages=held.count_messages,
            embedded_share=max(0.0, 1 - waiting / everything.count_messages),
        )

    async def copies(
        self, refs: Collection[MessageRef], channels: Collection[ChannelId]
    ) -> Mapping[MessageRef, Collection[MessageRef]]:
        """Where else, among some channels, the archive has each of some posts."""
        return await self._stories.copies(refs, channels)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentServices:
    """The agent and what it reads from."""

    answer: Agent
    archive: ArchiveReader
    store: store.Archive
    database: Database
    index: IndexClient


@asynccontextmanager
async def open_agent(
    settings: Settings,
    *,
    drafter: Drafter | None = None,
    planner: Planner | None = None,
    fusion: Fusion = Fusion(),
    weights: RerankWeights = RerankWeights(),
    rerank_limits: RerankLimits = RerankLimits(),
) -> AsyncIterator[AgentServices]:
    """Opens the archive that the settings name, and an agent over it.

    Args:
        drafter: Instead of the one that the settings mean; for tests.
        planner, fusion, weights, rerank_limits: Instead of the measured ones; for measuring.

    Raises:
        ArchiveError: The archive cannot be used.
    """
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(open_archive(settings))
        if drafter is None:
            drafter = await _drafter(settings, services.index, stack)
        reader = ArchiveReader(services.archive)
        agent = Agent(
            planner=planner or RulePlanner(find_dates),
            search=services.index,
            archive=reader,
            drafter=drafter,
            plain=ExtractiveDrafter(services.index.similarity),
            limits=Limits(deadline_s=settings.answer_deadline_s),
            fusion=fusion,
            late=services.index.late if settings.reranker == "late" else None,
            weights=weights,
            rerank_limits=rerank_limits,
        )
        yield AgentServices(
            answer=agent,
            archive=reader,
            store=services.archive,
            database=services.database,
            index=services.index,
        )


async def _drafter(settings: Settings, index: IndexClient, stack: AsyncExitStack) -> Drafter:
    """Extractive; behind a model, if one is configured."""
    extractive = ExtractiveDrafter(index.similarity)
    if not settings.llm_base_url:
        return extractive
    from agent.models.chat import ChatLimits, OpenAiChat  # noqa: PLC0415 - loads openai
    from agent.models.drafting import FallingBack, LlmDrafter  # noqa: PLC0415

    chat = OpenAiChat(
        base_url=settings.llm_base_url,
        # Servers of one model take any name for it.
        model=settings.llm_model or "default",
        api_key=settings.llm_api_key,
        limits=ChatLimits(deadline_s=settings.answer_deadline_s * _MODEL_SHARE),
    )
    stack.push_async_callback(chat.aclose)
    return FallingBack(LlmDrafter(chat), instead=extractive)
