"""The agent's commands; `bot.cli` mounts them."""
