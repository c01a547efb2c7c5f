"""Telegram through Telethon: the only package that imports it."""
