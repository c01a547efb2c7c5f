"""What the bot says in Russian."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

SEARCHING: str = "Ищу в архиве…"
CONTINUED: str = "…"
START: str = (
    "Спросите о том, что писали в каналах архива, обычными словами: "
    "«что писали про выход Python 3.13 в октябре?». "
    "У каждого предложения ответа будет сноска на пост, а если ответа в архиве нет, "
    "я так и скажу."
)
HELP: str = (
    "Задайте вопрос одним сообщением. Можно назвать канал и время: "
    "«что Хабр писал про Qdrant в прошлом месяце?». "
    "Точную фразу возьмите в кавычки. Цифры [1] в ответе открывают посты.\n\n"
    "/channels — какие каналы есть в архиве и за какое время\n"
    "/help — эта подсказка"
)
NOT_A_QUESTION: str = (
    "Я понимаю только текст: напишите вопрос словами, одним сообщением. Подсказка: /help"
)
TOO_LONG: str = "Вопрос слишком длинный. Сократите его до 4000 знаков, пожалуйста."
QUEUE_FULL: str = (
    "У меня уже ждут ваши предыдущие вопросы, этот я не взял. "
    "Повторите его, пожалуйста, когда отвечу на них."
)
NO_CHANNELS: str = "Архив пока пуст: владелец ещё не добавил ни одного канала."
CHANNELS: str = "Каналы архива"
SOURCES: str = "Источники"
NEAREST: str = "Ближайшее из найденного"
SOMETHING_BROKE: str = (
    "Не получилось ответить: у меня внутренняя ошибка. Попробуйте ещё раз позже."
)
TOOK_TOO_LONG: str = "Не успел ответить вовремя. Попробуйте спросить короче или сузить период."
GAVE_UP: str = (
    "На этом вопросе я несколько раз останавливался и больше пробовать не буду. "
    "Переформулируйте его, пожалуйста."
)
ARCHIVE_UNAVAILABLE: str = "Архив сейчас недоступен. Попробуйте ещё раз через несколько минут."
CANNOT_BE_SHOWN: str = (
    "Ответ есть, но Telegram отказался его показать. Спросите иначе, пожалуйста."
)
PARTLY_SUPPORTED: str = "Подтвердилось не всё, что нашлось: показано только подтверждённое."
NOT_CHECKED: str = "Ответ не проверен по источникам: сверьтесь с постами."
COMMANDS: tuple[tuple[str, str], ...] = (
    ("channels", "Каналы архива"),
    ("help", "Как спрашивать"),
)

_MONTHS = (
    *("января", "февраля", "марта", "апреля", "мая", "июня"),
    *("июля", "августа", "сентября", "октября", "ноября", "декабря"),
)
_SHORT_MONTHS = (
    *("янв", "фев", "мар", "апр", "мая", "июн"),
    *("июл", "авг", "сен", "окт", "ноя", "дек"),
)
_NBSP = "\u00a0"


def stranger(user_id: int) -> str:
    """What somebody who may not ask is told, once."""
    return (
        "Этот бот отвечает только тем, кого добавил его владелец. "
        f"Попросите владельца добавить ваш номер: {user_id}"
    )


def short_date(day: date) -> str:
    """``7 окт 2024``."""
    return f"{day.day} {_SHORT_MONTHS[day.month - 1]} {day.year}"


def period(from_on: date | None, to_on: date | None) -> str:
    """``1–31 октября 2024``."""
    if from_on is None or to_on is None:
        start = f"с {_long(from_on)}" if from_on else ""
        return start or (f"по {_long(to_on)}" if to_on else "")
    if from_on == to_on:
        return _long(to_on)
    if (from_on.year, from_on.month) == (to_on.year, to_on.month):
        return f"{from_on.day}–{_long(to_on)}"
    if from_on.year == to_on.year:
        return f"{from_on.day} {_MONTHS[from_on.month - 1]} – {_long(to_on)}"
    return f"{_long(from_on)} – {_long(to_on)}"


def filters(period: str, channels: Sequence[str]) -> str:
    """``Период: 1–31 октября 2024; канал: Хабр``."""
    found = []
    if period:
        found.append(f"период: {period}")
    if channels:
        found.append(f"{'канал' if len(channels) == 1 else 'каналы'}: {', '.join(channels)}")
    line = "; ".join(found)
    return line[:1].upper() + line[1:]


def also_in(count: int) -> str:
    """``и ещё 4 канала``."""
    return f"и ещё {_counted(count, 'канал', 'канала', 'каналов')}"


def coverage(
    count_messages: int, period: str, synced_on: date | None, embedded_share: float
) -> str:
    """``В архиве 12 345 сообщений, 1 января – 7 октября 2024; обновлён 8 окт 2024``."""
    line = f"В архиве {_counted(count_messages, 'сообщение', 'сообщения', 'сообщений')}"
    if period:
        line += f", {period}"
    if synced_on:
        line += f"; обновлён {short_date(synced_on)}"
    if embedded_share < 1:
        # Rounded down: 99.9 % must not read as everything.
        line += f"; по смыслу ищу пока в {int(embedded_share * 100)} %"
    return line + "."


def disagree(about: str) -> str:
    """Introduces footnotes that contradict each other."""
    return f"Источники расходятся ({about}):" if about else "Источники расходятся:"


def channel_facts(count_messages: int, period: str, synced_on: date | None) -> str:
    """``12 345 сообщений, 1 января – 7 октября 2024; обновлён 8 окт 2024``."""
    line = _counted(count_messages, "сообщение", "сообщения", "сообщений")
    if period:
        line += f", {period}"
    return f"{line}; обновлён {short_date(synced_on)}" if synced_on else line


def _long(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _counted(count: int, one: str, few: str, many: str) -> str:
    tens, units = count % 100, count % 10
    if units == 1 and tens != 11:  # noqa: PLR2004 - the grammar's own numbers
        word = one
    elif units in (2, 3, 4) and tens not in (12, 13, 14):
        word = few
    else:
        word = many
    return f"{f'{count:,}'.replace(',', _NBSP)} {word}"
