"""Numbers that are written in words, Russian and English."""

from __future__ import annotations

from decimal import Decimal

_COUNTS = {
    0: "ноль нуль zero",
    2: "два две двое оба two couple",
    3: "три трое three",
    4: "четыре четверо four",
    5: "пять пятеро five",
    6: "шесть шестеро six",
    7: "семь семеро seven",
    8: "восемь eight",
    9: "девять nine",
    10: "десять ten",
    11: "одиннадцать eleven",
    12: "двенадцать twelve дюжина dozen",
    13: "тринадцать thirteen",
    14: "четырнадцать fourteen",
    15: "пятнадцать fifteen",
    16: "шестнадцать sixteen",
    17: "семнадцать seventeen",
    18: "восемнадцать eighteen",
    19: "девятнадцать nineteen",
    20: "двадцать twenty",
    30: "тридцать thirty",
    40: "сорок forty",
    50: "пятьдесят fifty",
    60: "шестьдесят sixty",
    70: "семьдесят seventy",
    80: "восемьдесят eighty",
    90: "девяносто ninety",
    100: "сто",
    200: "двести",
    300: "триста",
    400: "четыреста",
    500: "пятьсот",
    600: "шестьсот",
    700: "семьсот",
    800: "восемьсот",
    900: "девятьсот",
}
NUMERALS = {word: Decimal(value) for value, words in _COUNTS.items() for word in words.split()} | {
    "полтора": Decimal("1.5"),
    "полторы": Decimal("1.5"),
    "twenti": Decimal(20),
    "thirti": Decimal(30),
    "forti": Decimal(40),
    "fifti": Decimal(50),
    "sixti": Decimal(60),
    "seventi": Decimal(70),
    "eighti": Decimal(80),
    "nineti": Decimal(90),
    "twelv": Decimal(12),
    "dozen": Decimal(12),
}
"""By lemma or stem. "One" is left out: «один из» counts nothing."""

FRACTIONS = {
    "половина": Decimal("0.5"),
    "полгода": Decimal("0.5"),
    "half": Decimal("0.5"),
    "треть": Decimal(1) / 3,
    "четверть": Decimal("0.25"),
    "quarter": Decimal("0.25"),
}
"""Shares of a whole. English "third" is mostly an ordinal, so it is none."""

FACTORS = {
    "вдвое": Decimal(2),
    "вдвоем": Decimal(2),
    "удвоиться": Decimal(2),
    "удвоить": Decimal(2),
    "втрое": Decimal(3),
    "утроиться": Decimal(3),
    "утроить": Decimal(3),
    "вчетверо": Decimal(4),
    "twice": Decimal(2),
    "twofold": Decimal(2),
    "doubl": Decimal(2),
    "thrice": Decimal(3),
    "tripl": Decimal(3),
}
"""How many times as much."""

ORDINALS = {
    word: Decimal(value)
    for value, words in {
        1: "первый first",
        2: "второй second",
        3: "третий third",
        4: "четвертый fourth",
        5: "пятый fifth",
        6: "шестой sixth",
        7: "седьмой seventh",
        8: "восьмой eighth",
        9: "девятый ninth",
        10: "десятый tenth",
    }.items()
    for word in words.split()
}
