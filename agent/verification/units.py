"""Units of quantities: what is measured, and how much one of them is of the base unit."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: quantities compare where `measures` is the same, after multiplying by `factor`."""

    measures: str
    factor: Decimal = Decimal(1)


_TABLE: dict[str, dict[str, str]] = {
    "share": {"0.01": "% процент процентный pct percent per-cent відсоток"},
    "points": {"1": "п.п pp"},
    "rub": {"1": "₽ руб рубль р rub rubl rouble ruble roubl", "0.01": "коп копейка kopeck"},
    "usd": {"1": "$ доллар долл usd dollar buck бакс", "0.01": "цент cent"},
    "eur": {"1": "€ евро eur euro"},
    "gbp": {"1": "£ фунт gbp pound"},
    "yuan": {"1": "юань cny yuan renminbi"},
    "yen": {"1": "¥ йена иена jpy yen"},
    "uah": {"1": "₴ гривна гривня uah hryvnia грн"},
    "kzt": {"1": "₸ тенге kzt tenge"},
    "length": {
        "0.001": "мм миллиметр mm millimeter millimetre",
        "0.01": "см сантиметр cm centimeter centimetre",
        "1": "м метр метровый meter metre",
        "1000": "км километр километровый km kilometer kilometre",
        "1609.344": "миля mile",
        "0.3048": "фут ft foot feet",
    },
    "mass": {
        "0.001": "мг миллиграмм mg",
        "1": "гр грамм gram",
        "1000": "кг килограмм kg kilogram kilo",
        "1000000": "т тонна ton tonne",
        "453.59237": "lb pound-mass",
    },
    "volume": {"1": "л литр liter litre", "0.001": "мл миллилитр ml", "159": "баррель barrel"},
    "time": {
        "0.001": "мс миллисекунда ms millisecond",
        "1": "сек секунда секундный sec second",
        "60": "мин минута минутный min minute",
        "3600": "ч час часовой часовый hour hr",
        "86400": "день дней сутки суток дневный дневной day",
        "604800": "неделя недельный week",
    },
    "months": {
        "1": "мес месяц месячный month",
        "12": "год лет летие летний годовой year",
        "1200": "век столетие century centuri",
    },
    "area": {"1": "га гектар hectare hectar", "0.0001": "кв.м м2 m2", "100": "кв.км км2"},
    "bytes": {
        "1": "байт byte",
        "1000": "кб килобайт kb kilobyte",
        "1000000": "мб мегабайт mb megabyte",
        "1000000000": "гб гигабайт gb gigabyte",
        "1000000000000": "тб терабайт tb terabyte",
    },
    "power": {
        "1": "вт ватт w watt",
        "1000": "квт киловатт kw",
        "1000000": "мвт мегаватт mw",
        "1000000000": "гвт гигаватт gw",
    },
    "degrees": {"1": "° °c градус degree degre"},
    "times": {"1": "раз кратный times fold"},
    "score": {"1": "балл point"},
}

UNITS: dict[str, Unit] = {
    name: Unit(measures, Decimal(factor))
    for measures, factors in _TABLE.items()
    for factor, names in factors.items()
    for name in names.split()
}
"""By case-folded abbreviation, by lemma, and by English stem."""

CASE_MATTERS = frozenset({"р", "т", "л", "ч", "м", "w", "mw", "кв.м"})
"""One-letter units: capitals of these are initials or names."""

MAGNITUDES: dict[str, Decimal] = {
    name: Decimal(10) ** power
    for power, names in {
        2: "сотня hundr hundred сотня",
        3: "тыс тысяча тысячный thousand k к",
        6: "млн миллион миллионный million mln m mn",
        9: "млрд миллиард миллиардный billion bln bn",
        12: "трлн триллион trillion trn tn",
    }.items()
    for name in names.split()
}

ONLY_AFTER_DIGITS = frozenset({"k", "к", "m", "mn", "tn", "bn"})
"""Magnitudes that are written right behind the digits: «5k», «$5m»."""

SQUARE = frozenset("кв квадратный square sq".split())
SQUARED = {"length": "area"}
SQUARE_METRE_IN_HECTARES = Decimal("0.0001")


def squared(unit: Unit) -> Unit:
    """The square of a unit of length, as an area; other units as they are."""
    if unit.measures != "length":
        return unit
    return Unit("area", unit.factor * unit.factor * SQUARE_METRE_IN_HECTARES)
