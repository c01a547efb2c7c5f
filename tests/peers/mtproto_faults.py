"""What goes wrong on purpose in the loopback Telegram: faults as values, floods watched over."""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Fault:
    """What happens to the calls after the first `after` matching ones, `times` times.

    Attributes:
        method: As the API names it ("messages.getHistory"); "*" is any.
        action: flood_wait (value: seconds) | error (value: [code, text]) | delay (seconds, then
            normal) | drop (close, no answer) | drop_after (answer, then close) | truncate (half
            an answer, then close) | ignore (never answer) | transport (value: 404 or 429) |
            empty (an answer without messages) | hollow (messages as MessageEmpty).
        times: -1: for ever.
        channel: Only calls about this channel.
    """

    method: str
    action: str
    value: Any = None
    after: int = 0
    times: int = 1
    channel: int | None = None


@dataclass(slots=True)
class _Limit:
    calls: int
    per_s: float
    wait_s: int
    seen: collections.deque[float] = field(default_factory=collections.deque)


class Faults:
    """The schedule of one server, and whether its floods were obeyed.

    Attributes:
        early: Calls that came before the end of the wait that their method had been given.
        clock: Seconds; a test's own clock makes waits of a day testable.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.early: list[tuple[str, int | None]] = []
        self.count_floods = 0
        self._schedule: list[Fault] = []
        self._limits: dict[str, _Limit] = {}
        self._due: dict[tuple[str, int | None], float] = {}

    def add(self, *faults: Fault | Mapping[str, Any]) -> None:
        """Adds faults; from a file of schedules they come as mappings."""
        for fault in faults:
            self._schedule.append(fault if isinstance(fault, Fault) else Fault(**fault))

    def limit(self, method: str, *, calls: int, per_s: float, wait_s: int) -> None:
        """More than `calls` of `method` in `per_s` seconds answer FLOOD_WAIT."""
        self._limits[method] = _Limit(calls, per_s, wait_s)

    def clear(self) -> None:
        """Everything works from now on."""
        self._schedule.clear()
        self._limits.clear()

    def left(self) -> Iterable[Fault]:
        """The faults that have not all happened yet."""
        return [fault for fault in self._schedule if fault.times > 0]

    def next(self, method: str, channel: int | None) -> Fault | None:
        """What happens to this call; None: nothing."""
        now, key = self.clock(), (method, channel)
        if now < self._due.get(key, 0):
            self.early.append(key)
        fault = self._limited(method, now) or self._scheduled(method, channel)
        seconds = _flood_s(fault)
        if seconds is not None:
            self.count_floods += 1
            self._due[key] = now + seconds
        return fault

    def _limited(self, method: str, now: float) -> Fault | None:
        limit = self._limits.get(method)
        if limit is None:
            return None
        while limit.seen and now - limit.seen[0] > limit.per_s:
            limit.seen.popleft()
        if len(limit.seen) >= limit.calls:
            return Fault(method, "flood_wait", limit.wait_s)
        limit.seen.append(now)
        return None

    def _scheduled(self, method: str, channel: int | None) -> Fault | None:
        for fault in self._schedule:
            if fault.method not in (method, "*") or not fault.times:
                continue
            if fault.channel is not None and fault.channel != channel:
                continue
            if fault.after:
                fault.after -= 1
                continue
            fault.times -= 1
            return fault
        return None


def _flood_s(fault: Fault | None) -> int | None:
    if fault is None:
        return None
    if fault.action == "flood_wait":
        return int(fault.value)
    if fault.action == "error" and "WAIT_" in fault.value[1]:
        return int(fault.value[1].rpartition("_")[2])
    return None
