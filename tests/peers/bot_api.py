"""A strict Bot API server on loopback: refuses what Telegram refuses, remembers every chat."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

from tests.peers.telegram_rules import Refused, formatted

TOKEN = "123456789:AAE-test-token-that-has-the-right-length"
BOT = {"id": 123456789, "is_bot": True, "first_name": "citegram", "username": "citegram_bot"}
USER_ID = 1001


@dataclass
class ChatMessage:
    """One message of a chat as it stands now."""

    message_id: int
    chat_id: int
    is_ours: bool
    text: str
    entities: list[dict[str, Any]] = field(default_factory=list)
    reply_to: int | None = None
    count_edits: int = 0
    previews: bool = True

    def links(self) -> dict[str, str]:
        """Texts of its links and where they lead."""
        raw = self.text.encode("utf-16-le")
        return {
            raw[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le"): e["url"]
            for e in self.entities
            if e["type"] == "text_link"
        }


@dataclass
class Call:
    """One request of the bot."""

    method: str
    params: dict[str, Any]
    at: float
    status: int = 0


@dataclass
class Fault:
    """What happens to the next matching requests instead of the usual.

    `lost` does what was asked and then drops the connection: the bot can't know.
    """

    kind: Literal["status", "hang", "reset", "lost", "retry_after", "garbage", "redirect"]
    value: int = 0
    description: str = "Internal Server Error"
    times: int = 1


class BotApi:
    """The server's state; tests speak as the user through it and look at the chats."""

    def __init__(self) -> None:
        self.url = ""
        self.messages: dict[tuple[int, int], ChatMessage] = {}
        self.chats: set[int] = set()
        self.blocked: set[int] = set()
        self.calls: list[Call] = []
        self.commands: dict[str, list[dict[str, str]]] = {}
        self.webhook = ""
        self.enforce_floods = False
        self.changed = asyncio.Condition()
        self._faults: dict[str, deque[Fault]] = defaultdict(deque)
        self._updates: dict[int, dict[str, Any]] = {}
        self._next_update_id, self._next_message_id = 500_000, 1
        self._poller: asyncio.Future[None] | None = None
        self._sent_at: dict[int, deque[float]] = defaultdict(deque)
        self._silent_until: dict[int, float] = {}
        self._methods: dict[str, Callable[[dict[str, Any]], Any]] = {
            "getme": lambda _: {**BOT, "can_join_groups": False},
            "deletewebhook": self._delete_webhook,
            "setmycommands": self._set_commands,
            "sendmessage": self._send_message,
            "editmessagetext": self._edit_message,
            "deletemessage": self._delete_message,
            "sendchataction": self._chat_action,
            "answercallbackquery": lambda _: True,
        }

    # --- the user's side

    def user_says(
        self,
        text: str | None = None,
        *,
        user_id: int = USER_ID,
        chat_id: int | None = None,
        language: str | None = "ru",
        at: float | None = None,
        **fields: Any,
    ) -> int:
        """Somebody writes to the bot; returns the message's id."""
        chat_id = user_id if chat_id is None else chat_id
        chat_type = "private" if chat_id > 0 else "supergroup"
        message_id = self._take_message_id()
        self.chats.add(chat_id)
        self.messages[chat_id, message_id] = ChatMessage(
            message_id=message_id, chat_id=chat_id, is_ours=False, text=text or ""
        )
        sender = {"id": user_id, "is_bot": False, "first_name": "U", "language_code": language}
        self.add_update(
            {
                "message_id": message_id,
                "date": int(time.time() if at is None else at),
                "chat": {"id": chat_id, "type": chat_type, "first_name": "U"},
                "from": {key: value for key, value in sender.items() if value is not None},
                **({"text": text} if text is not None else {}),
                **fields,
            }
        )
        return message_id

    def add_update(self, message: Any, *, update_id: int | None = None) -> int:
        """Puts an update into the queue; an explicit id lets one come twice or anew."""
        if update_id is None:
            update_id, self._next_update_id = self._next_update_id, self._next_update_id + 1
        self._updates[update_id] = {"update_id": update_id, "message": message}
        return update_id

    def pending_updates(self) -> list[int]:
        """Updates that the bot has not confirmed."""
        return sorted(self._updates)

    def delete(self, message: ChatMessage) -> None:
        """The user deletes a message."""
        del self.messages[message.chat_id, message.message_id]

    def ours(self, chat_id: int = USER_ID) -> list[ChatMessage]:
        """The bot's messages in a chat, oldest first."""
        found = [m for m in self.messages.values() if m.is_ours and m.chat_id == chat_id]
        return sorted(found, key=lambda message: message.message_id)

    def replies_to(self, message_id: int, chat_id: int = USER_ID) -> list[ChatMessage]:
        """The bot's messages that reply to one."""
        return [message for message in self.ours(chat_id) if message.reply_to == message_id]

    def count(self, method: str) -> int:
        """How often a method was called."""
        return sum(call.method == method.lower() for call in self.calls)

    def fail(self, method: str, kind: Any, value: int = 0, **more: Any) -> None:
        """Makes the next request(s) of a method fail; see `Fault`."""
        self._faults[method.lower()].append(Fault(kind, value, **more))

    async def until(self, happened: Callable[[], Any], *, within_s: float = 10) -> None:
        """Waits until something is so; fails the test when it takes too long."""
        async with asyncio.timeout(within_s), self.changed:
            await self.changed.wait_for(happened)

    # --- the server

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        method = request.match_info["method"].lower()
        form = await request.post()
        params = {key: _parsed(key, str(value)) for key, value in form.items()}
        call = Call(method, params, time.monotonic())
        self.calls.append(call)
        fault = self._next_fault(method)
        try:
            _check_token(request.match_info["token"])
            if fault and fault.kind != "lost":
                return await self._misbehave(request, fault)
            result = await self._result(method, params)
            if fault:
                return await self._misbehave(request, fault)
            call.status = 200
            return web.json_response({"ok": True, "result": result})
        except Refused as refused:
            call.status = refused.status
            body: dict[str, Any] = {
                "ok": False,
                "error_code": refused.status,
                "description": refused.description,
            }
            if refused.parameters:
                body["parameters"] = refused.parameters
            return web.json_response(body, status=refused.status)
        finally:
            async with self.changed:
                self.changed.notify_all()

    def _next_fault(self, method: str) -> Fault | None:
        faults = self._faults[method]
        if not faults:
            return None
        faults[0].times -= 1
        return faults.popleft() if faults[0].times <= 0 else faults[0]

    async def _misbehave(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        if fault.kind == "status":
            raise Refused(fault.value, fault.description)
        if fault.kind == "retry_after":
            raise Refused(429, "Too Many Requests: retry after", retry_after=fault.value)
        if fault.kind == "hang":
            await asyncio.sleep(3600)
        if fault.kind == "garbage":
            return web.Response(text="<html>Bad gateway</html>", content_type="text/html")
        if fault.kind == "redirect":
            raise web.HTTPFound(str(request.url))
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def _result(self, method: str, params: dict[str, Any]) -> Any:
        if method == "getupdates":
            return await self._get_updates(params)
        handler = self._methods.get(method)
        if handler is None:
            raise Refused(404, "Not Found: method not found")
        return handler(params)

    async def _get_updates(self, params: dict[str, Any]) -> list[dict[str, Any]]:
        if self.webhook:
            raise Refused(409, "Conflict: can't use getUpdates method while webhook is active")
        if self._poller is not None and not self._poller.done():
            self._poller.set_exception(
                Refused(409, "Conflict: terminated by other getUpdates request")
            )
        offset = int(params.get("offset", 0))
        for update_id in [known for known in self._updates if known < offset]:
            del self._updates[update_id]
        mine = self._poller = asyncio.get_running_loop().create_future()
        deadline = time.monotonic() + int(params.get("timeout", 0))
        try:
            while not self._updates and (left := deadline - time.monotonic()) > 0:
                await asyncio.wait((mine,), timeout=min(left, 0.02))
                if mine.done():
                    mine.result()
        finally:
            mine.cancel()
        limit = int(params.get("limit", 100))
        return [self._updates[update_id] for update_id in sorted(self._updates)[:limit]]

    def _send_message(self, params: dict[str, Any]) -> dict[str, Any]:
        chat_id = self._writable_chat(params)
        text, entities = formatted(params)
        reply = params.get("reply_parameters") or {}
        reply_to = reply.get("message_id")
        if reply_to is not None and (chat_id, reply_to) not in self.messages:
            if not reply.get("allow_sending_without_reply"):
                raise Refused(400, "Bad Request: message to be replied not found")
            reply_to = None
        self._flood(chat_id)
        message = ChatMessage(
            message_id=self._take_message_id(),
            chat_id=chat_id,
            is_ours=True,
            text=text,
            entities=entities,
            reply_to=reply_to,
            previews=_previews(params),
        )
        self.messages[chat_id, message.message_id] = message
        return _as_json(message)

    def _edit_message(self, params: dict[str, Any]) -> dict[str, Any]:
        chat_id = self._writable_chat(params)
        message = self.messages.get((chat_id, int(params.get("message_id", 0))))
        if message is None:
            raise Refused(400, "Bad Request: message to edit not found")
        if not message.is_ours:
            raise Refused(400, "Bad Request: message can't be edited")
        text, entities = formatted(params)
        if (text, entities) == (message.text, message.entities):
            raise Refused(
                400,
                "Bad Request: message is not modified: specified new message content and reply "
                "markup are exactly the same as a current content and reply markup of the message",
            )
        self._flood(chat_id)
        message.text, message.entities, message.previews = text, entities, _previews(params)
        message.count_edits += 1
        return _as_json(message)

    def _delete_message(self, params: dict[str, Any]) -> bool:
        key = (self._writable_chat(params), int(params.get("message_id", 0)))
        if key not in self.messages:
            raise Refused(400, "Bad Request: message to delete not found")
        del self.messages[key]
        return True

    def _chat_action(self, params: dict[str, Any]) -> bool:
        self._writable_chat(params)
        if params.get("action") != "typing":
            raise Refused(400, "Bad Request: wrong parameter action in request")
        return True

    def _set_commands(self, params: dict[str, Any]) -> bool:
        commands = params.get("commands", [])
        for command in commands:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
                raise Refused(400, "Bad Request: BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise Refused(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
        self.commands[str(params.get("language_code", ""))] = commands
        return True

    def _delete_webhook(self, _params: dict[str, Any]) -> bool:
        self.webhook = ""
        return True

    def _writable_chat(self, params: dict[str, Any]) -> int:
        chat_id = params.get("chat_id")
        if chat_id in self.blocked:
            raise Refused(403, "Forbidden: bot was blocked by the user")
        if not isinstance(chat_id, int) or chat_id not in self.chats:
            raise Refused(400, "Bad Request: chat not found")
        return chat_id

    def _flood(self, chat_id: int) -> None:
        """One message a second after a burst of four; 20 a minute in a group."""
        if not self.enforce_floods:
            return
        now = time.monotonic()
        if (until := self._silent_until.get(chat_id, 0)) > now:
            raise Refused(429, "Too Many Requests: retry after", retry_after=int(until - now) + 1)
        sent = self._sent_at[chat_id]
        if chat_id < 0:
            while sent and sent[0] <= now - 60:
                sent.popleft()
            too_many = len(sent) >= 20
        else:
            # How much of the burst is used up: one is given back every second.
            used = 0.0
            for earlier, at in zip(sent, [*list(sent)[1:], *([now] if sent else [])], strict=True):
                used = max(0.0, used + 1 - (at - earlier))
            too_many = used > 3
        if too_many:
            self._silent_until[chat_id] = now + 2
            raise Refused(429, "Too Many Requests: retry after", retry_after=2)
        sent.append(now)

    def _take_message_id(self) -> int:
        self._next_message_id += 1
        return self._next_message_id - 1


@asynccontextmanager
async def serve_bot_api(api: BotApi | None = None) -> AsyncIterator[BotApi]:
    """A running server on a port of its own."""
    api = api or BotApi()
    app = web.Application()
    app.router.add_post("/bot{token}/{method}", api.handle)
    app.router.add_get("/bot{token}/{method}", api.handle)  # where a redirected POST ends
    # A poller that was killed must not be taken for one that polls on.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    api.url = f"http://{host}:{port}"
    try:
        yield api
    finally:
        await runner.cleanup()


def _check_token(token: str) -> None:
    if token != TOKEN:
        raise Refused(401, "Unauthorized")


def _parsed(name: str, value: str) -> Any:
    if name == "text":
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _previews(params: dict[str, Any]) -> bool:
    return not (params.get("link_preview_options") or {}).get("is_disabled", False)


def _as_json(message: ChatMessage) -> dict[str, Any]:
    return {
        "message_id": message.message_id,
        "date": int(time.time()),
        "chat": {"id": message.chat_id, "type": "private", "first_name": "U"},
        "from": BOT,
        "text": message.text,
        "entities": message.entities,
    }
