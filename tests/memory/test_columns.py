"""Memory states and rows of the log survive the way through their columns."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from studyattn.memory import LoggedReview, MemoryState, New, Phase, Rating, Remembered
from studyattn.memory.columns import (
    StoredMemory,
    memory_from_columns,
    memory_to_columns,
    review_from_columns,
    review_to_columns,
)
from studyattn.store.queries.items import MemoryColumns
from studyattn.store.queries.review_log import ReviewColumns

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
instants = st.datetimes(timezones=st.just(UTC))
states: st.SearchStrategy[MemoryState] = st.one_of(
    st.just(New()),
    st.builds(
        Remembered,
        phase=st.sampled_from([Phase.LEARNING, Phase.REVIEW, Phase.RELEARNING]),
        stability=st.floats(0.01, 1e4),
        difficulty=st.floats(1, 10),
        due=instants,
        last_review=instants,
    ),
)
reviews = st.builds(LoggedReview, rating=st.one_of(st.none(), st.sampled_from(Rating)), at=instants)


@given(states)
def test_a_memory_state_survives_its_columns(state: MemoryState) -> None:
    assert memory_from_columns(MemoryColumns(*memory_to_columns(state))) == state


@given(reviews)
def test_a_row_of_the_log_survives_its_columns(review: LoggedReview) -> None:
    columns = ReviewColumns(*review_to_columns(review))
    assert type(columns.rating) in {int, type(None)}
    assert review_from_columns(columns) == review


def test_the_rows_of_the_store_name_the_fields_in_their_order() -> None:
    assert list(MemoryColumns._fields) == list(Remembered._fields)
    assert list(ReviewColumns._fields) == list(LoggedReview._fields)


def test_columns_of_a_review_that_was_withdrawn_half_way_are_those_of_a_new_item() -> None:
    after: StoredMemory = (
        "review", 0, 3.0, 5.0, NOON + timedelta(days=3), NOON, date(2026, 3, 2), 1, 0,
    )  # fmt: skip
    assert isinstance(memory_from_columns(after), Remembered)
    for place in range(2, 7):
        gap: StoredMemory = (*after[:place], None, *after[place + 1 :])  # type: ignore[assignment]  # a place of five that may be None
        assert memory_from_columns(gap) == New()
    assert memory_from_columns(("new", *after[1:])) == New()
