"""The archive: fetch, store, index, read back."""
