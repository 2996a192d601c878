"""Statements of the day's queue that no other test meets alone, and one moment for all of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from sqlalchemy import func, select

from studyattn.store.database import Database
from studyattn.store.models import ReviewRow
from studyattn.store.queries import items, queue
from studyattn.store.queries.items import MemoryColumns
from studyattn.store.sql import driver_of
from tests.store.conftest import NOW, add_items, add_review

TODAY = date(2026, 11, 21)


def due(at: datetime, phase: str = "review") -> MemoryColumns:
    return MemoryColumns(phase, 0, 4.0, 5.0, at, NOW - timedelta(days=4), TODAY, 1, 0)


def test_what_comes_due_is_counted_by_instant_without_what_was_set_aside(
    any_database: Database,
) -> None:
    days = [NOW + timedelta(days=day) for day in range(4)]
    with any_database.write() as connection:
        add_items(connection, 7)
        items.update_memory(
            connection,
            {
                "card-0": due(days[0]),
                "card-1": due(days[1]),
                "card-2": due(days[1]),
                "card-3": due(days[1], "learning"),
                "card-4": due(days[1]),
                "card-5": due(days[3]),
            },  # card-6 is new
        )
        items.put_field(connection, "card-4", items.ItemField.SUSPENDED, True, NOW)
        counts = dict.fromkeys(days, 0)
        for each in queue.due_counts(connection, days[2]):
            counts[each.due] += each.items
        assert list(counts.values()) == [1, 3, 0, 0]
        assert queue.next_due_after(connection, days[0]) == days[1]
        assert queue.next_due_after(connection, days[1]) == days[3]
        assert queue.next_due_after(connection, days[3]) is None
        assert list(queue.due_instants(connection, now=days[1])) == days[:2]
        assert [
            each.guid for each in queue.cards_due_at(connection, days[1], today=TODAY)
        ] == ["card-1", "card-2"]  # fmt: skip


def test_chosen_items_are_found_in_any_number(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1203)
        items.update_memory(connection, {"card-3": due(NOW + timedelta(days=2))})
        items.put_field(
            connection, "card-4", items.ItemField.BURIED, TODAY + timedelta(days=1), NOW
        )
        guids = [f"card-{number}" for number in range(1203)]
        found = queue.chosen_items(
            connection, guids, today=TODAY, until=datetime(2026, 11, 22, tzinfo=UTC)
        )
        assert {each.guid for each in found} == set(guids) - {"card-3", "card-4"}
        listed = queue.queued_items(connection, [*reversed(guids), "no-such"])
        assert [each.guid for each in listed] == guids[::-1]


def test_a_read_over_the_driver_sees_one_moment(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        add_review(connection, "first")
    with any_database.read() as connection:
        driver = driver_of(connection)
        assert driver.one("SELECT count(*) FROM review") == (1,)
        with any_database.write() as other:
            add_review(other, "second")
        assert driver.one("SELECT count(*) FROM review") == (1,)
        assert connection.scalar(select(func.count(ReviewRow.id))) == 1
