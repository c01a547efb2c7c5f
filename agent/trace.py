"""What happened while one question was answered: stages, milliseconds, outcomes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Trace:
    """Filled by the agent beside the answer; never shown unless asked for.

    Attributes:
        timings_ms: Milliseconds by stage; of stages that ran twice, the sum.
        facts: Counts and scores by name, for the canonical log line.
    """

    timings_ms: dict[str, float] = field(default_factory=dict)
    facts: dict[str, str | int | float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Times what happens inside."""
        started_at = time.perf_counter()
        try:
            yield
        finally:
            spent_ms = (time.perf_counter() - started_at) * 1000
            self.timings_ms[name] = round(self.timings_ms.get(name, 0.0) + spent_ms, 2)
