"""Which channels a question addresses, and which it only speaks of."""

from __future__ import annotations

import pytest

from agent.planning.names import name_book
from agent.planning.reading import read
from tests.agent.planning_samples import ALL, CHANNELS, NOW, dates, reading, shorts

ADDRESSED = [
    # inflected, after a preposition
    ("Что было на Бырбыре про кометы?", "byr"),
    ("кто на бырбыре ругал трамваи?", "byr"),
    ("Что у Бырбыра нового про кометы?", "byr"),
    ("Какие кометы обсуждали в Глузгаче?", "glu"),
    ("Что было в Тетради Ada инженера про кометы?", "ada"),
    ("Что было в Тетради фортраниста про кометы?", "for"),
    ("Кто из Новостей Рязани узнал про трамвай, в Новостях Рязани же писали?", "nov"),
    ("Что было в Медведице про мёд?", "med"),
    ("Сколько стоит трамвай из «Троп треугольных»?", "tro"),
    # a source
    ("Сколько людей пришло на парад, по данным Kvantik?", "kva"),
    ("Сколько трамваев вышло на линию, по сообщению Глузгача?", "glu"),
    ("Сколько, по опросу Орехового research, ест белка?", "ore"),
    ("Что построят у моста, если верить «Новостям Рязани»?", "nov"),
    ("Что построят у моста, судя по Рязань Live?", "rli"),
    ("Почему встал трамвай, со ссылкой на Бырбыр?", "byr"),
    ("How many trams broke down, according to QuokkaTV?", "quo"),
    # a verb of saying
    ("Что писал Бырбыр про кометы?", "byr"),
    ("что писал бырбыр про кометы?", "byr"),
    ("О чём писал Ореховый research?", "ore"),
    ("Где стоит дом, о котором писала Рязань Live?", "rli"),
    ("Как PROграфоманию объясняет успех поэмы?", "pro"),
    ("Что Бырбыр 4 июня рассказывал про ракету?", "byr"),
    ("Сколько ехал трамвай — Глузгач писал в мае 2031?", "glu"),
    ("Новости Рязани писали про мост?", "nov"),
    ("Что Медведица советовала пчеловодам?", "med"),
    ("Что говорила Тындова про налоги?", "tyn"),
    ("Что писал Петров про вклады?", "pet"),
    ("What did QuokkaTV report about trams?", "quo"),
    ("What did Terraphonix say about synths?", "ter"),
    ("Что писал Python про декораторы?", "pyt"),
    # the whole of a long name needs no more
    ("Тетрадь фортраниста, помню, радовалась перфокартам — каким?", "for"),
    ("Бырбыр про кометы: сколько их?", "byr"),
    ("Бырбыр: сколько было комет?", "byr"),
    # the word "channel", quotation marks
    ("В канале «Высшая математика» была задача про козу — какая?", "mat"),
    ("Сколько лететь до Луны, по данным канала «Рязань Live»?", "rli"),
    ("что было в канале новости рязани про мост?", "nov"),
    ("Что писали в канале Рязань про мост?", "rzn"),
    ("Что нового в телеграм-канале Python?", "pyt"),
    ("Что писал паблик Медведица?", "med"),
    ("What was in the Python channel about tuples?", "pyt"),
    # by its topic
    ("Какие компиляторы вышли, судя по каналу про Fortran?", "for"),
    ("Что было в канале про сопромат?", "tet"),
    ("Что было в канале про фортран?", "for"),
    ("Что было в каналах про Fortran и сопромат?", "for tet"),
    ("Что писал Шмаргов про налоги?", "shm"),
    ("Что писал Shmargov про налоги?", "shm"),
    ("Что у Шмаргова нового про налоги?", "shm"),
    # usernames, links
    ("Что нового у @byrbyr про кометы?", "byr"),
    ("Что писали в https://t.me/kvantik_live/123 про кварки?", "kva"),
    ("что было на t.me/s/gluzgach", "glu"),
    ("что в t.me/c/7020/5 сказано про взносы?", "pri"),
    ("Что писали в rzn_efir про трамваи?", "rli"),
    ("Что было в grafomania про поэмы?", "pro"),
    ("Что писал remontdoma про плитку?", "num"),
    # the other alphabet, one word or two
    ("Что писал Квантик про кварки?", "kva"),
    ("Что писал Byrbyr про кометы?", "byr"),
    ("What did Gluzgach write about trams?", "glu"),
    ("Что рассказывала Quokka TV про трамваи?", "quo"),
    ("Що цікавого було в localness у березні?", "loc"),
    # slips of the keyboard
    ("Что писал Бирбыр про кометы?", "byr"),
    ("Что было в Тетради фортрониста про кометы?", "for"),
    ("Сколько трамваев, по сообщению Глузгоча?", "glu"),
    ("What did Terrafonix say about synths?", "ter"),
    # several
    ("Что писали на Бырбыре и в Kvantik про кометы?", "byr kva"),
    ("Что писали Бырбыр, Глузгач и Kvantik про кометы?", "byr glu kva"),
    ("Сравни, что писали «Новости Рязани» и Рязань Live про мост", "nov rli"),
    # a script without spaces
    ("月亮的猫猫日记里说了什么？", "kit"),
]

SPOKEN_OF = [
    "Почему Бырбыр отменил подписку?",
    "Что объявил Бырбыр о продаже подписки?",
    "Сколько заработал Бырбыр в 2030 году?",
    "Что писали про Бырбыр в мае?",
    "Кто основал Kvantik?",
    "Основатель Kvantik рассказал о планах — каких?",
    "The founder of QuokkaTV said what about trams?",
    "Где искать кометы, кроме Бырбыра?",
    "Что такое Бырбыр-карьера?",
    "Сколько платят в Бырбыр Карьере?",
    "новости Рязани за январь",
    "Новости Рязани за январь",
    "Какие новости Рязани были вчера?",
    "по данным новостей рязани за май что?",
    "Что произошло в Рязани?",
    "Что заявила Рязань по поводу моста?",
    "Кто получил высшее образование по высшей математике?",
    "Чему учит высшая математика?",
    "Высшая математика сложнее физики?",
    "Сколько строк на Python нужно для шахмат?",
    "Что нового в Python 3.19?",
    "Кто написал Python?",
    "Почему разработчики Python сказали нет скобкам?",
    "Why did the Python team remove the theme?",
    "Что быстрее, Ada или Fortran?",
    "Как настроить реверб в Terraphonix?",
    "Видели ли медведицу с медвежатами?",
    "Сколько денег у Петрова?",
    "Какой фильм «Бырбыр» получил приз?",
    "Кто сказал «Бырбыр отменил минусы»?",
    "По словам москвича, трамвай встал — где?",
    "В тетради инженера нашли чертёж — чей?",
    "Сколько хомяков сбежало из самолёта?",
    "Почему в клубе закрытый вход?",
]


@pytest.mark.parametrize(("question", "expected"), ADDRESSED)
def test_addressed_channels_restrict_the_search(question: str, expected: str) -> None:
    """A channel that the question addresses is a filter, however its name is written."""
    assert expected == shorts(reading(question).named.channels)


@pytest.mark.parametrize("question", SPOKEN_OF)
def test_a_filter_is_never_invented(question: str) -> None:
    """A name that is only what the question is about restricts nothing."""
    named = reading(question).named

    assert (shorts(named.channels), named.unknown) == ("", ())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Что нового у @fialka_times?", ("@fialka_times",)),
        ("Что писали в t.me/fialka_times/12 про мост?", ("@fialka_times",)),
        ("Что было в канале «Фиалка» про мост?", ("Фиалка",)),
        ("Что писали в канале Фиалка про мост?", ("Фиалка",)),
        ("О чём писал телеграм-канал Фиалка Times вчера?", ("Фиалка Times",)),
        ("Что было в t.me/c/999/5?", ("t.me/c/999/5",)),
        ("What was in the Violet Herald channel about trams?", ("Violet Herald",)),
        ("Сколько стоит мост, по данным канала «Фиалка»?", ("Фиалка",)),
    ],
)
def test_an_explicit_filter_is_never_widened(question: str, expected: tuple[str, ...]) -> None:
    """A channel that is named plainly and is not ours is reported, not left out."""
    named = reading(question).named

    assert ("", expected) == (shorts(named.channels), named.unknown)


@pytest.mark.parametrize(
    "question",
    [
        "Кто утонул на канале Грибоедова?",
        "Сколько судов прошло Суэцкий канал?",
        "Что нового на ютуб-канале «Фиалка»?",
        "Что писали про @fialka_times?",
        "Что умеет @fialka_bot?",
        "Куда писать: press@fialka.times?",
        "Что делает функция read_all_rows?",
        "Who swam the English Channel?",
    ],
)
def test_other_channels_are_no_strangers(question: str) -> None:
    """Waterways, bots, mail addresses and code name no channel."""
    named = reading(question).named

    assert (shorts(named.channels), named.unknown) == ("", ())


def test_known_and_unknown_channels_stand_side_by_side() -> None:
    """A question may name one channel of ours and one that is not."""
    named = reading("Что писали про мост на Бырбыре и в канале «Фиалка»?").named

    assert (shorts(named.channels), named.unknown) == ("byr", ("Фиалка",))


def test_a_channel_out_of_sight_is_unknown() -> None:
    """The planner knows only the channels that the asker may see."""
    named = read(
        "Что нового у @byrbyr?", book=name_book((CHANNELS["kva"],)), find_dates=dates, now=NOW
    ).named

    assert (shorts(named.channels), named.unknown) == ("", ("@byrbyr",))


def test_shouting_makes_no_names() -> None:
    """Where everything is in capitals, a title of everyday words is no name."""
    assert shorts(reading("ЧТО БЫЛО В НОВОСТЯХ РЯЗАНИ В МАЕ?").named.channels) == ""


def test_channels_of_one_title_are_both_meant() -> None:
    """Two channels with the same title can't be told apart, so both are searched."""
    first, second = CHANNELS["byr"], CHANNELS["kva"]
    twin = type(first)(channel_id=second.channel_id, title=first.title)
    named = read(
        "Что писал Бырбыр?", book=name_book((first, twin)), find_dates=dates, now=NOW
    ).named

    assert (first, twin) == named.channels


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Что было на Бырбыре про зелёные кометы?", "Что было про зелёные кометы?"),
        ("Сколько людей пришло на парад, по данным Kvantik?", "Сколько людей пришло на парад?"),
        (
            "Сколько, по опросу Орехового research, ест белка орехов?",
            "Сколько ест белка орехов?",
        ),
        (
            "Какой длины мост, о котором писала Рязань Live, и почём он?",
            "Какой длины мост и почём он?",
        ),
        ("What did QuokkaTV report about blue trams?", "What about blue trams?"),
        (
            "Что писали про синий трамвай на Бырбыре и в Kvantik?",
            "Что писали про синий трамвай?",
        ),
        (
            "Сколько трамваев в канале «Рязань Live» в мае?",
            "Сколько трамваев в канале «Рязань Live» в мае?",
        ),
        ("Кто в мае 2031 построил синий мост?", "Кто построил синий мост?"),
    ],
)
def test_addresses_and_dates_are_no_search_words(question: str, expected: str) -> None:
    """What only says where and when is cut out, if enough is left to search for."""
    assert expected == reading(question).search_text


def test_all_channels_are_told_apart() -> None:
    """Every channel is found by its own username."""
    found = [
        shorts(reading(f"что было в @{channel.username}?").named.channels)
        for channel in ALL
        if channel.username
    ]

    assert [short for short, channel in CHANNELS.items() if channel.username] == found


def test_a_slip_between_two_channels_names_neither() -> None:
    """A mistyped name that is as near to one channel as to another is nobody's."""
    first = CHANNELS["byr"]
    second = type(first)(channel_id=CHANNELS["kva"].channel_id, title="Бырбар")
    book = name_book((first, second))
    named = read("Что писал Бырбор?", book=book, find_dates=dates, now=NOW).named

    assert named.channels == ()
