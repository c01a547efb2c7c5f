"""From a question to an answer with footnotes, or to a refusal that says why."""
