"""HTML exports: the same channel in both forms gives the same messages, as far as HTML tells."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ingest.errors import BadExport
from ingest.sources.desktop_html import find_html_pages, read_html_export
from ingest.sources.desktop_json import read_export
from ingest.sources.desktop_json_events import ChannelEnded, ChannelStarted, MessageSkipped
from ingest.sources.exports import find_exports
from ingest.sources.exports import read_export as read_any
from ingest.types import Attachment, Channel, ChannelId, Entity, Message, MessageKind
from tests.peers.desktop_html_writer import write_html

CHANNEL = Channel(channel_id=ChannelId(77), title='The <News> & "more"', username="news")
START = 1_714_550_000  # in May, when summer time is on


def post(number: int, *parts: dict[str, Any] | str, **more: Any) -> dict[str, Any]:
    """A message of a JSON export."""
    entities = [{"type": "plain", "text": p} if isinstance(p, str) else p for p in parts]
    return {
        "id": number, "type": "message", "date_unixtime": str(START + number * 60),
        "from": CHANNEL.title, "from_id": "channel77",
        "text": "", "text_entities": entities, **more,
    }  # fmt: skip


MESSAGES: list[dict[str, Any]] = [
    {"id": 1, "type": "service", "action": "create_channel", "date_unixtime": str(START)},
    post(2, "plain  text,\n  with < & > \"quotes\" and 'more'\n\nlines \n"),
    post(3, {"type": "bold", "text": "Bold\nover lines"}, ", ", {"type": "italic", "text": "it"}),
    post(
        4,
        {"type": "link", "text": "https://a.b/?x=1&y=2"}, " ",
        {"type": "text_link", "text": "there", "href": "https://c.d/?q=\"1\"&r"}, " ",
        {"type": "mention", "text": "@someone"}, " ", {"type": "hashtag", "text": "#тег"}, " ",
        {"type": "email", "text": "a@b.c"}, " ", {"type": "phone", "text": "+7 999"}, " ",
        {"type": "bot_command", "text": "/start"}, " ", {"type": "cashtag", "text": "$USD"},
    ),
    post(5, {"type": "code", "text": "x < y"}, {"type": "pre", "text": "a\n  b"}),
    post(6, {"type": "spoiler", "text": "👩‍👩‍👧 secret"}, {"type": "blockquote", "text": "said"}),
    post(7, "signed", author="Ann B.", reply_to_message_id=3),
    post(8, "first", forwarded_from="Origin & Co"),
    post(9, "second", forwarded_from="Origin & Co", reply_to_message_id=8),
    post(10, "own again", reactions=[{"type": "emoji", "emoji": "👍", "count": 12}]),
    post(11, "caption", photo="(File not included.)"),
    post(12, file="(File not included.)", file_name="Отчёт за май.pdf"),
    post(13, file="(File not included.)", media_type="audio_file", performer="A", title="B"),
    post(14, file="(File not included.)", media_type="voice_message"),
    post(15, file="(File not included.)", media_type="video_message"),
    post(16, "clip", file="(File not included.)", media_type="animation"),
    post(17, file="(File not included.)", media_type="sticker"),
    post(
        18,
        poll={
            "question": "Which?", "closed": False, "total_voters": 5,
            "answers": [
                {"text": "- this", "voters": 3, "chosen": False},
                {"text": "that", "voters": 2, "chosen": False},
            ],
        },
    ),
    post(19, "from a member", **{"from": "Ann", "from_id": "user5"}),
    post(20, "joined to it", **{"from": "Ann", "from_id": "user5"}),
]  # fmt: skip


def both(folder: Path, messages: list[dict[str, Any]], zone: tzinfo) -> tuple[Any, Any]:
    """The messages of an export's two forms, by id."""
    export = {"id": 77, "name": CHANNEL.title, "type": "public_channel", "messages": messages}
    (folder / "result.json").write_text(json.dumps(export), "utf-8")
    write_html(export, folder, zone=zone)
    by_json = read_export(folder / "result.json", zone=zone)
    by_html = read_html_export(folder, zone=zone, known=lambda _: CHANNEL)
    return tuple(
        {event.message_id: event for event in events if isinstance(event, Message)}
        for events in (by_json, by_html)
    )  # type: ignore[return-value]


def comparable(message: Message) -> Message:
    """A message without what an HTML export has no place for."""
    kept = message.attachment
    if kept is not None:
        kept = dataclasses.replace(
            kept, size_bytes=None, mime_type=None, duration_s=None, emoji=None
        )
    forward = message.forward
    return dataclasses.replace(
        message,
        edited_at=None,
        author_id=None,
        forward=dataclasses.replace(forward, channel_id=None, posted_at=None) if forward else None,
        attachment=None if kept == Attachment() else kept,
        entities=tuple(
            dataclasses.replace(e, value=None)
            if e.type in {"mention_name", "custom_emoji", "pre"} else e
            for e in message.entities
        ),
    )  # fmt: skip


@pytest.mark.parametrize("zone", [UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("America/St_Johns")])
def test_both_forms_give_the_same_messages(tmp_path: Path, zone: tzinfo) -> None:
    """All but the service message is equal, in winter and in summer time."""
    by_json, by_html = both(tmp_path, MESSAGES, zone)
    assert set(by_html) == set(by_json) - {1}
    for number, message in by_html.items():
        assert comparable(message) == comparable(by_json[number])


def test_pages_go_on(tmp_path: Path) -> None:
    """The second page goes on with the messages; an author goes over no page's end."""
    messages = [post(number, f"post {number}") for number in range(1, 2101)]
    by_json, by_html = both(tmp_path, messages, UTC)
    assert [page.name for page in find_html_pages(tmp_path)] == [
        "messages.html", "messages2.html", "messages3.html"
    ]  # fmt: skip
    assert list(by_html) == list(by_json)


def test_an_unknown_channel_gets_an_id_of_its_own(tmp_path: Path) -> None:
    """The same title gives the same id, and nobody is sent to a wrong address."""
    write_html({"name": "Somewhere", "messages": [post(3, "x")]}, tmp_path)
    started, message, ended = read_html_export(tmp_path, zone=UTC)
    again = next(iter(read_html_export(tmp_path, zone=UTC)))
    assert started == again
    assert isinstance(started, ChannelStarted)
    assert isinstance(ended, ChannelEnded)
    assert isinstance(message, Message)
    assert started.channel.link(message.message_id) is None


def test_damaged_pages(tmp_path: Path) -> None:
    """Messages without a number or a time are skipped with a reason; foreign pages refused."""
    write_html({"name": "Somewhere", "messages": [post(3, "x"), post(4, "y")]}, tmp_path)
    page = tmp_path / "messages.html"
    page.write_text(page.read_text().replace("01.05.2024", "41.05.2024", 1))
    skipped = [e for e in read_html_export(tmp_path, zone=UTC) if isinstance(e, MessageSkipped)]
    assert [(one.reason, one.message_id) for one in skipped] == [("bad_date", 3)]
    page.write_text(page.read_text()[:2000])
    list(read_html_export(tmp_path, zone=UTC))
    page.write_text("<html><body>Hello</body></html>")
    with pytest.raises(BadExport, match="names no chat"):
        list(read_html_export(tmp_path, zone=UTC))
    page.unlink()
    with pytest.raises(BadExport, match=r"no messages\.html"):
        list(read_html_export(tmp_path, zone=UTC))


def test_text_is_kept_to_the_letter(tmp_path: Path) -> None:
    """Spaces and line breaks of the text stay, those of the page go."""
    _, by_html = both(tmp_path, MESSAGES, UTC)
    assert by_html[2].text == "plain  text,\n  with < & > \"quotes\" and 'more'\n\nlines \n"
    assert by_html[3].entities[0] == Entity(start=0, end=15, type="bold")
    assert by_html[12].kind is MessageKind.FILE


def test_either_form_is_found_and_read(tmp_path: Path) -> None:
    """A folder of exports may hold both forms; where a chat has both, JSON is read."""
    both(tmp_path, MESSAGES, UTC)
    for name in ("one", "two"):
        (tmp_path / "many" / name).mkdir(parents=True)
        write_html({"name": name, "messages": [post(3, name)]}, tmp_path / "many" / name)
    assert find_exports(tmp_path) == [tmp_path / "result.json"]
    found = find_exports(tmp_path / "many")
    assert found == [tmp_path / "many" / name / "messages.html" for name in ("one", "two")]
    texts = [
        event.text
        for path in found
        for event in read_any(path, zone=UTC)
        if isinstance(event, Message)
    ]
    assert texts == ["one", "two"]
