"""Finds channels: by name, link or invite, and among the account's own chats."""

from __future__ import annotations

import re
from typing import Any

from telethon.tl import functions, types

from ingest.sources.desktop_json_values import storable
from ingest.sources.telegram.account import Account
from ingest.sources.telegram_errors import ChannelNotFound, Refused
from ingest.sources.telegram_types import ChannelKey, FoundChannel
from ingest.types import Channel, ChannelId, Visibility

_DIALOGS_A_PAGE = 100

# Source: core.telegram.org/api/links.
_LINK = re.compile(r"(?:https?://)?(?:www\.)?(?:t|telegram)\.(?:me|dog)/(?P<path>[^?#]+)", re.I)
_INVITE = re.compile(r"(?:\+|joinchat/)(?P<hash>[\w-]+)$")
_PRIVATE = re.compile(r"c/(?P<id>\d+)(?:/.*)?$")
_USERNAME = re.compile(r"@?(?P<name>[A-Za-z]\w{3,31})(?:/.*)?$")

_ASK_TO_JOIN = "this account is not in it; join it in Telegram first, citegram joins nothing"


class TelegramDirectory:
    """The channels that the account can see.

    Every method may raise what `Account.call` does.
    """

    def __init__(self, account: Account) -> None:
        self._account = account

    async def find(self, name: str) -> FoundChannel:
        """The channel of an @name, a link, an invite link, or the id of one of its own chats.

        Raises:
            ChannelNotFound: There is none, with what to do about it.
        """
        path = link.group("path").strip("/") if (link := _LINK.match(name.strip())) else name
        path = path.strip().removeprefix("s/")
        if invite := _INVITE.match(path):
            return await self._by_invite(name, invite["hash"])
        if private := _PRIVATE.match(path):
            return await self._among_own(name, int(private["id"]))
        if path.lstrip("-").isdigit():
            return await self._among_own(name, int(path))
        if username := _USERNAME.match(path):
            return await self._by_username(name, username["name"])
        raise ChannelNotFound(name, "is neither an @name nor a link of Telegram's")

    async def own(self) -> list[FoundChannel]:
        """Every channel and group that the account is in, the last used first."""
        found: dict[ChannelId, FoundChannel] = {}
        last: Any = None
        while True:
            answer = await self._account.call(
                functions.messages.GetDialogsRequest(
                    offset_date=getattr(last, "date", None),
                    offset_id=getattr(last, "id", 0),
                    offset_peer=_offset_peer(last, found),
                    limit=_DIALOGS_A_PAGE,
                    hash=0,
                )
            )
            before = len(found)
            for chat in answer.chats:
                if (one := found_channel(chat)) is not None and one.is_member:
                    found.setdefault(one.channel.channel_id, one)
            is_all = isinstance(answer, types.messages.Dialogs)
            if is_all or len(found) == before or not answer.messages:
                return list(found.values())
            last = answer.messages[-1]

    async def linked(self, key: ChannelKey) -> FoundChannel | None:
        """The discussion group of a channel, or None."""
        answer = await self._account.call(
            functions.channels.GetFullChannelRequest(input_channel(key))
        )
        linked_id = answer.full_chat.linked_chat_id
        for chat in answer.chats:
            if linked_id is not None and chat.id == linked_id:
                return found_channel(chat)
        return None

    async def _by_username(self, name: str, username: str) -> FoundChannel:
        request = functions.contacts.ResolveUsernameRequest(username)
        answer = await self._asked(name, request)
        for chat in answer.chats:
            if (found := found_channel(chat)) is not None:
                return found
        raise ChannelNotFound(name, "is a person or a bot, not a channel")

    async def _by_invite(self, name: str, invite: str) -> FoundChannel:
        answer = await self._asked(name, functions.messages.CheckChatInviteRequest(invite))
        chat = getattr(answer, "chat", None)
        found = found_channel(chat) if chat is not None else None
        if found is None or isinstance(answer, types.ChatInvitePeek):
            raise ChannelNotFound(name, _ASK_TO_JOIN)
        return found

    async def _among_own(self, name: str, channel_id: int) -> FoundChannel:
        for found in await self.own():
            if found.channel.channel_id == channel_id:
                return found
        raise ChannelNotFound(
            name,
            "this account has no such chat; `citegram channels --available` lists what it has",
        )

    async def _asked(self, name: str, request: Any) -> Any:
        try:
            return await self._account.call(request)
        except Refused as error:
            raise ChannelNotFound(name, _why_not(error.reason)) from error


def _why_not(word: str) -> str:
    if word.startswith("USERNAME"):
        return "nobody has this name; check it, or give a link"
    if word.startswith("INVITE"):
        return "the invite link is no longer good; ask for a new one"
    return f"Telegram refuses it ({word})"


def found_channel(chat: Any) -> FoundChannel | None:
    """A chat that can be read as a channel; None for anything else."""
    channel = channel_of(chat)
    if channel is None:
        return None
    migrated = getattr(chat, "migrated_to", None)
    is_member = not getattr(chat, "left", False) and not isinstance(chat, types.ChannelForbidden)
    return FoundChannel(
        channel=channel,
        key=ChannelKey(channel.channel_id, getattr(chat, "access_hash", 0) or 0),
        is_member=is_member,
        is_forum=bool(getattr(chat, "forum", False)),
        migrated_to=_key_of(migrated) if isinstance(migrated, types.InputChannel) else None,
    )


def channel_of(chat: Any) -> Channel | None:
    """The archive's channel of a chat; None for what is no channel or group."""
    match chat:
        case types.Channel():
            username = _username(chat)
            return Channel(
                channel_id=ChannelId(chat.id),
                title=storable(chat.title or "?"),
                username=username,
                visibility=Visibility.PUBLIC if username else Visibility.PRIVATE,
                kind="supergroup" if chat.megagroup or chat.gigagroup else "channel",
            )
        case types.Chat():
            return Channel(
                channel_id=ChannelId(-chat.id), title=storable(chat.title or "?"), kind="group"
            )
    return None


def _username(chat: Any) -> str | None:
    if chat.username:
        return str(chat.username)
    # Collectible names stand in a list of their own.
    return next((str(u.username) for u in chat.usernames or () if u.active), None)


def input_channel(key: ChannelKey) -> types.InputChannel:
    """The key in Telegram's words."""
    return types.InputChannel(key.channel_id, key.access_hash)


def input_peer(key: ChannelKey) -> Any:
    """The key as a peer."""
    if key.channel_id < 0:
        return types.InputPeerChat(-key.channel_id)
    return types.InputPeerChannel(key.channel_id, key.access_hash)


def _key_of(told: types.InputChannel) -> ChannelKey:
    return ChannelKey(ChannelId(told.channel_id), told.access_hash)


def _offset_peer(last: Any, found: dict[ChannelId, FoundChannel]) -> Any:
    peer = getattr(last, "peer_id", None)
    channel_id = getattr(peer, "channel_id", None)
    if channel_id is not None and ChannelId(channel_id) in found:
        return input_peer(found[ChannelId(channel_id)].key)
    if isinstance(peer, types.PeerChat):
        return types.InputPeerChat(peer.chat_id)
    return types.InputPeerEmpty()
