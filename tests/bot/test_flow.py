"""Questions and commands through the real bot and a loopback Telegram."""

from __future__ import annotations

import asyncio

import pytest

from agent.types import Answer, Question, Refusal, RefusalReason
from bot.texts import en, ru
from ingest.errors import IndexUnavailable
from tests.bot.conftest import RunBot
from tests.peers.bot_api import USER_ID, BotApi
from tests.peers.scripted_agent import answer_to
from tests.peers.telegram_rules import auto_links

GROUP_ID = -100500


def final(api: BotApi, message_id: int, chat_id: int = USER_ID) -> list[str]:
    """Texts that answer a message, placeholders left out."""
    replies = api.replies_to(message_id, chat_id)
    return [reply.text for reply in replies if not reply.text.endswith("…")]


async def test_a_question_is_answered_in_reply_to_it(api: BotApi, running: RunBot) -> None:
    """One message: the placeholder, edited into the answer, with links and no preview."""
    async with running():
        asked = api.user_says("что с Python?")
        await api.until(lambda: final(api, asked))

    (reply,) = api.replies_to(asked)
    assert reply.text.startswith("Ответ на «что с Python?». [1]")
    assert reply.links()["[1]"] == "https://t.me/habr/100"
    assert (reply.count_edits, reply.previews) == (1, False)
    assert api.count("sendMessage") == 1


async def test_the_asker_sees_that_work_goes_on(api: BotApi, running: RunBot) -> None:
    """While the agent thinks, there is a placeholder in the question's language and "typing"."""
    go_on = asyncio.Event()

    async def slow(question: Question) -> Answer:
        await go_on.wait()
        return answer_to(question)

    async with running(slow):
        asked = api.user_says("what about Qdrant?", language="ru")
        await api.until(lambda: api.count("sendChatAction"))
        assert [reply.text for reply in api.replies_to(asked)] == [en.SEARCHING]
        go_on.set()
        await api.until(lambda: final(api, asked))


async def test_the_question_carries_when_it_was_asked(api: BotApi, running: RunBot) -> None:
    """«Вчера» counts from when the message was sent, in the owner's zone, not from now."""
    heard: list[Question] = []

    async def listen(question: Question) -> Answer:
        heard.append(question)
        return answer_to(question)

    async with running(listen):
        asked = api.user_says("что было вчера?", at=1_700_000_000)
        await api.until(lambda: final(api, asked))

    assert heard[0].now.isoformat() == "2023-11-15T01:13:20+03:00"
    assert heard[0].language is None


async def test_a_refusal_is_shown_as_one(api: BotApi, running: RunBot) -> None:
    """Not knowing is a reply too."""

    async def refuse(_question: Question) -> Refusal:
        return Refusal(reason=RefusalReason.NOTHING_FOUND, message="Об этом не писали.")

    async with running(refuse):
        asked = api.user_says("что с погодой на Марсе?")
        await api.until(lambda: final(api, asked))

    assert final(api, asked) == ["Об этом не писали."]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ZeroDivisionError("secret words of a post"), ru.SOMETHING_BROKE),
        (IndexUnavailable("the index does not answer"), ru.ARCHIVE_UNAVAILABLE),
    ],
)
async def test_a_failing_agent_ends_in_a_plain_sentence(
    api: BotApi,
    running: RunBot,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    expected: str,
) -> None:
    """Never silence, and neither the asker nor the log sees what the error says."""

    async def fail(_question: Question) -> Answer:
        raise error

    async with running(fail):
        asked = api.user_says("почему?")
        await api.until(lambda: final(api, asked))

    assert final(api, asked) == [expected]
    written = "".join(capsys.readouterr())
    assert "почему" not in written
    assert "secret" not in written


async def test_a_hanging_agent_is_given_up(api: BotApi, running: RunBot) -> None:
    """An agent that ignores its deadline costs the asker an answer, not the bot a worker."""

    async def hang(_question: Question) -> Answer:
        await asyncio.sleep(3600)
        raise AssertionError

    async with running(hang, agent_slack_s=-0.9):
        asked = api.user_says("долго?")
        await api.until(lambda: final(api, asked))

    assert final(api, asked) == [ru.TOOK_TOO_LONG]


async def test_commands_are_answered_once_and_safe_to_click(api: BotApi, running: RunBot) -> None:
    """/start, /help and /channels; an update that comes twice is answered once."""
    async with running():
        helped = api.user_says("/help")
        listed = api.user_says("/channels")
        started = api.user_says("/start", user_id=2002, language="en-GB")
        await api.until(lambda: final(api, helped) and final(api, listed))
        await api.until(lambda: final(api, started, 2002))

    assert final(api, helped) == [ru.HELP]
    assert final(api, started, 2002) == [f"{en.START}\n\n{en.HELP}"]
    (channels,) = api.replies_to(listed)
    assert "12\u00a0345 сообщений, 7 октября 2024; обновлён 7 окт 2024" in channels.text
    assert channels.links() == {"Хабр": "https://t.me/habr"}
    assert auto_links(channels.text) == []
    assert api.commands.keys() == {"", "ru"}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (None, {"voice": {"file_id": "v", "file_unique_id": "v", "duration": 1}}),
        (None, {"sticker": {"file_id": "s", "file_unique_id": "s", "type": "regular",
                            "width": 1, "height": 1, "is_animated": False, "is_video": False}}),
        (None, {"caption": "что это?", "photo": []}),
        ("🙂🙂", {}),
        ("  \n ", {}),
        ("/unknown", {}),
    ],
)  # fmt: skip
async def test_what_is_no_question_gets_short_help(
    api: BotApi, running: RunBot, text: str | None, fields: dict[str, object]
) -> None:
    """Voices, stickers, pictures, emoji and unknown commands are answered with what to do."""
    async with running():
        sent = api.user_says(text, **fields)
        await api.until(lambda: final(api, sent))

    assert final(api, sent) == [ru.NOT_A_QUESTION]


async def test_a_too_long_question_is_not_cut(api: BotApi, running: RunBot) -> None:
    """It is declined in words instead of being answered by half."""
    async with running():
        sent = api.user_says("слово " * 670)
        await api.until(lambda: final(api, sent))

    assert final(api, sent) == [ru.TOO_LONG]


async def test_strangers_are_told_once_whom_to_ask(api: BotApi, running: RunBot) -> None:
    """With their own number, in their language; a second message gets nothing."""
    async with running():
        first = api.user_says("hello there", user_id=666, language="en")
        second = api.user_says("/channels", user_id=666, language="en")
        mine = api.user_says("вопрос")
        await api.until(lambda: final(api, first, 666) and final(api, mine))

    assert final(api, first, 666) == [en.stranger(666)]
    assert api.replies_to(second, 666) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"chat_id": GROUP_ID},
        {"chat_id": GROUP_ID, "sender_chat": {"id": GROUP_ID, "type": "supergroup"}},
        {"sender_chat": {"id": -1001, "type": "channel", "title": "x"}},
        {"from": {"id": USER_ID, "is_bot": True, "first_name": "x"}},
        {"is_automatic_forward": True},
    ],
)
async def test_groups_and_made_up_senders_get_silence(
    api: BotApi, running: RunBot, fields: dict[str, object]
) -> None:
    """Even under an owner's id: an anonymous admin or a channel is nobody we know."""
    async with running():
        api.user_says("кто я?", **fields)
        mine = api.user_says("вопрос")
        await api.until(lambda: final(api, mine))

    assert len([message for message in api.messages.values() if message.is_ours]) == 1


async def test_an_odd_update_does_not_block_the_rest(api: BotApi, running: RunBot) -> None:
    """An update that aiogram cannot read is passed over; the next one is answered."""
    async with running():
        api.add_update({"message_id": "not a number", "chat": []})
        asked = api.user_says("вопрос")
        await api.until(lambda: final(api, asked) and not api.pending_updates())


async def test_a_failing_archive_is_said_to_whoever_asked_for_channels(
    api: BotApi, running: RunBot
) -> None:
    """A handler that fails is no silence either."""
    async with running() as bot:

        async def broken() -> list[object]:
            raise IndexUnavailable("gone")

        bot.app.archive.channels = broken  # type: ignore[attr-defined]  # a test's archive
        asked = api.user_says("/channels")
        await api.until(lambda: final(api, asked))

    assert final(api, asked) == [ru.ARCHIVE_UNAVAILABLE]
