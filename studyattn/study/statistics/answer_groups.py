"""Answers in groups: by day, hour, kind of item, rating and age of the memory.

Most figures of past reviews are sums over these groups. What is read for them is in
`store.queries.answers`; counting is here, in numpy, because a log may have a million rows. Of all
items the counts of past days are kept (`store.queries.answers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studyattn.store.log_values import read_stored_day, stored_day
from studyattn.store.queries.answers import (
    ANY_HOUR,
    ANY_KIND,
    HOURS,
    RATINGS,
    AnswerGroup,
    By,
    first_not_kept,
    items_counted,
    keep_answers,
    kept_answers,
    kinds_of_items,
    packed_answers,
    packed_answers_since,
)
from studyattn.store.queries.chosen import Chosen
from studyattn.store.sql import Connection as Readable
from studyattn.study.review.pace import SECONDS
from studyattn.study.statistics.items import MATURE_DAYS

LEARNING: Final = 0
YOUNG: Final = 1
MATURE: Final = 2

_AGES: Final = 3
_DRILL, _GONE = "drill", "gone"

_Numbers = NDArray[np.int64]


def uses_kept(connection: Readable, chosen: Chosen) -> bool:
    """Return whether `answers_by` counts from what is kept: of all items, or of most of them."""
    if chosen.all_items:
        return True
    count = items_counted(connection, chosen)
    return count.chosen > count.others


def answers_by(connection: Readable, chosen: Chosen, ways: Sequence[By]) -> list[list[AnswerGroup]]:
    """Return the answers of the chosen days and items by day, by hour or by kind: each way.

    Of all items, only what is not kept (`keep`) is counted from the log. What is kept of kinds is
    the kind that a card had when its day was counted. Of most of the items, the answers of the
    others are taken away from those of all; of fewer, their rows are read.
    """
    if chosen.all_items:
        return _of_all(connection, chosen.first, ways)
    if uses_kept(connection, chosen):
        *whole, kinds = _of_all(connection, chosen.first, (*ways, By.KIND))
        if all(group.kind != _GONE for group in kinds):  # of which nobody knows if it was chosen
            others = answers_in_log(connection, chosen, ways, others=True)
            left = [_less(*each) for each in zip(whole, others, ways, strict=True)]
            if all(group.answers > 0 for groups in left for group in groups):
                return left
            # A card has another kind now than when its answers were kept.
    return answers_in_log(connection, chosen, ways)


def answers_in_log(
    connection: Readable,
    chosen: Chosen,
    ways: Sequence[By],
    *,
    others: bool = False,
) -> list[list[AnswerGroup]]:
    """Return the answers of the chosen items, or of all others, from their rows of all days."""
    rows = packed_answers(connection, chosen, SECONDS, others=others)
    answers = _unpacked(connection, rows, chosen.first) if rows else None
    return [_groups(answers, by) for by in ways]


def _of_all(
    connection: Readable, first: date | None, ways: Sequence[By]
) -> list[list[AnswerGroup]]:
    """Return the answers of all items from a day on, each way."""
    touched = first_not_kept(connection)
    until = stored_day(date.max) if touched is None else touched
    since = stored_day(first or date.min)
    anew = _counted_anew(connection, touched, first)
    return [kept_answers(connection, by, since, until) + _groups(anew, by) for by in ways]


def _less(
    groups: Iterable[AnswerGroup], others: Iterable[AnswerGroup], by: By
) -> list[AnswerGroup]:
    """Return groups without the answers of others that have the same in common."""
    left: dict[AnswerGroup, tuple[int, float]] = {}
    for sign, some in ((1, groups), (-1, others)):
        for each in some:
            common = each._replace(
                day=each.day if by is By.DAY else date.min,
                hour=each.hour if by is By.HOUR else ANY_HOUR,
                kind=each.kind if by is By.KIND else ANY_KIND,
                answers=0,
                seconds=0.0,
            )
            answers, seconds = left.get(common, (0, 0.0))
            left[common] = answers + sign * each.answers, seconds + sign * each.seconds
    return [
        common._replace(answers=answers, seconds=max(0.0, seconds))
        for common, (answers, seconds) in left.items()
        if answers
    ]


def keep(connection: Readable) -> None:
    """Keep the groups of all answers that are not kept yet, within a write transaction."""
    touched = first_not_kept(connection)
    if touched is None:
        return
    answers = _counted_anew(connection, touched, None)
    keep_answers(connection, touched, (each for by in By for each in _groups(answers, by)))


class _Answers(NamedTuple):
    """Rows of the log as columns."""

    days: _Numbers
    hours: _Numbers
    kinds: _Numbers  # places in `names`
    ratings: _Numbers
    ages: _Numbers
    seconds: NDArray[np.float64]
    names: Sequence[str]


def _counted_anew(connection: Readable, touched: int | None, first: date | None) -> _Answers | None:
    """Return the answers from a learner day on, and from `first` on; None for none."""
    if touched is None:
        return None
    rows = packed_answers_since(connection, touched, SECONDS)
    since = read_stored_day(touched)
    return _unpacked(connection, rows, since if first is None else max(since, first))


def _unpacked(
    connection: Readable,
    rows: Sequence[tuple[str, int, float]],
    first: date | None,
) -> _Answers:
    # By columns: `zip(*rows)` makes an iterator of each row, which the garbage collector walks.
    guids = [row[0] for row in rows]
    # Items by the hash of their guid, which a text is asked for faster than for a place in a table.
    # Of a million items two have the same 64 bits in one of 37 million logs.
    items: _Numbers = np.fromiter(map(hash, guids), np.int64, len(guids))
    numbers: _Numbers = np.fromiter((row[1] for row in rows), np.int64, len(rows))
    order = np.lexsort((numbers // (HOURS * RATINGS), items))  # stable, so a day's rows by ids
    items, numbers = items[order], numbers[order]
    seconds = np.fromiter((row[2] for row in rows), np.float64, len(rows))[order]
    days, hours = np.divmod(numbers // RATINGS, HOURS)
    ratings = numbers % RATINGS
    begins = np.append(True, items[1:] != items[:-1])
    own = [guids[at] for at in order[begins].tolist()]
    names, place = _kinds(own, kinds_of_items(connection), SECONDS.drill_mark)
    kinds = place[np.cumsum(begins) - 1]
    ages = _ages(items, days, ratings)
    if first is not None:
        late = days >= stored_day(first)
        days, hours, kinds, ratings, ages = (
            each[late] for each in (days, hours, kinds, ratings, ages)
        )
        seconds = seconds[late]
    return _Answers(days, hours, kinds, ratings, ages, seconds, names)


def _groups(answers: _Answers | None, by: By) -> list[AnswerGroup]:
    """Count answers by day, rating and age, and by hour or kind if these are asked for."""
    if answers is None or not answers.days.size:
        return []
    parts = {By.HOUR: answers.hours, By.KIND: answers.kinds}
    size = {By.DAY: 1, By.HOUR: HOURS, By.KIND: len(answers.names)}[by]
    key = answers.days * size + parts.get(by, 0)
    key = (key * RATINGS + answers.ratings) * _AGES + answers.ages
    keys, group, counts = np.unique(key, return_inverse=True, return_counts=True)
    keys, ages = np.divmod(keys, _AGES)
    keys, ratings = np.divmod(keys, RATINGS)
    columns = (*np.divmod(keys, size), ratings, ages, counts, np.bincount(group, answers.seconds))
    return [
        AnswerGroup(
            read_stored_day(day),
            part if by is By.HOUR else ANY_HOUR,
            answers.names[part] if by is By.KIND else ANY_KIND,
            rating or None,
            *rest,
        )
        for day, part, rating, *rest in zip(*(each.tolist() for each in columns), strict=True)
    ]


def _ages(items: _Numbers, days: _Numbers, ratings: _Numbers) -> _Numbers:
    """Return the age of the memory at each answer; rows are by item, day and id."""
    given = np.flatnonzero(ratings)
    items, on = items[given], days[given]
    since = np.zeros_like(on)  # days since the item's answer before; 0 for none, and on its day
    since[1:] = np.where(items[1:] == items[:-1], on[1:] - on[:-1], 0)
    ages = np.full_like(days, LEARNING)
    ages[given] = np.where(since >= MATURE_DAYS, MATURE, np.where(since > 0, YOUNG, LEARNING))
    return ages


def _kinds(
    guids: Sequence[str], kinds: Mapping[str, str], drill_mark: str
) -> tuple[list[str], _Numbers]:
    """Return the names of kinds in order, and for each item the place of its own."""
    own = [_DRILL if drill_mark in guid else kinds.get(guid, _GONE) for guid in guids]
    names = sorted(set(own))
    places = {name: place for place, name in enumerate(names)}
    return names, np.array([places[name] for name in own], np.int64)
