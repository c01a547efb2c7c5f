"""Single values of an export, each checked: a wrong type is the same as an absent value."""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime, tzinfo

import orjson

JsonObject = dict[str, object]

_MAX_INT = 2**63 - 1  # what SQLite holds
_MAX_DIGITS = 19
_LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z, datetime's own last one

_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)",
    re.DOTALL,
)
_KNOWN_ESCAPES = b'"\\/bfnrt'
_BARE_DOCUMENT_ID = re.compile(rb'("document_id"\s*:\s*)[^"\s\d][^\n]*')
_SURROGATE = re.compile("[\ud800-\udfff]")

# Source: SerializeMessage in tdesktop's export_output_json.cpp; a name may stand before it.
_NOT_A_PATH = re.compile(
    r"\((?:File|Photo) (?:unavailable|exceeds maximum size|not included)[^()]*\)$"
)
# Source: PrepareFileNameDatePart in tdesktop's export_data_types.cpp.
_INVENTED_NAME = re.compile(r"[a-z_]+_\d+@\d\d-\d\d-\d{4}_\d\d-\d\d-\d\d(\.\w+)?$")

_CHANNEL_SHIFT, _CHAT_SHIFT = 1 << 33, 1 << 32
"""Exports older than 2021 wrote ids with the kind of chat in their high bits.

Source: PeerIdChannelShift and PeerIdChatShift of tdesktop before version 2.7.2.
"""


def loads(raw: bytes) -> object:
    r"""The JSON value of these bytes, mended where Telegram Desktop writes what is not JSON.

    It writes control characters as ``\x0B`` and, in versions 4.1, a custom emoji's file
    without quotes. Lone surrogates and bytes that are not UTF-8 become U+FFFD.

    Raises:
        ValueError: It is not JSON even then, or is nested too deep.

    Source: github.com/telegramdesktop/tdesktop/issues/27571 and 24961.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        mended = _BARE_DOCUMENT_ID.sub(rb"\1null", _ESCAPE.sub(_mend_escape, raw))
    try:
        return json.loads(mended.decode("utf-8", "replace"), strict=False)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _mend_escape(found: re.Match[bytes]) -> bytes:
    escape = found[0]
    if escape[1:2] == b"u" and len(escape) > 2:  # noqa: PLR2004 - a backslash and the letter
        is_lone = len(escape) == len(rb"\ud800") and escape[2:4].lower() in _SURROGATE_STARTS
        return rb"\ufffd" if is_lone else escape
    if escape[1:2] == b"x" and len(escape) > 2:  # noqa: PLR2004 - as above
        return rb"\u00" + escape[2:]
    return escape if escape[1] in _KNOWN_ESCAPES else b"\\" + escape


_SURROGATE_STARTS = frozenset(b"d%x" % digit for digit in range(8, 16))


def storable(text: str) -> str:
    """The text with what UTF-8 and SQLite cannot hold (NUL, lone surrogates) as U+FFFD."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def as_text(value: object) -> str | None:
    """A string that is not empty, storable; None for anything else."""
    return storable(value) if isinstance(value, str) and value else None


def as_int(value: object) -> int | None:
    """An integer of 64 bits, or one written as a string, as Desktop does with times."""
    if isinstance(value, str):
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS):
            return None
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_INT:
        return value
    return None


def as_count(value: object) -> int | None:
    """An integer from 0 up."""
    number = as_int(value)
    return number if number is not None and number >= 0 else None


def as_bool(value: object) -> bool | None:
    """A boolean; also one written as a string."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value) if isinstance(value, str) else None


def as_float(value: object) -> float | None:
    """A finite number; also one written as a string."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_object(value: object) -> JsonObject:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_time(unix: object, local: object, zone: tzinfo) -> datetime | None:
    """An aware UTC time out of Desktop's pair of fields.

    Args:
        unix: Seconds since 1970; when present it is the truth.
        local: An ISO time by the clock of the machine that exported, for old exports.
        zone: The zone of that machine.
    """
    seconds = as_int(unix)
    if seconds is not None and 0 < seconds <= _LAST_SECOND:
        return datetime.fromtimestamp(seconds, UTC)
    if not isinstance(local, str):
        return None
    try:
        told = datetime.fromisoformat(local)
        at = (told if told.tzinfo else told.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return at if at.timestamp() > 0 else None


def as_peer(value: object) -> str | None:
    """A sender as newer exports write it, ``user1``; older ones write a number."""
    if not isinstance(value, int):
        return as_text(value)
    number = as_count(value)
    if not number:
        return None
    if number >= _CHANNEL_SHIFT:
        return f"channel{number - _CHANNEL_SHIFT}"
    return f"chat{number - _CHAT_SHIFT}" if number >= _CHAT_SHIFT else f"user{number}"


def channel_of_peer(peer: str | None) -> int | None:
    """The channel id in ``channel123``; None for any other peer."""
    if peer is None or not peer.startswith("channel"):
        return None
    return as_count(peer.removeprefix("channel")) or None


def unshifted(chat_id: int) -> int:
    """The bare id out of an old export's, which has the kind of chat in its high bits."""
    if _CHANNEL_SHIFT < chat_id < 2 * _CHANNEL_SHIFT:
        return chat_id - _CHANNEL_SHIFT
    return chat_id - _CHAT_SHIFT if _CHAT_SHIFT < chat_id < _CHANNEL_SHIFT else chat_id


def as_path(value: object) -> str | None:
    """A path that Desktop wrote; None for its note that the file was not exported."""
    path = as_text(value)
    return None if path is None or _NOT_A_PATH.search(path) else path


def as_file_name(value: object) -> str | None:
    """The last part of a file's name or path: a name that climbs out of a folder cannot."""
    path = as_path(value)
    if path is None:
        return None
    name = path.replace("\\", "/").rpartition("/")[2]
    return None if name.strip() in {"", ".", ".."} else name


def as_exported_name(value: object) -> str | None:
    """The name of an exported file, unless Desktop made it up: ``video_1@07-01-2022_...``."""
    name = as_file_name(value)
    return None if name is None or _INVENTED_NAME.match(name) else name
