"""The rules that read dates out of tokens; each tells what it read and where it stopped."""
