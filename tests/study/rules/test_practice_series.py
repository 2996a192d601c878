"""The present series of a drill, the time of work on it, and what undo takes back of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from studyattn.memory import LoggedReview, Rating
from studyattn.store.queries.practice import CardBatch
from studyattn.study.rules.practice_series import (
    LONGEST_PAUSE,
    EntryKind,
    PracticeEntry,
    attempts_of,
    change_to_undo,
    hints_seen,
    present_series,
    seconds_to_pass,
    worked,
    worked_since,
)

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def entry(
    minute: int, kind: EntryKind = EntryKind.ATTEMPT, verdict: str | None = None, **fields: Any
) -> PracticeEntry:
    at = NOON + timedelta(minutes=minute)
    entry = PracticeEntry(kind, f"{minute:03}", at, at.date(), seconds=60.0, verdict=verdict)
    return entry._replace(**fields)


def review(minute: int, rating: Rating = Rating.GOOD, origin: str = "learner") -> LoggedReview:
    return LoggedReview(
        uuid=f"{minute:03}",
        item_guid="p:drill/x",
        rating=rating,
        withdraws=None,
        at=NOON + timedelta(minutes=minute),
        utc_offset=0,
        learner_day=date(2026, 3, 2),
        origin=origin,
    )


def test_the_present_series_begins_after_the_last_rating() -> None:
    entries = [entry(minute) for minute in range(4)]
    assert present_series(entries, []) == entries
    assert present_series(entries, [review(0), review(1)]) == entries[2:]
    assert present_series(entries, [review(3)]) == []


def test_a_long_pause_counts_as_a_break() -> None:
    assert worked(timedelta(minutes=5)) == 300.0
    assert worked(timedelta(days=1)) == LONGEST_PAUSE.total_seconds()
    assert worked(timedelta(seconds=-1)) == 0.0
    assert worked_since([entry(0)], NOON + timedelta(minutes=2)) == 120.0
    assert worked_since([entry(0, EntryKind.LEFT)], NOON + timedelta(minutes=2)) == 0.0
    assert worked_since([], NOON) == 0.0


def test_time_counts_up_to_the_first_pass() -> None:
    series = [entry(0, EntryKind.BEGAN), entry(1, verdict="wrong"), entry(2, verdict="passed")]
    assert seconds_to_pass(series) == 180.0
    assert seconds_to_pass([*series, entry(3, verdict="wrong")]) == 180.0
    assert seconds_to_pass(series[:2]) == 120.0


def test_hints_after_the_first_pass_do_not_count_against_it() -> None:
    series = [
        entry(0, EntryKind.HINT, number=1),
        entry(1, verdict="passed", hints=1),
        entry(2, EntryKind.HINT, number=2),
        entry(3, EntryKind.REVEALED),
    ]
    assert hints_seen(series) == 2
    found = attempts_of(series, set(), hints_in_all=3, level=1, running=999.0)
    assert (found.passed, found.hints, found.revealed, found.seconds) == (True, 1, False, 120.0)
    given_up = attempts_of([series[0], series[3]], set(), hints_in_all=3, level=1, running=5.0)
    assert (given_up.passed, given_up.revealed, given_up.seconds) == (False, True, 125.0)


@pytest.mark.parametrize(("batch_at", "undone"), [(0, "review"), (2, "batch")])
def test_undo_takes_back_the_later_of_rating_and_cards(batch_at: int, undone: str) -> None:
    batch = CardBatch(NOON + timedelta(minutes=batch_at), f"{batch_at:03}", "attempt")
    change = change_to_undo([review(1)], batch)
    assert change == (batch if undone == "batch" else review(1))


def test_undo_passes_over_what_was_imported() -> None:
    assert change_to_undo([review(1), review(2, origin="import")], None) == review(1)
    assert change_to_undo([review(2, origin="merge")], None) is None
    assert change_to_undo([], None) is None
