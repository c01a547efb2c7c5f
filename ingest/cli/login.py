"""`citegram login`: the Telegram account that channels are read with."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from ingest.cli.console import EXIT_USAGE, json_option, load_settings, print_json, run

if TYPE_CHECKING:
    from ingest.settings import Settings
    from ingest.sources.telegram.login import LoggedIn


@click.command("login")
@click.option("--qr", is_flag=True, help="Scan a code with the phone instead of typing one.")
@json_option
def login_command(qr: bool, as_json: bool) -> None:
    """Log in to Telegram once, to read channels with `citegram sync`.

    The session is kept in the data directory, readable by you alone. It opens the whole account:
    keep it as you keep a password. Use an account that has existed for a while.
    """
    settings = load_settings()
    if not sys.stdin.isatty():
        click.echo("citegram login asks questions: run it on a terminal", err=True)
        sys.exit(EXIT_USAGE)
    who = run(lambda: _log_in(settings, by_qr=qr))
    if as_json:
        print_json({"user_id": who.user_id, "name": who.name, "session": str(who.path)})
    else:
        click.echo(f"Logged in as {who.name}. Next: citegram sync @CHANNEL")


async def _log_in(settings: Settings, *, by_qr: bool) -> LoggedIn:
    from ingest.sources.telegram.account import account_settings  # noqa: PLC0415 - `--help`
    from ingest.sources.telegram.login import Asking, log_in  # noqa: PLC0415

    asking = Asking(phone=_phone, code=_code, password=_password, show_qr=_show_qr)
    return await log_in(account_settings(settings), asking, by_qr=by_qr)


async def _phone() -> str:
    text = "Phone number, with its country's code (+7...)"
    return str(await asyncio.to_thread(click.prompt, text, err=True))


async def _code(how: str) -> str:
    where = "in Telegram on your other device" if how == "app" else f"by {how}"
    return str(await asyncio.to_thread(click.prompt, f"The code that came {where}", err=True))


async def _password(was_wrong: bool) -> str:
    text = "Wrong. Two-step password" if was_wrong else "Two-step password"
    return str(await asyncio.to_thread(click.prompt, text, hide_input=True, err=True))


def _show_qr(link: str) -> None:
    import segno  # noqa: PLC0415 - only this command draws

    click.echo("In Telegram: Settings, Devices, Link a device. Then scan:", err=True)
    segno.make(link, micro=False).terminal(out=sys.stderr, compact=True)
