"""Reranking: comparing word by word, reading the nearest, and when there is no use in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from agent.evaluation.ablation import Unfiltered, parts_left
from agent.stages.rerank import Reranker, RerankLimits, RerankWeights, is_clear
from agent.trace import Trace
from agent.types import Candidate, Filters, Plan, Question, Story
from ingest.index.request import Place
from ingest.types import Channel, ChannelId, Message, MessageId, MessageKind

NOW = datetime(2026, 10, 1, tzinfo=UTC)
NEWS = Channel(channel_id=ChannelId(1), title="Новости", username="news")
PLAN = Plan(queries=("Сколько дней чинили мост?",))
LIMITS = RerankLimits()


def story(number: int, score: float, text: str = "Мост открыли после ремонта.") -> Story:
    message = Message(
        channel_id=NEWS.channel_id,
        message_id=MessageId(number),
        posted_at=NOW,
        kind=MessageKind.TEXT,
        text=text,
    )
    lead = Candidate(
        message=message,
        channel=NEWS,
        start=0,
        end=len(text),
        dense=0.85,
        lexical=1.0,
        score=score,
    )
    return Story(lead=lead, score=score)


class Scores:
    """Late interaction that knows some messages' scores."""

    def __init__(self, **by_message: float) -> None:
        self.by_message = {int(name[1:]): score for name, score in by_message.items()}
        self.asked: list[Sequence[Place]] = []

    async def __call__(self, question: str, places: Sequence[Place]) -> list[float | None]:
        self.asked.append(places)
        return [self.by_message.get(place.ref.message_id) for place in places]


def numbers(stories: Sequence[Story]) -> list[int]:
    return [one.lead.message.message_id for one in stories]


async def test_the_nearest_word_by_word_comes_first() -> None:
    """A story far down that has the question's words in their sense is read and comes first."""
    stories = [story(n, 1 - n / 100) for n in range(1, 61)]
    ranking = await Reranker(Scores(m50=0.9, m1=0.5))(PLAN, stories, Trace())
    assert 50 == numbers(ranking.stories)[0]
    assert LIMITS.read == len(ranking.evidence)


async def test_no_story_is_lost_or_doubled() -> None:
    stories = [story(n, 1 - n / 100) for n in range(1, 151)]
    ranking = await Reranker(Scores(m90=0.9, m3=0.2))(PLAN, stories, Trace())
    assert sorted(numbers(stories)) == sorted(numbers(ranking.stories))


async def test_a_post_without_words_is_middling() -> None:
    """What waits for its words is neither first nor last for that."""
    stories = [story(1, 1.0), story(2, 1.0), story(3, 1.0)]
    ranking = await Reranker(Scores(m1=0.1, m3=0.9))(PLAN, stories, Trace())
    assert [3, 2, 1] == numbers(ranking.stories)


async def test_without_any_words_the_features_decide() -> None:
    stories = [story(1, 1.0), story(2, 0.5)]
    for late in (None, Scores()):
        ranking = await Reranker(late)(PLAN, stories, Trace())
        assert [1, 2] == numbers(ranking.stories)


async def test_a_clear_first_is_not_compared() -> None:
    """Where the first is far ahead nothing is compared, and fewer stories are read."""
    late, trace = Scores(m2=0.99), Trace()
    stories = [story(1, 5.0), *(story(n, 1.0) for n in range(2, 40))]
    ranking = await Reranker(late)(PLAN, stories, trace)
    assert [] == late.asked
    assert 1 == numbers(ranking.stories)[0]
    assert LIMITS.read_if_clear == len(ranking.evidence)
    assert trace.facts["rerank_skipped"]
    assert "late" not in trace.timings_ms


def test_questions_of_several_posts_are_never_clear() -> None:
    """Comparisons and digests need the places below the first as well."""
    ahead = [story(1, 5.0), story(2, 1.0)]
    assert is_clear(PLAN, ahead, LIMITS)
    assert not is_clear(replace(PLAN, intent="digest"), ahead, LIMITS)
    assert not is_clear(replace(PLAN, queries=("a", "b")), ahead, LIMITS)
    assert not is_clear(PLAN, ahead[:1], LIMITS)
    assert not is_clear(PLAN, ahead, replace(LIMITS, clear_by=None))


async def test_nothing_found_is_nothing_ranked() -> None:
    ranking = await Reranker(Scores())(PLAN, [], Trace())
    assert () == ranking.stories


# --- leaving parts out


def test_parts_are_left_out_one_by_one() -> None:
    """Each part that is left out changes its own parameters and no others."""
    whole = parts_left(())
    assert RerankWeights() == whole.weights
    assert 0 == parts_left({"late"}).weights.late
    assert 0 == parts_left({"bm25"}).fusion.lexical
    assert (0, 0) == (parts_left({"dense"}).fusion.dense, parts_left({"dense"}).weights.late)
    assert parts_left({"skip"}).limits.clear_by is None
    assert whole.fusion == parts_left({"rerank"}).fusion


def test_a_planner_without_filters_keeps_the_query() -> None:
    filtered = replace(PLAN, filters=Filters(channels=(NEWS,), from_on=NOW.date()))

    def planner(question: Question, channels: Sequence[Channel], *, dated: bool = True) -> Plan:
        return replace(filtered, posted_from=NOW)

    asked = Question(text="", now=NOW)
    dateless = Unfiltered(planner, without={"dates"})(asked, ())
    assert (None, None, (NEWS,)) == (
        dateless.posted_from,
        dateless.filters.from_on,
        dateless.filters.channels,
    )
    anywhere = Unfiltered(planner, without={"channels"})(asked, ())
    assert (NOW, ()) == (anywhere.posted_from, anywhere.filters.channels)
    assert PLAN.queries == anywhere.queries
