"""What can be wrong with a language model's server, in words for the asker."""

from __future__ import annotations

import enum
from typing import Literal

from agent.errors import ModelUnavailable


class Fault(enum.StrEnum):
    """Why there is no usable reply."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    MISCONFIGURED = "misconfigured"
    BAD_KEY = "bad_key"
    NO_MODEL = "no_model"
    BUSY = "busy"
    BROKEN = "broken"
    REJECTED = "rejected"
    TOO_LONG = "too_long"
    CUT_OFF = "cut_off"
    DECLINED = "declined"
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"


_WORDS: dict[Fault, tuple[str, str]] = {
    Fault.TIMEOUT: (
        "the language model did not answer in time",
        "языковая модель не ответила вовремя",
    ),
    Fault.UNREACHABLE: (
        "the language model's server cannot be reached",
        "сервер языковой модели недоступен",
    ),
    Fault.MISCONFIGURED: (
        "the language model's address or key is not a valid one",
        "адрес или ключ языковой модели записан с ошибкой",
    ),
    Fault.BAD_KEY: (
        "the language model's server does not accept the key",
        "сервер языковой модели не принял ключ",
    ),
    Fault.NO_MODEL: (
        "the language model's server does not know this model or address",
        "сервер не знает такой языковой модели или такого адреса",
    ),
    Fault.BUSY: (
        "the language model's server is busy or its quota is spent",
        "сервер языковой модели занят, или исчерпан его лимит",
    ),
    Fault.BROKEN: (
        "the language model's server failed",
        "на сервере языковой модели произошла ошибка",
    ),
    Fault.REJECTED: (
        "the language model's server rejected the request",
        "сервер языковой модели отклонил запрос",
    ),
    Fault.TOO_LONG: (
        "the posts do not fit into the language model's context",
        "посты не поместились в контекст языковой модели",
    ),
    Fault.CUT_OFF: (
        "the language model's answer was cut off",
        "ответ языковой модели оборвался",
    ),
    Fault.DECLINED: (
        "the language model declined to answer",
        "языковая модель отказалась отвечать",
    ),
    Fault.MALFORMED: (
        "the language model's reply cannot be understood",
        "ответ языковой модели не удалось разобрать",
    ),
    Fault.TOO_LARGE: (
        "the language model's reply is too large",
        "ответ языковой модели слишком велик",
    ),
}


class ModelFault(ModelUnavailable):
    """A `ModelUnavailable` that can say its reason in the asker's language.

    It holds nothing of the request or the reply: servers echo keys and posts in their errors.
    """

    def __init__(self, fault: Fault, *, status: int | None = None) -> None:
        super().__init__(fault, status)
        self.fault, self.status = fault, status

    def __str__(self) -> str:
        return self.sentence("en")

    def sentence(self, language: Literal["ru", "en"]) -> str:
        """The reason, without a capital letter and a full stop, as errors are written."""
        english, russian = _WORDS[self.fault]
        return russian if language == "ru" else english
