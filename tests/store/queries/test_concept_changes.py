"""Changes of concepts' states, each of which is recorded."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from studyattn.errors import InputError, NotFoundError
from studyattn.store.database import Database
from studyattn.store.models import ConceptChangeRow, ConceptRow
from studyattn.store.queries.concept_changes import record_change
from tests.store.conftest import NOW, add_items


def test_a_change_is_made_and_kept_with_its_reason(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        assert record_change(connection, 1, "known-unknown", "asked for it", "learner", NOW)
        assert record_change(connection, 1, "known", "holds 21 days", "program", NOW)
        assert connection.scalar(select(ConceptRow.state)) == "known"
        rows = connection.execute(
            select(ConceptChangeRow.from_state, ConceptChangeRow.to_state, ConceptChangeRow.reason)
        ).all()
    assert [tuple(row) for row in rows] == [
        ("unseen", "known-unknown", "asked for it"),
        ("known-unknown", "known", "holds 21 days"),
    ]


def test_a_state_that_it_has_already_is_no_change(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        assert not record_change(connection, 1, "unseen", "", "import", NOW)
        assert connection.execute(select(ConceptChangeRow)).all() == []


def test_what_there_is_not_is_refused(any_database: Database) -> None:
    with any_database.write() as connection:
        add_items(connection, 1)
        with pytest.raises(InputError, match="no such state"):
            record_change(connection, 1, "learnt", "", "learner", NOW)
        with pytest.raises(NotFoundError):
            record_change(connection, 2, "known", "", "learner", NOW)
