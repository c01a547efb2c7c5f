"""The Telegram face of citegram: the only package that knows aiogram."""
