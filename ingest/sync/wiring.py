"""Opens the Telegram account and what syncing needs, from settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ingest.settings import Settings
from ingest.sources.telegram.account import Account, account_settings, open_account
from ingest.sources.telegram.channels import TelegramDirectory
from ingest.sources.telegram.files import TelegramFiles
from ingest.sources.telegram.reading import TelegramHistory
from ingest.sources.telegram.takeout import Takeout
from ingest.sources.telegram_errors import SessionLost
from ingest.store.engine import Database
from ingest.store.floods import FloodStore
from ingest.store.sync_status import note_session
from ingest.sync.channel import Step
from ingest.sync.clock import SystemClock
from ingest.sync.files import FileReader
from ingest.sync.gate import Gate, Waiting
from ingest.sync.syncer import Syncer


@dataclass(frozen=True, slots=True, kw_only=True)
class Syncing:
    """An open account and the syncer that uses it."""

    account: Account
    directory: TelegramDirectory
    syncer: Syncer


@asynccontextmanager
async def open_syncing(
    settings: Settings,
    database: Database,
    *,
    max_wait_s: float | None = None,
    on_step: Callable[[Step], None] | None = None,
    on_wait: Callable[[Waiting], None] | None = None,
    on_no_takeout: Callable[[str], None] | None = None,
) -> AsyncIterator[Syncing]:
    """Opens the account of the settings over an open database.

    That the session was ended is remembered, so that `citegram status` and the bot can tell.

    Args:
        max_wait_s: The longest wait of Telegram's that is sat out; None: as in the settings.
        on_no_takeout: Read through a takeout session, and say by this why there is none.

    Raises:
        TelegramError: The account cannot be used; the message says why and what to do.
    """
    gate = Gate(
        FloodStore(database),
        SystemClock(),
        pause_s=settings.sync_pause_s,
        max_wait_s=settings.sync_max_wait_s if max_wait_s is None else max_wait_s,
        on_wait=on_wait,
    )
    await gate.load()
    try:
        async with open_account(account_settings(settings)) as account:
            await note_session(database, None)
            directory, takeout = TelegramDirectory(account), Takeout(account)
            max_bytes = settings.sync_max_file_mb * 1_000_000
            files = FileReader(database, TelegramFiles(account), gate, max_bytes=max_bytes)
            syncer = Syncer(
                database,
                TelegramHistory(takeout),
                directory,
                gate,
                files=files if max_bytes else None,
                on_step=on_step,
            )
            if on_no_takeout and (why_not := await takeout.begin()) is not None:
                on_no_takeout(why_not)
            yield Syncing(account=account, directory=directory, syncer=syncer)
            await takeout.finish(success=not gate.is_stopping)
    except SessionLost as error:
        await note_session(database, str(error))
        raise
