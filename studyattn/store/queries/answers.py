"""The log's answers as statistics count them: whose, when, which rating, how long.

One scan reads the log of the chosen items, three values a row, because most of the time goes into
handing values over; `study.statistics.answer_groups` counts them. What needs neither hours nor ages
is in `days`, which is kept. Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from studyattn.store.queries.chosen import Chosen, items_chosen
from studyattn.store.queries.days import SecondsRule
from studyattn.store.queries.rules import in_effect, of_item
from studyattn.store.readable import Readable, driver_of

HOURS: Final = 24
RATINGS: Final = 8  # one more than the greatest rating, to a power of two

_FEW: Final = 2000  # items up to which each one's rows are looked up; of more all rows are read
_SHARE: Final = 5
"""One item in so many: up to there looking their rows up is quicker than reading all rows."""


def packed_answers(
    connection: Readable, chosen: Chosen, rule: SecondsRule, *, others: bool = False
) -> Sequence[tuple[str, int, float]]:
    """Return guid, number and seconds of each row of the log of the chosen items, by their ids.

    The number is (day x HOURS + hour) x RATINGS + rating: a day as `log_values` keeps it; the hour
    on the learner's clock; the rating, 0 for withdrawals and what they withdraw. Days before
    `chosen.first` are there too, for the ages of the memories after it. With `others`, it is the
    rows of all items that are not chosen.
    """
    driver = driver_of(connection)
    given = {name: value for name, value in chosen.given().items() if name != "first"}
    rule_given = {"longest": rule.longest, "drills": f"%{rule.drill_mark}%"}
    if chosen.all_items and not others:
        return driver.every(_PACKED.format(rows="review", condition="TRUE"), rule_given)
    items = f"({items_chosen(chosen)}) IS {'NOT ' if others else ''}TRUE"
    count = items_counted(connection, chosen)
    found = count.others if others else count.chosen
    if found <= max(_FEW, (count.chosen + count.others) // _SHARE):
        statement = _PACKED.format(
            rows="item CROSS JOIN review", condition=f"{_OF_ITEM} AND {items}"
        )
        return driver.every(statement, {**given, **rule_given})
    # To look each row's item up in SQL takes longer than to read the rows.
    statement = f"SELECT item.guid FROM item WHERE {items} ORDER BY item.id"  # noqa: S608 - constants
    guids = {guid for (guid,) in driver.every(statement, given)}
    rows = driver.every(_PACKED.format(rows="review", condition="TRUE"), rule_given)
    return [row for row in rows if row[0] in guids]


class ItemsCounted(NamedTuple):
    """The numbers of items that are chosen and that are not."""

    chosen: int
    others: int


def items_counted(connection: Readable, chosen: Chosen) -> ItemsCounted:
    """Count the items that are chosen, and all others."""
    given = {name: value for name, value in chosen.given().items() if name != "first"}
    statement = (
        f"SELECT coalesce(sum(CASE WHEN {items_chosen(chosen)} THEN 1 ELSE 0 END), 0), count(*)"  # noqa: S608 - constants
        " FROM item"
    )
    found, every = driver_of(connection).one(statement, given) or (0, 0)
    return ItemsCounted(found, every - found)


def packed_answers_since(
    connection: Readable, day: int, rule: SecondsRule
) -> Sequence[tuple[str, int, float]]:
    """Return `packed_answers` of all items with a row on this learner day or a later one.

    Their rows of earlier days are there too, for the ages of their memories.
    """
    driver = driver_of(connection)
    given = {"longest": rule.longest, "drills": f"%{rule.drill_mark}%"}
    latest = "SELECT DISTINCT item_guid AS guid FROM review WHERE learner_day >= :day"
    items = driver.every(f"{latest} ORDER BY guid LIMIT {_FEW + 1}", {"day": day})
    if len(items) > _FEW:
        return driver.every(_PACKED.format(rows="review", condition="TRUE"), given)
    statement = _PACKED.format(
        rows=f"({latest}) AS latest CROSS JOIN review", condition=of_item("review", "latest.guid")
    )
    return driver.every(statement, {**given, "day": day})


_OF_ITEM = of_item("review", "item.guid")
_HOURS = "((review.at / 1000000 + 60 * review.utc_offset) / 3600)"
_HOUR = f"({_HOURS} - {HOURS} * ({_HOURS} / {HOURS}))"  # drivers have a use of their own for %
_PACKED = f"""
SELECT review.item_guid,
       (review.learner_day * {HOURS} + {_HOUR}) * {RATINGS}
       + CASE WHEN {in_effect()} THEN review.rating ELSE 0 END,
       CASE WHEN review.seconds > :longest AND review.item_guid NOT LIKE :drills THEN :longest
            ELSE review.seconds END
FROM {{rows}} WHERE {{condition}} ORDER BY review.id"""  # noqa: S608 - constants


def kinds_of_items(connection: Readable) -> dict[str, str]:
    """Return the kind of each item by its guid: that of its card, or `drill`."""
    return dict(driver_of(connection).every(_KINDS))


_KINDS = """
SELECT item.guid, coalesce(card.kind, item.kind) FROM item
LEFT JOIN card ON card.item_id = item.id ORDER BY item.id"""


Rated = tuple[str, int, int, int]
"""A rating in effect: the item's guid, instant and day as `log_values` keeps them, and 1 to 4."""


class RatedRows(NamedTuple):
    """Ratings in effect of whole items."""

    rows: Sequence[Rated]
    share: int
    """One of so many of the chosen items was read; 1 for all of them."""


def rated_rows(connection: Readable, chosen: Chosen, most: int) -> RatedRows:
    """Return all ratings in effect of the chosen items that were rated on the chosen days.

    Rows are by item and time. If there are more than about `most` of them, an even part of the
    items is read, always the same one.
    """
    driver, given = driver_of(connection), chosen.given()
    items = items_chosen(chosen)
    if chosen.first is not None:
        items += " AND item.last_day >= :first"
        given["first"] = chosen.first.isoformat()
    statement = f"SELECT coalesce(sum(item.reps), 0) FROM item WHERE {items}"  # noqa: S608 - constants
    (reviews,) = driver.one(statement, given) or (0,)
    share = -(-int(reviews) // most) or 1
    condition = f"{_OF_ITEM} AND {items} AND {_SPREAD} < :part"
    rows = driver.every(_RATED.format(condition=condition), {**given, "part": _PARTS // share})
    return RatedRows(rows, share)


_PARTS: Final = 65_536
_SPREADING: Final = 40_503  # the golden ratio of it: numbers that follow each other land far apart
_NUMBER = f"(CAST(item.id AS BIGINT) * {_SPREADING})"
_SPREAD = f"({_NUMBER} - {_PARTS} * ({_NUMBER} / {_PARTS}))"
_RATED = f"""
SELECT review.item_guid, review.at, review.learner_day, review.rating
FROM item CROSS JOIN review WHERE {{condition}} AND {in_effect()}
ORDER BY item.id, review.at, review.uuid"""  # noqa: S608 - constants
