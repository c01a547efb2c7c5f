"""What goes wrong between the bot and Telegram: nothing is lost and nothing is said twice."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from agent.types import Answer, CitedClaim, Question
from bot.answering import error_reply
from bot.inbox import Inbox, State
from bot.jobs import MAX_ATTEMPTS
from bot.texts import ru
from bot.types import Incoming
from ingest.settings import Settings
from tests.bot.conftest import RunBot
from tests.bot.test_flow import final
from tests.peers.bot_api import USER_ID, BotApi
from tests.peers.scripted_agent import answer_to, citation, scripted


async def answer_at_length(question: Question) -> Answer:
    """About three messages' worth."""
    claims = tuple(
        CitedClaim(text=f"{number}. {question.text} " + "слово " * 60, citations=(1,))
        for number in range(30)
    )
    return Answer(claims=claims, citations=(citation(),), confidence=0.5)


@pytest.mark.parametrize("method", ["sendMessage", "editMessageText"])
@pytest.mark.parametrize("fault", [("status", 500), ("status", 502), ("reset", 0), ("garbage", 0)])
async def test_a_failed_call_is_made_again(
    api: BotApi, running: RunBot, capsys: pytest.CaptureFixture[str], method: str, fault: Any
) -> None:
    """Server errors and broken connections cost time, not answers; each pause is kept."""
    api.fail(method, *fault, times=3)
    async with running():
        asked = api.user_says("вопрос")
        await api.until(lambda: final(api, asked))

    assert len(api.replies_to(asked)) == 1
    # Whoever takes the letter up before its pause is over runs into the pacer.
    assert "flood control" not in "".join(capsys.readouterr())


async def test_a_call_that_hangs_is_given_up_and_made_again(api: BotApi, running: RunBot) -> None:
    """A server that accepts a message and never answers does not hold a worker for good."""
    api.fail("sendMessage", "hang")
    async with running(request_s=0.3):
        asked = api.user_says("вопрос")
        await api.until(lambda: final(api, asked))

    assert len(final(api, asked)) == 1


async def test_an_edit_whose_reply_is_lost_is_not_repeated_as_a_message(
    api: BotApi, running: RunBot
) -> None:
    """That the message "is not modified" tells that the first edit did arrive."""
    api.fail("editMessageText", "lost")
    async with running():
        asked = api.user_says("вопрос")
        await api.until(lambda: api.count("editMessageText") == 2)

    (reply,) = api.replies_to(asked)
    assert (reply.count_edits, api.count("sendMessage")) == (1, 1)


async def test_flood_waits_are_obeyed_to_the_second(api: BotApi, running: RunBot) -> None:
    """After a 429 the chat gets no call before its time; another chat is served meanwhile."""
    api.fail("sendMessage", "retry_after", 2)
    async with running():
        asked = api.user_says("вопрос")
        await api.until(lambda: api.count("sendMessage") == 1)
        other = api.user_says("другой", user_id=2002)
        await api.until(lambda: final(api, other, 2002))
        assert final(api, asked) == []
        await api.until(lambda: final(api, asked))

    calls = [
        call.at
        for call in api.calls
        if call.params.get("chat_id") == USER_ID and call.method != "getupdates"
    ]
    assert calls[1] - calls[0] >= 2


async def test_the_pacer_keeps_below_telegrams_limits(api: BotApi, running: RunBot) -> None:
    """Four questions and their edits in one chat: no call is refused for flooding."""
    api.enforce_floods = True
    async with running(chat_calls_per_s=1):
        asked = [api.user_says(f"вопрос {number}") for number in range(4)]
        await api.until(lambda: all(final(api, message) for message in asked), within_s=15)

    assert [call.status for call in api.calls if call.status == 429] == []


async def test_a_blocked_bot_stops_writing(api: BotApi, running: RunBot) -> None:
    """403 closes the question after one call, and the agent is not even asked."""
    heard: list[str] = []

    async def listen(question: Question) -> Answer:
        heard.append(question.text)
        return answer_to(question)

    api.blocked.add(2002)
    async with running(listen):
        api.user_says("вопрос", user_id=2002)
        mine = api.user_says("мой")
        await api.until(lambda: final(api, mine))
    # The second run finds nothing left to do.
    async with running(listen) as bot:
        assert await bot.app.inbox.count_unfinished() == 0

    assert heard == ["мой"]
    assert [call.status for call in api.calls].count(403) == 1


async def test_a_deleted_placeholder_is_replaced(api: BotApi, running: RunBot) -> None:
    """The answer comes in a new message, still in reply to the question."""
    go_on = asyncio.Event()

    async def slow(question: Question) -> Answer:
        await go_on.wait()
        return answer_to(question)

    async with running(slow):
        asked = api.user_says("вопрос")
        await api.until(lambda: api.replies_to(asked))
        api.delete(api.replies_to(asked)[0])
        go_on.set()
        await api.until(lambda: final(api, asked))

    assert len(api.ours()) == 1


async def test_a_deleted_question_is_answered_all_the_same(api: BotApi, running: RunBot) -> None:
    """Only the reply mark is missing then."""
    asked = api.user_says("вопрос")
    api.delete(api.messages[USER_ID, asked])
    async with running():
        await api.until(lambda: any("Ответ на" in message.text for message in api.ours()))


async def test_refused_entities_fall_back_to_plain_text(api: BotApi, running: RunBot) -> None:
    """An answer without its links is better than none."""
    api.fail("editMessageText", "status", 400, description="Bad Request: ENTITIES_TOO_LONG")
    async with running():
        asked = api.user_says("вопрос")
        await api.until(lambda: final(api, asked))

    (reply,) = api.replies_to(asked)
    assert reply.text.startswith("Ответ на")
    assert reply.entities == []


async def test_a_long_answer_comes_in_parts_once_each(api: BotApi, running: RunBot) -> None:
    """In order, with failures in between, no part twice and none missing."""
    for method in ("sendMessage", "editMessageText") * 2:
        api.fail(method, "status", 500)
    async with running(answer_at_length):
        asked = api.user_says("вопрос")
        await api.until(lambda: ru.SOURCES in "".join(final(api, asked)), within_s=20)

    whole = "\n\n".join(final(api, asked))
    assert [f"{number}. вопрос" in whole for number in range(30)] == [True] * 30
    assert whole.count("29. вопрос") == 1
    assert len(final(api, asked)) >= 3


async def test_an_update_is_not_confirmed_before_it_is_stored(
    api: BotApi, running: RunBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: Telegram keeps the question, and it is answered when there is room again."""
    is_full = True
    accept = Inbox.accept_question

    async def accept_if_room(self: Inbox, *args: Any) -> bool:
        if is_full:
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))
        return await accept(self, *args)

    monkeypatch.setattr(Inbox, "accept_question", accept_if_room)
    async with running():
        helped = api.user_says("/help")
        asked = api.user_says("вопрос")
        await api.until(lambda: final(api, helped) and api.count("getUpdates") >= 4)
        assert len(api.pending_updates()) == 1
        is_full = False
        await api.until(lambda: final(api, asked))

    assert len(final(api, helped)) == 1


async def test_an_update_that_comes_again_is_answered_once(api: BotApi, running: RunBot) -> None:
    """A bot that died before confirming sees its updates again; a reused id loses nothing."""
    async with running():
        asked = api.user_says("вопрос")
        (update_id,) = api.pending_updates()
        await api.until(lambda: final(api, asked))
    again = {
        "message_id": asked,
        "date": int(time.time()),
        "chat": {"id": USER_ID, "type": "private"},
        "from": {"id": USER_ID, "is_bot": False, "first_name": "U"},
        "text": "вопрос",
    }
    api.add_update(again, update_id=update_id)
    async with running():
        later = api.user_says("ещё")
        await api.until(lambda: final(api, later))
    api.add_update(again | {"message_id": later + 100, "text": "новый"}, update_id=update_id)
    async with running():
        await api.until(lambda: any("«новый»" in message.text for message in api.ours()))

    assert len(api.replies_to(asked)) == 1


async def test_one_user_cannot_fill_the_queue(api: BotApi, running: RunBot) -> None:
    """Ten questions at once: one in work, three wait, one polite sentence; others are served."""
    go_on = asyncio.Event()

    async def slow(question: Question) -> Answer:
        if question.text.startswith("вопрос"):
            await go_on.wait()
        return answer_to(question)

    async with running(slow):
        first = api.user_says("вопрос 0")
        await api.until(lambda: api.replies_to(first))
        asked = [first, *(api.user_says(f"вопрос {number}") for number in range(1, 10))]
        other = api.user_says("другой", user_id=2002)
        await api.until(lambda: final(api, other, 2002))
        await api.until(lambda: ru.QUEUE_FULL in [m.text for m in api.ours()])
        go_on.set()
        await api.until(lambda: all(final(api, message) for message in asked[:4]), within_s=20)

    texts = [text for message in asked for text in final(api, message)]
    assert [text.startswith("Ответ") for text in texts] == [True] * 4 + [False]
    assert len(texts) == 5


async def test_what_a_stop_interrupts_is_answered_after_the_restart(
    api: BotApi, running: RunBot
) -> None:
    """The placeholder of before is edited; the interruption does not count as a crash."""

    async def hang(_question: Question) -> Answer:
        await asyncio.sleep(3600)
        raise AssertionError

    asked = api.user_says("вопрос")
    for _ in range(4):
        async with running(hang, grace_s=0.05, agent_slack_s=60):
            await api.until(lambda: api.replies_to(asked))
    async with running():
        await api.until(lambda: final(api, asked))

    (reply,) = api.replies_to(asked)
    assert reply.text.startswith("Ответ на")


async def test_a_question_that_kills_the_bot_is_given_up(
    api: BotApi, running: RunBot, settings: Settings
) -> None:
    """After three deaths the asker is told so instead of the bot dying a fourth time."""
    asked = api.user_says("вопрос")
    async with scripted()(settings) as services:
        inbox = Inbox(services.database)
        incoming = Incoming(
            update_id=api.pending_updates()[0],
            chat_id=USER_ID,
            message_id=asked,
            user_id=USER_ID,
            sent_at=datetime.now(UTC),
            language="ru",
        )
        await inbox.accept_question(incoming, "вопрос", error_reply("queue_full", "x"))
        letter = await inbox.claim(State.WAITING)
        assert letter is not None
        for _ in range(MAX_ATTEMPTS):
            await inbox.count_attempt(letter)
    async with running():
        await api.until(lambda: final(api, asked))

    assert final(api, asked) == [ru.GAVE_UP]


async def test_answers_in_flight_are_finished_at_a_stop(api: BotApi, running: RunBot) -> None:
    """A stop waits for them, within its grace."""

    async def takes_a_while(question: Question) -> Answer:
        await asyncio.sleep(0.3)
        return answer_to(question)

    async with running(takes_a_while):
        asked = api.user_says("вопрос")
        await api.until(lambda: api.replies_to(asked))

    assert len(final(api, asked)) == 1
