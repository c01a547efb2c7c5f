"""The archive's commands; `bot.cli` mounts them."""
