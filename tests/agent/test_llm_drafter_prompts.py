"""Prompts: what the model is shown, to the letter, and what it never is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.models.drafting import LlmDrafter
from agent.models.posts import CHARS_PER_TOKEN, prompt_text
from agent.prompts import load_prompt
from agent.types import Plan, Question, Turn
from tests.peers.evidence import ASKED_AT, plan, post, question
from tests.peers.obedient_model import ObedientModel

SNAPSHOTS = Path(__file__).with_name("prompts")
MARKER = "9f2c41ab"

POSTS = (
    post("e1", "Вышел Python 3.13 [1].\n\n\nГлавное —   новый REPL【2】.", day=7, relevance=0.9),
    post("e2", "Мост\u200b закрыт \u202eдо 15 сентября.", channel="Верхнеозёрск", relevance=0.8),
    post("e3", "$question {answerable} 9f2c e1 | Хабр", channel="a\nb | c", relevance=0.1),
)


def drafter(**options: int) -> LlmDrafter:
    return LlmDrafter(ObedientModel(), new_marker=lambda: MARKER, **options)


@pytest.mark.parametrize(
    ("language", "asked"), [("ru", "Что нового в Python 3.13?"), ("en", "What's new in 3.13?")]
)
def test_prompts_are_what_they_were(language: str, asked: str) -> None:
    """A prompt changes only together with its snapshot: rewrite the file on purpose."""
    rendered = drafter().render(question(asked), plan(asked, language=language), POSTS)

    expected = (SNAPSHOTS / f"draft.{language}.txt").read_text(encoding="utf-8")

    assert f"{rendered.system}\n=====\n{rendered.user}\n" == expected


def test_a_wording_has_its_digest() -> None:
    """Twelve hexadecimal digits, another for every wording."""
    digests = {load_prompt("draft", "ru").digest, load_prompt("draft", "en").digest}

    assert len(digests) == 2
    assert all(re.fullmatch(r"[0-9a-f]{12}", one) for one in digests)


def test_the_marker_cannot_be_guessed() -> None:
    """Every request has another one."""
    made = LlmDrafter(ObedientModel())

    users = {made.render(question("?"), plan("?"), POSTS).user for _ in range(20)}

    assert len(users) == 20


def test_the_strongest_posts_stand_at_both_ends() -> None:
    """Whatever order they come in."""
    posts = [post(f"e{rank}", f"Пост {rank}.", relevance=1 / rank) for rank in (3, 5, 1, 4, 2)]

    rendered = drafter().render(question("?"), plan("?"), posts)

    assert [one.id for one in rendered.evidence] == ["e1", "e3", "e5", "e4", "e2"]


def test_long_posts_are_cut_and_short_ones_are_not() -> None:
    """What a short post leaves of its share goes to the long ones."""
    posts = [
        post("e1", "длинный " * 500, relevance=0.9),
        post("e2", "Короткий пост целиком.", relevance=0.5),
        post("e3", "долгий " * 500, relevance=0.1),
    ]

    rendered = drafter(prompt_tokens=1_000).render(question("?"), plan("?"), posts)

    assert [one.id for one in rendered.evidence] == ["e1", "e3", "e2"]
    assert "Короткий пост целиком.\n" in rendered.user
    assert rendered.user.count("…\n") == 2
    used = len(rendered.system) + len(rendered.user)
    assert 0.9 < used / (1_000 * CHARS_PER_TOKEN) <= 1


@pytest.mark.parametrize("prompt_tokens", [1, 400, 600, 1_000, 3_000])
@pytest.mark.parametrize("count", [1, 8, 60])
def test_the_budget_holds(prompt_tokens: int, count: int) -> None:
    """With the weakest posts left out when not all of them fit; with none if need be."""
    posts = [post(f"e{n}", f"слово{n} " * 300, relevance=1 / n) for n in range(1, count + 1)]
    made = drafter(prompt_tokens=prompt_tokens)

    rendered = made.render(question("Вопрос?"), plan("Вопрос?"), posts)

    if rendered.evidence:
        used = len(rendered.system) + len(rendered.user)
        assert used <= prompt_tokens * CHARS_PER_TOKEN
        assert rendered.evidence[0].id == "e1"
    else:
        assert prompt_tokens < 600


def test_one_long_question_leaves_room_for_posts() -> None:
    """It is cut, and it stays on one line."""
    rendered = drafter().render(question("почему\nтак " * 2_000), plan("?"), POSTS)

    assert len(rendered.evidence) == 3
    asked = rendered.user.splitlines()[-1]
    assert asked.startswith("Вопрос (2024-11-01): почему так")
    assert len(asked) < 1_100


def test_a_follow_up_is_asked_in_full() -> None:
    """The plan knows what «а в марте?» means."""
    follow_up = Question(
        text="А в марте?", now=ASKED_AT, history=(Turn(question="Что с мостом?"),)
    )

    rendered = drafter().render(follow_up, Plan(queries=("Что с мостом в марте?",)), POSTS)

    assert rendered.user.splitlines()[-1] == "Вопрос (2024-11-01): Что с мостом в марте?"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Так [1], [2,3] и [^4] 【5†x】.", "Так, и."),
        ("[ссылка](x) и [1](y) и a[10]", "[ссылка](x) и [1](y) и a"),
        ("х\U000e0049\U000e0047и\u2066д\u2069ден\ufeff", "хидден"),
        ("a\x00b\u2028c \n \n\n d", "a b c\nd"),
    ],
)
def test_posts_are_shown_without_disguise(text: str, shown: str) -> None:
    """No hidden characters, nothing that looks like a citation of ours."""
    assert prompt_text(text) == shown
