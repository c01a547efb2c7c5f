"""How syncing stands, for `citegram status`: lines for people, JSON for machines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ingest.store.floods import Flood
    from ingest.store.sync_status import ChannelSyncStatus, SyncStatus


def sync_lines(status: SyncStatus, pause_s: float, zone: tzinfo) -> Iterator[str]:
    """A line for each followed channel, for each wait, and for a lost session.

    Args:
        status: What `sync_status` tells.
        pause_s: Seconds between two pages.
        zone: Of the times that are shown.
    """
    if status.session_lost:
        yield f"Telegram can't be read any more: {status.session_lost}; run `citegram login`"
    for one in status.channels:
        yield _line(one, pause_s, zone)
    for flood in _ahead(status.floods):
        yield f"Telegram asks to wait until {_clock(flood.until_at, zone)} ({flood.method})"


def sync_json(status: SyncStatus, pause_s: float) -> dict[str, Any]:
    """The same for machines; times are UTC."""
    return {
        "session_lost": status.session_lost,
        "floods": [_flood(one) for one in status.floods],
        "channels": [
            {
                "channel": one.followed.channel.name,
                "state": one.followed.state.value,
                "reason": one.followed.reason,
                "gaps": one.count_gaps,
                "failures": one.count_failures,
                "lag_ids": one.lag_ids,
                "eta_s": round(one.eta_s(pause_s)),
                "checked_at": _utc(one.followed.checked_at),
                "swept_at": _utc(one.followed.swept_at),
                "floods": [_flood(flood) for flood in one.floods],
            }
            for one in status.channels
        ],
    }


def _line(one: ChannelSyncStatus, pause_s: float, zone: tzinfo) -> str:
    parts = [f"sync {one.followed.channel.title}: {one.followed.state.value}"]
    if one.followed.reason:
        parts.append(one.followed.reason)
    if one.lag_ids or one.count_gaps:
        parts.append(
            f"{one.lag_ids:,} ids behind, {one.count_gaps:,} gaps, "
            f"about {one.eta_s(pause_s) / 60:.0f} min"
        )
    if one.count_failures:
        parts.append(f"{one.count_failures:,} failures")
    if one.followed.checked_at:
        parts.append(f"looked at {_clock(one.followed.checked_at, zone)}")
    parts += [
        f"Telegram asks to wait until {_clock(flood.until_at, zone)}"
        for flood in _ahead(one.floods)
    ]
    return "; ".join(parts)


def _ahead(floods: tuple[Flood, ...]) -> Iterator[Flood]:
    now = datetime.now(UTC)
    return (one for one in floods if one.until_at > now)


def _flood(one: Flood) -> dict[str, Any]:
    return {
        "method": one.method,
        "wait_s": one.wait_s,
        "in_a_row": one.count_in_a_row,
        "until": _utc(one.until_at),
    }


def _clock(moment: datetime, zone: tzinfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def _utc(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
