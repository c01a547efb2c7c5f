"""Folding: what belongs together, whatever the order, and what is cited of it."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.stages.decide import citation
from agent.stages.dedup import fold
from agent.types import Candidate, Story
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
CHANNELS = tuple(
    Channel(channel_id=ChannelId(number), title=f"Канал {number}", username=f"channel{number}")
    for number in (1, 2, 3)
)
BRIDGE = "Паромный мост открыли после ремонта. Реконструкция длилась 250 дней."
LONGER = BRIDGE + " На открытие пришли 300 горожан, играл оркестр пожарной части."

Copies = Mapping[MessageRef, Collection[MessageRef]]


def candidate(
    number: int,
    text: str = BRIDGE,
    *,
    channel: int = 1,
    score: float = 1.0,
    passage: str | None = None,
    forward: Forward | None = None,
    album_id: int | None = None,
) -> Candidate:
    start = text.index(passage) if passage else 0
    return Candidate(
        message=Message(
            channel_id=ChannelId(channel),
            message_id=MessageId(number),
            posted_at=NOW + timedelta(hours=number),
            kind=MessageKind.TEXT,
            text=text,
            forward=forward,
            album_id=album_id,
        ),
        channel=CHANNELS[channel - 1],
        start=start,
        end=start + len(passage or text),
        dense=0.9,
        lexical=1.0,
        score=score,
        copy_hash=copy_hash(text),
    )


def ref(number: int, channel: int = 1) -> MessageRef:
    return MessageRef(ChannelId(channel), MessageId(number))


def pairs(*found: tuple[int, int]) -> Copies:
    """What the archive says of posts of channel 1 that are copies of each other."""
    known: dict[MessageRef, set[MessageRef]] = {}
    for one, other in found:
        known.setdefault(ref(one), set()).add(ref(other))
        known.setdefault(ref(other), set()).add(ref(one))
    return known


def parts(stories: Collection[Story]) -> set[frozenset[int]]:
    return {
        frozenset(one.message.message_id for one in (story.lead, *story.others))
        for story in stories
    }


def test_near_copies_fold() -> None:
    one, other = candidate(1), candidate(2, LONGER, score=0.5)
    (story,) = fold([other, one], pairs((1, 2)))
    assert (one, (other,), 1.0) == (story.lead, story.others, story.score)


def test_a_bridge_between_two_events_folds_only_one_of_them() -> None:
    """A text without the number is like both; the two numbers still stay apart."""
    twelve = candidate(1, "Погибли 12 человек, сообщили в больнице города.")
    vague = candidate(2, "Погибли люди, сообщили в больнице города.")
    fourteen = candidate(3, "Погибли 14 человек, сообщили в больнице города.")
    stories = fold([twelve, vague, fourteen], pairs((1, 2), (2, 3)))
    assert {frozenset({1, 2}), frozenset({3})} == parts(stories)


def test_the_earliest_is_not_cited_for_what_only_a_later_one_says() -> None:
    short, long = candidate(1), candidate(2, LONGER, score=2.0, passage="пришли 300 горожан")
    (story,) = fold([short, long], pairs((1, 2)))
    assert (long, (short,)) == (story.lead, story.others)


def test_the_original_is_cited_before_an_earlier_forward_of_something_else() -> None:
    """A post without a forward mark leads, though forwards of another channel are older."""
    lost = Forward(channel_id=ChannelId(9), message_id=MessageId(9))
    (story,) = fold([candidate(1, forward=lost), candidate(2)])
    assert ref(2) == story.lead.ref


def test_an_album_is_one_story() -> None:
    first, second = candidate(1, album_id=5), candidate(2, "Вид с моста на город", album_id=5)
    elsewhere = candidate(3, "Вид на площадь", channel=2, album_id=5)
    assert {frozenset({1, 2}), frozenset({3})} == parts(fold([first, second, elsewhere]))


def test_forwards_of_a_hidden_author_meet_by_name_and_second() -> None:
    one = Forward(name="Аноним", posted_at=NOW)
    other = Forward(name="Аноним", posted_at=NOW + timedelta(seconds=1))
    hidden = (
        (1, "Раз", one),
        (2, "Два", one),
        (3, "Три", other),
        (4, "Ну", Forward(name="Аноним")),
    )
    stories = fold([candidate(number, text, forward=mark) for number, text, mark in hidden])
    assert {frozenset({1, 2}), frozenset({3}), frozenset({4})} == parts(stories)


def test_copies_that_were_not_found_are_told_in_scope_only() -> None:
    """What the filters left out is no hit, but the footnote says where else it stands."""
    found = candidate(1)
    copies = {found.ref: (ref(8, 2), ref(9, 3))}
    (story,) = fold([found], copies, CHANNELS[:2])
    assert () == story.others
    assert [("channel2", 8)] == [(one.channel.name, one.message_id) for one in story.also_in]
    assert story.also_in == citation(1, story, "…").also_in


def test_a_copy_is_told_once() -> None:
    one, other = candidate(1), candidate(2, channel=2)
    copies = {one.ref: (other.ref, ref(8, 2)), other.ref: (one.ref, ref(8, 2))}
    (story,) = fold([one, other], copies, CHANNELS)
    assert [2, 8] == [place.message_id for place in story.also_in]


@pytest.mark.parametrize(
    ("forwards", "expected"),
    [
        ([None], 1),
        ([None, None, None], 1),
        ([None, (1, 1), (1, 1)], 1),
        ([(9, 9), (9, 9)], 1),
        ([(9, 9), (8, 8)], 2),
    ],
)
def test_copies_and_forwards_add_no_source(
    forwards: list[tuple[int, int] | None], expected: int
) -> None:
    """Only forwards that name different originals, neither at hand, have two origins."""
    members = [
        candidate(
            number,
            forward=origin
            and Forward(channel_id=ChannelId(origin[0]), message_id=MessageId(origin[1])),
        )
        for number, origin in enumerate(forwards, start=1)
    ]
    (story,) = fold(members)
    assert expected == story.independent_sources


TEXTS = (BRIDGE, BRIDGE.upper(), LONGER, "Трамвай пятого маршрута вернулся на линию.", "Да")


@st.composite
def archives(draw: st.DrawFn) -> tuple[list[Candidate], Copies]:
    count = draw(st.integers(0, 9))
    found = []
    for number in range(1, count + 1):
        origin = draw(st.one_of(st.none(), st.integers(1, 12)))
        forward = origin and Forward(channel_id=ChannelId(1), message_id=MessageId(origin))
        found.append(
            candidate(
                number,
                draw(st.sampled_from(TEXTS)),
                score=draw(st.floats(0, 1)),
                forward=forward or None,
                album_id=draw(st.sampled_from([None, None, 7])),
            )
        )
    numbers = st.integers(1, 12)
    return found, pairs(*draw(st.lists(st.tuples(numbers, numbers), max_size=12)))


@given(archives(), st.randoms(use_true_random=False))
def test_the_order_of_candidates_is_no_matter(
    archive: tuple[list[Candidate], Copies], dice: random.Random
) -> None:
    found, copies = archive
    shuffled = found.copy()
    dice.shuffle(shuffled)
    assert fold(found, copies, CHANNELS) == fold(shuffled, copies, CHANNELS)


@given(archives())
def test_no_candidate_is_lost_or_doubled(archive: tuple[list[Candidate], Copies]) -> None:
    found, copies = archive
    members = [one for s in fold(found, copies, CHANNELS) for one in (s.lead, *s.others)]
    assert sorted(one.ref for one in found) == sorted(one.ref for one in members)


@given(archives())
def test_folding_what_is_folded_changes_nothing(archive: tuple[list[Candidate], Copies]) -> None:
    """Candidates story by story give the same stories again."""
    found, copies = archive
    once = fold(found, copies)
    again = fold([one for s in once for one in (*s.others, s.lead)], copies)
    assert once == again


@given(archives(), st.integers(0, 9))
def test_marks_fold_the_same_whenever_they_come(
    archive: tuple[list[Candidate], Copies], cut: int
) -> None:
    """What is one story by forward, album or text stays so when more candidates come."""
    found, _ = archive
    before = parts(fold(found[:cut]))
    after = parts(fold(found))
    assert all(any(part <= whole for whole in after) for part in before)
