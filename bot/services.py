"""What handlers work with: one typed object in the dispatcher's workflow data."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol

from agent.ports import Archive
from agent.types import Answer, Question, Refusal
from bot.inbox import Inbox
from ingest.settings import Settings
from ingest.store.engine import Database


class Answerer(Protocol):
    """The agent, as the bot sees it."""

    def __call__(self, question: Question) -> Awaitable[Answer | Refusal]:
        """Answers, or says why not."""
        ...


class AgentServices(Protocol):
    """What is behind the bot; `agent.wiring.open_agent` opens it."""

    @property
    def answer(self) -> Answerer:
        """Question in, answer or refusal out."""
        ...

    @property
    def archive(self) -> Archive:
        """Reads posts and channels back."""
        ...

    @property
    def database(self) -> Database:
        """Where the inbox lives too."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything a handler may need; handlers take it as ``app``."""

    settings: Settings
    inbox: Inbox
    archive: Archive
