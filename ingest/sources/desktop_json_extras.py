"""What Telegram Desktop's format has no place for, under the key ``citegram`` of our exports.

Anyone can write such a key, so every value is checked against the type of its field and a
value that does not fit is ignored.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from functools import cache

from ingest.sources.desktop_json_values import (
    JsonObject,
    as_bool,
    as_file_name,
    as_float,
    as_int,
    as_text,
    as_time,
)
from ingest.types import Attachment, Channel, Entity, Message

FORMAT = 1
"""The version that a channel's ``citegram`` object tells."""

# The rest Desktop's own keys hold exactly; what identifies a message is not ours to override.
_MESSAGE_FIELDS = frozenset(
    field.name
    for field in fields(Message)
    if field.name not in {"channel_id", "message_id", "posted_at", "text"}
)
_CHANNEL_FIELDS = frozenset({"title", "username", "visibility"})

_Value = typing.TypeVar("_Value", Message, Channel)


def message_extras(message: Message, readable: Message) -> JsonObject:
    """The fields of a message that differ from what its Desktop form says."""
    return _differences(message, readable, _MESSAGE_FIELDS)


def channel_extras(channel: Channel, readable: Channel) -> JsonObject:
    """The fields of a channel that differ from what its Desktop form says."""
    return _differences(channel, readable, _CHANNEL_FIELDS)


def with_extras(message: Message, extras: Mapping[str, object]) -> Message:
    """The message with those of its extras that are sound."""
    sound = _sound(Message, extras, _MESSAGE_FIELDS)
    if "entities" in sound:
        entities = typing.cast("tuple[Entity, ...]", sound["entities"])
        length = len(message.text)
        sound["entities"] = tuple(
            entity for entity in entities if 0 <= entity.start < entity.end <= length
        )
    if isinstance(carried := sound.get("attachment"), Attachment):
        sound["attachment"] = replace(carried, file_name=as_file_name(carried.file_name))
    return _replaced(message, sound)


def channel_with_extras(channel: Channel, extras: Mapping[str, object]) -> Channel:
    """The channel with those of its extras that are sound."""
    return _replaced(channel, _sound(Channel, extras, _CHANNEL_FIELDS))


def _replaced(value: _Value, changes: JsonObject) -> _Value:
    return replace(value, **changes)  # type: ignore[arg-type]  # `_sound` checked each one


def _differences(
    value: Message | Channel, readable: Message | Channel, names: frozenset[str]
) -> JsonObject:
    return {
        name: _plain(getattr(value, name))
        for name in sorted(names)
        if getattr(value, name) != getattr(readable, name)
    }


def _plain(value: object) -> object:
    """The value as JSON: times as seconds since 1970, absent things left out."""
    if is_dataclass(value):
        told = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {name: _plain(part) for name, part in told if part is not None and part != ()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, datetime):
        return int(value.timestamp())
    return value.value if isinstance(value, Enum) else value


def _sound(owner: type, extras: Mapping[str, object], names: frozenset[str]) -> JsonObject:
    sound: JsonObject = {}
    for name in names & extras.keys():
        try:
            sound[name] = _restored(_hints(owner)[name], extras[name])
        except ValueError:
            continue
    return sound


@cache
def _hints(owner: type) -> dict[str, object]:
    return typing.get_type_hints(owner)


def _restored(kind: object, value: object) -> object:
    """The value as this type.

    Raises:
        ValueError: It does not fit.
    """
    if typing.get_origin(kind) in {types.UnionType, typing.Union}:
        if value is None:
            return None
        kind = next(part for part in typing.get_args(kind) if part is not types.NoneType)
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError("not a list")
        return tuple(_restored(typing.get_args(kind)[0], part) for part in value)
    if isinstance(kind, typing.NewType):
        kind = kind.__supertype__
    if not isinstance(kind, type):
        raise TypeError(f"no rule for {kind}")
    if is_dataclass(kind):
        return _restored_object(kind, value)
    return _restored_scalar(kind, value)


def _restored_object(kind: type, value: object) -> object:
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - a file is at fault, no caller
    hints = _hints(kind)
    told = {name: _restored(hints[name], value[name]) for name in hints.keys() & value.keys()}
    for field in fields(kind):
        if field.name not in told and field.default is MISSING:
            raise ValueError(f"no {field.name}")
    return kind(**told)


def _restored_scalar(kind: type, value: object) -> object:
    if issubclass(kind, Enum):
        return kind(value)
    # An empty text is a text here: the writer says exactly what it means.
    found = "" if kind is str and value == "" else _SCALARS[kind](value)
    if found is None:
        raise ValueError(f"not {kind.__name__}")
    return found


_SCALARS: dict[type, Callable[[object], object]] = {
    str: as_text,
    int: as_int,
    float: as_float,
    bool: as_bool,
    datetime: lambda value: as_time(value, None, UTC),
}
