"""What a language model says becomes claims that cite what was given, or no claims at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from agent.errors import ModelUnavailable
from agent.models.drafting import FallingBack, LlmDrafter, read_draft, reply_schema
from agent.models.faults import Fault, ModelFault
from agent.types import Claim, Draft, Evidence, EvidenceId, Plan, Question
from tests.peers.evidence import plan, post, question

BRIDGE = post("e1", "Мост через Каменку закрыли до 15 сентября. Объезд — по «Заводской».")
SCHOOL = post("e2", "Новая школа откроется 1 сентября, мест [3] 825.", relevance=0.5)
POSTS = (BRIDGE, SCHOOL)
E1, E2 = EvidenceId("e1"), EvidenceId("e2")
REFUSAL = Draft(claims=(), mode="llm", complete=False)


@dataclass
class ScriptedModel:
    """Replies with one value and remembers what it was asked."""

    reply: object = None
    asked: list[tuple[str, str, dict[str, object]]] = field(default_factory=list)

    async def complete(self, *, system: str, user: str, schema: dict[str, object]) -> object:
        self.asked.append((system, user, schema))
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def claim(text: str, *ids: str, quote: str = "") -> dict[str, object]:
    return {"quote": quote, "evidence": list(ids), "text": text}


def draft(*claims: object, evidence: Sequence[Evidence] = POSTS) -> Draft:
    return read_draft({"answerable": True, "claims": list(claims)}, evidence)


async def test_a_reply_becomes_a_draft() -> None:
    """Text, ids and the quote as it stands in the post."""
    model = ScriptedModel(
        {
            "answerable": True,
            "claims": [
                claim("Мост закрыт до 15 сентября.", "e1", quote="закрыли до 15 сентября."),
            ],
        }
    )

    drafted = await LlmDrafter(model)(question("До когда?"), plan("До когда?"), POSTS)

    assert drafted == Draft(
        claims=(
            Claim(
                text="Мост закрыт до 15 сентября.",
                evidence_ids=(E1,),
                quote="закрыли до 15 сентября",
            ),
        ),
        mode="llm",
    )
    assert model.asked[0][2] == reply_schema(POSTS)


async def test_without_evidence_the_model_is_not_asked() -> None:
    """There is nothing to answer from."""
    model = ScriptedModel()

    drafted = await LlmDrafter(model)(question("Кто?"), plan("Кто?"), ())

    assert drafted == REFUSAL
    assert model.asked == []


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Мост через Каменку", "Мост через Каменку"),
        ("мост  ЧЕРЕЗ\nкаменку…", "Мост через Каменку"),
        ('Объезд - по "Заводской".', "Объезд — по «Заводской"),
        ("мест 825", "мест [3] 825"),
        ("1 сентября, мест 825.", "1 сентября, мест [3] 825"),
        ("Мост закрыли", None),
        ("ост через", None),
        ("15", None),
        ("", None),
    ],
)
def test_a_quote_has_to_stand_in_the_post(quote: str, found: str | None) -> None:
    """Word by word; how it is printed does not matter."""
    (made,) = draft(claim("Сказано так.", "e1", "e2", quote=quote)).claims

    assert made.quote == found


def test_a_negation_is_not_cut_off() -> None:
    """«доступен» is no quote of «недоступен»."""
    (made,) = draft(
        claim("Сервис доступен.", "e1", quote="доступен"),
        evidence=[post("e1", "Сервис недоступен.")],
    ).claims

    assert made.quote is None


def test_a_quote_outweighs_the_number() -> None:
    """A model that copies from one post and names another is put right."""
    (made,) = draft(claim("Мест 825.", "e1", quote="Новая школа откроется 1 сентября")).claims

    assert made.evidence_ids == (E2,)
    assert made.quote == "Новая школа откроется 1 сентября"


def test_unknown_ids_are_dropped() -> None:
    """A claim keeps the ids that were given, and goes when none is left."""
    kept = draft(
        claim("Первое утверждение.", "e9", "e2", "e2"),
        claim("Второе утверждение.", "e3", "habr", ""),
        claim("Третье утверждение."),
        {"text": "Четвёртое.", "evidence": "[e1]", "quote": None},
    )

    assert [(one.text, one.evidence_ids) for one in kept.claims] == [
        ("Первое утверждение.", (E2,)),
        ("Четвёртое.", (E1,)),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Мост** закрыт [1].", "Мост закрыт."),
        ("Мост закрыт【4†source】 (e1, e2).", "Мост закрыт."),
        ("- Мост [закрыт](https://evil.example/?q=1)", "Мост закрыт"),
        ("Мост ![закрыт][ref] `до` ~~15~~", "Мост закрыт до 15"),
        ("Мост <b>закрыт</b> <a href='//evil'>тут</a>", "Мост закрыт тут"),
        ("Мост &lt;i&gt;закрыт&lt;/i&gt;", "Мост закрыт"),
        ("Подробно: https://evil.example/a?b (tg://user?id=1)", "Подробно:"),
        ("Мост закрыт ht<b></b>tp://evil.example/x до 15", "Мост закрыт до 15"),
        ("Смотри evil.example/path и www.evil.example", "Смотри и"),
        ("Сайт evil.example, бот @evil_bot", "Сайт evil.\u2060example, бот @\u2060evil_bot"),
        ("Пиши /forget или 10.0.0.1", "Пиши /\u2060forget или 10\u2060.0.0.1"),
        ("М\u200bост за\u202eкрыт\x00 \ud800", "Мост закрыт"),
        ("Цена 3,5 млн руб., т.е. 2*2 и snake_case", None),
        ("В 2024 г. <5 км/ч и a < b > c", None),
    ],
)
def test_claims_are_plain_text(text: str, shown: str | None) -> None:
    """No markup, no citation marks, nothing to click, and ordinary prose untouched."""
    (made,) = draft(claim(text, "e1")).claims

    assert made.text == (text if shown is None else shown)


def test_claims_are_few_short_and_different() -> None:
    """A model that repeats itself is read once, with the evidence of both."""
    made = draft(
        claim("Мост закрыт.", "e1"),
        claim("мост ЗАКРЫТ", "e2"),
        *(claim(f"Утверждение номер {number}.", "e1") for number in range(30)),
    ).claims

    assert len(made) == 6
    assert made[0] == Claim(text="Мост закрыт.", evidence_ids=(E1, E2))


def test_an_endless_claim_keeps_whole_sentences() -> None:
    """Half a sentence may say the opposite of the whole."""
    long = draft(claim("Мост закрыт. " + "Очень " * 100 + "долго.", "e1")).claims
    endless = draft(claim("очень " * 100, "e1"))

    assert [one.text for one in long] == ["Мост закрыт."]
    assert endless == REFUSAL


@pytest.mark.parametrize(
    "text",
    [
        "НЕТ ДАННЫХ",
        "Нет данных.",
        "нет",
        "В постах нет информации о директоре.",
        "В предоставленных постах не указано имя, нет сведений.",
        "Информация о выборах отсутствует.",
        "Данных о цене проезда в постах нет",
        "Посты не содержат ответа на вопрос.",
        "Не указано",
        "К сожалению, ответить невозможно.",
        "No information",
        "There is no information about the director in the posts.",
        "The posts do not mention it.",
        "The provided context doesn't contain the answer.",
        "Not mentioned in the posts.",
        "I don't know.",
        "N/A",
        "...",
    ],
)
def test_an_answer_that_is_none_is_a_refusal(text: str) -> None:
    """Small models say "answerable" and then that there is no answer."""
    assert draft(claim(text, "e1", quote="Мост через Каменку")) == REFUSAL


@pytest.mark.parametrize(
    "text",
    [
        "Нет воды в трёх районах.",
        "Нет, мост не закрыт.",
        "Данные переписи опубликуют в мае.",
        "Информация о ремонте появилась 3 марта.",
        "No, the tram will not replace the bus.",
        "Посты ГАИ стоят на каждом въезде.",
    ],
)
def test_a_no_is_an_answer(text: str) -> None:
    """Negation alone is no refusal."""
    (made,) = draft(claim(text, "e1")).claims

    assert made.text == text


def test_a_post_may_say_that_nothing_is_known() -> None:
    """Then "there is no news of it" is the answer, and its quote proves it."""
    (made,) = draft(
        claim("Данных о пострадавших нет.", "e1", quote="данных о пострадавших нет"),
        evidence=[post("e1", "МЧС: данных о пострадавших нет.")],
    ).claims

    assert made.quote == "данных о пострадавших нет"


@pytest.mark.parametrize(
    "reply",
    [
        {"answerable": False, "claims": []},
        {"answerable": False, "claims": [claim("Мост закрыт.", "e1")]},
        {"answerable": True, "claims": []},
        {"answerable": "true", "claims": [claim("Мост закрыт.", "e1")]},
        {"claims": [claim("Мост закрыт.", "e1")]},
        {"answerable": True, "claims": [None, 1, "e1", [], {"text": 1, "evidence": ["e1"]}]},
    ],
)
def test_refusals(reply: object) -> None:
    """Whatever does not clearly answer is a refusal."""
    assert read_draft(reply, POSTS) == REFUSAL


@pytest.mark.parametrize("reply", [None, [], "НЕТ ДАННЫХ", {"answerable": True}, {"claims": 1}])
def test_a_reply_of_another_shape_is_a_fault(reply: object) -> None:
    """Models that follow no schema at all are not believed to have refused."""
    with pytest.raises(ModelUnavailable):
        read_draft(reply, POSTS)


@dataclass
class FixedDrafter:
    """Always the same draft."""

    drafted: Draft

    async def __call__(
        self, question: Question, plan: Plan, evidence: Sequence[Evidence]
    ) -> Draft:
        return self.drafted


QUOTED = Draft(claims=(Claim(text="Мост закрыт.", evidence_ids=(E1,)),), mode="extractive")


@pytest.mark.parametrize(
    ("language", "error", "sentence"),
    [
        (
            "ru",
            ModelFault(Fault.TIMEOUT),
            "Ответ составлен из цитат без языковой модели: языковая модель не ответила вовремя.",
        ),
        (
            "en",
            ModelFault(Fault.BUSY, status=429),
            "The answer is made of quotes without the language model: "
            "the language model's server is busy or its quota is spent.",
        ),
        (
            "ru",
            ModelUnavailable("sk-canary"),
            "Ответ составлен из цитат без языковой модели: модель недоступна.",
        ),
    ],
)
async def test_falling_back(language: str, error: ModelUnavailable, sentence: str) -> None:
    """Without the model the quotes answer, and say why in the asker's language."""
    drafter = FallingBack(LlmDrafter(ScriptedModel(error)), instead=FixedDrafter(QUOTED))

    drafted = await drafter(question("?"), plan("?", language=language), POSTS)

    assert drafted == Draft(claims=QUOTED.claims, mode="extractive", errors=(sentence,))


async def test_a_model_that_answers_is_not_replaced() -> None:
    """Neither by quotes nor after a refusal."""
    model = ScriptedModel({"answerable": False, "claims": []})

    drafted = await FallingBack(LlmDrafter(model), instead=FixedDrafter(QUOTED))(
        question("?"), plan("?"), POSTS
    )

    assert drafted == REFUSAL
