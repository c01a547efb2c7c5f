"""Gets a file's text out of it, whatever the file is, and never hangs or grows over it."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from ingest.documents.worker import MAX_CHARS, READERS

TIMEOUT_S = 60.0
"""For one file, waiting for a core included."""

_BLANK_LINES = re.compile(r"\s*\n\s*\n\s*")
_SPACES = re.compile(r"[^\S\n]+")


class UnreadableFile(Exception):
    """A file has no text that can be had; the message says why, without a word of it."""


def is_readable(file_name: str | None) -> bool:
    """Whether there is a reader for files of this name."""
    return _suffix(file_name) in READERS


async def extract_text(content: bytes, file_name: str) -> str:
    """The text of a file, paragraphs apart, at most `MAX_CHARS` long.

    It is read by another process with limits on memory and time.

    Raises:
        UnreadableFile: It is damaged, encrypted, too large, or not what its name says.
    """
    return await asyncio.to_thread(_extract, content, _suffix(file_name))


def _extract(content: bytes, suffix: str) -> str:
    with tempfile.TemporaryDirectory(prefix="citegram-") as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(content)
        try:
            done = subprocess.run(  # noqa: S603 - no shell, and the file is no argument to it
                [sys.executable, "-m", "ingest.documents.worker", str(path), suffix],
                capture_output=True,
                timeout=TIMEOUT_S,
                check=False,
                # Nothing of our settings: the session and the tokens are in there.
                env={"PATH": os.environ.get("PATH", ""), "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        except subprocess.TimeoutExpired:
            raise UnreadableFile(f"it takes more than {TIMEOUT_S:g} s to read") from None
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2][:60]
        raise UnreadableFile(reason or "the limits of memory or time")
    return _tidy(done.stdout.decode("utf-8", "replace"))


def _suffix(file_name: str | None) -> str:
    return Path(file_name or "").suffix.lower()


def _tidy(text: str) -> str:
    lines = _SPACES.sub(" ", text.replace("\0", "").replace("\r", ""))
    return _BLANK_LINES.sub("\n\n", lines).strip()[:MAX_CHARS]
