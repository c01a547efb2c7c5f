"""What is exported is read back exactly, and no damage to it raises anything but BadExport."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.errors import BadExport
from ingest.sources.desktop_json import (
    ChannelEnded,
    ChannelStarted,
    ExportEvent,
    MessageSkipped,
    read_export,
)
from ingest.sources.desktop_writer import write_export
from ingest.types import (
    Attachment,
    Channel,
    ChannelId,
    Entity,
    Forward,
    Message,
    MessageId,
    MessageKind,
    PollOption,
    Reaction,
    Visibility,
)

storable = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.text(storable, max_size=20)
names = st.text(storable, min_size=1, max_size=8)
file_names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0/\\"), min_size=1, max_size=8
).filter(lambda name: name.strip() not in {"", ".", ".."})
times = st.datetimes(datetime(2013, 8, 14), datetime(2100, 1, 1)).map(  # noqa: DTZ001 - hypothesis wants naive bounds
    lambda at: at.replace(tzinfo=UTC, microsecond=0)
)
counts = st.integers(0, 2**53)
message_ids = st.integers(1, 2**31 - 1).map(MessageId)
channel_ids = st.integers(1, 2**40).map(ChannelId)
marks = st.sampled_from(["bold", "text_link", "custom_emoji", "pre", "mention_name", "plain"])


def optional(of: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.none() | of


forwards = st.builds(
    Forward,
    name=optional(names | st.just("channel5")),
    channel_id=optional(channel_ids),
    message_id=optional(message_ids),
    author=optional(names),
    posted_at=optional(times),
)
attachments = st.builds(
    Attachment,
    file_name=optional(file_names),
    mime_type=optional(names),
    size_bytes=optional(counts),
    duration_s=optional(counts),
    title=optional(names),
    performer=optional(names),
    emoji=optional(names),
    poll_question=optional(names),
    poll_options=st.lists(
        st.builds(PollOption, text=texts, count_voters=optional(counts)), max_size=3
    ).map(tuple),
    poll_closed=optional(st.booleans()),
    count_voters=optional(counts),
    place=optional(names),
    address=optional(names),
    latitude=optional(st.floats(-90, 90)),
    longitude=optional(st.floats(-180, 180)),
    contact=optional(names),
    phone=optional(names),
    action=optional(names),
    detail=optional(names),
)
reactions = st.lists(
    st.builds(Reaction, emoji=names | st.sampled_from(["paid", "custom:1", "🔥"]), count=counts),
    max_size=3,
).map(tuple)


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[str, tuple[Entity, ...]]:
    text = draw(texts)
    if not text:
        return text, ()
    spans = st.tuples(st.integers(0, len(text) - 1), st.integers(1, len(text)))
    entities = [
        Entity(start=start, end=end, type=draw(marks), value=draw(st.none() | names))
        for start, end in draw(st.lists(spans, max_size=4))
        if start < end
    ]
    return text, tuple(entities)


@st.composite
def channels(draw: st.DrawFn) -> Channel:
    kind = draw(st.sampled_from(["channel", "supergroup", "group"]))
    number = draw(channel_ids)
    is_basic = kind == "group"
    visibility = Visibility.PRIVATE if is_basic else draw(st.sampled_from(Visibility))
    return Channel(
        channel_id=ChannelId(-number) if is_basic else number,
        title=draw(texts),
        username=draw(st.none() | names),
        visibility=visibility,
        kind=kind,
    )


@st.composite
def messages_of(draw: st.DrawFn, channel: Channel) -> Message:
    text, entities = draw(marked_texts())
    return Message(
        channel_id=channel.channel_id,
        message_id=draw(message_ids),
        posted_at=draw(times),
        kind=draw(st.sampled_from(MessageKind)),
        text=text,
        entities=entities,
        edited_at=draw(st.none() | times),
        author=draw(st.none() | names | st.just(channel.title or "x")),
        author_id=draw(st.sampled_from([None, "user1", f"channel{channel.channel_id}"])),
        forward=draw(st.none() | forwards),
        reply_to=draw(st.none() | message_ids),
        album_id=draw(st.none() | counts),
        topic_id=draw(st.none() | counts),
        attachment=draw(st.none() | attachments),
        reactions=draw(reactions),
        views=draw(st.none() | counts),
    )


@st.composite
def archives(draw: st.DrawFn) -> tuple[Channel, list[Message]]:
    channel = draw(channels())
    unique = st.lists(messages_of(channel), max_size=4, unique_by=lambda one: one.message_id)
    return channel, draw(unique)


def exported(channel: Channel, messages: list[Message]) -> bytes:
    out = io.BytesIO()
    assert len(messages) == write_export(channel, messages, out)
    return out.getvalue()


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], list[ExportEvent]]:
    file: Path = tmp_path_factory.mktemp("export") / "result.json"

    def read_bytes(written: bytes) -> list[ExportEvent]:
        """The events until the end, or until the export turns out to be damaged."""
        file.write_bytes(written)
        events: list[ExportEvent] = []
        reading = read_export(file, zone=UTC)
        while True:
            try:
                events.append(next(reading))
            except (StopIteration, BadExport):
                return events

    return read_bytes


Read = Callable[[bytes], list[ExportEvent]]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=150)
@given(archive=archives())
def test_an_export_reads_back_exactly(read: Read, archive: tuple[Channel, list[Message]]) -> None:
    """Whatever Desktop's format has no place for comes back too."""
    channel, messages = archive

    started, *found, ended = read(exported(channel, messages))

    assert isinstance(started, ChannelStarted)
    assert channel == started.channel
    assert messages == found
    assert isinstance(ended, ChannelEnded)


SAMPLE_CHANNEL = Channel(channel_id=ChannelId(77), title="News", username="news")
SAMPLE = [
    Message(
        channel_id=SAMPLE_CHANNEL.channel_id,
        message_id=MessageId(number),
        posted_at=datetime(2024, 1, 15, 10, 30, tzinfo=UTC),
        kind=kind,
        text='жирный \\ "text"',
        entities=(Entity(start=0, end=6, type="bold"), Entity(start=2, end=9, type="italic")),
        forward=Forward(name="Bob", message_id=MessageId(4)),
        attachment=Attachment(
            poll_question="Q?", poll_options=(PollOption(text="A", count_voters=1),), title="T"
        ),
        reactions=(Reaction(emoji="🔥", count=3),),
        reply_to=MessageId(1),
    )
    for number, kind in enumerate(MessageKind, start=1)
]


def test_the_form_is_desktops_own(read: Read) -> None:
    """Other programs that read Desktop's exports find what they look for."""
    written = json.loads(exported(SAMPLE_CHANNEL, SAMPLE[:1]))
    message = written["messages"][0]

    assert (written["name"], written["type"], written["id"]) == ("News", "private_channel", 77)
    assert (message["type"], message["date"]) == ("message", "2024-01-15T10:30:00")
    assert message["date_unixtime"] == "1705314600"
    assert (message["from"], message["from_id"]) == ("News", "channel77")
    assert message["text"] == [{"type": "bold", "text": "жирный"}, ' \\ "text"']
    assert message["forwarded_from"] == "Bob"
    assert message["reply_to_message_id"] == 1


def test_a_plain_message_needs_no_extras() -> None:
    """The key of ours appears only where something would be lost."""
    plain = replace(SAMPLE[0], entities=(), forward=None, attachment=None, kind=MessageKind.TEXT)

    assert "citegram" not in json.loads(exported(SAMPLE_CHANNEL, [plain]))["messages"][0]


def test_text_streams_are_written_too() -> None:
    """A terminal's stdout is a text stream."""
    out = io.StringIO()

    write_export(SAMPLE_CHANNEL, SAMPLE, out)

    assert out.getvalue().encode() == exported(SAMPLE_CHANNEL, SAMPLE)


def test_another_channels_message_is_refused() -> None:
    """An export holds one channel."""
    with pytest.raises(ValueError, match="another channel"):
        exported(replace(SAMPLE_CHANNEL, channel_id=ChannelId(78)), SAMPLE)


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
    | st.sampled_from(["channel5", "service", "1705314600", "poll"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, object]:
    """A valid export with some of its values replaced, removed or renamed."""
    export: dict[str, object] = json.loads(exported(SAMPLE_CHANNEL, SAMPLE))
    for _ in range(draw(st.integers(1, 6))):
        node: object = export
        while isinstance(node, dict | list) and node:
            keys = list(node) if isinstance(node, dict) else range(len(node))
            key = draw(st.sampled_from(keys))
            child = node[key]
            if isinstance(child, dict | list) and child and draw(st.integers(0, 4)):
                node = child
                continue
            change = draw(st.sampled_from(["replace", "remove"]))
            if change == "replace":
                node[key] = draw(anything)
            else:
                del node[key]
            break
    return export


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=250)
@given(export=mutated())
def test_every_element_of_a_mutated_export_gives_one_event(
    read: Read, export: dict[str, object]
) -> None:
    """Whatever stands in place of a value, nothing is lost and nothing else is raised."""
    messages = export.get("messages")
    events = read(json.dumps(export).encode())

    told = [event for event in events if isinstance(event, Message | MessageSkipped)]
    assert len(told) == (len(messages) if isinstance(messages, list) else 0)


@settings(deadline=None, max_examples=250)
@given(
    cut=st.tuples(st.integers(0, 12_000), st.integers(0, 40)),
    put=st.binary(max_size=4) | st.sampled_from([b'"', b"{", b"}", b"[", b"]", b"\\", b"\0"]),
)
def test_damaged_bytes_raise_nothing_but_bad_export(
    read: Read, cut: tuple[int, int], put: bytes
) -> None:
    """A hole or a stain anywhere in the file ends in events and at most one BadExport."""
    written = exported(SAMPLE_CHANNEL, SAMPLE)
    start = cut[0] % len(written)

    events = read(written[:start] + put + written[start + cut[1] :])

    started = [event for event in events if isinstance(event, ChannelStarted)]
    ended = [event for event in events if isinstance(event, ChannelEnded)]
    assert len(ended) <= len(started) <= 1
