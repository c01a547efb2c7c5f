"""The stages of the line, one a file; they know each other's messages, not each other."""
