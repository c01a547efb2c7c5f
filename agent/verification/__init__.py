"""Does a text say what a claim says? Numbers, dates, names, negation, roles, words: pure code."""
