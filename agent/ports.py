"""What the agent needs from the outside, as small as it can be said."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from agent.types import Coverage, Draft, Evidence, Plan, Question
from ingest.index.request import Place, SearchRequest, SearchResult
from ingest.types import Channel, ChannelId, Message, MessageRef


class Search(Protocol):
    """Hybrid search over the archive's passages."""

    async def __call__(self, request: SearchRequest) -> SearchResult:
        """Finds passages.

        Raises:
            ArchiveError: The index cannot be reached.
        """


class Archive(Protocol):
    """Reading posts back."""

    async def channels(self) -> Sequence[Channel]:
        """Every channel of the archive."""

    async def messages(self, refs: Collection[MessageRef]) -> dict[MessageRef, Message]:
        """The live messages among `refs`; deleted and unknown ones are absent."""

    async def coverage(self, channels: Collection[ChannelId] | None) -> Coverage:
        """What the archive holds of some channels; None: of all."""

    async def copies(
        self, refs: Collection[MessageRef], channels: Collection[ChannelId]
    ) -> Mapping[MessageRef, Collection[MessageRef]]:
        """Where else, among some channels, the archive has each of some posts; see `fold`."""


class Planner(Protocol):
    """Understanding a question."""

    def __call__(
        self, question: Question, channels: Sequence[Channel], *, dated: bool = True
    ) -> Plan:
        """The plan of a question over the channels that the asker may see. CPU work only.

        Args:
            question: What is asked.
            channels: Those that the asker may see.
            dated: False takes dates for a part of what is asked, not for the posts' period.
        """


class Similarity(Protocol):
    """Comparing texts with a question by meaning."""

    async def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float] | None:
        """Cosines in the order of `texts`; None where there is no encoder.

        Raises:
            ArchiveError: The index cannot be reached.
        """


class LateInteraction(Protocol):
    """Comparing passages with a question word by word, by meaning in context."""

    async def __call__(self, question: str, places: Sequence[Place]) -> Sequence[float | None]:
        """Scores in [-1, 1] in the order of `places`; None for passages that have none.

        Raises:
            ArchiveError: The index cannot be reached.
        """


class Drafter(Protocol):
    """Turns evidence into claims."""

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        """Drafts claims that cite the evidence by its ids.

        Raises:
            ModelUnavailable: Only drafters that call a model: the caller falls back.
        """


class ChatModel(Protocol):
    """One structured exchange with a language model."""

    async def complete(self, *, system: str, user: str, schema: dict[str, object]) -> object:
        """The model's reply as parsed JSON that follows `schema` (checked by the caller).

        Raises:
            ModelUnavailable: It does not answer, or answers with something else.
        """
