"""Texts of attached files: fetched, kept apart from their posts, and part of what is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import select

from ingest.sources.telegram.files import TelegramFiles
from ingest.store.archive import Archive
from ingest.store.documents import count_files
from ingest.store.models import message_versions, outbox
from ingest.sync.files import FileReader
from ingest.sync.syncer import Syncer, Wanted
from ingest.types import ChannelId, MessageId, MessageRef
from tests.peers.mtproto_fixtures import Channel
from tests.peers.telegram_archive import Rig, channel, rig


def attach(news: Channel, folder: Path, name: str, content: bytes) -> int:
    """Posts a file; its message's number."""
    (folder / "files").mkdir(exist_ok=True)
    (folder / "files" / name).write_bytes(content)
    news.folder = folder
    made = news.post("see the file", file=f"files/{name}", file_name=name)
    return int(made.id)


async def sync(here: Rig, max_bytes: int = 10_000) -> None:
    files = FileReader(here.database, TelegramFiles(here.account), here.gate, max_bytes=max_bytes)
    parts: Any = (here.syncer._pages._history, here.syncer._directory, here.gate)
    syncer = Syncer(here.database, *parts, files=files)
    await syncer.follow("@news")
    (report,) = await syncer.run(Wanted(sweep=True))
    assert report.error is None


async def body(here: Rig, number: int) -> str:
    ref = MessageRef(ChannelId(1_000_000_001), MessageId(number))
    return (await Archive(here.database).messages([ref]))[ref].body()


async def test_texts_are_found_and_survive_sweeps(tmp_path: Path) -> None:
    """The text is part of the body, the index learns of it, and no sweep takes it away."""
    news = channel(count=3)
    number = attach(news, tmp_path, "приказ.txt", "Приказ о зачислении".encode())
    async with rig(tmp_path, news) as here:
        await sync(here)
        assert await body(here, number) == "see the file\nприказ.txt\nПриказ о зачислении"
        async with here.database.reading() as connection:
            rows = await connection.execute(
                select(outbox.c.is_new).where(outbox.c.message_id == number)
            )
            assert [row.is_new for row in rows] == [True, False]

        downloads = here.server.count("upload.getFile")
        await sync(here)
        assert "Приказ" in await body(here, number)
        assert here.server.count("upload.getFile") == downloads
        async with here.database.reading() as connection:
            assert (await connection.execute(select(message_versions))).all() == []


async def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Damaged and large files are marked and cost nobody else anything; others are not tried."""
    news = channel(count=3)
    attach(news, tmp_path, "damaged.docx", b"no document")
    attach(news, tmp_path, "large.txt", b"x" * 20_000)
    attach(news, tmp_path, "program.exe", b"MZ")
    good = attach(news, tmp_path, "good.md", b"# Good")
    async with rig(tmp_path, news) as here:
        await sync(here)
        assert "# Good" in await body(here, good)
        async with here.database.reading() as connection:
            assert await count_files(connection) == {"failed": 2, "read": 1}
