"""Examines an installation: settings, files, archive, index. Changes nothing."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import text

from ingest.errors import ArchiveError, IndexUnavailable
from ingest.settings import Settings
from ingest.store.engine import Database
from ingest.wiring import ArchiveServices, open_archive


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at, and one sentence on it."""

    about: str
    state: Literal["ok", "missing", "broken"]
    says: str


async def examine(settings: Settings) -> tuple[list[Finding], dict[str, Any] | None]:
    """Looks at everything; the second value has the figures of the index, if it could be read."""
    findings = [*_settings(settings), *await asyncio.to_thread(_files, settings)]
    audit: dict[str, Any] | None = None
    try:
        async with open_archive(settings) as services:
            findings.append(await _database(services.database))
            findings.append(await _archive(services))
            index, audit = await _index(services)
            findings += index
    except ArchiveError as error:
        findings.append(Finding("database", "broken", str(error)))
    return findings, audit


def _settings(settings: Settings) -> list[Finding]:
    """What is configured, and what its absence means."""
    found = [Finding("data", "ok", f"everything is in {settings.data_dir.absolute()}")]
    if settings.bot_token is None:
        found.append(Finding("bot", "missing", "set CITEGRAM_BOT_TOKEN to run `citegram bot`"))
    elif not settings.owner_ids:
        found.append(
            Finding("bot", "missing", "set CITEGRAM_OWNER_IDS: without it the bot serves nobody")
        )
    else:
        found.append(Finding("bot", "ok", f"{len(settings.owner_ids)} owners"))
    if settings.llm_base_url is None:
        found.append(
            Finding("model", "missing", "answers quote posts; CITEGRAM_LLM_BASE_URL adds a model")
        )
    else:
        name = settings.llm_model or "the server's only model"
        found.append(Finding("model", "ok", f"{name} at {settings.llm_base_url}"))
    return found


def _files(settings: Settings) -> list[Finding]:
    """Secrets that other users of the machine could read."""
    env = Path(".env")
    if not env.is_file():
        return []
    if stat.S_IMODE(env.stat().st_mode) & (stat.S_IRGRP | stat.S_IROTH) and _has_secrets(settings):
        return [Finding(".env", "broken", "others can read it: chmod 600 .env")]
    return [Finding(".env", "ok", "only you can read it")]


def _has_secrets(settings: Settings) -> bool:
    return any((settings.bot_token, settings.llm_api_key, settings.qdrant_api_key))


async def _database(database: Database) -> Finding:
    if not database.is_sqlite:
        return Finding("database", "ok", "another server than SQLite")
    async with database.reading() as connection:
        said = (await connection.execute(text("PRAGMA quick_check(3)"))).scalars().all()
    if list(said) != ["ok"]:
        return Finding("database", "broken", f"damaged: {said[0]}; restore a backup")
    return Finding("database", "ok", f"{database.path} is sound")


async def _archive(services: ArchiveServices) -> Finding:
    held = await services.archive.status()
    if not held:
        return Finding("archive", "missing", "no channels yet: citegram import PATH")
    count = sum(one.count_messages for one in held)
    failures = sum(one.count_failures for one in held)
    says = f"{count:,} posts in {len(held)} channels"
    return Finding("archive", "ok", says + (f", {failures:,} failures" if failures else ""))


async def _index(services: ArchiveServices) -> tuple[list[Finding], dict[str, Any] | None]:
    try:
        status = await services.index.status()
        audit = await services.index.audit()
    except IndexUnavailable as error:
        return [Finding("index", "broken", str(error))], None
    differs = {name: audit[name] for name in ("missing", "ghost", "stale") if audit[name]}
    figures = (
        f"missing/ghost/stale {audit['missing']}/{audit['ghost']}/{audit['stale']} of "
        f"{audit['passages']:,} passages; {audit['pending']:,} posts are queued for their words, "
        f"{audit['without_vector']:,} passages wait for their vectors"
    )
    fix = "; `citegram reindex` mends it" if differs else ""
    found = [Finding("index", "broken" if differs else "ok", figures + fix)]
    if status.encoder:
        found.append(Finding("encoder", "ok", status.encoder))
    elif status.why_not_dense:
        found.append(Finding("encoder", "broken", status.why_not_dense))
    else:
        found.append(Finding("encoder", "missing", "search by words only, as configured"))
    return found, dict(audit)
