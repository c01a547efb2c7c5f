"""The shipped sample is a sound Desktop export, and its questions are true of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.sample import sample_folder

USERNAMES = [
    "dom_gagary",
    "lodka_i_zhelezo",
    "northlake_daily",
    "solva_dengi",
    "verhneozersk_live",
]
MOSCOW = ZoneInfo("Europe/Moscow")
MAX_BYTES = 600_000


def read_export(username: str) -> dict[str, Any]:
    path = sample_folder() / username / "result.json"
    export: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return export


def read_questions() -> list[dict[str, Any]]:
    lines = (sample_folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def plain_text(message: dict[str, Any]) -> str:
    return "".join(entity["text"] for entity in message["text_entities"])


def comparable(text: str) -> str:
    """Case and the grouping of digits do not count; the decimal comma is a point."""
    text = re.sub(r"(?<=\d)[\s\u00a0,](?=\d{3}\b)", "", text.lower().replace("ё", "е"))
    return re.sub(r"(?<=\d),(?=\d)", ".", text)


def holds(text: str, fact: str) -> bool:
    """Whether the text holds a fact; `a|b` is either. A figure must stand by itself."""
    for option in fact.split("|"):
        wanted = re.escape(comparable(option))
        before = r"(?<![\d.])" if option[0].isdigit() else ""
        after = r"(?!\d|\.\d)" if option[-1].isdigit() else ""
        if re.search(before + wanted + after, comparable(text)):
            return True
    return False


@pytest.fixture(scope="module")
def exports() -> dict[str, dict[str, Any]]:
    return {username: read_export(username) for username in USERNAMES}


@pytest.fixture(scope="module")
def posts(exports: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Every message by its `username:id`."""
    return {
        f"{username}:{message['id']}": message
        for username, export in exports.items()
        for message in export["messages"]
    }


def test_folder_holds_the_five_channels_and_stays_small() -> None:
    """The sample travels inside the wheel, so its channels are known and its size is bounded."""
    folder = sample_folder()

    assert isinstance(folder, Path)
    assert sorted(path.parent.name for path in folder.glob("*/result.json")) == USERNAMES
    shipped = [path for path in folder.rglob("*") if path.suffix in {".json", ".jsonl"}]
    assert sum(path.stat().st_size for path in shipped) < MAX_BYTES


def test_packed_package_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside a zip there is no folder to import from, and the error says what to do."""
    monkeypatch.setattr("bot.sample.files", lambda _: object())

    with pytest.raises(FileNotFoundError, match="install it with pip"):
        sample_folder()


def test_channels_have_distinct_ids(exports: dict[str, dict[str, Any]]) -> None:
    assert {export["type"] for export in exports.values()} == {"public_channel"}
    assert len({export["id"] for export in exports.values()}) == len(USERNAMES)


@pytest.mark.parametrize("username", USERNAMES)
def test_message_ids_and_times_ascend(username: str) -> None:
    """Ids are unique and grow, and time never runs backwards."""
    messages = read_export(username)["messages"]
    ids = [message["id"] for message in messages]
    times = [int(message["date_unixtime"]) for message in messages]

    assert ids == sorted(set(ids))
    assert times == sorted(times)
    assert ids[-1] - ids[0] >= len(ids), "real channels have gaps"


@pytest.mark.parametrize("username", USERNAMES)
def test_local_time_is_moscow_and_unix_time_is_utc(username: str) -> None:
    """`date` is the exporting machine's clock, here Moscow's; `date_unixtime` is the instant."""
    for message in read_export(username)["messages"]:
        for field in ("date", "edited"):
            if field in message:
                moment = datetime.fromtimestamp(int(message[f"{field}_unixtime"]), UTC)
                local = moment.astimezone(MOSCOW).replace(tzinfo=None)
                assert message[field] == local.isoformat()
        assert date(2025, 4, 1) <= date.fromisoformat(message["date"][:10]) <= date(2026, 9, 30)


@pytest.mark.parametrize("username", USERNAMES)
def test_text_and_entities_say_the_same(username: str) -> None:
    """Desktop writes a post's text twice; both must join to one string."""
    for message in read_export(username)["messages"]:
        text = message["text"]
        parts = [text] if isinstance(text, str) else text
        joined = "".join(part if isinstance(part, str) else part["text"] for part in parts)
        assert joined == plain_text(message), message["id"]
        assert "**" not in joined, "markup left over"


@pytest.mark.parametrize("username", USERNAMES)
def test_replies_and_pins_point_back_to_existing_posts(username: str) -> None:
    messages = read_export(username)["messages"]
    ids = {message["id"] for message in messages}
    for message in messages:
        target = message.get("reply_to_message_id", message.get("message_id"))
        assert target is None or (target in ids and target < message["id"])


def test_forwards_repeat_an_earlier_post_of_their_origin(
    exports: dict[str, dict[str, Any]],
) -> None:
    """A forward from an archived channel has its original there, earlier and word for word."""
    by_id = {f"channel{export['id']}": export for export in exports.values()}
    inside: Counter[str] = Counter()
    outside = 0
    for export in exports.values():
        for message in export["messages"]:
            if "forwarded_from" not in message:
                continue
            origin = by_id.get(message.get("forwarded_from_id", ""))
            if origin is None:
                outside += 1
                continue
            text = plain_text(message)
            assert message["forwarded_from"] == origin["name"]
            if text:
                inside[text] += 1
                assert any(
                    plain_text(post) == text
                    and int(post["date_unixtime"]) < int(message["date_unixtime"])
                    for post in origin["messages"]
                )

    assert max(inside.values()) == 3, "one story goes through three channels"
    assert outside >= 2, "some origins are not in the archive"


def test_sample_shows_every_kind_of_message(posts: dict[str, dict[str, Any]]) -> None:
    """What the importer can read, the demo exercises."""
    fields = {field for message in posts.values() for field in message}
    media = {message.get("media_type") for message in posts.values()}
    actions = {message.get("action") for message in posts.values()}
    moments = Counter(
        (key.split(":")[0], message["date"])
        for key, message in posts.items()
        if "photo" in message and message["type"] == "message"
    )

    assert {"edited", "author", "poll", "location_information", "reactions", "photo"} <= fields
    assert {"file_name", "reply_to_message_id", "forwarded_from_id"} <= fields
    assert {"voice_message", "video_file", "sticker"} <= media
    assert {"create_channel", "pin_message", "edit_group_title", "edit_group_photo"} <= actions
    assert max(moments.values()) == 3, "an album is photos of one second"


def test_question_ids_are_unique() -> None:
    questions = read_questions()

    assert len({question["id"] for question in questions}) == len(questions) >= 60
    assert len({question["question"] for question in questions}) == len(questions)


@pytest.mark.parametrize("question", read_questions(), ids=lambda question: question["id"])
def test_question_is_true_of_the_archive(
    question: dict[str, Any], posts: dict[str, dict[str, Any]]
) -> None:
    """Gold posts exist, lie in the stated channels and period, and hold the required facts."""
    assert question["answerable"] is bool(question["gold"])
    gold = {ref: posts[ref] for ref in question["gold"]}
    for ref, post in gold.items():
        assert ref.split(":")[0] in question.get("channels", USERNAMES)
        assert post["date"][:10] <= question["now"]
        if "from" in question:
            assert question["from"] <= post["date"][:10] <= question["to"]
    sets = question.get("gold_sets")
    if sets is not None:
        assert {ref for part in sets for ref in part} == set(gold)
        texts = ["\n".join(plain_text(post) for post in gold.values())]
    else:
        texts = [plain_text(post) for post in gold.values()]
    for text in texts:
        assert all(holds(text, fact) for fact in question["must"])
    assert bool(question["must"]) is question["answerable"]


def test_demo_questions_are_six_and_answered_by_the_question_set() -> None:
    """The demo asks what the set knows the truth of: five answers, then one refusal."""
    shown = json.loads((sample_folder() / "demo.json").read_text(encoding="utf-8"))
    answerable = {question["question"]: question["answerable"] for question in read_questions()}

    assert [answerable[item["question"]] for item in shown] == [True] * 5 + [False]
    for item in shown:
        assert item["shows"]
        assert datetime.fromisoformat(item["now"]).utcoffset() == timedelta(hours=3)
