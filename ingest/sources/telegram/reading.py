"""Reads channels: pages of history, messages by their ids, one request at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from telethon.tl import functions, types

from ingest.sources.telegram.channels import channel_of, input_channel, input_peer
from ingest.sources.telegram.messages import People, read_message
from ingest.sources.telegram_types import MAX_PAGE, ChannelKey, Page, Poison
from ingest.types import Channel, ChannelId, Message, MessageId


class Caller(Protocol):
    """An account, or a takeout session of it."""

    async def call(self, request: Any) -> Any:
        """The answer to one request."""


class TelegramHistory:
    """The history of channels, as the account sees it. Each method is one request.

    Every method may raise what `Account.call` does.
    """

    def __init__(self, account: Caller) -> None:
        self._account = account

    async def page(self, key: ChannelKey, *, after: int, limit: int = MAX_PAGE) -> Page:
        """The oldest messages with ids above `after`; an empty page: there seem to be none.

        Ids can be missing from it, and shells of messages can fill it.
        """
        # An offset turned round: `limit` messages up from the one after `after`.
        # Source: core.telegram.org/api/offsets.
        answer = await self._history(key, offset_id=after + 1, add_offset=-limit, limit=limit)
        return _page(answer, key.channel_id, above=after)

    async def newest(self, key: ChannelKey) -> Page:
        """The newest messages."""
        answer = await self._history(key, limit=MAX_PAGE)
        return _page(answer, key.channel_id)

    async def before(self, key: ChannelKey, at: datetime) -> MessageId:
        """The id of the last message posted before a time; 0 when there is none."""
        answer = await self._history(key, offset_date=at, limit=1)
        return MessageId(_page(answer, key.channel_id).last_id)

    async def by_ids(self, key: ChannelKey, ids: Sequence[int]) -> Page:
        """Some messages, at most a hundred; those that are gone come as `empty`."""
        wanted = [types.InputMessageID(number) for number in ids[:MAX_PAGE]]
        if key.channel_id < 0:
            request: Any = functions.messages.GetMessagesRequest(wanted)
        else:
            request = functions.channels.GetMessagesRequest(input_channel(key), wanted)
        answer = await self._account.call(request)
        page = _page(answer, key.channel_id)
        # By id, never by place; what the answer leaves out is as gone as an empty one.
        silent = sorted(set(ids[:MAX_PAGE]) - page.ids)
        return Page(
            messages=page.messages,
            poison=page.poison,
            empty=(*page.empty, *(MessageId(number) for number in silent)),
            channel=page.channel,
            is_certain=True,
        )

    async def _history(
        self,
        key: ChannelKey,
        *,
        offset_id: int = 0,
        offset_date: datetime | None = None,
        add_offset: int = 0,
        limit: int,
    ) -> Any:
        return await self._account.call(
            functions.messages.GetHistoryRequest(
                peer=input_peer(key),
                offset_id=offset_id,
                offset_date=offset_date,
                add_offset=add_offset,
                limit=limit,
                max_id=0,
                min_id=0,
                hash=0,
            )
        )


def _page(
    answer: Any,
    channel_id: ChannelId,
    *,
    above: int = 0,
) -> Page:
    people = People(answer.users, answer.chats)
    found: list[Message] = []
    poison: list[Poison] = []
    empty: list[MessageId] = []
    for raw in answer.messages:
        if raw.id <= above:
            continue
        if isinstance(raw, types.MessageEmpty):
            empty.append(MessageId(raw.id))
            continue
        match read_message(raw, channel_id, people):
            case Poison() as bad:
                poison.append(bad)
            case Message() as message:
                found.append(message)
    return Page(
        messages=tuple(sorted(found, key=lambda message: message.message_id)),
        poison=tuple(poison),
        empty=tuple(empty),
        channel=_told_channel(answer.chats, channel_id),
    )


def _told_channel(chats: Sequence[Any], channel_id: ChannelId) -> Channel | None:
    for chat in chats:
        if chat.id == abs(channel_id) and not getattr(chat, "min", False):
            found = channel_of(chat)
            if found is not None and found.channel_id == channel_id:
                return found
    return None
