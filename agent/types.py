"""What the stages hand to each other: a question becomes an answer or a refusal.

    Question -> Plan -> Candidates -> Stories -> Evidence -> Draft -> Verdict -> Answer | Refusal

Everything is immutable; side information (timings, counts) goes to the `Trace` beside it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal, NewType

from ingest.types import Channel, ChannelId, Message, MessageRef

EvidenceId = NewType("EvidenceId", str)
"""An id that we issue for one piece of evidence of one request; a draft may cite no other."""

Intent = Literal[
    "fact", "digest", "comparison", "timeline", "yes_no", "coverage", "chitchat", "help"
]
"""What kind of reply a question asks for; "coverage" is about the archive itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One earlier exchange of the same dialogue."""

    question: str
    answer: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, by whom it may be answered from, and when.

    Attributes:
        now: When it was asked, aware; its zone is the asker's.
        scope: Channels that the asker may see here; None: the whole archive.
        language: "ru" or "en": of the answer's own words. None: the question's.
    """

    text: str
    now: datetime
    scope: frozenset[ChannelId] | None = None
    history: tuple[Turn, ...] = ()
    language: Literal["ru", "en"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What the question restricts the search to. Days are inclusive, in the asker's zone.

    Attributes:
        unknown_channels: Channels that it names and the archive lacks, as it writes them. A
            search without them would answer another question.
    """

    channels: tuple[Channel, ...] = ()
    unknown_channels: tuple[str, ...] = ()
    from_on: date | None = None
    to_on: date | None = None
    date_phrase: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to search for.

    Attributes:
        queries: One to four texts to search with, the standalone question first.
        must_phrases: Quoted phrases that a post has to contain.
        posted_from, posted_before: The period as half-open aware UTC times.
        language: Of the answer's own words.
        intent: What kind of reply is asked for.
        is_about_posting: The question speaks of posts and news, so that its period is surely
            theirs, and not that of the fact that it asks about.
    """

    queries: tuple[str, ...]
    filters: Filters = Filters()
    must_phrases: tuple[str, ...] = ()
    posted_from: datetime | None = None
    posted_before: datetime | None = None
    language: Literal["ru", "en"] = "ru"
    intent: Intent = "fact"
    is_about_posting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A message that retrieval found, by its best passage.

    Attributes:
        start, end: The passage inside ``message.body()``, in code points.
        dense: Cosine of the question and the passage; None before it is embedded.
        lexical: BM25 of the passage; None where it shares no lemma.
        score: Fused score; comparable within one question only.
        copy_hash: What it shares with its copies; None: too short to tell.
    """

    message: Message
    channel: Channel
    start: int
    end: int
    dense: float | None
    lexical: float | None
    score: float
    copy_hash: str | None = None

    @property
    def ref(self) -> MessageRef:
        """Which message it is."""
        return MessageRef(self.message.channel_id, self.message.message_id)

    @property
    def origin(self) -> MessageRef | None:
        """The post that it is a forward of, in the archive or not; None: not known."""
        forward = self.message.forward
        if forward is None or forward.channel_id is None or forward.message_id is None:
            return None
        return MessageRef(forward.channel_id, forward.message_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A post with all its forwards and copies: one piece of evidence, counted once.

    Attributes:
        lead: The post to cite: the original where it is at hand, else the earliest.
        others: The rest of what was found, earliest first.
        score: The best fused score among them.
        elsewhere: Where the asker may see it too, though it was not found there or not asked
            for there.
    """

    lead: Candidate
    others: tuple[Candidate, ...] = ()
    score: float
    elsewhere: tuple[CopyRef, ...] = ()

    @property
    def also_in(self) -> tuple[CopyRef, ...]:
        """Every place of it but the cited one."""
        found = tuple(
            CopyRef(channel=other.channel, message_id=other.message.message_id)
            for other in self.others
        )
        return found + self.elsewhere

    @property
    def independent_sources(self) -> int:
        """How many origins its posts have, at least one.

        A forward adds none to its original, and posts of one wording without a forward mark
        have one origin, whoever it is; it is more than one only where forwards of that wording
        name different originals that are not at hand.
        """
        members = (self.lead, *self.others)
        origins = {origin for one in members if (origin := one.origin) is not None}
        return max(1, len(origins - {one.ref for one in members}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A story that made it to the drafter, with its reasons.

    Attributes:
        text: The part of the post's body that the drafter may use.
        sentences: `text` cut into sentences, in order, verbatim.
        features: What the reranker saw, by name: for the trace.
        relevance: Reranked score, larger is better.
    """

    id: EvidenceId
    story: Story
    text: str
    sentences: tuple[str, ...]
    relevance: float
    features: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence of a draft and the evidence it rests on.

    Attributes:
        quote: The words of the evidence that say so, verbatim; None if the drafter gave none.
    """

    text: str
    evidence_ids: tuple[EvidenceId, ...]
    quote: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """Pieces of evidence that disagree, the newest first, and on what."""

    about: str
    evidence_ids: tuple[EvidenceId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Claims in reading order, and how they were made.

    Attributes:
        disputes: On what the cited evidence disagrees.
        complete: False when the drafter said that the evidence does not answer.
        errors: What went wrong on the way, in plain sentences for the asker.
    """

    claims: tuple[Claim, ...]
    mode: Literal["extractive", "llm"]
    complete: bool = True
    errors: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """A claim with the evidence that supports it, strongest first; none: it is unsupported."""

    claim: Claim
    supported_by: tuple[EvidenceId, ...]
    support: float
    """In [0, 1]."""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What verification says of a draft."""

    checked: tuple[CheckedClaim, ...]

    @property
    def supported(self) -> tuple[CheckedClaim, ...]:
        """The claims that may be shown."""
        return tuple(claim for claim in self.checked if claim.supported_by)


class Grounding(enum.StrEnum):
    """How much of the draft its citations support."""

    GROUNDED = "grounded"
    PARTIALLY_SUPPORTED = "partially_supported"
    UNSUPPORTED = "unsupported"
    NOT_CHECKED = "not_checked"


class RefusalReason(enum.StrEnum):
    """Why a question is not answered."""

    EMPTY_QUESTION = "empty_question"
    EMPTY_ARCHIVE = "empty_archive"
    UNKNOWN_CHANNEL = "unknown_channel"
    OUTSIDE_COVERAGE = "outside_coverage"
    NOTHING_FOUND = "nothing_found"
    INSUFFICIENT = "insufficient"
    UNSUPPORTED = "unsupported"
    DEADLINE = "deadline"
    OUT_OF_SCOPE = "out_of_scope"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyRef:
    """Where else a cited story stands."""

    channel: Channel
    message_id: int

    @property
    def url(self) -> str | None:
        """The address that opens it, where there is one."""
        return self.channel.link(self.message_id)  # type: ignore[arg-type]  # NewType of int


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A footnote: its number, its post, and the words that say so.

    Attributes:
        quote: Verbatim from the post.
        url: Opens the post; None where Telegram has no address for it.
    """

    number: int
    channel: Channel
    message_id: int
    posted_at: datetime
    url: str | None
    quote: str
    author: str | None = None
    also_in: tuple[CopyRef, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedClaim:
    """A sentence of the answer and the numbers of its footnotes (at least one)."""

    text: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the archive holds of the channels that were searched. Times are aware UTC."""

    posted_from: datetime | None = None
    posted_to: datetime | None = None
    synced_at: datetime | None = None
    count_messages: int = 0
    embedded_share: float = 1.0
    """In [0, 1]: how much of the whole archive semantic search knows already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What an answer and a refusal have in common.

    Attributes:
        timings_ms: Milliseconds by stage.
        errors: What went wrong on the way, in plain sentences for the asker.
    """

    filters: Filters = Filters()
    coverage: Coverage = Coverage()
    nearest: tuple[Citation, ...] = ()
    rounds: int = 0
    timings_ms: dict[str, float] = field(default_factory=dict)
    errors: tuple[str, ...] = ()
    language: Literal["ru", "en"] = "ru"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Sources that disagree: the numbers of their footnotes, newest first, and on what."""

    about: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Reply):
    """Sentences with footnotes; every one of them has at least one."""

    claims: tuple[CitedClaim, ...]
    citations: tuple[Citation, ...]
    confidence: float
    """In [0, 1]."""
    grounding: Grounding = Grounding.GROUNDED
    mode: Literal["extractive", "llm"] = "extractive"
    contradictions: tuple[Contradiction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal(Reply):
    """An honest "I do not know" that helps: why, what is missing, and the nearest posts.

    Attributes:
        message: One or two plain sentences in the asker's language.
        knowledge_gap: What the archive would have to say; None if that is unknown.
    """

    reason: RefusalReason
    message: str
    knowledge_gap: str | None = None
