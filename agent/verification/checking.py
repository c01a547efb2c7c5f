"""Checks one claim against one post, and says in plain words what speaks against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date

from agent.verification.alignment import changed_word
from agent.verification.assertion import contradiction
from agent.verification.attribution import (
    Attribution,
    attributions,
    is_quoted_from,
    is_said_by,
    without,
)
from agent.verification.coverage import Passage, passage
from agent.verification.dates import mentions, without_dates
from agent.verification.figures import wrong_dates, wrong_figures
from agent.verification.names import Name, lexicon, missing_names, names
from agent.verification.numbers import quantities
from agent.verification.opposites import disagreement
from agent.verification.quotes import flattened, quoted, stands_in
from agent.verification.roles import exchanged
from agent.verification.words import read
from ingest.text.sentences import sentences

Closeness = Callable[[str, str], float]
"""The cosine of two texts by some encoder, in [-1, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strictness:
    """How much a post has to have of a claim.

    Attributes:
        share: Of the claim's wording, where only words can tell.
        share_if_close: The same where the encoder finds both close.
        close: Cosine from which two texts are close; of multilingual-e5-small, whose unrelated
            texts have 0.75 to 0.80.
        anchors: Figures, dates and names that a claim in another language needs without an
            encoder.
        verbatim: A whole sentence of the post needs no further check.
    """

    share: float = 0.7
    share_if_close: float = 0.5
    close: float = 0.9
    anchors: int = 2
    verbatim: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What a claim is checked against.

    Attributes:
        sentences: Of the part that the claim may rest on, verbatim, in order.
        posted_on: The day that «вчера» is counted from.
        sources: Whose words they are: the channel's title and username, author, origin.
    """

    sentences: tuple[str, ...]
    posted_on: date
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: support in [0, 1], and what speaks against the claim."""

    support: float
    problems: tuple[str, ...] = ()


def check(
    claim: str,
    post: Post,
    *,
    strictness: Strictness = Strictness(),
    closeness: Closeness | None = None,
) -> Finding:
    """Whether a post says what a claim says.

    The claim is supported if there are no problems. Pure CPU work of some milliseconds.
    """
    parts = [claim[span.start : span.end] for span in sentences(claim)]
    findings = [_check(part, post, strictness, closeness) for part in parts]
    if not findings:
        return Finding(0.0, ("says nothing",))
    problems = tuple(dict.fromkeys(one for found in findings for one in found.problems))
    return Finding(min(found.support for found in findings), problems)


def _check(claim: str, post: Post, strictness: Strictness, closeness: Closeness | None) -> Finding:
    """The same for one sentence."""
    if strictness.verbatim and _is_sentence(claim, post):
        return Finding(1.0)
    said = attributions(claim)
    foreign_voice = _foreign_voice(claim, said, post)
    if foreign_voice is not None:
        return Finding(0.0, (foreign_voice,))
    own = [one for one in said if is_said_by(one.who, post.sources)]
    bare = without(claim, own) or claim
    if own and strictness.verbatim and _is_sentence(bare, post):
        return Finding(1.0)
    if not post.sentences or not any(word.is_content for word in read(bare).words):
        return Finding(0.0, ("says nothing of it",))
    found = passage(bare, post.sentences)
    problems = _exact_problems(bare, post, found)
    if _is_foreign(bare, post):
        return _foreign(bare, post, problems, strictness, closeness)
    problems += _meaning_problems(bare, found)
    share, problem = _wording(bare, found, strictness, closeness)
    if problem is not None:
        problems.append(problem)
    return Finding(0.0 if problems else share, tuple(problems))


def _is_sentence(claim: str, post: Post) -> bool:
    wanted = flattened(claim)
    return bool(wanted) and any(wanted == flattened(sentence) for sentence in post.sentences)


def _foreign_voice(claim: str, said: Sequence[Attribution], post: Post) -> str | None:
    """A channel, or a speaker, that the claim names and the post is not of."""
    for one in said:
        is_pronoun = not any(word.is_content for word in read(one.who).words)
        if is_pronoun or is_said_by(one.who, post.sources):
            continue
        if one.is_channel:
            return f"is not of «{one.who}»"
        if _is_foreign(claim, post):
            named = tuple(Name(word) for word in read(one.who).words if word.is_content)
            if not missing_names(named, lexicon(post.sentences), is_foreign=True):
                continue
        elif is_quoted_from(one.who, post.sentences):
            continue
        return f"does not have it from «{one.who}»"
    return None


def _is_foreign(claim: str, post: Post) -> bool:
    """Whether no sentence of a post is written in the claim's alphabet."""
    script = read(claim).is_cyrillic
    readings = [read(sentence) for sentence in post.sentences]
    return not any(one.is_cyrillic == script for one in readings if one.words)


def _exact_problems(claim: str, post: Post, found: Passage) -> list[str]:
    """Figures, dates, names and quotations: what has no other wording."""
    near = found.sentences
    far = [one for one in post.sentences if one not in near]
    is_foreign = _is_foreign(claim, post)
    if is_foreign:
        near, far = post.sentences, []
    problems = [f"does not have «{one}»" for one in wrong_figures(claim, near, far)]
    problems += [f"is not of «{one}»" for one in wrong_dates(claim, near, far, post.posted_on)]
    held = lexicon((*post.sentences, *post.sources))
    problems += [
        f"does not name «{one}»"
        for one in missing_names(names(claim), held, is_foreign=is_foreign)
    ]
    whole = "\n".join(post.sentences)
    if not is_foreign:
        problems += [f"does not say «{one}»" for one in quoted(claim) if not stands_in(one, whole)]
    return problems


def _meaning_problems(claim: str, found: Passage) -> list[str]:
    """The same words that say something else: denied, opposed, exchanged."""
    every = (
        contradiction(claim, found.sentences),
        disagreement(claim, found.sentences),
        exchanged(claim, found.closest),
        changed_word(claim, found.closest),
    )
    return [one for one in every if one is not None]


def _wording(
    claim: str, found: Passage, strictness: Strictness, closeness: Closeness | None
) -> tuple[float, str | None]:
    wanted, share = strictness.share, found.share
    if share < wanted and share >= strictness.share_if_close and closeness is not None:
        cosine = closeness(claim, " ".join(found.sentences))
        if cosine >= strictness.close:
            return max(share, cosine), None
    if share < wanted:
        return share, f"says nothing of «{', '.join(found.lacking[:5])}»"
    return share, None


def _foreign(
    claim: str,
    post: Post,
    problems: list[str],
    strictness: Strictness,
    closeness: Closeness | None,
) -> Finding:
    """A claim in another language than its post: figures and names, then the encoder."""
    if problems:
        return Finding(0.0, tuple(problems))
    if closeness is not None:
        best = max(closeness(claim, sentence) for sentence in post.sentences)
        if best < strictness.close:
            return Finding(0.0, ("says something else, by the encoder",))
        return Finding(best)
    found = _anchors(claim)
    if found < strictness.anchors:
        return Finding(0.0, ("is in another language, and has too little to compare",))
    return Finding(strictness.share)


def _anchors(claim: str) -> int:
    """How many figures, dates and names there are to compare."""
    text = read(claim).text
    every: tuple[object, ...] = (
        *mentions(text),
        *quantities(without_dates(text)),
        *{name.word.lemma for name in names(claim) if name.is_sure},
    )
    return len(every)
