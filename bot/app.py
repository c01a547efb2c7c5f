"""The composition root: opens everything the bot is made of, and runs it until it is stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import structlog
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import PRODUCTION, TelegramAPIServer
from aiogram.exceptions import (
    AiogramError,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramUnauthorizedError,
)
from aiogram.types import BotCommand
from aiogram.utils.token import TokenValidationError

from bot.answering import Answering
from bot.delivery import Delivery
from bot.errors import TelegramUnreachable, TokenUnusable
from bot.handlers import make_dispatcher
from bot.inbox import Inbox
from bot.jobs import Jobs
from bot.lock import only_bot
from bot.outgoing import Outgoing
from bot.polling import Polling
from bot.redaction import redact
from bot.replies import Replies
from bot.services import AgentServices, App
from bot.texts import texts
from ingest.settings import Settings

OpenAgent = Callable[[Settings], AbstractAsyncContextManager[AgentServices]]

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long things may take, in seconds, and how much is done at once.

    Attributes:
        grace_s: What answers in flight get to finish when the process is stopped; service
            managers kill after 10 (Docker, unless told otherwise) to 90 (systemd).
        agent_slack_s: What the agent gets on top of its own deadline before it counts as hung.
        backoff_s: The first pause after a failure; later ones double.
        calls_per_s, chat_calls_per_s: Pace of calls to Telegram, overall and in one chat.
        established_s: A bot that has polled so long stays when another one polls too.
    """

    grace_s: float = 15.0
    poll_s: int = 30
    request_s: float = 20.0
    agent_slack_s: float = 30.0
    backoff_s: float = 1.0
    count_workers: int = 4
    calls_per_s: float = 25.0
    chat_calls_per_s: float = 1.0
    established_s: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningBot:
    """The bot, opened: `run` answers until `stop` is set."""

    app: App
    polling: Polling
    jobs: Jobs
    limits: Limits
    stop: asyncio.Event

    async def run(self) -> None:
        """Polls and answers; after `stop` answers in flight get their grace, then it returns.

        Raises:
            BotError: Another poller took over, or the token was revoked.
        """
        parts = (
            asyncio.create_task(self.polling.run(self.stop)),
            asyncio.create_task(self.jobs.run(self.stop)),
        )
        try:
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.stop.set()
            _, late = await asyncio.wait(parts, timeout=self.limits.grace_s)
            for part in late:
                part.cancel()
            await asyncio.wait(parts)
        for part in parts:
            if not part.cancelled():
                part.result()
        log.info("bot.stopped", unfinished=await self.app.inbox.count_unfinished())


async def run_bot(
    settings: Settings, *, open_agent: OpenAgent | None = None, limits: Limits | None = None
) -> int:
    """Runs the bot until SIGTERM or SIGINT.

    Questions that are not answered by then stay in the inbox for the next start.

    Returns:
        0, the process's exit code: it was asked to stop, and did.

    Raises:
        BotError: It cannot run; the message is for the owner.
        ArchiveError: The archive cannot be opened.
    """
    async with open_bot(settings, open_agent=open_agent, limits=limits) as bot:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, bot.stop.set)
        try:
            await bot.run()
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)
    return 0


@asynccontextmanager
async def open_bot(
    settings: Settings, *, open_agent: OpenAgent | None = None, limits: Limits | None = None
) -> AsyncIterator[RunningBot]:
    """Opens the bot and checks that it can work; see `run_bot` for the errors.

    Tests pass an `open_agent` of their own; everything else stays what it is.
    """
    limits = limits or Limits()
    outgoing = Outgoing(calls_per_s=limits.calls_per_s, chat_calls_per_s=limits.chat_calls_per_s)
    async with (
        only_bot(settings.data_dir),
        _open_telegram(settings, outgoing, limits) as telegram,
        (open_agent or _default_agent())(settings) as services,
    ):
        inbox, replies = Inbox(services.database), Replies(services.database)
        app = App(settings=settings, inbox=inbox, archive=services.archive)
        answering = Answering(
            services.answer,
            zone=settings.zone,
            deadline_s=settings.answer_deadline_s + limits.agent_slack_s,
            language=None if settings.language == "auto" else settings.language,
        )
        jobs = Jobs(
            inbox=inbox,
            replies=replies,
            delivery=Delivery(telegram, replies),
            outgoing=outgoing,
            answering=answering,
            count_workers=limits.count_workers,
            first_backoff_s=limits.backoff_s,
        )
        polling = Polling(
            telegram,
            make_dispatcher(app),
            timeout_s=limits.poll_s,
            backoff_s=limits.backoff_s,
            established_s=limits.established_s,
        )
        await _prepare(telegram)
        log.info("bot.started", unfinished=await inbox.count_unfinished())
        yield RunningBot(app=app, polling=polling, jobs=jobs, limits=limits, stop=asyncio.Event())


def _default_agent() -> OpenAgent:
    # Loading the agent takes seconds and gigabytes: not before the token is known to be good.
    from agent.wiring import open_agent  # noqa: PLC0415

    return open_agent


@asynccontextmanager
async def _open_telegram(
    settings: Settings, outgoing: Outgoing, limits: Limits
) -> AsyncIterator[Bot]:
    """A client whose token Telegram has just accepted."""
    if settings.bot_token is None:
        raise TokenUnusable("is missing")
    server = PRODUCTION
    if settings.bot_api_url:
        server = TelegramAPIServer.from_base(settings.bot_api_url)
    # Reading the certificates takes a while: not on the event loop.
    session = await asyncio.to_thread(AiohttpSession, api=server, timeout=limits.request_s)
    session.middleware(outgoing)
    try:
        yield await _accepted(settings.bot_token.get_secret_value().strip(), session)
    finally:
        await session.close()


async def _accepted(token: str, session: AiohttpSession) -> Bot:
    try:
        bot = Bot(token, session=session)
        await bot.get_me()
    except TokenValidationError:
        raise TokenUnusable("is not one: it should look like 123456789:AbC...") from None
    except (TelegramUnauthorizedError, TelegramNotFound):  # 404: not even the form is right
        raise TokenUnusable("is not accepted by Telegram") from None
    except TelegramNetworkError as error:
        raise TelegramUnreachable(redact(error.message)) from None
    except AiogramError as error:
        raise TelegramUnreachable(type(error).__name__) from None
    return bot


async def _prepare(bot: Bot) -> None:
    """Switches to polling and fills the menu; a menu that stays as it was is no reason to stop."""
    try:
        await bot.delete_webhook(drop_pending_updates=False)
        for language in (None, "ru"):
            commands = [
                BotCommand(command=command, description=description)
                for command, description in texts(language or "en").COMMANDS
            ]
            await bot.set_my_commands(commands, language_code=language)
    except AiogramError as error:
        log.warning("bot.menu_not_set", error=type(error).__name__, why=redact(str(error)))
