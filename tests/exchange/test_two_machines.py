"""Two machines that are used apart and merged now and then end in one state."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import aliased

from studyattn.errors import InputError
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.memory import Rating
from studyattn.store.database import Database
from studyattn.store.models import ItemRow, ReviewRow
from studyattn.store.queries.items import MEMORY_COLUMNS
from studyattn.store.queries.notes import earlier_wordings
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import CardRecord, ConceptRecord, ItemRecord, Snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.notes.notes import add_note, edit_note, list_notes
from studyattn.study.profile import Profile
from studyattn.study.review import batch, item_actions, recorder
from studyattn.study.review.rebuild import check_database, refold
from tests.exchange.homes import NOW, Homes, merge

GUIDS = ("s:1", "s:2", "s:3")


def start() -> Snapshot:
    """What both machines begin with."""
    concept = ConceptRecord(
        "masking", "Masking", "unseen", "", None, None, None, 0, False, False, ()
    )
    card = CardRecord("basic", "Why?", "Because.", None, {}, "", None, None)
    items = tuple(
        ItemRecord(guid, "card", "masking", None, None, 0, NOW, False, False, False, None, card)
        for guid in GUIDS
    )
    return Snapshot(concepts=(concept,), items=items)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done on one machine."""

    machine: int
    what: str
    guid: str
    rating: Rating
    wait: int  # minutes


steps = st.lists(
    st.builds(
        Step,
        st.integers(0, 1),
        st.sampled_from(
            ("review", "review", "review", "undo", "redo", "edit", "note", "state", "merge")
        ),
        st.sampled_from(GUIDS),
        st.sampled_from(Rating),
        st.integers(1, 5000),
    ),
    min_size=3,
    max_size=12,
)


def do(step: Step, number: int, here: Profile, there: Profile) -> None:
    match step.what:
        case "review":
            batch.answer(here, step.guid, step.rating)
        case "undo":
            batch.undo(here)
        case "redo":
            restore_last(here)
        case "edit":
            item_actions.edit(here, step.guid, f"Question {number}?", f"Answer {number}.")
        case "note":
            notes = list_notes(here)
            if notes:
                edit_note(here, notes[-1].id, f"Thought {number}.")
            else:
                add_note(here, f"Thought {number}.", item=step.guid)
        case "state":
            state = ("unseen", "known-unknown", "known")[step.rating % 3]
            board.set_state(here, "masking", state, f"because of {number}")
        case _:
            merge(here.database, there.database.path)


def restore_last(here: Profile) -> None:
    """Bring back the rating whose withdrawal was written last, unless it is in effect."""
    rated = aliased(ReviewRow)
    with here.database.read() as connection:
        uuid = connection.scalar(
            select(rated.uuid)
            .join(ReviewRow, ReviewRow.withdraws == rated.uuid)
            .where(rated.rating.is_not(None))
            .order_by(ReviewRow.id.desc())
            .limit(1)
        )
    if uuid is not None:
        recorder.restore(here, uuid)


def outcome(database: Database) -> tuple[Any, ...]:
    """All that has to be the same: not how a review got here."""
    with database.read() as connection:
        held = load_snapshot(connection)
        memory = connection.execute(
            select(ItemRow.guid, *MEMORY_COLUMNS).order_by(ItemRow.guid)
        ).all()
    reviews = tuple(replace(each, origin="") for each in held.reviews)
    return replace(held, reviews=reviews), [tuple(row) for row in memory]


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(steps)
def test_two_machines_end_in_one_state(homes: Homes, done: list[Step]) -> None:
    with ExitStack() as stack:
        databases = [stack.enter_context(homes.new()) for _ in range(2)]
        clocks = [FixedClock(NOW, offset) for offset in (60, -300)]
        learners = [
            Profile(database.home, database, clock)
            for database, clock in zip(databases, clocks, strict=True)
        ]
        for database in databases:
            merge_into(database, start(), refold)
        for number, step in enumerate(done):
            # Two people at two clocks: they tell different times, so nothing happens at one.
            clocks[step.machine].advance(timedelta(minutes=step.wait, seconds=step.machine))
            do(step, number, learners[step.machine], learners[1 - step.machine])
        first, second = databases
        merge(first, second.path)
        merge(second, first.path)
        assert outcome(first) == outcome(second)
        assert merge(first, second.path).changes_nothing
        assert not check_database(first.home)


def test_an_edit_on_each_machine_is_shown_and_kept(homes: Homes) -> None:
    with homes.new() as first, homes.new() as second:
        for database, hours in ((first, 1), (second, 2)):
            merge_into(database, start(), refold)
            clock = FixedClock(NOW + timedelta(hours=hours))
            item_actions.edit(
                Profile(database.home, database, clock), "s:1", "Why so?", f"{hours}."
            )
        taken = merge(first, second.path)
        assert taken.lines()[1:] == [
            "s:1 was reworded on both sides; the later wording holds:",
            "  holds: Why so? – 2.",
            "  kept:  Why so? – 1.",
        ]
        with first.read() as connection:
            wordings = earlier_wordings(connection, "s:1")
        assert [each.body for each in wordings] == ["1.", "Because."]


def test_what_came_from_another_machine_is_not_undone(homes: Homes) -> None:
    with homes.new() as first, homes.new() as second:
        for database in (first, second):
            merge_into(database, start(), refold)
        batch.answer(Profile(second.home, second, FixedClock(NOW)), "s:1", Rating.GOOD)
        merge(first, second.path)
        profile = Profile(first.home, first, FixedClock(NOW))
        assert batch.undo(profile) is None


def test_what_is_no_database_is_refused(homes: Homes, tmp_path: Path) -> None:
    with homes.new() as database:
        text = tmp_path / "text.db"
        text.write_text("not a database at all" * 1000)
        half = tmp_path / "half.db"
        shutil.copy(database.path, half)
        half.write_bytes(half.read_bytes()[:5000])
        before = outcome(database)
        for path in (text, half, tmp_path / "nothing.db"):
            with pytest.raises(InputError) as caught:
                merge(database, path)
            assert str(path) in str(caught.value)
        assert outcome(database) == before
