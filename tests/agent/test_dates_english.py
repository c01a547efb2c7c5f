"""English date phrases asked on one Wednesday, 20 November 2024."""

from __future__ import annotations

from datetime import date

import pytest

from agent.dates import find_dates

NOW = date(2024, 11, 20)

PHRASES = """
today | 2024-11-20 | 2024-11-20
yesterday | 2024-11-19 | 2024-11-19
the day before yesterday | 2024-11-18 | 2024-11-18
tomorrow | 2024-11-21 | 2024-11-21
last night | 2024-11-19 | 2024-11-19
what happened this morning | 2024-11-20 | 2024-11-20
May 5 | 2024-05-05 | 2024-05-05
May 5th, 2023 | 2023-05-05 | 2023-05-05
5 May 2023 | 2023-05-05 | 2023-05-05
the third of March | 2024-03-03 | 2024-03-03
March third | 2024-03-03 | 2024-03-03
twenty-first of June | 2024-06-21 | 2024-06-21
on December 25 | 2023-12-25 | 2023-12-25
Dec. 25 | 2023-12-25 | 2023-12-25
2024-10-05 | 2024-10-05 | 2024-10-05
10/5/2024 | 2024-10-05 | 2024-10-05
25/10/2024 | 2024-10-25 | 2024-10-25
5.10.2024 | 2024-10-05 | 2024-10-05
Monday, November 18 | 2024-11-18 | 2024-11-18
on Monday | 2024-11-18 | 2024-11-18
What did Tproger post on Friday? | 2024-11-15 | 2024-11-15
last Wednesday | 2024-11-13 | 2024-11-13
last Friday | 2024-11-15 | 2024-11-15
next Monday | 2024-11-25 | 2024-11-25
Monday last week | 2024-11-11 | 2024-11-11
last week's Sunday | 2024-11-17 | 2024-11-17
three days ago | 2024-11-17 | 2024-11-17
two weeks ago | 2024-11-06 | 2024-11-06
a couple of weeks ago | 2024-11-06 | 2024-11-06
a month ago | 2024-10-20 | 2024-10-20
2 Thursdays ago | 2024-11-07 | 2024-11-07
in three days | 2024-11-23 | 2024-11-23
5 weeks from now | 2024-12-25 | 2024-12-25
the first Monday of October 2024 | 2024-10-07 | 2024-10-07
last Friday of September | 2024-09-27 | 2024-09-27
last day of October 2023 | 2023-10-31 | 2023-10-31
20th of last month | 2024-10-20 | 2024-10-20
two days after Christmas 2023 | 2023-12-27 | 2023-12-27
this week | 2024-11-18 | 2024-11-24
last week | 2024-11-11 | 2024-11-17
the week before last | 2024-11-04 | 2024-11-10
week 40 of 2024 | 2024-09-30 | 2024-10-06
first week of October 2024 | 2024-10-07 | 2024-10-13
last weekend | 2024-11-16 | 2024-11-17
over the weekend | 2024-11-16 | 2024-11-17
in March | 2024-03-01 | 2024-03-31
March 2023 | 2023-03-01 | 2023-03-31
in may | 2024-05-01 | 2024-05-31
December | 2023-12-01 | 2023-12-31
last March | 2024-03-01 | 2024-03-31
March of last year | 2023-03-01 | 2023-03-31
last month | 2024-10-01 | 2024-10-31
2024-10 | 2024-10-01 | 2024-10-31
Q3 2024 | 2024-07-01 | 2024-09-30
2024Q3 | 2024-07-01 | 2024-09-30
the third quarter of 2023 | 2023-07-01 | 2023-09-30
last quarter | 2024-07-01 | 2024-09-30
H1 2024 | 2024-01-01 | 2024-06-30
in 2019 | 2019-01-01 | 2019-12-31
last year | 2023-01-01 | 2023-12-31
the 1990s | 1990-01-01 | 1999-12-31
in the nineties | 1990-01-01 | 1999-12-31
the 2010s | 2010-01-01 | 2019-12-31
the 19th century | 1801-01-01 | 1900-12-31
summer 2023 | 2023-06-21 | 2023-09-23
last winter | 2023-12-21 | 2024-03-20
mid-April | 2024-04-11 | 2024-04-20
early March | 2024-03-01 | 2024-03-10
late March 2023 | 2023-03-21 | 2023-03-31
early 2023 | 2023-01-01 | 2023-03-31
the end of last year | 2023-09-01 | 2023-12-31
the second half of May | 2024-05-16 | 2024-05-31
the first half of 2024 | 2024-01-01 | 2024-06-30
in the last 10 days | 2024-11-11 | 2024-11-20
over the past two weeks | 2024-11-07 | 2024-11-20
in the past month | 2024-10-21 | 2024-11-20
What did they post these last 3 days? | 2024-11-18 | 2024-11-20
next three weeks | 2024-11-25 | 2024-12-15
from May 5 to 10 | 2024-05-05 | 2024-05-10
May 5-10, 2023 | 2023-05-05 | 2023-05-10
between June 3 and 8 | 2024-06-03 | 2024-06-08
between 3 and 8 June | 2024-06-03 | 2024-06-08
from October 2023 to March 2024 | 2023-10-01 | 2024-03-31
from 2021 to 2023 | 2021-01-01 | 2023-12-31
Jan-Mar 2024 | 2024-01-01 | 2024-03-31
in March and April 2023 | 2023-03-01 | 2023-04-30
from Dec 28 to Jan 8 | 2023-12-28 | 2024-01-08
since May | 2024-05-01 | -
since 2023 | 2023-01-01 | -
posts since last Monday | 2024-11-18 | -
after May 5 | 2024-05-06 | -
before March 2023 | - | 2023-02-28
until May 5 | - | 2024-05-05
since the beginning of the year | 2024-01-01 | -
Halloween | 2024-10-31 | 2024-10-31
on Christmas | 2023-12-25 | 2023-12-25
last Easter | 2024-03-31 | 2024-03-31
Thanksgiving 2023 | 2023-11-23 | 2023-11-23
Black Friday 2023 | 2023-11-24 | 2023-11-24
in Octobre | 2024-10-01 | 2024-10-31
on wendesday | 2024-11-20 | 2024-11-20
in Febuary 2023 | 2023-02-01 | 2023-02-28
half a year ago | 2024-05-20 | 2024-05-20
a year and a half ago | 2023-05-20 | 2023-05-20
a few days ago | 2024-11-17 | 2024-11-17
the day after Christmas | 2023-12-26 | 2023-12-26
in Oct '23 | 2023-10-01 | 2023-10-31
the first two weeks of October | 2024-10-01 | 2024-10-14
from Friday to Monday | 2024-11-15 | 2024-11-18
2024-11-10..2024-11-15 | 2024-11-10 | 2024-11-15
posts from March | 2024-03-01 | 2024-03-31
"""


def _rows() -> list[tuple[str, date | None, date | None]]:
    cells = [line.split(" | ") for line in PHRASES.strip().splitlines()]
    return [(text, _day(first), _day(last)) for text, first, last in cells]


def _day(cell: str) -> date | None:
    return None if cell == "-" else date.fromisoformat(cell)


@pytest.mark.parametrize(("text", "first", "last"), _rows())
def test_phrase_becomes_its_days(text: str, first: date | None, last: date | None) -> None:
    """A phrase gives the days that a reader of an archive means by it."""
    found = find_dates(text, now=NOW)

    assert (found.from_on, found.to_on) == (first, last)
    assert found.phrase is not None
