"""What is done to words: pure functions, the same when indexing and when asking."""
