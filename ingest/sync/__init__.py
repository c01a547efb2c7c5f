"""Keeps the archive true to Telegram: backfill, catch-up, sweeps, and events as hints."""
