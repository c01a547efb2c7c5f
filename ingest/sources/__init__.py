"""Where messages come from: each source gives `ingest.types.Message`."""
