"""The text of files that posts carry, read in a process of its own with limits."""
