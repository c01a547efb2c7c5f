"""What happens to each kind of message; the order of the routers in one place."""

from __future__ import annotations

from aiogram import Dispatcher

from bot.access import AccessMiddleware
from bot.handlers.commands import commands
from bot.handlers.failures import tell_the_sender
from bot.handlers.questions import questions
from bot.services import App


def make_dispatcher(app: App) -> Dispatcher:
    """A dispatcher whose handlers only put messages into the inbox of `app`."""
    dispatcher = Dispatcher(disable_fsm=True, app=app)
    dispatcher.message.outer_middleware(AccessMiddleware())
    dispatcher.errors.register(tell_the_sender)
    dispatcher.include_routers(commands(), questions())
    return dispatcher
