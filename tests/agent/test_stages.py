"""Retrieval, folding, ranking, drafting, verifying and deciding, each by itself."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.models.extractive import ExtractiveDrafter
from agent.stages.decide import ground, shortened
from agent.stages.dedup import fold
from agent.stages.rerank import rerank
from agent.stages.retrieve import Fusion, Retriever, fuse
from agent.stages.suffice import judge_sufficiency
from agent.stages.verify import verify
from agent.types import (
    Candidate,
    Claim,
    Coverage,
    Draft,
    Evidence,
    EvidenceId,
    Filters,
    Grounding,
    Plan,
    Question,
    Story,
)
from ingest.index.request import Hit, SearchRequest, SearchResult
from ingest.text.fingerprint import copy_hash
from ingest.types import (
    Channel,
    ChannelId,
    Forward,
    Message,
    MessageId,
    MessageKind,
    MessageRef,
)

NOW = datetime(2026, 10, 1, tzinfo=UTC)
NEWS = Channel(channel_id=ChannelId(1), title="Новости", username="news")
CITY = Channel(channel_id=ChannelId(2), title="Город", username="city")
BRIDGE = "Паромный мост открыли после ремонта. Реконструкция длилась 250 дней."


def candidate(
    number: int,
    text: str = BRIDGE,
    *,
    channel: Channel = NEWS,
    score: float = 1.0,
    forward: Forward | None = None,
    dense: float | None = 0.88,
) -> Candidate:
    message = Message(
        channel_id=channel.channel_id,
        message_id=MessageId(number),
        posted_at=NOW + timedelta(hours=number),
        kind=MessageKind.TEXT,
        text=text,
        forward=forward,
    )
    return Candidate(
        message=message,
        channel=channel,
        start=0,
        end=len(text),
        dense=dense,
        lexical=1.0,
        score=score,
        copy_hash=copy_hash(text),
    )


def story(number: int, text: str = BRIDGE, *, score: float = 1.0, dense: float = 0.88) -> Story:
    return Story(lead=candidate(number, text, score=score, dense=dense), score=score)


def plan(text: str = "Сколько дней длилась реконструкция моста?", **changes: object) -> Plan:
    return Plan(queries=(text,), **changes)  # type: ignore[arg-type]  # a test's shorthand


def evidence(*texts: str) -> tuple[Evidence, ...]:
    return rerank(plan(), [story(n, text) for n, text in enumerate(texts, start=1)])


def hit(number: int, dense: float | None, lexical: float | None) -> Hit:
    return Hit(
        ref=MessageRef(NEWS.channel_id, MessageId(number)),
        start=0,
        end=4,
        content_hash="",
        copy_hash=None,
        dense=dense,
        lexical=lexical,
    )


# --- fusion


def test_a_list_that_knows_nothing_changes_no_order() -> None:
    """Equal scores in one list leave the other list's order."""
    hits = [hit(1, 0.9, 0.0), hit(2, 0.8, 0.0), hit(3, 0.7, 0.0)]
    scores = [score for _, score in fuse(hits, Fusion())]
    assert sorted(scores, reverse=True) == scores
    assert len(set(scores)) == len(scores)


def test_scores_tell_more_than_ranks() -> None:
    """A hit far ahead in one list beats one that is just ahead in the other."""
    far_ahead = hit(1, 0.95, 0.0)
    just_ahead = hit(2, 0.80, 2.1)
    rest = [hit(n, 0.79, 2.0) for n in range(3, 9)]
    scores = dict(fuse([far_ahead, just_ahead, *rest], Fusion(dense=0.7, lexical=0.3)))
    assert scores[far_ahead] > scores[just_ahead]


def test_what_is_not_embedded_yet_is_still_found() -> None:
    hits = [hit(1, None, 5.0), hit(2, None, 1.0)]
    scores = dict(fuse(hits, Fusion()))
    assert scores[hits[0]] > scores[hits[1]]


# --- retrieval


class FakeIndex:
    def __init__(self, hits: Sequence[Hit]) -> None:
        self.requests: list[SearchRequest] = []
        self._hits = tuple(hits)

    async def __call__(self, request: SearchRequest) -> SearchResult:
        self.requests.append(request)
        return SearchResult(hits=self._hits, timings_ms={"lists": 2.0}, encoder="e")


class FakeArchive:
    def __init__(self, *messages: Message) -> None:
        self._messages = {MessageRef(m.channel_id, m.message_id): m for m in messages}

    async def channels(self) -> Sequence[Channel]:
        return (NEWS, CITY)

    async def messages(self, refs: Collection[MessageRef]) -> dict[MessageRef, Message]:
        return {ref: m for ref, m in self._messages.items() if ref in refs}

    async def coverage(self, channels: Collection[ChannelId] | None) -> Coverage:
        return Coverage(posted_from=NOW, posted_to=NOW, count_messages=len(self._messages))


async def test_every_query_carries_the_filter() -> None:
    index = FakeIndex([hit(1, 0.9, 1.0)])
    filtered = plan(
        filters=Filters(channels=(NEWS,)), posted_from=NOW, posted_before=NOW + timedelta(days=1)
    )
    two = Plan(
        queries=("мост", "трамвай"),
        filters=filtered.filters,
        posted_from=filtered.posted_from,
        posted_before=filtered.posted_before,
    )
    await Retriever(index, FakeArchive())(two, (NEWS, CITY), None)
    assert [({1}, NOW), ({1}, NOW)] == [
        (set(r.channels or ()), r.posted_from) for r in index.requests
    ]


@pytest.mark.parametrize(
    ("scope", "expected"), [(None, {1}), (frozenset({1, 2}), {1}), (frozenset({2}), set())]
)
async def test_a_plan_never_leaves_the_askers_scope(
    scope: frozenset[ChannelId] | None, expected: set[int]
) -> None:
    index = FakeIndex([])
    asked = plan(filters=Filters(channels=(NEWS,)))
    await Retriever(index, FakeArchive())(asked, (NEWS, CITY), scope)
    assert expected == set(index.requests[0].channels or ())


async def test_a_deleted_post_is_no_candidate() -> None:
    """The index may still know what the archive has taken back."""
    live = candidate(1).message
    found = await Retriever(FakeIndex([hit(1, 0.9, 1.0), hit(2, 0.95, 2.0)]), FakeArchive(live))(
        plan(), (NEWS,), None
    )
    assert [1] == [one.message.message_id for one in found.found]


# --- stories


def test_forwards_fold_into_their_original() -> None:
    origin = candidate(1, score=0.5)
    forward = candidate(
        7,
        "⚡️ " + BRIDGE,
        channel=CITY,
        score=0.9,
        forward=Forward(channel_id=NEWS.channel_id, message_id=MessageId(1)),
    )
    (one,) = fold([forward, origin])
    assert (origin, (forward,), 0.9) == (one.lead, one.others, one.score)


def test_forwards_of_a_post_that_is_not_here_fold_too() -> None:
    lost = Forward(channel_id=ChannelId(99), message_id=MessageId(5))
    (one,) = fold([candidate(2, forward=lost), candidate(3, "Иное", channel=CITY, forward=lost)])
    assert 2 == one.lead.message.message_id


def test_exact_copies_fold_and_the_earliest_leads() -> None:
    (one,) = fold([candidate(9, channel=CITY, score=2.0), candidate(4)])
    assert (4, [9]) == (one.lead.message.message_id, [o.message.message_id for o in one.others])


def test_short_greetings_do_not_fold() -> None:
    assert 2 == len(fold([candidate(1, "Доброе утро!"), candidate(2, "Доброе утро!")]))


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 3)), max_size=12), st.randoms())
def test_folding_loses_nothing_and_knows_no_order(
    posts: list[tuple[int, int]], dice: random.Random
) -> None:
    """Each candidate is in exactly one story, whatever the order they come in."""
    texts = [
        "Мост открыли сегодня утром в городе",
        "Трамвай вернулся на старый маршрут",
        "да",
        "нет",
    ]
    unique = {(number, kind): candidate(10 * number + kind, texts[kind]) for number, kind in posts}
    members = list(unique.values())
    shuffled = members.copy()
    dice.shuffle(shuffled)

    def groups(order: list[Candidate]) -> set[frozenset[MessageRef]]:
        return {frozenset(c.ref for c in (one.lead, *one.others)) for one in fold(order)}

    assert groups(members) == groups(shuffled)
    assert sorted(c.ref for c in members) == sorted(ref for g in groups(members) for ref in g)


# --- ranking and sufficiency


def test_a_post_with_the_words_ranks_before_one_without() -> None:
    found = evidence("Сегодня солнечно и тепло.", BRIDGE)
    assert BRIDGE == found[0].text


def test_quoted_phrases_weigh() -> None:
    asked = plan("кто сказал", must_phrases=("ни шагу назад",))
    ranked = rerank(asked, [story(1, "Он сказал: вперёд."), story(2, "Он сказал: ни шагу назад.")])
    assert "Он сказал: ни шагу назад." == ranked[0].text


def test_posts_far_from_the_question_are_not_enough() -> None:
    near, far = [story(1, dense=0.90)], [story(1, "Рецепт борща.", dense=0.74)]
    judged = [
        judge_sufficiency(plan(), rerank(plan(), one), encoder="multilingual-e5-small/x")
        for one in (near, far)
    ]
    assert [True, False] == [one.is_enough for one in judged]
    assert "реконструкция" in judged[1].missing


def test_without_known_cosines_words_decide() -> None:
    judged = [
        judge_sufficiency(plan(), rerank(plan(), [story(1, text, dense=0.99)]), encoder=None)
        for text in (BRIDGE, "Рецепт борща на зиму.")
    ]
    assert [True, False] == [one.is_enough for one in judged]


# --- drafting without a model


async def no_similarity(question: str, texts: Sequence[str]) -> None:
    return None


async def test_the_sentence_that_answers_is_quoted() -> None:
    asked = Question(text="Сколько дней длилась реконструкция моста?", now=NOW)
    draft = await ExtractiveDrafter(no_similarity)(asked, plan(asked.text), evidence(BRIDGE))
    assert "Реконструкция длилась 250 дней." == draft.claims[0].quote
    assert all(claim.text in BRIDGE for claim in draft.claims)


async def test_no_evidence_gives_no_claim() -> None:
    asked = Question(text="Что?", now=NOW)
    draft = await ExtractiveDrafter(no_similarity)(asked, plan("Что?"), ())
    assert Draft(claims=(), mode="extractive", complete=False) == draft


# --- verifying


def check(text: str, *cited: str, source: str = BRIDGE) -> tuple[EvidenceId, ...]:
    draft = Draft(
        claims=(Claim(text=text, evidence_ids=tuple(EvidenceId(c) for c in cited or ("e1",))),),
        mode="llm",
    )
    return verify(draft, evidence(source)).checked[0].supported_by


@pytest.mark.parametrize(
    "text",
    [
        "Реконструкция длилась 250 дней.",
        "реконструкция длилась 250 дней",
        "Реконструкция Паромного моста длилась 250 дней.",
    ],
)
def test_what_the_post_says_is_supported(text: str) -> None:
    assert ("e1",) == check(text)


@pytest.mark.parametrize(
    "text",
    [
        "Реконструкция длилась 251 день.",
        "Реконструкция не длилась 250 дней.",
        "Мэр Иванов подал в отставку из-за скандала.",
        "Реконструкция длилась 250 дней и стоила 3 млрд.",
    ],
)
def test_what_the_post_does_not_say_is_not(text: str) -> None:
    assert () == check(text)


def test_ids_that_were_never_given_support_nothing() -> None:
    assert () == check("Реконструкция длилась 250 дней.", "e99")
    assert ("e1",) == check("Реконструкция длилась 250 дней.", "e99", "e1")


# --- deciding


def test_footnotes_are_numbered_in_reading_order_and_only_if_used() -> None:
    found = evidence(BRIDGE, "Мост через Сольву закрыли на зиму.")
    ids = {one.text: one.id for one in found}
    draft = Draft(
        claims=(
            Claim(
                text="Мост через Сольву закрыли на зиму.",
                evidence_ids=(ids["Мост через Сольву закрыли на зиму."],),
            ),
            Claim(text="Мэр ушёл в отставку.", evidence_ids=(ids[BRIDGE],)),
            Claim(text="Реконструкция длилась 250 дней.", evidence_ids=(ids[BRIDGE],)),
        ),
        mode="llm",
    )
    grounded = ground(draft, verify(draft, found), found)
    assert [(1,), (2,)] == [claim.citations for claim in grounded.claims]
    assert [1, 2] == [one.number for one in grounded.citations]
    assert Grounding.PARTIALLY_SUPPORTED is grounded.grounding
    assert "https://t.me/news/2" == grounded.citations[0].url


def test_nothing_supported_is_ungrounded() -> None:
    found = evidence(BRIDGE)
    draft = Draft(claims=(Claim(text="Мэр ушёл.", evidence_ids=(found[0].id,)),), mode="llm")
    grounded = ground(draft, verify(draft, found), found)
    assert ((), Grounding.UNSUPPORTED, 0.0) == (
        grounded.claims,
        grounded.grounding,
        grounded.support,
    )


@given(st.text(max_size=60), st.integers(2, 40))
def test_shortened_is_short(text: str, limit: int) -> None:
    assert len(shortened(text, limit)) <= limit
