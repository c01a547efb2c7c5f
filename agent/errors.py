"""What can go wrong while answering.

AgentError
  ModelUnavailable    the language model did not give a usable reply
"""

from __future__ import annotations


class AgentError(Exception):
    """Base of the agent's errors; the message is one plain sentence."""


class ModelUnavailable(AgentError):
    """The language model did not give a usable reply; the message says why."""
