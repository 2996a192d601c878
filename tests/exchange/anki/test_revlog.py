"""Where a card's memory begins, by its rows in Anki's log."""

from __future__ import annotations

from itertools import product

import pytest

from studyattn.exchange.anki.revlog import (
    FILTERED,
    LEARNING,
    MANUAL,
    RELEARNING,
    REVIEW,
    RevlogRow,
    Schedule,
    Start,
    begins_with_learning,
    memory_start,
)

CARD = Schedule(2, 2, 0, 20, 2300, 4, 0, 0, 0, "")
NEW = CARD._replace(type=0, interval=0, reps=0)
MEMORY = '{"s": 12.5, "d": 5.5}'


def row(at: int, kind: int, interval: int = 5, *, ease: int = 3, factor: int = 2500) -> RevlogRow:
    return RevlogRow(at, ease, interval, 0, factor, 1000, kind)


RESET = row(300, MANUAL, 0, ease=0, factor=0)
DAY_SET = row(300, MANUAL, 0, ease=0)
CRAMMED = row(250, FILTERED, factor=0)
LEARNED = [row(100, LEARNING, -60), row(150, LEARNING, 2), row(200, REVIEW)]


@pytest.mark.parametrize(
    ("rows", "card", "start"),
    [
        ([], NEW, None),
        (LEARNED, CARD, None),
        ([row(50, REVIEW, factor=0, ease=0), *LEARNED], CARD, None),
        ([*LEARNED, DAY_SET, row(400, REVIEW)], CARD, None),
        ([*LEARNED, RESET], NEW, Start(300)),
        ([*LEARNED, RESET, row(400, LEARNING), row(500, REVIEW)], CARD, Start(300)),
        ([*LEARNED, row(400, LEARNING)], CARD, Start(399)),  # older Ankis logged no reset
        ([*LEARNED, RESET, row(400, REVIEW, 7)], CARD, Start(400, 7, 2500)),
        ([row(200, REVIEW, 9, factor=0), row(300, REVIEW)], CARD, Start(200, 9, 2500)),
        ([row(100, RELEARNING, -600), row(200, REVIEW, 9)], CARD, Start(200, 9, 2500)),
        ([CRAMMED, row(300, REVIEW, 4, factor=700)], CARD, Start(300, 4, 700)),
        ([row(200, RELEARNING, -600)], CARD, Start(9000, 20, 2300)),
        ([], CARD, Start(9000, 20, 2300)),
        ([], CARD._replace(data=MEMORY), Start(9000, 12.5, 600)),
        ([], CARD._replace(data='{"s": 12.5, "d": 5.5, "lrt": 7}'), Start(7000, 12.5, 600)),
        ([], CARD._replace(data="an add-on's"), Start(9000, 20, 2300)),
    ],
)
def test_memory_begins_where_anki_says(
    rows: list[RevlogRow], card: Schedule, start: Start | None
) -> None:
    assert memory_start(rows, card, changed=9) == start


def test_a_log_that_begins_with_learning_counts_from_there() -> None:
    kinds = (
        *(row(0, LEARNING), row(0, REVIEW), row(0, RELEARNING), row(0, FILTERED), RESET, DAY_SET),
        *(CRAMMED, row(0, LEARNING, ease=0)),
    )
    logs = [rows for length in range(5) for rows in product(kinds, repeat=length)]
    usual = [rows for rows in logs if begins_with_learning(rows)]
    assert begins_with_learning(LEARNED)
    assert all(each.counts for rows in usual for each in rows)
    assert {memory_start(rows, CARD, changed=9) for rows in usual} == {None}
    # Of answers without filtered decks, all others begin elsewhere.
    answers = [rows for rows in logs if rows and set(rows) <= set(kinds[:3])]
    begun = [rows for rows in answers if memory_start(rows, CARD, changed=9) is None]
    assert begun == [rows for rows in usual if rows in set(answers)]
