"""Whole paths: an export in, footnoted answers out, through the real index process."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agent.types import Answer, Question, Refusal, RefusalReason
from agent.wiring import AgentServices, open_agent
from bot.cli import main
from bot.sample import sample_folder
from ingest.index.lifecycle import find_running, stop
from ingest.pipeline import Importer, ImportReport
from ingest.settings import Settings
from ingest.sources.exports import find_exports
from ingest.store.archive import utc_now
from ingest.types import Channel

pytestmark = pytest.mark.processes

ASKED_AT = datetime(2026, 10, 1, 9, tzinfo=UTC)


@pytest.fixture(autouse=True)
async def _no_process_left(settings: Settings) -> AsyncIterator[None]:
    yield
    await stop(settings.data_dir)


def renamed(channel: Channel, username: str) -> Channel:
    return replace(channel, username=username)


async def import_sample(settings: Settings, services: AgentServices) -> list[ImportReport]:
    importer = Importer(services.database, zone=settings.zone, clock=utc_now)
    paths = await asyncio.to_thread(find_exports, sample_folder())
    return [
        await importer(path, rename=partial(renamed, username=path.parent.name)) for path in paths
    ]


async def until_indexed(services: AgentServices) -> None:
    async with asyncio.timeout(60):
        while True:
            status = await services.index.status()
            if not (status.count_text or status.count_vector):
                return
            await asyncio.sleep(0.05)


@pytest.fixture
async def services(settings: Settings) -> AsyncIterator[AgentServices]:
    """The sample archive, imported and indexed."""
    async with open_agent(settings) as opened:
        await import_sample(settings, opened)
        await until_indexed(opened)
        yield opened


def asked(text: str) -> Question:
    return Question(text=text, now=ASKED_AT)


async def test_questions_get_footnotes_or_reasons(services: AgentServices) -> None:
    """A fact is cited, an unknown channel and an empty question are refused."""
    answer = await services.answer(asked("Сколько дней длилась реконструкция Паромного моста?"))
    assert isinstance(answer, Answer)
    assert "250 дней" in " ".join(claim.text for claim in answer.claims)
    assert all(claim.citations for claim in answer.claims)
    assert {"verhneozersk_live"} == {one.channel.username for one in answer.citations}

    unknown = await services.answer(asked("Что писал @nobody_knows_it про мост?"))
    assert isinstance(unknown, Refusal)
    assert RefusalReason.UNKNOWN_CHANNEL is unknown.reason

    empty = await services.answer(asked("   "))
    assert isinstance(empty, Refusal)
    assert RefusalReason.EMPTY_QUESTION is empty.reason


async def test_filters_hold_for_every_hit(services: AgentServices) -> None:
    found = await services.answer.find(asked("Что писал канал «Дом Гагары» в августе 2026?"))
    assert not isinstance(found, Refusal)
    assert found.stories
    leads = [one for story in found.stories for one in (story.lead, *story.others)]
    assert {"dom_gagary"} == {one.channel.username for one in leads}
    assert {(2026, 8)} == {
        (m.posted_at.year, m.posted_at.month) for m in (o.message for o in leads)
    }


async def test_a_scope_hides_the_other_channels(services: AgentServices) -> None:
    """An asker who may see one channel gets nothing of the others, not even their names."""
    channels = {channel.username: channel for channel in await services.archive.channels()}
    question = replace(
        asked("Сколько дней длилась реконструкция Паромного моста?"),
        scope=frozenset({channels["solva_dengi"].channel_id}),
    )
    reply = await services.answer(question)
    cited = reply.citations if isinstance(reply, Answer) else reply.nearest
    assert {"solva_dengi"} >= {one.channel.username for one in cited}


async def test_a_period_before_the_archive_is_said(services: AgentServices) -> None:
    reply = await services.answer(asked("Что писали новости в 2019 году про мост?"))
    assert isinstance(reply, Refusal)
    assert RefusalReason.OUTSIDE_COVERAGE is reply.reason


async def test_importing_again_adds_nothing(settings: Settings, services: AgentServices) -> None:
    reports = await import_sample(settings, services)
    channels = [one for report in reports for one in report.channels]
    assert [(0, 0, 0)] * 5 == [(one.added, one.updated, one.failed) for one in channels]


async def test_index_and_archive_agree_after_kills(
    settings: Settings, services: AgentServices
) -> None:
    """Killed in the middle of a reindex, again and again, the index is whole in the end."""
    for _ in range(3):
        await services.index.reindex()
        running = await find_running(settings.data_dir)
        assert running is not None
        os.kill(running.pid, signal.SIGKILL)
    await until_indexed(services)
    audit = await services.index.audit()
    assert (0, 0, 0, 0) == tuple(audit[k] for k in ("missing", "ghost", "stale", "without_vector"))
    assert audit["passages"] > 250


async def test_another_encoder_is_refused_until_reindexed(
    settings: Settings, services: AgentServices, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Over another encoder's index search goes on by words, and says why."""
    await stop(settings.data_dir)
    monkeypatch.setenv("CITEGRAM_EMBEDDER", str(tmp_path / "no-such-model"))
    found = await services.answer.find(asked("Паромный мост"))
    assert not isinstance(found, Refusal)
    assert found.stories
    assert "semantic search is off" in found.errors[0]


# --- the command line


def citegram(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="citegram")


def test_the_command_line_from_import_to_answer(settings: Settings, tmp_path: Path) -> None:
    """import, channels, search, ask, export, doctor: one after the other, as a user would."""
    imported = citegram("import", str(sample_folder()), "--username-from-folder", "--json")
    assert 0 == imported.exit_code, imported.output
    summary = json.loads(imported.stdout)["channels"]
    assert 317 == sum(one["messages"] for one in summary)
    assert all(one["messages"] == one["added"] + sum(one["skipped"].values()) for one in summary)

    channels = json.loads(citegram("channels", "--json").stdout)["channels"]
    assert 5 == len(channels)
    assert 0 == citegram("reindex").exit_code

    hits = json.loads(citegram("search", "реконструкция моста", "--json").stdout)
    assert hits["hits"][0]["url"].startswith("https://t.me/")

    answer = citegram("ask", "Сколько дней длилась реконструкция моста?", "--json")
    reply = json.loads(answer.stdout)
    assert (0, "answered") == (answer.exit_code, reply["status"])
    assert {"n", "channel", "message_id", "posted_at", "url", "quote"} <= reply["citations"][
        0
    ].keys()

    refused = citegram("ask", "Что писал @nobody_knows_it?", "--json")
    assert (3, "refused") == (refused.exit_code, json.loads(refused.stdout)["status"])

    out = tmp_path / "back" / "result.json"
    out.parent.mkdir()
    assert 0 == citegram("export", "dom_gagary", "--out", str(out)).exit_code
    again = json.loads(citegram("import", str(out), "--json").stdout)["channels"][0]
    assert (0, 0) == (again["added"], again["updated"])

    doctor = citegram("doctor", "--json")
    assert 0 == doctor.exit_code, doctor.output
    index = json.loads(doctor.stdout)["index"]
    assert [0, 0, 0] == [index[name] for name in ("missing", "ghost", "stale")]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b'{"name": "A", "type": "public_channel", "id": 5, "messages": [{"id": 1', "byte"),
        (b"[1, 2, 3]", "not an export"),
        (b"PK\x03\x04zip", "result.json"),
    ],
)
def test_bad_files_get_one_sentence(
    settings: Settings, tmp_path: Path, content: bytes, says: str
) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    result = citegram("import", str(path), "--no-index")
    assert 1 == result.exit_code
    assert says in result.stderr
    assert 1 == len(result.stderr.strip().splitlines())


def test_wrong_settings_get_a_line_each(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEGRAM_BOT_TOKN", "12345678:secret-secret-secret-secret-secret")
    monkeypatch.setenv("CITEGRAM_OWNER_IDS", "me")
    result = citegram("status")
    assert 2 == result.exit_code
    lines = result.stderr.strip().splitlines()
    assert 2 == len(lines)
    assert "did you mean CITEGRAM_BOT_TOKEN?" in lines[0]
    assert "secret" not in result.output
