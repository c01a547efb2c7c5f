"""Shows on a terminal how far a sync is, how fast, and what Telegram makes it wait for."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from ingest.sync.channel import Step
    from ingest.sync.gate import Waiting
    from ingest.types import Channel, ChannelId


class SyncProgress:
    """A bar for each channel, over its ids."""

    def __init__(self, *, shown: bool) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[count]:,} posts, {task.fields[rate]:,.0f}/s"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=Console(stderr=True),
            disable=not shown,
            transient=True,
        )
        self._tasks: dict[ChannelId, TaskID] = {}
        self._counts: dict[ChannelId, int] = {}
        self._titles: dict[ChannelId, str] = {}
        self._began_at = time.monotonic()

    def __enter__(self) -> SyncProgress:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def name(self, channels: Mapping[ChannelId, Channel]) -> None:
        """What the channels are called."""
        self._titles |= {key: channel.title for key, channel in channels.items()}

    def step(self, step: Step) -> None:
        """An answer is stored."""
        channel_id = step.channel_id
        count = self._counts.get(channel_id, 0) + step.kept.read
        self._counts[channel_id] = count
        self._progress.update(
            self._task(channel_id),
            total=max(1, step.top_id - step.floor_id),
            completed=step.cursor_id - step.floor_id,
            count=count,
            rate=count / max(time.monotonic() - self._began_at, 0.001),
            note="",
        )

    def wait(self, waiting: Waiting) -> None:
        """Telegram wants a pause."""
        at = f"{waiting.until_at.astimezone():%H:%M:%S}"
        note = f"Telegram asks to wait until {at}"
        for channel_id in self._titles:
            if waiting.channel_id in {channel_id, 0}:
                self._progress.update(self._task(channel_id), note=note)

    def _task(self, channel_id: ChannelId) -> TaskID:
        if channel_id not in self._tasks:
            title = self._titles.get(channel_id, str(channel_id))
            self._tasks[channel_id] = self._progress.add_task(
                title, total=None, count=0, rate=0.0, note=""
            )
        return self._tasks[channel_id]
