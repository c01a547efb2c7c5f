"""The search index: a process of its own, and the ways to talk to it."""
