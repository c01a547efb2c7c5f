"""Measuring retrieval, answers and dates against question sets."""
