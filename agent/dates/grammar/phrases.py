"""Reads a whole date phrase: its preposition, open ends and lists around single dates."""

from __future__ import annotations

from dataclasses import replace

from agent.dates.counted import Weekday, Window
from agent.dates.grammar.found import Found, Phrase
from agent.dates.grammar.points import point
from agent.dates.grammar.ranges import LEADING, may_be_led, span
from agent.dates.meanings import Role, Unit
from agent.dates.nodes import Fixed, Node, Yearly
from agent.dates.stretches import OpenEnd, listed
from agent.dates.tokens import Words, unit_at

_UNTIL_NOW = frozenset(
    {"по настоящее время", "по сей день", "до сих пор", "to date", "until now", "till now"}
)
_MAX_LISTED = 12
_DIGEST_UNITS = frozenset({Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.HALF, Unit.YEAR})


def phrase(words: Words, at: int) -> Phrase | None:
    """The longest date phrase that begins at the place."""
    readings = (_open_end(words, at), span(words, at), _point(words, at), _digest(words, at))
    found = [reading for reading in readings if reading]
    return max(found, key=lambda reading: reading.end, default=None)


def _point(words: Words, at: int) -> Phrase | None:
    core = _after_prepositions(words, at)
    found = point(words, core)
    direct = point(words, at) if core > at else None
    # "in 7 days": the preposition is a part of the date.
    if direct and (found is None or direct.end >= found.end):
        return Phrase(node=direct.node, start=at, core=at, end=direct.end, is_firm=direct.is_firm)
    if found is None:
        return None
    is_led = any(words[place].has(Role.IN, Role.OVER, Role.FROM) for place in range(at, core))
    return _listed(
        words,
        Phrase(
            node=found.node,
            start=at,
            core=core,
            end=found.end,
            is_firm=found.is_firm or (is_led and may_be_led(words, core)),
        ),
    )


def _digest(words: Words, at: int) -> Phrase | None:
    """«за неделю»: the last seven days in «что нового за неделю», a rate elsewhere."""
    is_led = words[at].norm in {"за", "for", "over", "of"}
    place = words.skip(at + is_led, Role.ALL, Role.THE)
    unit = unit_at(words, place)
    # "for a week" is a length; «новости недели» needs no preposition.
    is_whole = words[at].norm == "за" or words[place - 1].has(Role.THE)
    is_of = not is_led and words[place].norm in {"недели", "месяца"}
    if unit not in _DIGEST_UNITS or not ((is_led and is_whole) or is_of):
        return None
    node = Window(unit=unit, count=1, is_ahead=False, is_rolling=True)
    return Phrase(node=node, start=at, core=place, end=place + 1, is_firm=False, is_digest=True)


def _after_prepositions(words: Words, at: int) -> int:
    place = words.skip(at, *LEADING)
    if words[place].has(Role.FROM) and not words[place].has(Role.SINCE):
        place = words.skip(place + 1, Role.THE)
    return place


def _listed(words: Words, first: Phrase) -> Phrase:
    """Takes in what stands beside it: «в марте и апреле», «в январе, феврале и марте»."""
    nodes, end = [first.node], first.end
    sure, sure_end = 1, end
    while len(nodes) < _MAX_LISTED:
        is_and = words[end].has(Role.AND)
        if not is_and and words[end].norm != ",":
            break
        following = point(words, words.skip(end + 1, Role.IN, Role.THE))
        if following is None or not _may_be_listed(nodes[-1], following.node):
            break
        nodes.append(following.node)
        end = following.end
        if is_and:  # two dates with only a comma between them are not yet a list
            sure, sure_end = len(nodes), end
    if sure == 1:
        return first
    return replace(first, node=listed(nodes[:sure]), end=sure_end, is_firm=True)


def _may_be_listed(left: Node, right: Node) -> bool:
    return isinstance(left, Yearly | Fixed | Weekday) and type(left) is type(right)


def _open_end(words: Words, at: int) -> Phrase | None:
    """Since, after, until or before a date."""
    start = words.skip(at, Role.ALL, Role.THE)
    token = words[start]
    side = _side(words, start)
    if side is None:
        return None
    place = start + 1
    if token.norm.startswith("начина") and words[place].has(Role.SINCE):
        place += 1
    core = words.skip(place, Role.THE, Role.ALL)
    found = point(words, core)
    if found is None:
        return None
    side, end = _sharpened(words, side, core, found)
    end = _after_until_now(words, end) if side == "since" else end
    return Phrase(
        node=OpenEnd(side=side, node=found.node), start=at, core=core, end=end, is_firm=True
    )


def _side(words: Words, at: int) -> str | None:
    token = words[at]
    if token.norm == "from":
        return None
    for role, side in (
        (Role.SINCE, "since"),
        (Role.AFTER, "after"),
        (Role.BEFORE, "before"),
        (Role.UNTIL, "until"),
    ):
        if token.has(role):
            return side
    return None


def _after_until_now(words: Words, at: int) -> int:
    """The place after «по настоящее время» or the like, which an open end means anyway."""
    for length in (2, 3):
        said = " ".join(words[at + i].norm for i in range(length))
        if said in _UNTIL_NOW:
            return at + length
    return at


def _sharpened(words: Words, side: str, core: int, found: Found) -> tuple[str, int]:
    """«до конца месяца» counts the month in; "until March" leaves March out."""
    end = found.end
    if words[end].norm.startswith("включительно"):
        return ("since" if side in {"since", "after"} else "until"), end + 1
    if side == "before" and words[core].norm == "конца":
        return "until", end
    return side, end
