"""The commands: /start, /help and /channels."""

from __future__ import annotations

from aiogram import Router
from aiogram.filters import Command, CommandStart
from aiogram.types import Message

from bot.handlers.notices import say, say_parts
from bot.render.channels import render_channels
from bot.services import App
from bot.texts import texts
from bot.types import Incoming


def commands() -> Router:
    """A router for every command that the bot knows."""
    router = Router(name="commands")
    router.message.register(start, CommandStart())
    router.message.register(show_help, Command("help"))
    router.message.register(show_channels, Command("channels"))
    return router


async def start(message: Message, app: App, incoming: Incoming) -> None:
    """Says what the bot is for."""
    del message
    words = texts(incoming.language)
    await say(app, incoming, "start", words.START, words.HELP)


async def show_help(message: Message, app: App, incoming: Incoming) -> None:
    """Says how to ask."""
    del message
    await say(app, incoming, "help", texts(incoming.language).HELP)


async def show_channels(message: Message, app: App, incoming: Incoming) -> None:
    """Lists the channels of the archive and what it holds of each."""
    del message
    held = [
        (channel, await app.archive.coverage([channel.channel_id]))
        for channel in await app.archive.channels()
    ]
    parts = render_channels(held, texts(incoming.language), app.settings.zone)
    await say_parts(app, incoming, "channels", parts)
