"""Makes a model's claims harmless and honest; whatever the model was talked into."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence

from agent.models.posts import CITATION_MARK
from agent.models.quotes import find_quote
from agent.models.refusing import is_refusal
from agent.types import Claim, Evidence, EvidenceId
from ingest.text.normalise import searchable, without_invisible
from ingest.text.sentences import sentences

MAX_CLAIMS = 6
MAX_CLAIM_CHARS = 400
_MAX_READ_CHARS = 1_500
_MAX_READ_CLAIMS = 12
"""Of a reply that a model repeated itself in: what lies beyond is not looked at."""

WORD_JOINER = "\u2060"
"""Breaks an address without being seen. Search and comparison ignore it.

Source: TDLib, MessageEntity.cpp: an address of plain text becomes a link, unless a character
stands in it that no address may have.
"""

_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[A-Za-z!][^<>]{0,300}>")
_ADDRESS = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:[/\\]{2}[^\s()<>«»\"]*"
    r"|\bwww\.[^\s()<>«»\"]+"
    r"|(?:[\w-]+[.。．｡])+[^\W\d_]{2,}(?:[/?#]|:\d)[^\s()<>«»\"]*"
)
_EMPHASIS = re.compile(r"\*\*|__|~~|\|\||`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_LINE_MARK = re.compile(r"^\s*(?:#{1,6}\s|>|[-*•]\s)\s*", re.MULTILINE)
_CLICKABLE = re.compile(
    r"(?<=\w)[.。．｡](?=[^\W\d_][^\W_])"  # the dot before a top-level domain
    r"|(?<![\d.])\d{1,3}(?=(?:\.\d{1,3}){3}(?![\d.]))"  # the first number of 127.0.0.1
    r"|@(?=\w)|(?<![\w/])/(?=[A-Za-z])"  # @name, /command
)
_HOLLOW = re.compile(r"\(\s*[,;:]?\s*\)|\[\s*\]|«\s*»")
_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_TOKEN = re.compile(r"\w+")
_WORD = re.compile(r"\w{2,}")


def read_claims(items: Iterable[object], evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """The claims of a model's reply that may go on to verification.

    They cite nothing that was not given, quote nothing that does not stand there, have nothing
    to click and no markup, differ from each other, and say something.
    """
    given = {one.id: one for one in evidence}
    found: dict[str, Claim] = {}
    for item in list(items)[:_MAX_READ_CLAIMS]:
        claim = _read_claim(item, given)
        if claim is None:
            continue
        key = " ".join(_TOKEN.findall(searchable(claim.text)))
        found[key] = _joined(found[key], claim) if key in found else claim
    return tuple(found.values())[:MAX_CLAIMS]


def plain_text(text: str, ids: Iterable[EvidenceId] = ()) -> str:
    """A model's sentence without markup, addresses, citation marks and hidden characters.

    Names of hosts, mentions and commands keep their letters and lose their click.

    Args:
        text: The sentence; the end of an endless one is left out.
        ids: Evidence ids that models like to write into the sentence, in brackets.
    """
    text = text[:_MAX_READ_CHARS]
    before = None
    while text != before:  # taking one thing out may put the halves of another together
        before = text
        text = _cleaned(text, _id_mark(ids))
    return _CLICKABLE.sub(lambda match: match.group() + WORD_JOINER, text)


def _cleaned(text: str, id_mark: re.Pattern[str] | None) -> str:
    text = html.unescape(without_invisible(text))
    text = _LINE_MARK.sub("", text)
    text = _CONTROL.sub(" ", text)
    text = CITATION_MARK.sub("", text)
    if id_mark is not None:
        text = id_mark.sub("", text)
    text = _MARKDOWN_LINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    text = _ADDRESS.sub("", text)
    text = _EMPHASIS.sub("", text)
    text = _HOLLOW.sub("", text)
    return _BEFORE_STOP.sub(r"\1", " ".join(text.split()))


def _id_mark(ids: Iterable[EvidenceId]) -> re.Pattern[str] | None:
    """``(e1)``, ``[e1, e2]``, ``[id: e1]``."""
    one = "|".join(map(re.escape, ids))
    if not one:
        return None
    return re.compile(rf"[\[(](?:id:?\s*)?(?:{one})(?:[,;\s]+(?:{one}))*[\])]")


def _read_claim(item: object, given: Mapping[EvidenceId, Evidence]) -> Claim | None:
    if not isinstance(item, dict):
        return None
    ids = _known_ids(item.get("evidence"), given)
    text = item.get("text")
    if not ids or not isinstance(text, str):
        return None
    shown = _whole_sentences(plain_text(text, given))
    if not _WORD.search(shown):
        return None
    source, quote = _source_of(item.get("quote"), ids, given)
    # A post may itself say that there is no news of something: then it is an answer.
    if is_refusal(shown) and not (quote and is_refusal(quote)):
        return None
    return Claim(text=shown, evidence_ids=(source,) if source else ids, quote=quote)


def _known_ids(value: object, given: Mapping[EvidenceId, Evidence]) -> tuple[EvidenceId, ...]:
    written = value if isinstance(value, list) else [value]
    named = (EvidenceId(one.strip("[]() ")) for one in written if isinstance(one, str))
    return tuple(dict.fromkeys(one for one in named if one in given))


def _source_of(
    value: object, ids: Sequence[EvidenceId], given: Mapping[EvidenceId, Evidence]
) -> tuple[EvidenceId | None, str | None]:
    """Where a quote stands word by word when no cited post has it, and its words there.

    Small models copy well and number badly: where the two disagree, the words are the proof.
    """
    if not isinstance(value, str):
        return None, None
    for one in dict.fromkeys((*ids, *given)):
        quote = find_quote(value[:_MAX_READ_CHARS], given[one].text)
        if quote:
            return (None if one in ids else one), quote
    return None, None


def _whole_sentences(text: str) -> str:
    """As many whole sentences as fit into a claim; "" if not even the first one does."""
    if len(text) <= MAX_CLAIM_CHARS:
        return text
    ends = [span.end for span in sentences(text) if span.end <= MAX_CLAIM_CHARS]
    return text[: ends[-1]] if ends else ""


def _joined(one: Claim, other: Claim) -> Claim:
    """The same sentence said twice: once, with the evidence of both."""
    return Claim(
        text=one.text,
        evidence_ids=tuple(dict.fromkeys(one.evidence_ids + other.evidence_ids)),
        quote=one.quote or other.quote,
    )
