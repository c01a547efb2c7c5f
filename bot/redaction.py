"""What may be said about an error: no bot tokens, no words of posts."""

from __future__ import annotations

import re
import traceback

_TOKEN = re.compile(r"\d{6,}:[\w-]{30,}")
"""Source: core.telegram.org/bots/api#authorizing-your-bot."""


def redact(text: str) -> str:
    """`text` with every bot token replaced."""
    return _TOKEN.sub("<bot token>", text)


def where(error: BaseException) -> str:
    """Where an error came from: its last frames, without texts or values."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return " < ".join(
        f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
        for frame in reversed(frames)
    )
