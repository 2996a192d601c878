"""Statements of the day's queue: what may be asked, what was answered, what comes due.

Each group of candidates comes in the order in which the queue takes them and is read no further
than the caller goes, so that a hundred thousand due items open as fast as a hundred.
Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from studyattn.store.driver import instant_text, read_day, read_instant
from studyattn.store.log_values import read_stored_day, stored_day
from studyattn.store.queries.rules import (
    CONCEPT_OF_ITEM,
    STILL_BACK,
    WHY_BACK,
    active,
    in_effect,
    may_be_asked,
    of_item,
)
from studyattn.store.readable import Readable, driver_of


class CandidateRow(NamedTuple):
    """An item that may be asked, as far as the order of the queue goes."""

    guid: str
    kind: str  # card | drill
    phase: str
    due: datetime | None  # aware, UTC; None for a new item
    last_review: datetime | None  # aware, UTC
    sibling_group: str | None


class AnsweredItem(NamedTuple):
    """An item that was answered on a learner day."""

    guid: str
    card_kind: str | None  # None for a drill
    sibling_group: str | None
    was_new: bool  # no review of an earlier day is in effect


class QueuedItem(NamedTuple):
    """An item as a list of the queue names it."""

    guid: str
    kind: str  # card | drill
    card_kind: str | None  # None for a drill
    phase: str
    due: datetime | None  # aware, UTC
    sibling_group: str | None
    front: str | None  # None for a drill
    concept_slug: str
    concept_title: str
    why_back: str | None  # the sentence for a card that is back for a mistake


class Requirement(NamedTuple):
    """One concept requires another, by their rows."""

    concept_id: int
    requires_id: int


class DueCount(NamedTuple):
    """The number of items that come due at one instant."""

    due: datetime
    items: int


_CANDIDATE = (
    "SELECT item.guid, item.kind, item.phase, item.due, item.last_review, card.sibling_group"
    " FROM item LEFT JOIN card ON card.item_id = item.id"
)
_CHUNK = 500  # guids in one statement: SQLite limits its variables


def learning_steps(connection: Readable, *, today: date, until: datetime) -> Iterator[CandidateRow]:
    """Yield the items in a learning step that ends before `until`."""
    return _candidates(
        connection, _LEARNING, {"today": today.isoformat(), "until": instant_text(until)}
    )


_LEARNING = (
    f"{_CANDIDATE} WHERE {may_be_asked()} AND item.kind IN ('card', 'drill')"
    " AND item.phase IN ('learning', 'relearning') AND item.due < :until ORDER BY item.id"
)


def chosen_items(
    connection: Readable, guids: Sequence[str], *, today: date, until: datetime | None
) -> Iterator[CandidateRow]:
    """Yield those of the items with these guids that are new or come due before `until`, if any."""
    given = {"today": today.isoformat()}
    soon = ""
    if until is not None:
        given["until"] = instant_text(until)
        soon = " AND (item.due IS NULL OR item.due < :until)"
    for among, names in _among(guids):
        statement = f"{_CANDIDATE} WHERE {may_be_asked()}{soon} AND {among} ORDER BY item.id"
        yield from _candidates(connection, statement, {**given, **names})


def _among(guids: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield conditions that an item has one of these guids, each with its variables' values."""
    for start in range(0, len(guids), _CHUNK):
        names = {f"guid{n}": guid for n, guid in enumerate(guids[start : start + _CHUNK])}
        yield f"item.guid IN ({', '.join(f':{name}' for name in names)})", names


def due_drills(connection: Readable, *, today: date, now: datetime) -> Iterator[CandidateRow]:
    """Yield the drills in review that are due."""
    return _candidates(
        connection, _DUE_DRILLS, {"today": today.isoformat(), "now": instant_text(now)}
    )


_DUE_DRILLS = (
    f"{_CANDIDATE} WHERE {may_be_asked()} AND item.kind = 'drill' AND item.phase = 'review'"
    " AND item.due <= :now ORDER BY item.id"
)


def new_drills(connection: Readable, *, today: date) -> Iterator[CandidateRow]:
    """Yield the drills that were never written, of concepts whose cards were all seen."""
    return _candidates(connection, _NEW_DRILLS, {"today": today.isoformat()})


_NEW_DRILLS = (
    f"{_CANDIDATE} WHERE {may_be_asked()} AND item.kind = 'drill' AND item.phase = 'new'"  # noqa: S608 - constants
    " AND NOT EXISTS (SELECT 1 FROM item AS first WHERE first.concept_id = item.concept_id"
    f"  AND first.kind = 'card' AND first.phase = 'new' AND {active('first')})"
    " ORDER BY item.position, item.id"
)


def cards_before(
    connection: Readable, drills: Sequence[str]
) -> Iterator[tuple[str, datetime, str | None]]:
    """Yield the guids of drills, when each was added, and a card of its concept; None without."""
    for among, names in _among(drills):
        statement = f"{_CARDS_BEFORE} WHERE {among} ORDER BY item.id, first.id"
        for drill, added, card in driver_of(connection).stream(statement, names):
            if (at := read_instant(added)) is not None:
                yield drill, at, card


_CARDS_BEFORE = (
    "SELECT item.guid, item.created_at, first.guid FROM item LEFT JOIN item AS first"  # noqa: S608 - constants
    f" ON first.concept_id = item.concept_id AND first.kind = 'card' AND {active('first')}"
)


def first_seen(connection: Readable, guids: Sequence[str]) -> dict[str, date]:
    """Return the learner day of each item's first answer, or on which its memory began.

    An item without either is left out.
    """
    found: dict[str, date] = {}
    for among, names in _among(guids):
        for guid, began, answered in driver_of(connection).stream(
            f"{_FIRST_SEEN} WHERE {among} ORDER BY item.id", names
        ):
            first = None if answered is None else read_stored_day(answered)
            days = [day for day in (read_day(began), first) if day is not None]
            if days:
                found[guid] = min(days)
    return found


_FIRST_SEEN = (
    "SELECT item.guid, memory_start.learner_day,"  # noqa: S608 - constants
    f" (SELECT min(review.learner_day) FROM review WHERE {of_item('review', 'item.guid')}"
    f" AND {in_effect()})"
    " FROM item LEFT JOIN memory_start ON memory_start.item_guid = item.guid"
)


def study_days(connection: Readable, before: date, most: int) -> list[date]:
    """Return the latest learner days before a day on which something was answered, latest first."""
    found: list[date] = []
    driver = driver_of(connection)
    while len(found) < most:
        row = driver.one(_STUDY_DAY, {"before": stored_day(found[-1] if found else before)})
        if row is None or row[0] is None:
            break
        found.append(read_stored_day(row[0]))
    return found


_STUDY_DAY = "SELECT max(learner_day) FROM review WHERE learner_day < :before"


def drills_behind_cards(connection: Readable) -> Iterator[tuple[str, str]]:
    """Return the guids of new drills whose concept has new cards, each with one of those cards."""
    rows = driver_of(connection).stream(_DRILLS_BEHIND_CARDS)
    return ((drill, card) for drill, card in rows)


_DRILLS_BEHIND_CARDS = (
    "SELECT item.guid, first.guid FROM item JOIN item AS first"  # noqa: S608 - constants
    " ON first.concept_id = item.concept_id"
    f" WHERE item.kind = 'drill' AND item.phase = 'new' AND {active()}"
    f" AND first.kind = 'card' AND first.phase = 'new' AND {active('first')}"
    " ORDER BY item.position, item.id, first.id"
)


def untried_drills(connection: Readable) -> Iterator[str]:
    """Yield the guids of all drills that were never rated and are not out of use."""
    for (guid,) in driver_of(connection).stream(_UNTRIED_DRILLS):
        yield guid


_UNTRIED_DRILLS = (
    "SELECT guid FROM item WHERE kind = 'drill' AND phase = 'new'"  # noqa: S608 - constants
    f" AND {active()} ORDER BY id"
)


def due_instants(connection: Readable, *, now: datetime) -> Iterator[datetime]:
    """Yield each instant at which cards in review came due, the earliest first.

    The statement hops along the index. Such an instant is the beginning of a learner day, so there
    are as many of them as days that the learner is behind.
    """
    for (due,) in driver_of(connection).stream(_DUE_INSTANTS, {"now": instant_text(now)}):
        if (instant := read_instant(due)) is not None:
            yield instant


_DUE_INSTANTS = """
WITH RECURSIVE behind(due) AS (
    SELECT min(due) FROM item WHERE kind = 'card' AND phase = 'review' AND due <= :now
    UNION ALL
    SELECT (SELECT min(item.due) FROM item WHERE kind = 'card' AND phase = 'review'
            AND item.due > behind.due AND item.due <= :now)
    FROM behind WHERE behind.due IS NOT NULL)
SELECT due FROM behind WHERE due IS NOT NULL ORDER BY due"""


def cards_due_at(connection: Readable, instant: datetime, *, today: date) -> Iterator[CandidateRow]:
    """Yield the cards in review that came due at one instant.

    Among them the one with the shortest interval is the latest for its interval, and comes first.
    """
    return _candidates(
        connection, _CARDS_DUE_AT, {"today": today.isoformat(), "due": instant_text(instant)}
    )


_CARDS_DUE_AT = (
    f"{_CANDIDATE} WHERE item.kind = 'card' AND item.phase = 'review' AND item.due = :due"
    f" AND {may_be_asked()} ORDER BY item.last_review DESC, item.guid"
)


def new_cards_of(
    connection: Readable, concept_id: int, *, today: date, now: datetime
) -> Iterator[CandidateRow]:
    """Yield the new cards of a concept in their order.

    A card with a sibling that is due is left out, even if a limit keeps that sibling for another
    day.
    """
    return _candidates(
        connection,
        _NEW_CARDS_OF,
        {"concept": concept_id, "today": today.isoformat(), "now": instant_text(now)},
    )


_NEW_CARDS_OF = (
    "SELECT item.guid, item.kind, item.phase, item.due, item.last_review, card.sibling_group"  # noqa: S608 - constants
    " FROM item JOIN card ON card.item_id = item.id"
    " WHERE item.concept_id = :concept AND item.kind = 'card' AND item.phase = 'new'"
    f" AND {may_be_asked()}"
    " AND (card.sibling_group IS NULL OR NOT EXISTS ("
    "  SELECT 1 FROM card AS other JOIN item AS due ON due.id = other.item_id"
    "  WHERE other.sibling_group = card.sibling_group AND due.phase = 'review' AND due.due <= :now"
    f"  AND {may_be_asked('due')}))"
    " ORDER BY item.position, item.id"
)


def _candidates(
    connection: Readable, statement: str, given: dict[str, Any]
) -> Iterator[CandidateRow]:
    for guid, kind, phase, due, last_review, group in driver_of(connection).stream(
        statement, given
    ):
        yield CandidateRow(guid, kind, phase, read_instant(due), read_instant(last_review), group)


def cards_brought_back(connection: Readable, *, today: date) -> list[str]:
    """Return the guids of the cards that a mistake in code made due before their time."""
    return [
        guid
        for (guid,) in driver_of(connection).stream(_BROUGHT_BACK, {"today": today.isoformat()})
    ]


# The cross join makes SQLite begin with the few cards that are back.
_BROUGHT_BACK = (
    "SELECT item.guid FROM brought_back CROSS JOIN item"  # noqa: S608 - constants
    " WHERE item.guid = brought_back.item_guid AND item.kind = 'card'"
    f" AND item.phase IN ('new', 'review') AND {may_be_asked()} AND {STILL_BACK}"
    " GROUP BY item.id ORDER BY min(brought_back.id)"
)


def answered_on(connection: Readable, day: date) -> list[AnsweredItem]:
    """Return the items that were answered on a learner day.

    A withdrawn review moves its item's last day back, so the items that are left were answered.
    """
    rows = driver_of(connection).stream(
        _ANSWERED, {"today": day.isoformat(), "day": stored_day(day)}
    )
    return [
        AnsweredItem(guid, card_kind, group, bool(was_new))
        for guid, card_kind, group, was_new in rows
    ]


_ANSWERED = f"""
SELECT item.guid, card.kind, card.sibling_group,
       NOT EXISTS (
           SELECT 1 FROM review AS earlier
           WHERE {of_item("earlier", "item.guid")} AND earlier.learner_day < :day
             AND {in_effect("earlier")})
FROM (SELECT DISTINCT item_guid FROM review WHERE learner_day = :day) AS answered
JOIN item ON item.guid = answered.item_guid AND item.last_day = :today
LEFT JOIN card ON card.item_id = item.id
ORDER BY item.id"""  # noqa: S608 - constants


def concepts_with_new_cards(connection: Readable) -> list[int]:
    """Return the rows of concepts that have new cards, in the order in which one would like them.

    Concepts that the learner called not known come first, then unseen ones, each along the path.
    """
    return [concept for (concept,) in driver_of(connection).stream(_NEW_CONCEPTS)]


_NEW_CONCEPTS = (
    "SELECT concept.id FROM concept"  # noqa: S608 - a constant
    " WHERE EXISTS (SELECT 1 FROM item WHERE item.concept_id = concept.id AND item.kind = 'card'"
    f" AND item.phase = 'new' AND {active()})"
    " ORDER BY CASE concept.state WHEN 'known-unknown' THEN 0 WHEN 'unseen' THEN 1 ELSE 2 END,"
    " concept.position, concept.id"
)


def open_requirements(connection: Readable) -> list[Requirement]:
    """Return the requirements that are not met yet.

    A requirement is open while a card of it is new, in its first steps, or forgotten and not learnt
    again. A concept that the learner calls known is met.
    """
    return [Requirement(*row) for row in driver_of(connection).stream(_OPEN_REQUIREMENTS)]


_OPEN_REQUIREMENTS = (
    "SELECT needs.concept_id, needs.requires_id FROM concept_requires AS needs"  # noqa: S608 - a constant
    " JOIN concept AS own ON own.id = needs.requires_id"
    " JOIN concept ON concept.id = coalesce(own.joined_into_id, own.id)"
    " WHERE concept.state <> 'known' AND EXISTS ("
    "  SELECT 1 FROM item WHERE item.concept_id = needs.requires_id AND item.kind = 'card'"
    f"  AND item.phase <> 'review' AND {active()})"
    " ORDER BY needs.concept_id, needs.requires_id"
)


def requirements(connection: Readable) -> list[Requirement]:
    """Return every requirement, met or not."""
    return [Requirement(*row) for row in driver_of(connection).stream(_REQUIREMENTS)]


_REQUIREMENTS = (
    "SELECT concept_id, requires_id FROM concept_requires ORDER BY concept_id, requires_id"
)


def queued_items(connection: Readable, guids: Sequence[str]) -> list[QueuedItem]:
    """Return these items in the order given; a guid that no item has is passed over."""
    found: dict[str, QueuedItem] = {}
    driver = driver_of(connection)
    for among, names in _among(guids):
        for guid, kind, card_kind, phase, due, *others in driver.stream(
            f"{_QUEUED} WHERE {among} ORDER BY item.id", names
        ):
            found[guid] = QueuedItem(guid, kind, card_kind, phase, read_instant(due), *others)
    return [found[guid] for guid in guids if guid in found]


_QUEUED = (
    "SELECT item.guid, item.kind, card.kind, item.phase, item.due, card.sibling_group,"  # noqa: S608 - constants
    f" card.front, concept.slug, concept.title, {WHY_BACK}"
    f" FROM item {CONCEPT_OF_ITEM}"
    " LEFT JOIN card ON card.item_id = item.id"
)


# ── what comes due ───────────────────────────────────────────────────────────────────────────────

# The index of due items begins with these two columns. Each statement looks into it once for each
# pair, and finds the instants there in their order.
_BEGINNINGS = """
beginning(kind, phase) AS (
    VALUES ('card', 'learning'), ('card', 'relearning'), ('card', 'review'),
           ('drill', 'learning'), ('drill', 'relearning'), ('drill', 'review'))"""


def count_due_before(connection: Readable, end: datetime) -> int:
    """Return how many active items come due before an instant."""
    row = driver_of(connection).one(_COUNT_DUE, {"end": instant_text(end)})
    return 0 if row is None else int(row[0])


_COUNT_DUE = f"SELECT count(*) FROM item WHERE due < :end AND {active()}"  # noqa: S608 - constants


def count_cards_due_before(connection: Readable, end: datetime) -> int:
    """Return how many active cards in review came due before an instant."""
    row = driver_of(connection).one(_COUNT_CARDS_DUE, {"end": instant_text(end)})
    return 0 if row is None else int(row[0])


_COUNT_CARDS_DUE = (
    "SELECT count(*) FROM item WHERE kind = 'card' AND phase = 'review' AND due < :end"  # noqa: S608 - a constant
    f" AND {active()}"
)


def count_new(connection: Readable) -> int:
    """Return how many active items were never asked."""
    row = driver_of(connection).one(_COUNT_NEW)
    return 0 if row is None else int(row[0])


_COUNT_NEW = (
    "SELECT count(*) FROM item"  # noqa: S608 - constants
    f" WHERE kind IN ('card', 'drill') AND phase = 'new' AND {active()}"
)


def planned_dues_of_waiting(connection: Readable) -> list[datetime | None]:
    """Return when each card that is back would be due by its memory; None for a new one."""
    rows = driver_of(connection).stream(_PLANNED_DUES)
    dues = {guid: read_instant(due) for guid, due in rows}  # a card may be back for two mistakes
    return list(dues.values())


# The cross join makes SQLite begin with the few cards that are back.
_PLANNED_DUES = (
    "SELECT item.guid, item.due FROM brought_back CROSS JOIN item"  # noqa: S608 - constants
    " WHERE item.guid = brought_back.item_guid AND item.kind = 'card'"
    f" AND {active()} AND {STILL_BACK} ORDER BY brought_back.id"
)


def next_due_after(connection: Readable, at: datetime) -> datetime | None:
    """Return the first instant after `at` at which an active item comes due; None without one."""
    row = driver_of(connection).one(_NEXT_DUE, {"at": instant_text(at)})
    return None if row is None else read_instant(row[0])


_NEXT_DUE = f"""
WITH {_BEGINNINGS}
SELECT min((SELECT item.due FROM item
            WHERE item.kind = beginning.kind AND item.phase = beginning.phase
              AND item.due > :at AND {active()}
            ORDER BY item.due LIMIT 1))
FROM beginning"""  # noqa: S608 - constants


def due_counts(connection: Readable, end: datetime) -> list[DueCount]:
    """Return how many active items come due at each instant before `end`, in no certain order.

    Items come due at the beginnings of days, so these are few instants. The statement hops from one
    to the next along the index and counts each by itself, which takes two thirds of the time of
    grouping all rows. One instant may occur several times.
    """
    rows = driver_of(connection).stream(_DUE_COUNTS, {"end": instant_text(end)})
    found = ((read_instant(due), items) for due, items in rows)
    return [DueCount(due, items) for due, items in found if due is not None]


_DUE_COUNTS = f"""
WITH RECURSIVE {_BEGINNINGS},
instant(kind, phase, due) AS (
    SELECT kind, phase,
           (SELECT min(item.due) FROM item
            WHERE item.kind = beginning.kind AND item.phase = beginning.phase AND item.due < :end)
    FROM beginning
    UNION ALL
    SELECT kind, phase,
           (SELECT min(item.due) FROM item
            WHERE item.kind = instant.kind AND item.phase = instant.phase
              AND item.due > instant.due AND item.due < :end)
    FROM instant WHERE instant.due IS NOT NULL)
SELECT due,
       (SELECT count(*) FROM item
        WHERE item.kind = instant.kind AND item.phase = instant.phase AND item.due = instant.due
          AND {active()})
FROM instant WHERE due IS NOT NULL
ORDER BY due, kind, phase"""  # noqa: S608 - constants
