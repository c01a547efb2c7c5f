"""Lays a claim along the sentence it copies, to see the one word that was changed."""

from __future__ import annotations

from difflib import SequenceMatcher

from agent.verification.calendar_words import DAY_SHIFTS
from agent.verification.synonyms import same_meaning
from agent.verification.words import Word, read

_NEGATORS = frozenset("не ни нет без not no never without".split())
_COPIED = 0.8
"""Share of words in common from which a claim is a copy, where another word is no paraphrase."""
_LEAST_WORDS = 4
_SAME_PARTS = frozenset({"NOUN", "VERB", "INFN", "ADJF", "PRTF", "PRTS", ""})


def changed_word(claim: str, sentence: str) -> str | None:
    """The word that a near copy of a sentence has in another's place, as a problem.

    A negation that came in or fell out between equal words counts in any claim.
    """
    here, there = read(claim).words, read(sentence).words
    matcher = SequenceMatcher(
        None, [word.plain for word in here], [word.plain for word in there], autojunk=False
    )
    common = sum(block.size for block in matcher.get_matching_blocks())
    is_copy = len(here) >= _LEAST_WORDS and common >= _COPIED * len(here)
    for operation, start, end, was_start, was_end in matcher.get_opcodes():
        old, new = there[was_start:was_end], here[start:end]
        is_inside = was_start and was_end < len(there) and start and end < len(here)
        is_put = operation in {"insert", "delete"} and (is_inside or was_start == start == 0)
        if is_put and len(old or new) == 1 and (old or new)[0].plain in _NEGATORS:
            return f"one of the two says «{(old or new)[0].written}»"
        is_swap = operation == "replace" and len(old) == len(new) == 1
        if is_copy and is_swap and _differ(new[0], old[0]):
            return f"says «{old[0].written}», not «{new[0].written}»"
    return None


def _is_exact(word: Word) -> bool:
    """Whether a word is a figure or a day, which no other word stands for."""
    return word.plain.isdigit() or word.plain in DAY_SHIFTS


def _differ(new: Word, old: Word) -> bool:
    """Whether two words in one place say two things, as far as is known."""
    if _is_exact(new) and _is_exact(old):
        return new.plain != old.plain
    if not (new.is_content and old.is_content):
        return False
    if not {new.form.pos, old.form.pos} <= _SAME_PARTS or new.plain.isdigit():
        return False
    if set(new.form.lemmas) & set(old.form.lemmas) or new.form.stem == old.form.stem:
        return False
    names = (*old.form.lemmas, old.plain)
    if any(same_meaning(name, names) for name in (*new.form.lemmas, new.plain)):
        return False
    return new.form.stem[:5] != old.form.stem[:5]
