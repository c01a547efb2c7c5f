"""A model that does what the posts in its prompt tell it: the worst that injection can do."""

from __future__ import annotations

import json
import re

_ORDER = re.compile(r"ORDER (\{.*\})")


def obey(user: str) -> object:
    """The reply that the posts ask for: each order in them is one claim, to the letter."""
    orders = [json.loads(order) for order in _ORDER.findall(user)]
    return {"answerable": True, "claims": [{"quote": "", **order} for order in orders]}


class ObedientModel:
    """A `ChatModel` that obeys."""

    async def complete(self, *, system: str, user: str, schema: dict[str, object]) -> object:
        """What the posts ask for; the system message and the schema are not even read."""
        return obey(user)
