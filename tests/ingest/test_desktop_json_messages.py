"""What one message of an export says, field by field."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from ingest.sources.desktop_json_inference import Topics, with_albums
from ingest.sources.desktop_json_message import MessageReader
from ingest.types import (
    Attachment,
    Channel,
    ChannelId,
    Entity,
    Forward,
    Message,
    MessageKind,
    PollOption,
    Reaction,
)

CHANNEL = Channel(channel_id=ChannelId(77), title="News")
NOT_INCLUDED = "(File not included. Change data exporting settings to download.)"


def message(**more: object) -> Message:
    raw: dict[str, object] = {
        "id": 5,
        "type": "message",
        "date": "2024-01-15T13:30:00",
        "date_unixtime": "1705314600",
        "from": "News",
        "from_id": "channel77",
        "text": "",
    }
    read = MessageReader(CHANNEL, ZoneInfo("Europe/Moscow")).read(raw | more)
    assert isinstance(read, Message)
    return read


@pytest.mark.parametrize("key", ["text", "text_entities"])
def test_marks_are_spans_of_code_points(key: str) -> None:
    """An emoji is one code point, whatever UTF-16 makes of it."""
    parts = [
        {"type": "plain", "text": "🙂 "},
        {"type": "bold", "text": "bold"},
        {"type": "plain", "text": ""},
        {"type": "italic", "text": ""},
        {"type": "text_link", "text": "link", "href": "https://example.org"},
        {"type": "custom_emoji", "text": "🔥", "document_id": "53"},
        {"type": "mention_name", "text": "Ann", "user_id": 9},
        {"type": "pre", "text": "x", "language": ""},
        {"type": "a new one", "text": "?"},
        {"text": "!"},
    ]

    read = message(**{key: parts})

    assert read.text == "🙂 boldlink🔥Annx?!"
    assert read.entities == (
        Entity(start=2, end=6, type="bold"),
        Entity(start=6, end=10, type="text_link", value="https://example.org"),
        Entity(start=10, end=11, type="custom_emoji", value="53"),
        Entity(start=11, end=14, type="mention_name", value="9"),
        Entity(start=14, end=15, type="pre"),
        Entity(start=15, end=16, type="a new one"),
        Entity(start=16, end=17, type="unknown"),
    )


def test_malformed_marks_fall_back_to_the_text() -> None:
    """A list of marks that is not one does not cost the text."""
    assert message(text=["a", {"type": "bold", "text": "b"}, 7], text_entities=[3]).text == "ab"
    assert message(text="plain", text_entities=[]).text == "plain"
    assert message(text=5, text_entities="x").text == ""


@pytest.mark.parametrize(
    ("more", "author", "author_id"),
    [
        ({}, None, None),
        ({"author": "Ann"}, "Ann", None),
        ({"from_id": "channel8", "from": "Other"}, "Other", "channel8"),
        ({"from_id": "user9", "from": "News"}, "News", "user9"),
        ({"from_id": "user9", "from": None}, None, "user9"),
        ({"from_id": None}, None, None),
        ({"from_id": None, "from": "Bob"}, "Bob", None),
        ({"from_id": 9, "from": "Bob"}, "Bob", "user9"),
        ({"from_id": (1 << 33) + 77}, None, None),
    ],
)
def test_the_channel_is_not_its_own_author(
    more: dict[str, object], author: str | None, author_id: str | None
) -> None:
    """A signature or a sender is the author; the channel's own name is not."""
    read = message(**more)

    assert (author, author_id) == (read.author, read.author_id)


@pytest.mark.parametrize(
    ("more", "forward"),
    [
        ({}, None),
        ({"forwarded_from": "Bob"}, Forward(name="Bob")),
        ({"forwarded_from": None}, Forward()),
        (
            {"forwarded_from": "Other", "forwarded_from_id": "channel8"},
            Forward(name="Other", channel_id=ChannelId(8)),
        ),
        ({"forwarded_from": "Bob", "forwarded_from_id": "user8"}, Forward(name="Bob")),
        ({"forwarded_from": "channel8"}, Forward(channel_id=ChannelId(8))),
    ],
)
def test_a_forward_keeps_its_origin(more: dict[str, object], forward: Forward | None) -> None:
    """The channel's id is known where the export tells it."""
    assert forward == message(**more).forward


def test_a_reply_to_another_chat_is_none_of_this_one() -> None:
    """The id would name a stranger's message here."""
    assert message(reply_to_message_id=4).reply_to == 4
    assert message(reply_to_message_id=4, reply_to_peer_id="channel77").reply_to == 4
    assert message(reply_to_message_id=4, reply_to_peer_id="channel8").reply_to is None
    assert message(reply_to_message_id=-999_999_996).reply_to is None


def test_times_are_utc_and_the_unix_one_is_the_truth() -> None:
    """The local field is used only where there is no other."""
    read = message(edited="2024-01-15T13:31:00")

    assert read.posted_at == datetime(2024, 1, 15, 10, 30, tzinfo=UTC)
    assert read.edited_at == datetime(2024, 1, 15, 10, 31, tzinfo=UTC)
    assert message(edited="1970-01-01T03:00:00", edited_unixtime="0").edited_at is None


@pytest.mark.parametrize(
    ("more", "kind", "attachment"),
    [
        ({"text": "a"}, MessageKind.TEXT, None),
        ({"text": ""}, MessageKind.UNKNOWN, None),
        ({"type": "novelty", "text": "a"}, MessageKind.UNKNOWN, None),
        ({"photo": "photos/photo_1@22-12-2021_13-44-15.jpg"}, MessageKind.PHOTO, None),
        (
            {"photo": NOT_INCLUDED, "photo_file_size": 7},
            MessageKind.PHOTO,
            Attachment(size_bytes=7),
        ),
        ({"file": NOT_INCLUDED, "media_type": "hologram"}, MessageKind.UNKNOWN, None),
        ({"file": NOT_INCLUDED, "media_type": ["x"]}, MessageKind.UNKNOWN, None),
        ({"file": "files/a b.pdf"}, MessageKind.FILE, Attachment(file_name="a b.pdf")),
        (
            {"file": "x", "file_name": "..\\..\\/etc/passwd", "file_size": "12"},
            MessageKind.FILE,
            Attachment(file_name="passwd", size_bytes=12),
        ),
        (
            {
                "file": "video_files/video_1@22-12-2021_13-44-15.mp4",
                "media_type": "video_file",
                "mime_type": "video/mp4",
                "duration_seconds": 9,
            },
            MessageKind.VIDEO,
            Attachment(mime_type="video/mp4", duration_s=9),
        ),
        (
            {"media_type": "audio_file", "performer": "P", "title": "T", "file": NOT_INCLUDED},
            MessageKind.AUDIO,
            Attachment(performer="P", title="T"),
        ),
        ({"media_type": "voice_message"}, MessageKind.VOICE, None),
        ({"media_type": "video_message"}, MessageKind.VIDEO_NOTE, None),
        ({"media_type": "animation"}, MessageKind.ANIMATION, None),
        (
            {"media_type": "sticker", "sticker_emoji": "🙂"},
            MessageKind.STICKER,
            Attachment(emoji="🙂"),
        ),
        (
            {"contact_information": {"first_name": "A", "last_name": "B", "phone_number": "+1"}},
            MessageKind.CONTACT,
            Attachment(contact="A B", phone="+1"),
        ),
        ({"location_information": None}, MessageKind.LOCATION, None),
        (
            {
                "place_name": "Bar",
                "address": "St 1",
                "location_information": {"latitude": 5, "longitude": float("inf")},
            },
            MessageKind.LOCATION,
            Attachment(place="Bar", address="St 1", latitude=5.0),
        ),
        ({"game_title": "G"}, MessageKind.GAME, Attachment(title="G")),
        (
            {"invoice_information": '{\n "title": "Premium",\n "description": "1 month"\n}'},
            MessageKind.INVOICE,
            Attachment(title="Premium", detail="1 month"),
        ),
        (
            {"giveaway_information": {"additional_prize": "Cup", "quantity": 3}},
            MessageKind.GIVEAWAY,
            Attachment(detail="Cup"),
        ),
        (
            {"todo_list": {"title": "T", "answers": [{"text": ["do ", {"text": "it"}], "id": 1}]}},
            MessageKind.UNKNOWN,
            Attachment(poll_question="T", poll_options=(PollOption(text="do it"),)),
        ),
        (
            {"type": "service", "action": "edit_group_title", "title": "New"},
            MessageKind.SERVICE,
            Attachment(action="edit_group_title", detail="New"),
        ),
        (
            {"type": "service", "action": "topic_edit", "new_title": "New"},
            MessageKind.SERVICE,
            Attachment(action="topic_edit", detail="New"),
        ),
    ],
)
def test_what_a_message_carries(
    more: dict[str, object], kind: MessageKind, attachment: Attachment | None
) -> None:
    """Every kind of Desktop's; a file that was not exported has no name from its note."""
    read = message(**more)

    assert (kind, attachment) == (read.kind, read.attachment)


def test_a_poll_with_hidden_votes_has_no_counts() -> None:
    """Desktop writes 0 for counts that it was not told."""

    def poll(*voters: object) -> Attachment | None:
        answers = [{"text": str(number), "voters": v} for number, v in enumerate(voters)]
        told = {"question": "Q?", "closed": True, "total_voters": 3, "answers": answers}
        return message(poll=told).attachment

    def attachment(*voters: int | None) -> Attachment:
        options = (PollOption(text=str(n), count_voters=v) for n, v in enumerate(voters))
        return Attachment(
            poll_question="Q?", poll_options=tuple(options), poll_closed=True, count_voters=3
        )

    assert attachment(1, 2) == poll(1, "2")
    assert attachment(None, None) == poll(0, 0)


def test_reactions_are_counted_by_emoji() -> None:
    """Custom ones keep their id; paid ones are a kind of their own; nonsense is left out."""
    told = [
        {"type": "emoji", "count": 2, "emoji": "🔥", "recent": []},
        {"type": "custom_emoji", "count": 1, "document_id": "12"},
        {"type": "paid", "count": 3},
        {"type": "emoji", "count": -1, "emoji": "👍"},
        {"type": "emoji", "count": 1, "emoji": "🔥"},
        "x",
    ]

    assert message(reactions=told).reactions == (
        Reaction(emoji="🔥", count=3),
        Reaction(emoji="custom:12", count=1),
        Reaction(emoji="paid", count=3),
    )


def test_a_pin_speaks_of_the_pinned_message() -> None:
    """The service message is a reply to what it pins, and its actor is its author."""
    read = message(
        type="service", action="pin_message", message_id=3, actor="Ann", actor_id="user1"
    )

    assert (read.reply_to, read.author, read.author_id) == (3, "Ann", "user1")


def photo(number: int, **more: object) -> Message:
    return message(id=number, photo=NOT_INCLUDED, **more)


@pytest.mark.parametrize(
    ("messages", "albums"),
    [
        ([photo(1), photo(2), photo(3)], [1, 1, 1]),
        ([photo(1), photo(2, date_unixtime="1705314601")], [1, 1]),
        ([photo(1), photo(2, date_unixtime="1705314602")], [None, None]),
        ([photo(1), photo(3)], [None, None]),
        ([photo(1), photo(2, author="Ann")], [None, None]),
        ([photo(1), photo(2, forwarded_from="Bob")], [None, None]),
        ([photo(1), message(id=2, file="a.pdf")], [None, None]),
        ([photo(1), message(id=2, file="a.mp4", media_type="video_file")], [1, 1]),
        ([photo(1), message(id=2, text="a"), photo(3)], [None, None, None]),
        ([photo(1, grouped_id="99"), photo(2, grouped_id="99")], [99, 99]),
        ([photo(n) for n in range(1, 13)], [1] * 10 + [11] * 2),
    ],
)
def test_albums_are_messages_sent_together(
    messages: list[Message], albums: list[int | None]
) -> None:
    """Consecutive, simultaneous, of one sender and one family of media; at most ten."""
    found = list(with_albums(messages))

    assert [one.message_id for one in messages] == [one.message_id for one in found]
    assert albums == [one.album_id for one in found if isinstance(one, Message)]


def test_replies_lead_to_the_topic() -> None:
    """Directly, or through another message of the topic."""
    topics = Topics()
    messages = [
        message(id=2, type="service", action="topic_created", title="Money"),
        message(id=3, reply_to_message_id=2),
        message(id=4, reply_to_message_id=3),
        message(id=5),
        message(id=6, reply_to_message_id=5),
        message(id=7, reply_to_message_id=5, topic_id=2),
    ]

    assert [topics.with_topic(one).topic_id for one in messages] == [2, 2, 2, None, None, 2]


@pytest.mark.parametrize(
    ("extras", "expected"),
    [
        ({"views": 7}, {"views": 7}),
        ({"views": "many", "album_id": [1], "topic_id": 2.5}, {}),
        ({"text": "forged", "message_id": 9, "posted_at": 1}, {}),
        ({"entities": [{"start": 0, "end": 99, "type": "bold"}]}, {"entities": ()}),
        ({"entities": [{"start": "a"}], "kind": "nonsense", "forward": {"name": 5}}, {}),
        ({"attachment": {"file_name": "../../x.txt"}}, {"file_name": "x.txt"}),
    ],
)
def test_extras_are_believed_only_as_far_as_they_are_sound(
    extras: dict[str, object], expected: dict[str, object]
) -> None:
    """Anyone can write our key into a file; what does not fit its field changes nothing."""
    read = message(text="abc", citegram=extras)

    assert (read.text, read.message_id, read.kind) == ("abc", 5, MessageKind.TEXT)
    assert expected.get("views") == read.views
    assert expected.get("file_name") == (read.attachment and read.attachment.file_name)
    assert (read.album_id, read.topic_id, read.forward, read.entities) == (None, None, None, ())
