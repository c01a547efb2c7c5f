"""Letters on disk."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from aiogram.types import MessageEntity

from bot.inbox import MAX_WAITING, Inbox, State
from bot.replies import Replies
from bot.types import Incoming, Outcome, Part, StoredReply
from ingest.store.engine import Database

FULL = StoredReply(outcome=Outcome.NOTICE, parts=(Part("позже"),), reason="queue_full")
HELP = StoredReply(outcome=Outcome.NOTICE, parts=(Part("так"),), reason="help")
FIRST = Incoming(
    update_id=1,
    chat_id=10,
    message_id=100,
    user_id=10,
    sent_at=datetime(2024, 10, 7, tzinfo=UTC),
    language="ru",
)


def nth(number: int, *, user: int = 10) -> Incoming:
    return replace(FIRST, update_id=number, message_id=100 + number, user_id=user, chat_id=user)


@pytest.fixture
def inbox(database: Database) -> Inbox:
    return Inbox(database)


async def test_a_letter_waits_until_it_is_finished(inbox: Inbox, database: Database) -> None:
    """Also for the next process, when this one dies in between."""
    assert await inbox.accept_question(FIRST, "что нового?", FULL)
    claimed = await inbox.claim(State.WAITING)
    assert claimed is not None
    assert await inbox.claim(State.WAITING) is None

    after_restart = Inbox(database)
    letter = await after_restart.claim(State.WAITING)
    assert letter == claimed
    assert (letter.question, letter.asked_at) == ("что нового?", FIRST.sent_at)
    await after_restart.finish(letter, State.DONE)
    after_restart.release(letter)
    assert await after_restart.claim(State.WAITING) is None
    assert await after_restart.count_unfinished() == 0


async def test_a_message_is_known_by_its_update_chat_and_id(inbox: Inbox) -> None:
    """The same thing again is nothing new; a reused update id is."""
    assert await inbox.accept_question(FIRST, "раз", FULL)
    assert not await inbox.accept_question(FIRST, "раз", FULL)
    assert not await inbox.accept_notice(FIRST, HELP)
    assert await inbox.accept_question(replace(FIRST, message_id=7), "два", FULL)


async def test_one_question_of_a_user_at_a_time(inbox: Inbox) -> None:
    """Oldest first; other users are not held up, closed chats are left alone."""
    for number, user in [(1, 10), (2, 10), (3, 20)]:
        await inbox.accept_question(nth(number, user=user), f"{number}", FULL)

    first = await inbox.claim(State.WAITING)
    second = await inbox.claim(State.WAITING)
    assert [letter and letter.question for letter in (first, second)] == ["1", "3"]
    assert await inbox.claim(State.WAITING) is None
    assert first is not None
    await inbox.finish(first, State.DONE)
    inbox.release(first)
    assert await inbox.claim(State.WAITING, except_chats=lambda: {10}) is None
    third = await inbox.claim(State.WAITING)
    assert third is not None
    assert third.question == "2"


async def test_the_queue_of_a_user_is_limited(inbox: Inbox, database: Database) -> None:
    """One in work and three waiting; the next one is told so, those after it are not."""
    await inbox.accept_question(nth(0), "в работе", FULL)
    await inbox.claim(State.WAITING)
    for number in range(1, MAX_WAITING + 4):
        await inbox.accept_question(nth(number), f"{number}", FULL)

    assert await inbox.count_unfinished() == 1 + MAX_WAITING + 1
    notice = await inbox.claim(State.NOTICE)
    assert notice is not None
    assert await Replies(database).stored(notice) == FULL
    assert notice.question == ""


async def test_a_notice_is_not_repeated_within_its_time(inbox: Inbox) -> None:
    """Strangers are told once a day, however much they write."""
    day = timedelta(days=1)
    assert await inbox.accept_notice(nth(1), HELP, not_again_for=day)
    assert not await inbox.accept_notice(nth(2), HELP, not_again_for=day)
    tomorrow = replace(nth(3), sent_at=FIRST.sent_at + day)
    assert await inbox.accept_notice(tomorrow, HELP, not_again_for=day)


async def test_attempts_are_counted(inbox: Inbox) -> None:
    """And uncounted when they were only put off."""
    await inbox.accept_question(FIRST, "?", FULL)
    letter = await inbox.claim(State.WAITING)
    assert letter is not None

    assert [await inbox.count_attempt(letter) for _ in range(2)] == [1, 2]
    assert await inbox.count_attempt(letter, -1) == 1


async def test_the_first_stored_reply_stands(inbox: Inbox, database: Database) -> None:
    """With its entities; a second one changes nothing."""
    await inbox.accept_question(FIRST, "?", FULL)
    letter = await inbox.claim(State.WAITING)
    assert letter is not None
    link = MessageEntity(type="text_link", offset=0, length=3, url="https://t.me/habr/1")
    reply = StoredReply(
        outcome=Outcome.ANSWERED, parts=(Part("[1]", (link,)),), confidence=0.5, cited=((1, 1),)
    )

    replies = Replies(database)
    assert await replies.stored(letter) is None
    assert await replies.store(letter, reply) == reply
    assert await replies.store(letter, HELP) == reply
    assert await replies.stored(letter) == reply
