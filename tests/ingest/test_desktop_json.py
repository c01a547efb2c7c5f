"""Exports of every shape, sound, odd or damaged, are read or refused in one sentence."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ingest.errors import BadExport
from ingest.sources.desktop_json import (
    ChannelEnded,
    ChannelStarted,
    ExportEvent,
    MessageSkipped,
    read_export,
)
from ingest.types import Message, Visibility

MOSCOW = ZoneInfo("Europe/Moscow")


def post(number: object = 1, **more: object) -> dict[str, object]:
    return {
        "id": number,
        "type": "message",
        "date": "2024-01-15T13:30:00",
        "date_unixtime": "1705314600",
        "from": "News",
        "from_id": "channel77",
        "text": f"post {number}",
        "text_entities": [{"type": "plain", "text": f"post {number}"}],
    } | more


def chat(*messages: object, **header: object) -> dict[str, object]:
    return {"name": "News", "type": "public_channel", "id": 77} | header | {"messages": messages}


def events_of(path: Path) -> tuple[list[ExportEvent], BadExport | None]:
    """What is yielded before the error, and the error."""
    events: list[ExportEvent] = []
    reading = read_export(path, zone=MOSCOW)
    while True:
        try:
            events.append(next(reading))
        except StopIteration:
            return events, None
        except BadExport as error:
            return events, error


def read(tmp_path: Path, export: object) -> list[ExportEvent]:
    file = tmp_path / "result.json"
    file.write_text(json.dumps(export, ensure_ascii=False), "utf-8")
    return list(read_export(file, zone=MOSCOW))


def streamed(tmp_path: Path, written: bytes) -> tuple[list[ExportEvent], BadExport | None]:
    file = tmp_path / "result.json"
    file.write_bytes(written)
    return events_of(file)


def ids(events: list[ExportEvent]) -> list[int]:
    return [event.message_id for event in events if isinstance(event, Message)]


def reasons(events: list[ExportEvent]) -> list[str]:
    return [event.reason for event in events if isinstance(event, MessageSkipped)]


@pytest.mark.parametrize(
    ("word", "kind", "visibility", "channel_id"),
    [
        ("public_channel", "channel", Visibility.PUBLIC, 77),
        ("private_channel", "channel", Visibility.PRIVATE, 77),
        ("public_supergroup", "supergroup", Visibility.PUBLIC, 77),
        ("private_supergroup", "supergroup", Visibility.PRIVATE, 77),
        ("private_group", "group", Visibility.PRIVATE, -77),
    ],
)
def test_a_channel_begins_and_ends(
    tmp_path: Path, word: str, kind: str, visibility: Visibility, channel_id: int
) -> None:
    """The header becomes a channel; a basic group's id is kept apart by its sign."""
    started, message, ended = read(tmp_path, chat(post(), type=word))

    assert isinstance(started, ChannelStarted)
    channel = started.channel
    assert (kind, visibility, channel_id) == (channel.kind, channel.visibility, channel.channel_id)
    assert ("News", word) == (channel.title, started.type)
    assert isinstance(message, Message)
    assert message.channel_id == channel_id
    assert ended == ChannelEnded(channel=channel)


def test_the_header_may_stand_after_the_messages(tmp_path: Path) -> None:
    """The order of keys in an object means nothing."""
    usual = chat(post(1), post(2))
    turned = {key: usual[key] for key in ("messages", "id", "type", "name")}

    assert read(tmp_path, usual) == read(tmp_path, turned)


def test_a_whole_account_gives_its_channels_only(tmp_path: Path) -> None:
    """Personal chats are counted, message by message, and never read."""
    account = {
        "about": "...",
        "contacts": {"list": [{"user_id": 1}]},
        "chats": {
            "about": "...",
            "list": [
                chat(post(1), post(2), type="personal_chat", id=5),
                chat(post(3)),
                {"type": "saved_messages", "id": 6, "messages": [post(4)]},
                None,
            ],
        },
        "left_chats": {"list": [chat(post(9), id=78, name="Left")]},
    }

    events = read(tmp_path, account)

    assert ids(events) == [3, 9]
    assert Counter(personal_chat=3) == Counter(reasons(events))
    titles = [event.channel.title for event in events if isinstance(event, ChannelStarted)]
    assert titles == ["News", "Left"]


def test_every_element_is_a_message_or_a_reason(tmp_path: Path) -> None:
    """Nothing of the list disappears; reasons are stable words."""
    messages = [
        post(1),
        7,
        None,
        ["id", 1],
        {key: value for key, value in post().items() if key != "id"},
        post("seven"),
        post(2**40),
        post({"id": 1}),
        post(1),
        post(-999_999_990),
        post(5, date="yesterday", date_unixtime="0"),
        {"id": 6, "type": "unsupported"},
        post(7, text="x" * (9 << 20)),
        post("8"),
    ]

    events = read(tmp_path, chat(*messages))

    assert ids(events) == [1, 8]
    assert [
        *["not_an_object"] * 3,
        "no_id",
        *["bad_id"] * 3,
        "duplicate_id",
        "before_migration",
        "bad_date",
        "unsupported",
        "too_large",
    ] == reasons(events)


def test_what_desktop_writes_wrong_is_read(tmp_path: Path) -> None:
    """Its own mistakes, control characters and a bare emoji file, do not cost the message."""
    written = json.dumps(chat(post(1, text="A\\B"), post(2)), indent=1)
    written = written.replace('"post 1"', '"bell\\x07 \\ud83d nul\\u0000 \\q"')
    written = written.replace(
        '"text": "post 2",', '"text": "post 2",\n"document_id": video_files/sticker (2).webm\n,'
    )

    events, error = streamed(tmp_path, written.encode())

    assert error is None
    assert ids(events) == [1, 2]
    assert isinstance(events[1], Message)
    assert events[1].text == "bell\x07 \ufffd nul\ufffd \\q"


def test_a_megabyte_of_text_is_read_whole(tmp_path: Path) -> None:
    """Far longer than Telegram allows, but another program may have written it."""
    text = "слово " * 100_000

    events = read(tmp_path, chat(post(1, text=text, text_entities=[{"text": text}])))

    assert isinstance(events[1], Message)
    assert text == events[1].text


def test_one_broken_message_costs_only_itself(tmp_path: Path) -> None:
    """A message that is not JSON is skipped and the rest is read."""
    written = json.dumps(chat(post(1), post(2), post(3))).replace('"post 2"', "post", 1)

    events, error = streamed(tmp_path, written.encode())

    assert error is None
    assert (ids(events), reasons(events)) == ([1, 3], ["bad_json"])


@pytest.mark.parametrize("nested", ["[", '{"a":'])
def test_a_bomb_of_brackets_is_skipped(tmp_path: Path, nested: str) -> None:
    """Nesting without end neither crashes the process nor stops the reading."""
    closing = "]" if nested == "[" else "}"
    bomb = nested * 200_000 + "1" + closing * 200_000
    written = json.dumps(chat(post(1, x="BOMB"), post(2))).replace('"BOMB"', bomb)

    events, error = streamed(tmp_path, written.encode())

    assert error is None
    assert (ids(events), reasons(events)) == ([2], ["bad_json"])


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_any_unicode_encoding_is_read(tmp_path: Path, encoding: str) -> None:
    """An editor or PowerShell may have saved the file anew."""
    export = chat(post(1, text_entities=[], text="Привет 🙂"))

    events, error = streamed(tmp_path, json.dumps(export, ensure_ascii=False).encode(encoding))

    assert error is None
    assert isinstance(events[1], Message)
    assert events[1].text == "Привет 🙂"


def test_a_truncated_file_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    """Messages before the cut come first, an unfinished album too; then the byte is told."""
    photo = {"photo": "photos/a.jpg", "text_entities": [], "text": ""}
    written = json.dumps(chat(post(1), post(2, **photo), post(3, **photo), post(4))).encode()
    cut = written.index(b'"id": 4') + 5

    events, error = streamed(tmp_path, written[:cut])

    assert ids(events) == [1, 2, 3]
    assert not any(isinstance(event, ChannelEnded) for event in events)
    assert error is not None
    assert cut == error.offset
    assert "interrupted" in str(error)


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (b"", "is empty"),
        (b"  \n", "is not JSON"),
        (b"PK\x03\x04rest", "ZIP archive"),
        (b"<!DOCTYPE html><html>", "«Machine-readable JSON»"),
        (b"\x89PNG\r\n", "is not JSON"),
        (b'[{"author": "A", "message": "B"}]', "it has no messages"),
        (b'{"rows": [{"id": 1}]}', "it has no messages"),
        (b'{"name": "x", "type": "public_channel", "id": 1, "messages": {}}', "not a list"),
        (json.dumps(chat(post(), type="personal_chat")).encode(), "personal chats only"),
        (json.dumps({"messages": [post()]}).encode(), "which channel"),
        (json.dumps(chat(post())).encode() * 2, "joined"),
        (json.dumps(chat(post(), id=1.5)).encode(), "which channel"),
    ],
)
def test_what_is_not_an_export_is_refused(tmp_path: Path, written: bytes, sentence: str) -> None:
    """The refusal is one line that names the file and what is wrong with it."""
    _, error = streamed(tmp_path, written)

    assert error is not None
    assert sentence in str(error)
    assert "result.json" in str(error)
    assert "\n" not in str(error)


def test_a_folder_means_its_exports(tmp_path: Path) -> None:
    """One export, or many each in a folder of its own; a damaged one does not hide the others."""
    for name, channel_id in (("b", 2), ("a", 1), ("c", 3)):
        (tmp_path / name).mkdir()
        text = json.dumps(chat(post(), id=channel_id))
        (tmp_path / name / "result.json").write_text(text if name != "b" else text[:-9], "utf-8")

    events, error = events_of(tmp_path)

    assert error is not None
    assert error.path == tmp_path / "b" / "result.json"
    started = [e.channel.channel_id for e in events if isinstance(e, ChannelStarted)]
    ended = [e.channel.channel_id for e in events if isinstance(e, ChannelEnded)]
    assert (started, ended) == ([1, 2, 3], [1, 3])
    assert ids(list(read_export(tmp_path / "a", zone=MOSCOW))) == [1]


def test_a_path_without_an_export_is_refused(tmp_path: Path) -> None:
    """A missing file, an empty folder and a folder with an HTML export say what to do."""
    html = tmp_path / "html"
    html.mkdir()
    (html / "messages.html").touch()

    for path, sentence in (
        (tmp_path / "nowhere.json", "is not there"),
        (tmp_path, r"has no result\.json"),
        (html, "HTML export"),
    ):
        with pytest.raises(BadExport, match=sentence):
            list(read_export(path, zone=MOSCOW))


def test_old_exports_have_local_times_and_shifted_ids(tmp_path: Path) -> None:
    """Without ``date_unixtime`` the zone given decides, and the id loses its high bits."""
    old = {"id": 5, "type": "message", "date": "2019-03-01T12:00:00", "from": "News", "text": "a"}

    started, message, _ = read(tmp_path, chat(old, id=(1 << 33) + 77))

    assert isinstance(started, ChannelStarted)
    assert started.channel.channel_id == 77
    assert isinstance(message, Message)
    assert message.posted_at == datetime(2019, 3, 1, 9, tzinfo=UTC)
    recent = read(tmp_path, chat(post(), id=(1 << 33) + 77))[0]
    assert isinstance(recent, ChannelStarted)
    assert recent.channel.channel_id == (1 << 33) + 77
