"""Who drafts: a language model over any OpenAI-compatible server, or no model at all."""
