"""``python -m bot`` is ``citegram``."""

from bot.cli import main

main(prog_name="citegram")
