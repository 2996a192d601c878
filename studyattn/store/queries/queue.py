"""Statements of the day's queue: what may be asked, what was answered, what comes due.

Each group of candidates comes in the order in which the queue takes them and is read no further
than the caller goes, so that a hundred thousand due items open as fast as a hundred.
Nothing here loads SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date, datetime
from itertools import takewhile
from typing import Annotated, NamedTuple

from studyattn.store.log_values import LogDay, read_stored_day, stored_day
from studyattn.store.sql import Connection, Statements, read_json, row, rows, stream, value, values


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


class Need(NamedTuple):
    """A concept that another one requires, by their rows."""

    concept_id: int
    requires_id: int
    has_new: bool
    """It has new cards."""
    is_open: bool
    """A card of it is new, in its first steps, or forgotten and not learnt again, and the learner
    does not call it known."""


class DueCount(NamedTuple):
    """The number of items that come due at one instant."""

    due: datetime
    items: int


_SQL = Statements(__file__)


def learning_steps(
    connection: Connection, *, today: date, until: datetime
) -> Iterator[CandidateRow]:
    """Yield the items in a learning step that ends before `until`."""
    return stream(connection, CandidateRow, _SQL.learning_steps, today=today, until=until)


def chosen_items(
    connection: Connection, guids: Sequence[str], *, today: date, until: datetime | None
) -> Iterator[CandidateRow]:
    """Yield those of the items with these guids that are new or come due before `until`, if any."""
    soon = "" if until is None else "AND (item.due IS NULL OR item.due < :until)"
    statement = _SQL.chosen_items.format(soon=soon)
    return stream(connection, CandidateRow, statement, today=today, until=until, guids=guids)


def due_drills(connection: Connection, *, today: date, now: datetime) -> Iterator[CandidateRow]:
    """Yield the drills in review that are due."""
    return stream(connection, CandidateRow, _SQL.due_drills, today=today, now=now)


def new_drills(connection: Connection, *, today: date) -> Iterator[CandidateRow]:
    """Yield the drills that were never written, of concepts whose cards were all seen."""
    return stream(connection, CandidateRow, _SQL.new_drills, today=today)


def cards_before(
    connection: Connection, drills: Sequence[str]
) -> list[tuple[str, datetime, str | None]]:
    """Return the guids of drills, when each was added, and a card of its concept; None without."""
    return rows(connection, tuple[str, datetime, str | None], _SQL.cards_before, drills=drills)


def first_seen(connection: Connection, guids: Sequence[str]) -> dict[str, date]:
    """Return the learner day of each item's first answer, or on which its memory began.

    An item without either is left out.
    """
    found = rows(connection, tuple[str, date | None, LogDay | None], _SQL.first_seen, guids=guids)
    known = {guid: [day for day in days if day is not None] for guid, *days in found}
    return {guid: min(days) for guid, days in known.items() if days}


def study_days(connection: Connection, before: date, most: int) -> list[date]:
    """Return the latest learner days before a day on which something was answered, latest first."""
    found: list[date] = []
    while len(found) < most:
        last = found[-1] if found else before
        day = value(connection, _SQL.study_day, before=stored_day(last))
        if day is None:
            break
        found.append(read_stored_day(day))
    return found


def drills_behind_cards(connection: Connection) -> Iterator[tuple[str, str]]:
    """Return the guids of new drills whose concept has new cards, each with one of those cards."""
    return stream(connection, tuple[str, str], _SQL.drills_behind_cards)


def untried_drills(connection: Connection) -> Iterator[str]:
    """Yield the guids of all drills that were never rated and are not out of use."""
    return (guid for (guid,) in stream(connection, tuple[str], _SQL.untried_drills))


def due_instants(connection: Connection, *, now: datetime) -> Iterator[datetime]:
    """Yield each instant at which cards in review came due, the earliest first.

    The statement hops along the index. Such an instant is the beginning of a learner day, so there
    are as many of them as days that the learner is behind.
    """
    return (due for (due,) in stream(connection, tuple[datetime], _SQL.due_instants, now=now))


def cards_due_at(
    connection: Connection, instant: datetime, *, today: date
) -> Iterator[CandidateRow]:
    """Yield the cards in review that came due at one instant.

    Among them the one with the shortest interval is the latest for its interval, and comes first.
    """
    return stream(connection, CandidateRow, _SQL.cards_due_at, today=today, due=instant)


def new_cards_of(
    connection: Connection, concept_id: int, *, today: date, now: datetime
) -> Iterator[CandidateRow]:
    """Yield the new cards of a concept in their order.

    A card with a sibling that is due is left out, even if a limit keeps that sibling for another
    day.
    """
    statement = _SQL.new_cards_of
    return stream(connection, CandidateRow, statement, concept=concept_id, today=today, now=now)


def cards_brought_back(connection: Connection, *, today: date) -> list[str]:
    """Return the guids of the cards that a mistake in code made due before their time."""
    return values(connection, _SQL.cards_brought_back, today=today)


def answered_on(connection: Connection, day: date) -> list[AnsweredItem]:
    """Return the items that were answered on a learner day.

    A withdrawn review moves its item's last day back, so the items that are left were answered.
    """
    return rows(connection, AnsweredItem, _SQL.answered_on, today=day, day=stored_day(day))


def wished_concepts(connection: Connection) -> Iterator[int]:
    """Yield the rows of all concepts in the order in which one would like their new cards.

    Concepts that the learner called not known come first, then unseen ones, each along the path.
    """
    return (concept for (concept,) in stream(connection, tuple[int], _SQL.wished_concepts))


def concepts_with_new_cards(connection: Connection, concepts: Collection[int]) -> set[int]:
    """Return those of the concepts that have new cards."""
    return set(values(connection, _SQL.concepts_with_new_cards, concepts=concepts))


def needs_of(connection: Connection, concepts: Collection[int]) -> list[Need]:
    """Return what these concepts require."""
    return rows(connection, Need, _SQL.needs_of, concepts=concepts)


def requirements(connection: Connection) -> list[tuple[int, int]]:
    """Return every concept that requires another one, with that one."""
    return rows(connection, tuple[int, int], _SQL.requirements)


def queued_items(connection: Connection, guids: Sequence[str]) -> list[QueuedItem]:
    """Return these items in the order given; a guid that no item has is passed over."""
    items = rows(connection, QueuedItem, _SQL.queued_items, guids=guids)
    found = {item.guid: item for item in items}
    return [found[guid] for guid in guids if guid in found]


# ── what comes due ───────────────────────────────────────────────────────────────────────────────


def count_cards_due_before(connection: Connection, end: datetime) -> int:
    """Return how many active cards in review came due before an instant."""
    return int(value(connection, _SQL.count_cards_due_before, end=end))


def count_new(connection: Connection) -> int:
    """Return how many active items were never asked."""
    return int(value(connection, _SQL.count_new))


def planned_dues_of_waiting(connection: Connection) -> list[datetime | None]:
    """Return when each card that is back would be due by its memory; None for a new one."""
    found = rows(connection, tuple[str, datetime | None], _SQL.planned_dues_of_waiting)
    return list(dict(found).values())  # a card may be back for two mistakes


def next_due_after(connection: Connection, at: datetime) -> datetime | None:
    """Return the first instant after `at` at which an active item comes due; None without one."""
    found = row(connection, tuple[datetime | None], _SQL.next_due_after, at=at)
    return None if found is None else found[0]


def due_counts(connection: Connection, end: datetime) -> list[DueCount]:
    """Return how many active items come due at each instant before `end`, in no certain order.

    Items come due at the beginnings of days, so these are few instants. One may occur several
    times.
    """
    return rows(connection, DueCount, _SQL.due_counts, end=end)


def passed_steps(steps: object) -> int:
    """Return how many passed, from the first on, of what a report has as its `steps`.

    Another program may have put anything there.
    """
    found = steps if isinstance(steps, list | tuple) else ()
    right = (isinstance(each, dict) and each.get("verdict") == "passed" for each in found)
    return len(list(takewhile(bool, right)))


def _passed(steps: str) -> int:
    return passed_steps(read_json(steps))


class ReachedSteps(NamedTuple):
    """An attempt at a drill in steps."""

    guid: str
    day: date
    rated: LogDay | None  # the last day before today on which the drill was
    verdict: str
    passed: Annotated[int | None, _passed]  # None in reports from before there were steps


def steps_reached(
    connection: Connection, guids: Collection[str], today: date
) -> list[ReachedSteps]:
    """Return the attempts at these drills since each was last rated, by day, and maybe earlier."""
    statement, before = _SQL.steps_reached, stored_day(today)
    return rows(connection, ReachedSteps, statement, guids=guids, today=today, before=before)
