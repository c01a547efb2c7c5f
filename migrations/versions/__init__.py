"""The migrations, a file a step."""
