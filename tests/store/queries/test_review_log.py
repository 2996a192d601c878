"""The SQL condition and `memory.standing` choose the same reviews, whatever was withdrawn."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select, text
from sqlalchemy.orm import aliased

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.memory import LoggedReview, Rating, effective_reviews
from studyattn.store.database import Database, open_database
from studyattn.store.models import ReviewRow
from studyattn.store.queries import review_log
from studyattn.store.queries.days import SecondsRule, keep_days, timed_drill_answers
from studyattn.store.queries.queue import answered_on
from studyattn.store.queries.review_log import ReviewColumns
from studyattn.store.queries.rules import in_effect
from studyattn.store.queries.snapshot import load_beside, reviews_by_time
from studyattn.store.snapshot import Snapshot
from studyattn.store.sql import driver_of
from studyattn.study.uuids import new_uuid

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
EARLIER = aliased(ReviewRow, name="earlier")
IN_EFFECT = select(ReviewRow.uuid).where(text(in_effect()))
ALIASED = select(EARLIER.uuid).where(text(in_effect("earlier")))


class RolledBackError(Exception):
    """Ends a transaction whose rows are not wanted any more: the log never deletes one."""


@pytest.fixture
def database(tmp_path: Path, either: ServerAddress | None) -> Iterator[Database]:
    with open_database(Home(tmp_path / "home", either), now=NOON) as opened:
        yield opened


def row(number: int, item: str, withdraws: int | None) -> LoggedReview:
    return LoggedReview(
        uuid=f"row {number}",
        item_guid=item,
        rating=Rating.GOOD if withdraws is None else None,
        withdraws=None if withdraws is None else f"row {withdraws}",
        at=NOON,
        utc_offset=0,
        learner_day=date(2026, 3, 2),
    )


def in_effect_in_sql(database: Database, log: list[LoggedReview]) -> set[str]:
    """Insert the rows, select those in effect, and take the rows back."""
    found: set[str] = set()
    values = [
        {
            "uuid": each.uuid,
            "item_guid": each.item_guid,
            "rating": each.rating,
            "withdraws": each.withdraws,
            "at": each.at,
            "utc_offset": 0,
            "learner_day": each.learner_day,
            "seconds": 0.0,
            "origin": "learner",
        }
        for each in log
    ]
    with pytest.raises(RolledBackError), database.write() as connection:  # noqa: PT012 - one transaction
        connection.execute(insert(ReviewRow), values)
        found.update(connection.scalars(IN_EFFECT))
        assert found == set(connection.scalars(ALIASED))
        raise RolledBackError
    return found


@st.composite
def logs_with_withdrawals(draw: st.DrawFn) -> list[LoggedReview]:
    """Rows in any order that withdraw each other: chains, trees, circles, other items' rows."""
    numbers = range(draw(st.integers(1, 14)))
    targets = st.one_of(st.none(), st.sampled_from(numbers), st.just(99))
    log = [row(each, draw(st.sampled_from("aaab")), draw(targets)) for each in numbers]
    return draw(st.permutations(log))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(logs_with_withdrawals())
def test_sql_and_memory_choose_the_same_reviews(
    database: Database, log: list[LoggedReview]
) -> None:
    assert in_effect_in_sql(database, log) == {each.uuid for each in effective_reviews(log)}


@pytest.mark.parametrize("length", [1, 2, 3, 4, 40])
def test_a_chain_of_withdrawals_ends_with_its_last(database: Database, length: int) -> None:
    log = [row(0, "a", None), *(row(each + 1, "a", each) for each in range(length))]
    assert in_effect_in_sql(database, log) == ({"row 0"} if length % 2 == 0 else set())


def test_a_rating_withdrawn_twice_needs_both_withdrawals_withdrawn(database: Database) -> None:
    log = [row(0, "a", None), row(1, "a", 0), row(2, "a", 0), row(3, "a", 1)]
    assert in_effect_in_sql(database, log) == set()
    assert in_effect_in_sql(database, [*log, row(4, "a", 2)]) == {"row 0"}
    assert in_effect_in_sql(database, [*log, row(4, "a", 2), row(5, "a", 3)]) == set()


def test_rows_come_back_as_they_were_added_whichever_way(database: Database) -> None:
    at = NOON.replace(microsecond=250)
    rating = ReviewColumns("a", "t:1", 3, None, at, 60, date(2026, 3, 2), 4.5, "learner")
    withdrawal = ReviewColumns("b", "t:1", None, "a", at, -480, date(2026, 3, 1), 0.0, "merge")
    other = rating._replace(uuid="c", item_guid="t:2", withdraws=None, origin="import")
    with database.write() as connection:
        driver = driver_of(connection)
        assert not review_log.is_logged(driver, "a")
        review_log.append_review(driver, rating)
        review_log.append_reviews(connection, [withdrawal, other])
        assert review_log.is_logged(driver, "a")
        assert review_log.find_review(connection, "a") == rating
        assert review_log.find_review(connection, "no-such") is None
        assert review_log.last_withdrawal_of(connection, "a") == withdrawal
        assert review_log.last_withdrawal_of(connection, "c") is None
        assert set(review_log.reviews_of(connection, ["t:1", "t:3"])) == {rating, withdrawal}
        assert [row.item_guid for row in review_log.all_reviews(connection)] == ["t:1"] * 2 + [
            "t:2"
        ]
        assert review_log.last_rating_in_effect(connection, "learner") is None
        assert review_log.last_rating_in_effect(connection, "import") == other


@pytest.mark.parametrize("days_behind", [0, 1, 2])
def test_ratings_after_an_instant_are_found_wherever_their_learner_day_is(
    database: Database, days_behind: int
) -> None:
    """West of everyone, with a day that turns at 23:00, the day is two days behind UTC's."""
    day = NOON.date() - timedelta(days=days_behind)
    late = ReviewColumns("a", "t:1", 3, None, NOON, -720, day, 4.5, "learner")
    with database.write() as connection:
        review_log.append_reviews(connection, [late, late._replace(uuid="b", item_guid="t:2")])
        found = review_log.rated_after(connection, NOON - timedelta(seconds=1))
        assert [row.uuid for row in found] == ["a", "b"]
        assert review_log.rated_after(connection, NOON) == []


def real(number: int) -> ReviewColumns:
    """An answer as the app writes it, of one of 700 items with guids as imported ones have."""
    guid = f"source-{number % 20}:{number % 700 * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
    at = NOON + timedelta(seconds=50.123456 * number)
    uuid = new_uuid(at)
    return ReviewColumns(uuid, guid, 3, None, at, 330, at.date(), 4.321, "learner")


def test_a_review_takes_at_most_150_bytes_with_its_indexes(tmp_path: Path) -> None:
    count = 6000
    with open_database(Home(tmp_path), now=NOON) as opened, opened.write() as connection:
        before = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        driver = driver_of(connection)
        for number in range(count):
            review_log.append_review(driver, real(number))
        after = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
    assert (after - before) * size / count <= 150


def test_statements_about_items_use_the_index_of_the_ends_of_guids(tmp_path: Path) -> None:
    asked: list[str] = []
    with open_database(Home(tmp_path), now=NOON) as opened, opened.write() as connection:
        review_log.append_reviews(connection, map(real, range(3)))
        beneath = connection.connection.driver_connection
        assert isinstance(beneath, sqlite3.Connection)
        beneath.set_trace_callback(asked.append)
        driver, guids = driver_of(connection), [real(number).item_guid for number in range(3)]
        for some in (guids[:1], guids):
            assert len(list(review_log.reviews_of(connection, some))) == len(some)
            assert list(review_log.last_forgotten(driver, some)) == []
        load_beside(connection, Snapshot(reviews=tuple(reviews_by_time(connection))))
        answered_on(connection, NOON.date())
        keep_days(connection, SecondsRule(300, ":drill/"))
        list(timed_drill_answers(connection))
        beneath.set_trace_callback(None)
        plans = {
            each: " / ".join(row[3] for row in beneath.execute(f"EXPLAIN QUERY PLAN {each}"))
            for each in asked
            if "item_guid" in each and each.startswith(("SELECT", "\nSELECT", "INSERT"))
        }
    used = [plan for each, plan in plans.items() if "substr(" in each]
    assert len(used) >= 8
    assert [plan for plan in used if "ix_review_item" not in plan] == []
