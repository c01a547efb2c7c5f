"""Reads a question without any model: which channels, which days, which words to search for."""
