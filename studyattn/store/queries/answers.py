"""The log's answers as statistics count them: whose, when, which rating, how long.

One scan reads the log of the chosen items, three values a row, because most of the time goes into
handing values over; `study.statistics.answer_groups` counts them. What needs neither hours nor ages
is in `days`, which is kept. Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from studyattn.store.log_values import LogDay, stored_day
from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.queries.days import SecondsRule, first_touched
from studyattn.store.queries.rules import of_item
from studyattn.store.sql import Connection, Statements, do, driver_of, row, rows, value, values

TABLE: Final = "review_answers"

ANY_HOUR: Final = -1
ANY_KIND: Final = ""


class By(Enum):
    """The property by which answers are counted, besides rating and age."""

    DAY = "learner_day"
    HOUR = "hour"
    KIND = "kind"


class AnswerGroup(NamedTuple):
    """Answers that have these in common."""

    day: LogDay  # or any, where they were not counted by day
    hour: int  # on the learner's clock, 0 to 23; or ANY_HOUR
    kind: str  # of the card; `drill` for drills; `gone` where the card was deleted; or ANY_KIND
    rating: int | None  # 1 to 4; None for withdrawn answers and withdrawals: only their time counts
    age: int  # as `study.statistics.answer_groups` has it
    answers: int
    seconds: float


def first_not_kept(connection: Connection) -> int | None:
    """Return the first learner day from which on answers have to be counted anew; None for none."""
    through = value(connection, "SELECT coalesce(max(through), 0) FROM review_answers")
    return first_touched(connection, through)


def kept_answers(connection: Connection, by: By, first: int, until: int) -> list[AnswerGroup]:
    """Return the groups of days before `until`."""
    columns, condition = {
        By.DAY: (
            f"learner_day, {ANY_HOUR}, '{ANY_KIND}'",
            f"hour = {ANY_HOUR} AND kind = '{ANY_KIND}'",
        ),
        By.HOUR: (f"0, hour, '{ANY_KIND}'", f"hour <> {ANY_HOUR}"),
        By.KIND: (f"0, {ANY_HOUR}, kind", f"kind <> '{ANY_KIND}'"),
    }[by]
    key = f"{by.value}, rating, age"
    statement = (
        f"SELECT {columns}, nullif(rating, 0), age, sum(answers), sum(seconds)"  # noqa: S608 - constants
        f" FROM review_answers WHERE learner_day >= :first AND learner_day < :until AND {condition}"
        f" GROUP BY {key} ORDER BY {key}"
    )
    return rows(connection, AnswerGroup, statement, first=first, until=until)


def keep_answers(connection: Connection, first: int, groups: Iterable[AnswerGroup]) -> None:
    """Put groups in place of all from a day on, within a write transaction."""
    do(connection, "DELETE FROM review_answers WHERE learner_day >= :first", first=first)
    through = value(connection, "SELECT max(id) FROM review")
    driver_of(connection).do_many(
        "INSERT INTO review_answers"
        " (learner_day, hour, kind, rating, age, answers, seconds, through)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (stored_day(day), hour, kind, rating or 0, *rest, through)
            for day, hour, kind, rating, *rest in groups
        ),
    )


HOURS: Final = 24
RATINGS: Final = 8  # one more than the greatest rating, to a power of two

_FEW: Final = 2000  # items up to which each one's rows are looked up; of more all rows are read
_SHARE: Final = 5
"""One item in so many: up to there looking their rows up is quicker than reading all rows."""


_PARTS: Final = 65_536
_SPREADING: Final = 40_503  # the golden ratio of it: numbers that follow each other land far apart
_NUMBER = f"(CAST(item.id AS BIGINT) * {_SPREADING})"
_HOURS = "((review.at / 1000000 + 60 * review.utc_offset) / 3600)"
_SQL = Statements(
    __file__,
    HOURS=str(HOURS),
    RATINGS=str(RATINGS),
    HOUR=f"({_HOURS} - {HOURS} * ({_HOURS} / {HOURS}))",
    SPREAD=f"({_NUMBER} - {_PARTS} * ({_NUMBER} / {_PARTS}))",
)

Packed = tuple[str, int, float]


def packed_answers(
    connection: Connection, chosen: Chosen, rule: SecondsRule, *, others: bool = False
) -> Sequence[Packed]:
    """Return guid, number and seconds of each row of the log of the chosen items, by their ids.

    The number is (day x HOURS + hour) x RATINGS + rating: a day as `log_values` keeps it; the hour
    on the learner's clock; the rating, 0 for withdrawals and what they withdraw. Days before
    `chosen.first` are there too, for the ages of the memories after it. With `others`, it is the
    rows of all items that are not chosen.
    """
    if chosen.all_items and not others:
        return _packed(connection, rule)
    given = {name: value for name, value in chosen.given().items() if name != "first"}
    items = f"({items_chosen(chosen)}) IS {'NOT ' if others else ''}TRUE"
    count = items_counted(connection, chosen)
    found = count.others if others else count.chosen
    if found <= max(_FEW, (count.chosen + count.others) // _SHARE):
        condition = f"{of_item('review', 'item.guid')} AND {items}"
        return _packed(connection, rule, "item CROSS JOIN review", condition, **given)
    # To look each row's item up in SQL takes longer than to read the rows.
    guids = set(values(connection, _SQL.guids.format(items=items), **given))
    return [each for each in _packed(connection, rule) if each[0] in guids]


def _packed(
    connection: Connection,
    rule: SecondsRule,
    tables: str = "review",
    condition: str = "TRUE",
    **given: object,
) -> Sequence[Packed]:
    statement = _SQL.packed.format(rows=tables, condition=condition)
    drills = f"%{rule.drill_mark}%"
    return rows(
        connection, tuple[str, int, float], statement, longest=rule.longest, drills=drills, **given
    )


class ItemsCounted(NamedTuple):
    """The numbers of items that are chosen and that are not."""

    chosen: int
    others: int


def items_counted(connection: Connection, chosen: Chosen) -> ItemsCounted:
    """Count the items that are chosen, and all others."""
    given = {name: value for name, value in chosen.given().items() if name != "first"}
    statement = _SQL.counted.format(items=items_chosen(chosen))
    found, every = row(connection, tuple[int, int], statement, **given) or (0, 0)
    return ItemsCounted(found, every - found)


def packed_answers_since(connection: Connection, day: int, rule: SecondsRule) -> Sequence[Packed]:
    """Return `packed_answers` of all items with a row on this learner day or a later one.

    Their rows of earlier days are there too, for the ages of their memories.
    """
    some = f"{_SQL.latest} ORDER BY guid LIMIT {_FEW + 1}"
    if len(values(connection, some, day=day)) > _FEW:
        return _packed(connection, rule)
    latest = f"({_SQL.latest}) AS latest CROSS JOIN review"
    return _packed(connection, rule, latest, of_item("review", "latest.guid"), day=day)


def kinds_of_items(connection: Connection) -> dict[str, str]:
    """Return the kind of each item by its guid: that of its card, or `drill`."""
    return dict(rows(connection, tuple[str, str], _SQL.kinds_of_items))


Rated = tuple[str, int, int, int]
"""A rating in effect: the item's guid, instant and day as `log_values` keeps them, and 1 to 4."""


class RatedRows(NamedTuple):
    """Ratings in effect of whole items."""

    rows: Sequence[Rated]
    share: int
    """One of so many of the chosen items was read; 1 for all of them."""


def rated_rows(connection: Connection, chosen: Chosen, most: int) -> RatedRows:
    """Return all ratings in effect of the chosen items that were rated on the chosen days.

    Rows are by item and time. If there are more than about `most` of them, an even part of the
    items is read, always the same one.
    """
    given = chosen.given()
    items = items_chosen(chosen)
    if chosen.first is not None:
        items += " AND item.last_day >= :first"
        given["first"] = chosen.first
    reviews = int(value(connection, _SQL.reviews.format(items=items), **given))
    share = -(-reviews // most) or 1
    statement = _SQL.rated.format(items=items)
    part = _PARTS // share
    found = rows(connection, tuple[str, int, int, int], statement, **given, part=part)
    return RatedRows(found, share)
