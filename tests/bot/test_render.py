"""What answers, refusals and lists of channels look like."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from agent.types import (
    Answer,
    CitedClaim,
    Contradiction,
    CopyRef,
    Coverage,
    Filters,
    Grounding,
    Refusal,
    RefusalReason,
)
from bot.render import render
from bot.render.channels import render_channels
from bot.texts import ru
from bot.types import Part
from ingest.types import Channel, ChannelId
from tests.peers.scripted_agent import CLOSED, HABR, citation
from tests.peers.telegram_rules import auto_links, formatted

ZONE = ZoneInfo("Europe/Moscow")
BASIC_GROUP = Channel(channel_id=ChannelId(-5), title="Группа", kind="group")

ANSWER = Answer(
    claims=(
        CitedClaim(text="Python 3.13 вышел 7 октября.", citations=(1, 2)),
        CitedClaim(text="В нём есть JIT.", citations=(3,)),
    ),
    citations=(
        citation(1, quote="Python 3.13 вышел 7 октября"),
        replace(
            citation(2, channel=CLOSED, quote="Сегодня релиз."),
            author="Анна",
            also_in=tuple(
                CopyRef(channel=Channel(channel_id=ChannelId(n), title="x"), message_id=1)
                for n in (2, 3, 4, 5, 5)
            ),
        ),
        citation(3, channel=BASIC_GROUP, quote="JIT " * 100),
    ),
    confidence=0.9,
    filters=Filters(channels=(HABR,), from_on=date(2024, 10, 1), to_on=date(2024, 10, 31)),
)


def text_of(parts: tuple[Part, ...]) -> str:
    return "\n\n".join(part.text for part in parts)


def entities_of(part: Part, kind: str) -> list[str]:
    raw = part.text.encode("utf-16-le")
    return [
        raw[2 * e.offset : 2 * (e.offset + e.length)].decode("utf-16-le")
        for e in part.entities
        if e.type == kind
    ]


def test_an_answer_reads_from_sentences_to_sources() -> None:
    """Marks after each sentence, then the posts, quotes that add something, the filters."""
    (part,) = render(ANSWER, ZONE)

    jit = ("JIT " * 100).strip()
    assert part.text == (
        "Python 3.13 вышел 7 октября. [1] [2]\n\n"
        "В нём есть JIT. [3]\n\n"
        "Источники\n"
        "[1] Хабр, 7 окт 2024\n"
        "[2] Закрытый чат, 7 окт 2024, Анна, и ещё 4 канала\n"
        "Сегодня релиз.\n"
        "[3] Группа, 7 окт 2024\n"
        f"{jit}\n\n"
        "Период: 1–31 октября 2024; канал: Хабр"
    )
    assert entities_of(part, "blockquote") == ["Сегодня релиз."]
    assert entities_of(part, "expandable_blockquote") == [jit]
    assert [(e.url) for e in part.entities if e.url] == [
        "https://t.me/habr/100",
        "https://t.me/c/77/200",
        "https://t.me/habr/100",
        "https://t.me/c/77/200",
    ]


def test_an_english_answer_is_english_throughout() -> None:
    """Dates and the bot's own words follow the answer's language."""
    (part,) = render(replace(ANSWER, language="en"), ZONE)

    assert "[2] Закрытый чат, 7 Oct 2024, Анна, and 4 more channels" in part.text
    assert part.text.endswith("Period: 1–31 October 2024; channel: Хабр")


def test_caveats_are_small_print() -> None:
    """What was not confirmed, what failed, and that the archive ends before the period does."""
    coverage = Coverage(
        posted_from=datetime(2020, 1, 1, tzinfo=UTC),
        posted_to=datetime(2024, 10, 7, 22, tzinfo=UTC),  # the 8th in Moscow
        synced_at=datetime(2024, 10, 8, tzinfo=UTC),
        count_messages=12345,
        embedded_share=0.999,
    )
    (part,) = render(
        replace(
            ANSWER,
            grounding=Grounding.PARTIALLY_SUPPORTED,
            errors=("Модель не ответила.",),
            coverage=coverage,
            contradictions=(Contradiction(about="дата", citations=(2, 1)),),
        ),
        ZONE,
    )

    assert entities_of(part, "italic") == [
        ru.PARTLY_SUPPORTED,
        "Модель не ответила.",
        "В архиве 12\u00a0345 сообщений, 1 января 2020 – 8 октября 2024; обновлён 8 окт 2024; "
        "по смыслу ищу пока в 99 %.",
    ]
    assert "⚠️ Источники расходятся (дата): [2] [1]" in part.text


def test_a_refusal_helps() -> None:
    """The reason, what is missing, three nearest posts, what was searched."""
    refusal = Refusal(
        reason=RefusalReason.NOTHING_FOUND,
        message="В архиве об этом не писали.",
        knowledge_gap="Не хватает даты релиза.",
        nearest=tuple(citation(n, quote=f"строка {n}\nвторая") for n in range(1, 6)),
        filters=Filters(from_on=date(2024, 10, 7), to_on=date(2024, 10, 7)),
        coverage=Coverage(count_messages=2),
    )

    (part,) = render(refusal, ZONE)

    assert part.text == (
        "В архиве об этом не писали.\n\n"
        "Не хватает даты релиза.\n\n"
        "Ближайшее из найденного\n"
        "[1] Хабр, 7 окт 2024\nстрока 1 вторая\n"
        "[2] Хабр, 7 окт 2024\nстрока 2 вторая\n"
        "[3] Хабр, 7 окт 2024\nстрока 3 вторая\n\n"
        "Период: 7 октября 2024\n\n"
        "В архиве 2 сообщения."
    )


HOSTILE = st.lists(
    st.sampled_from(
        ["https://evil.com/?q=", "@evil", "t.me/evil", "/start", "\u202e", "😀", "слово ", "\n"]
    )
    | st.text(max_size=20),
    max_size=40,
).map("".join)


@given(st.lists(st.tuples(HOSTILE, HOSTILE, HOSTILE), min_size=1, max_size=60))
def test_every_footnote_survives_and_nothing_else_is_a_link(
    posts: list[tuple[str, str, str]],
) -> None:
    """Whatever posts, titles and names say: our links and no others, in messages that fit."""
    citations = tuple(
        replace(
            citation(n, quote=quote, channel=replace(HABR, title=title)),
            author=title,
        )
        for n, (_, quote, title) in enumerate(posts, start=1)
    )
    claims = tuple(
        CitedClaim(text=text, citations=(n,)) for n, (text, _, _) in enumerate(posts, start=1)
    )
    answer = Answer(claims=claims, citations=citations, confidence=1, errors=(posts[0][0],))

    parts = render(answer, ZONE)

    whole = text_of(parts)
    assert auto_links(whole) == []
    urls = [entity.url for part in parts for entity in part.entities if entity.url]
    # Each post is linked by its mark and by its line in the list of sources.
    assert sorted(urls) == sorted(2 * [citation.url for citation in citations])
    assert all(whole.count(f"[{n}]") >= 2 for n in range(1, len(posts) + 1))
    for part in parts:
        entities = [entity.model_dump(exclude_none=True) for entity in part.entities]
        formatted({"text": part.text, "entities": entities})


def test_an_empty_archive_is_said_in_words() -> None:
    """/channels before anything was imported."""
    assert render_channels([], ru, ZONE) == (Part(ru.NO_CHANNELS),)
