"""Figures of retrieval as one HTML page with plots: nothing to install, nothing to fetch."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.evaluation.retrieval import Outcome, summary

_WIDTH, _LEFT, _RIGHT = 720, 150, 70
_BAR, _GAP = 18, 10
_CURVE_HEIGHT = 220
_DEEPEST = 50
_WORST = 20

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:800px;margin:2em auto;padding:0 1em;color:#222}
h1{font-size:1.5em}h2{font-size:1.1em;margin-top:2em}svg{width:100%;height:auto}
.big{display:flex;gap:2em;flex-wrap:wrap}.big div{font-size:2em;font-weight:600}
.big small{display:block;font-size:.45em;font-weight:400;color:#666}
text{font:12px system-ui,sans-serif;fill:#333}.axis{stroke:#ccc}.bar{fill:#4a7ebb}
.p95{fill:#b8cfe8}.line{fill:none;stroke:#4a7ebb;stroke-width:2.5}.whisker{stroke:#222}
table{border-collapse:collapse;width:100%}td,th{padding:.25em .6em;text-align:left;
border-bottom:1px solid #eee;vertical-align:top}td.n{text-align:right}
@media(prefers-color-scheme:dark){body{background:#181a1b;color:#ddd}text{fill:#ccc}
.whisker{stroke:#eee}.axis{stroke:#444}td,th{border-color:#333}}
"""


def retrieval_page(outcomes: Sequence[Outcome], *, title: str) -> str:
    """A page that shows at a glance where retrieval is good, where it is not, and its price.

    Args:
        outcomes: At least one.
        title: What was measured, for the heading.
    """
    figures = summary(outcomes)
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        _headline(figures),
        "<h2>How deep one has to look</h2>",
        _curve(outcomes),
        "<h2>recall@5 by type of question, with 95 % intervals</h2>",
        _by_type(figures),
        "<h2>Time by stage: median, and the slowest twentieth (pale), in ms</h2>",
        _latency(figures["latency_ms"]),
        f"<h2>The {_WORST} worst questions</h2>",
        _worst(outcomes),
    ]
    return (
        '<!doctype html><html><head><meta charset="utf-8">'
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body>{''.join(parts)}</body></html>\n"
    )


def _headline(figures: Mapping[str, Any]) -> str:
    low, high = figures["recall@5_95%"]
    shown = (
        (f"{figures['recall@5']:.3f}", f"recall@5 ({low:.2f} … {high:.2f})"),
        (f"{figures['recall@10']:.3f}", "recall@10"),
        (f"{figures['mrr@10']:.3f}", "MRR@10"),
        (f"{figures['latency_ms']['total']['p95']:.0f} ms", "p95 of the whole"),
        (str(figures["questions"]), "questions"),
    )
    cells = (f"<div>{html.escape(a)}<small>{html.escape(b)}</small></div>" for a, b in shown)
    return f'<div class="big">{"".join(cells)}</div>'


def _curve(outcomes: Sequence[Outcome]) -> str:
    """Recall by depth from 1 to 50."""
    wide, high = _WIDTH - _LEFT, _CURVE_HEIGHT - 40
    points = []
    for depth in range(1, _DEEPEST + 1):
        recall = sum(one.recall(depth) for one in outcomes) / len(outcomes)
        x = 40 + (depth - 1) / (_DEEPEST - 1) * wide
        points.append((x, 10 + (1 - recall) * high))
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    marks = [_axis(10 + (1 - level) * high, f"{level:.1f}", wide) for level in _levels()]
    for depth in (1, 5, 10, 20, 50):
        x = 40 + (depth - 1) / (_DEEPEST - 1) * wide
        marks.append(f'<text x="{x:.1f}" y="{high + 28}" text-anchor="middle">{depth}</text>')
    return _svg(_CURVE_HEIGHT, [*marks, f'<polyline class="line" points="{drawn}"/>'])


def _levels() -> Iterable[float]:
    return (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def _axis(y: float, label: str, wide: float) -> str:
    return (
        f'<line class="axis" x1="40" x2="{40 + wide:.0f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="34" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
    )


def _by_type(figures: Mapping[str, Any]) -> str:
    rows = [("all", figures), *figures["by_type"].items()]
    drawn = []
    for number, (name, part) in enumerate(rows):
        y = number * (_BAR + _GAP)
        low, high = part["recall@5_95%"]
        middle = y + _BAR / 2
        drawn += [
            _label(f"{name} ({part['questions']})", y),
            _rectangle("bar", y, part["recall@5"]),
            f'<line class="whisker" x1="{_x(low):.1f}" x2="{_x(high):.1f}" '
            f'y1="{middle}" y2="{middle}"/>',
            _value(f"{part['recall@5']:.2f}", y),
        ]
    return _svg(len(rows) * (_BAR + _GAP), drawn)


def _latency(latency_ms: Mapping[str, Mapping[str, float]]) -> str:
    longest = max((spent["p95"] for spent in latency_ms.values()), default=0.0) or 1.0
    drawn = []
    for number, (stage, spent) in enumerate(latency_ms.items()):
        y = number * (_BAR + _GAP)
        drawn += [
            _label(stage, y),
            _rectangle("p95", y, spent["p95"] / longest),
            _rectangle("bar", y, spent["p50"] / longest),
            _value(f"{spent['p50']:.0f} / {spent['p95']:.0f}", y),
        ]
    return _svg(len(latency_ms) * (_BAR + _GAP), drawn)


def _worst(outcomes: Sequence[Outcome]) -> str:
    """Questions by how much of their answer is not among the first five."""
    missed = sorted((one for one in outcomes if one.recall(5) < 1), key=lambda o: o.recall(5))
    if not missed:
        return "<p>Every question has its posts among the first five.</p>"
    rows = []
    for one in missed[:_WORST]:
        places = ", ".join("-" if rank is None else str(rank) for rank in one.ranks)
        rows.append(
            f"<tr><td>{html.escape(one.example.id)}</td><td>{html.escape(one.example.type)}</td>"
            f'<td>{html.escape(one.example.question.text)}</td><td class="n">{places}</td></tr>'
        )
    head = "<tr><th>id</th><th>type</th><th>question</th><th>place of its posts</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _label(text: str, y: float) -> str:
    return f'<text x="{_LEFT - 8}" y="{y + 13}" text-anchor="end">{html.escape(text)}</text>'


def _value(text: str, y: float) -> str:
    return f'<text x="{_WIDTH - _RIGHT + 6}" y="{y + 13}">{html.escape(text)}</text>'


def _rectangle(kind: str, y: float, share: float) -> str:
    width = max(0.5, _x(share) - _LEFT)
    return f'<rect class="{kind}" x="{_LEFT}" y="{y}" width="{width:.1f}" height="{_BAR}"/>'


def _svg(height: float, drawn: Iterable[str]) -> str:
    return f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img">{"".join(drawn)}</svg>'
