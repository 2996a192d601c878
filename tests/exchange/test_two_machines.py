"""Two machines that are used apart and merged now and then end in one state."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
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
from studyattn.exchange.merge.merge_into import MergeReport, merge_into
from studyattn.memory import Rating
from studyattn.store.database import Database
from studyattn.store.models import ItemRow, ReviewRow
from studyattn.store.queries.items import CardWording, ItemField, MemoryColumns
from studyattn.store.queries.notes import earlier_wordings
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import CardRecord, ConceptRecord, ItemRecord, Snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.notes.notes import (
    About,
    add_note,
    edit_note,
    list_notes,
    remove_note,
    set_about,
    show_note,
)
from studyattn.study.profile import Profile
from studyattn.study.review import batch, item_actions, recorder
from studyattn.study.review.rebuild import check_database, refold
from tests.exchange.homes import NOW, Homes, merge, merge_held

GUIDS = ("s:1", "s:2", "s:3")
EXAMPLES = 30  # `python -m benchmarks.two_machines --examples 1000` for more


def start() -> Snapshot:
    """What both machines begin with."""
    concepts = tuple(
        ConceptRecord(slug, slug.title(), "unseen", "", None, None, None, 0, False, False, ())
        for slug in ("masking", "heads", "scaling")
    )
    card = CardRecord("basic", "Why?", "Because.", None, {}, "", None, None)
    items = tuple(
        ItemRecord(guid, "card", "masking", None, None, 0, NOW, False, False, False, None, card)
        for guid in GUIDS
    )
    return Snapshot(concepts=concepts, items=items)


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
            (
                *("review", "review", "review", "undo", "redo", "edit", "note", "state"),
                *("unedit", "unnote", "about", "suspend", "mark", "bury", "join", "setting"),
                *("merge", "merge"),
            )
        ),
        st.sampled_from(GUIDS),
        st.sampled_from(Rating),
        st.integers(1, 5000),
    ),
    min_size=6,  # fewer steps hardly ever touch one thing on both sides
    max_size=16,
)


def unedit(here: Profile, step: Step) -> None:
    item_actions.restore_text(here, step.guid, CardWording("Why?", "Because.", None))


def remove_last_note(here: Profile, _: Step) -> None:
    for note in list_notes(here, limit=1):
        remove_note(here, note.id)


def tie_last_note(here: Profile, step: Step) -> None:
    for note in list_notes(here, limit=1):
        set_about(here, note.id, About(item=step.guid))


def join_or_part(here: Profile, step: Step) -> None:
    slug, into = ("heads", "masking") if step.rating > 2 else ("masking", "scaling")
    if step.wait % 2:
        board.merge(here, slug, into)
    else:
        board.part(here, slug)


DECISIONS: dict[str, Callable[[Profile, Step], object]] = {
    "unedit": unedit,
    "unnote": remove_last_note,
    "about": tie_last_note,
    "suspend": lambda here, step: item_actions.change(
        here, step.guid, ItemField.SUSPENDED, step.wait % 2 == 0
    ),
    "mark": lambda here, step: item_actions.change(
        here, step.guid, ItemField.MARKED, step.wait % 2 == 0
    ),
    "bury": lambda here, step: item_actions.change(
        here, step.guid, ItemField.BURIED, here.today() + timedelta(days=1)
    ),
    "join": join_or_part,
    "setting": lambda here, step: here.change_setting("desired_retention", f"0.8{step.rating:d}"),
}


def do(step: Step, number: int, here: Profile, there: Profile) -> None:
    match step.what:
        case "review":
            batch.answer(here, step.guid, step.rating)
        case "undo":
            recorder.undo(here)
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
        case "merge":
            merge_held(here.database, there.database)
            here.reload()
        case _:
            with suppress(InputError):  # concepts that are joined already, or not joined
                DECISIONS[step.what](here, step)


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
            select(
                ItemRow.guid, *(getattr(ItemRow, name) for name in MemoryColumns._fields)
            ).order_by(ItemRow.guid)
        ).all()
    reviews = tuple(replace(each, origin="") for each in held.reviews)
    return replace(held, reviews=reviews), [tuple(row) for row in memory]


def play(homes: Homes, done: Sequence[Step]) -> None:
    """Do all steps on two machines that begin with the same, and compare the two at the end."""
    with ExitStack() as stack:
        databases = [stack.enter_context(homes.new()) for _ in range(2)]
        clocks = [FixedClock(NOW, offset) for offset in (60, -300)]
        learners = [
            Profile(database.home, database, clock)
            for database, clock in zip(databases, clocks, strict=True)
        ]
        for number, step in enumerate(done):
            # Two people at two clocks: they tell different times, so nothing happens at one.
            clocks[step.machine].advance(timedelta(minutes=step.wait, seconds=step.machine))
            do(step, number, learners[step.machine], learners[1 - step.machine])
        first, second = databases
        merge(first, second.path)
        merge(second, first.path)
        assert outcome(first) == outcome(second)
        assert merge_held(first, second).changes_nothing
        assert not check_database(first.home)


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    return Homes(tmp_path_factory.mktemp("begun"), start())


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(steps)
def test_two_machines_end_in_one_state(begun: Homes, done: list[Step]) -> None:
    play(begun, done)


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
            "s:1 was reworded on both sides; the later wording is kept:",
            "  holds: Why so? – 2.",
            "  kept:  Why so? – 1.",
        ]
        with first.read() as connection:
            wordings = earlier_wordings(connection, "s:1")
        assert [each.body for each in wordings] == ["1.", "Because."]


@contextmanager
def two_learners(homes: Homes) -> Iterator[tuple[Profile, Profile]]:
    """One learner at two machines that begin with the same."""
    with homes.new() as first, homes.new() as second:
        for database in (first, second):
            merge_into(database, start(), refold)
        here, there = (
            Profile(database.home, database, FixedClock(NOW)) for database in (first, second)
        )
        yield here, there


def take(here: Profile, there: Profile) -> MergeReport:
    """Merge what is `there`, an hour later, into what is `here`."""
    for each in (here, there):
        assert isinstance(each.clock, FixedClock)
        each.clock.advance(timedelta(hours=1))
    taken = merge(here.database, there.database.path)
    here.reload()
    return taken


def held(profile: Profile) -> Snapshot:
    with profile.database.read() as connection:
        return load_snapshot(connection)


def test_what_was_answered_on_another_machine_can_be_undone(homes: Homes) -> None:
    with two_learners(homes) as (here, there):
        batch.answer(there, "s:1", Rating.GOOD)
        take(here, there)
        batch.answer(here, "s:2", Rating.GOOD)
        undone = [recorder.undo(here) for _ in range(3)]
        assert [each and each.review.item_guid for each in undone] == ["s:2", "s:1", None]
        take(there, here)
        assert outcome(there.database) == outcome(here.database)


Change = Callable[[Profile], object]

CHANGES: dict[str, tuple[Change, Change]] = {
    "suspend": (
        lambda profile: item_actions.change(profile, "s:1", ItemField.SUSPENDED, True),
        lambda profile: item_actions.change(profile, "s:1", ItemField.SUSPENDED, False),
    ),
    "mark": (
        lambda profile: item_actions.change(profile, "s:1", ItemField.MARKED, True),
        lambda profile: item_actions.change(profile, "s:1", ItemField.MARKED, False),
    ),
    "bury": (
        lambda profile: item_actions.change(
            profile, "s:1", ItemField.BURIED, profile.today() + timedelta(days=1)
        ),
        lambda profile: item_actions.change(profile, "s:1", ItemField.BURIED, None),
    ),
    "join": (
        lambda profile: board.merge(profile, "masking", "heads"),
        lambda profile: board.part(profile, "masking"),
    ),
    "note": (
        lambda profile: add_note(profile, "A thought."),
        lambda profile: remove_note(profile, list_notes(profile)[0].id),
    ),
    "wording": (
        lambda profile: item_actions.edit(profile, "s:1", "Why so?", "So."),
        lambda profile: item_actions.restore_text(
            profile, "s:1", CardWording("Why?", "Because.", None)
        ),
    ),
    "setting": (
        lambda profile: profile.change_setting("new_per_day", "3"),
        lambda profile: profile.change_setting("new_per_day", "15"),
    ),
}
"""What a learner can decide, and what takes it back."""


@pytest.mark.parametrize("what", CHANGES)
def test_a_decision_travels_and_what_takes_it_back_holds(homes: Homes, what: str) -> None:
    decide, take_back = CHANGES[what]

    def state(profile: Profile) -> Snapshot:
        return replace(held(profile), decisions=(), wordings=(), changes=())

    with two_learners(homes) as (here, there):
        before = state(here)
        decide(there)
        assert state(there) != before
        take(here, there)
        assert state(here) == state(there)
        take_back(here)
        assert state(here) == before
        take(here, there)  # which is older
        assert state(here) == before
        take(there, here)
        assert state(there) == before
        assert take(here, there).changes_nothing
        decide(there)
        take(here, there)
        assert replace(state(here), notes=()) == replace(state(there), notes=())
        assert [each.body for each in held(here).notes] == [each.body for each in held(there).notes]


def test_a_clock_that_is_behind_decides_later_all_the_same(homes: Homes) -> None:
    with two_learners(homes) as (here, there):
        there.clock = FixedClock(NOW + timedelta(days=400))
        item_actions.change(there, "s:1", ItemField.SUSPENDED, True)
        item_actions.edit(there, "s:1", "Why so?", "Theirs.")
        note = add_note(there, "Theirs.")
        take(here, there)
        item_actions.change(here, "s:1", ItemField.SUSPENDED, False)
        item_actions.edit(here, "s:1", "Why so?", "Ours.")
        edit_note(here, list_notes(here)[0].id, "Ours.")
        take(there, here)
        (item,) = (each for each in held(there).items if each.guid == "s:1")
        assert not item.suspended
        assert item.card is not None
        assert item.card.back == "Ours."
        assert show_note(there, note.id).body == "Ours."


def test_a_note_that_was_written_after_its_removal_elsewhere_stays(homes: Homes) -> None:
    with two_learners(homes) as (here, there):
        note = add_note(there, "First.")
        take(here, there)
        remove_note(here, list_notes(here)[0].id)
        there.clock = FixedClock(NOW + timedelta(days=1))
        edit_note(there, note.id, "Second.")
        take(here, there)
        take(there, here)
        assert [each.body for each in held(here).notes] == ["Second."]
        assert outcome(here.database) == outcome(there.database)


def test_settings_of_one_machine_stay_on_it(homes: Homes) -> None:
    with two_learners(homes) as (here, there):
        there.change_setting("editor", "ed")
        there.change_setting("minutes_per_day", "30")
        take(here, there)
        assert (here.settings.editor, here.settings.minutes_per_day) == ("", 30)


def test_two_concepts_joined_into_each_other_can_be_parted(homes: Homes) -> None:
    with two_learners(homes) as (here, there):
        board.merge(here, "masking", "heads")
        board.merge(there, "heads", "masking")
        take(here, there)
        take(there, here)
        assert outcome(here.database) == outcome(there.database)
        assert board.part(here, "masking") == "heads"
        take(there, here)
        assert [each.joined_into for each in held(there).concepts] == [None, None, None]


def test_a_choice_of_an_older_file_yields_to_any_decision(homes: Homes) -> None:
    old = start()
    old = replace(old, items=(replace(old.items[0], suspended=True), *old.items[1:]))
    with two_learners(homes) as (here, _):
        merge_into(here.database, old, refold)
        assert held(here).items[0].suspended
        item_actions.change(here, "s:1", ItemField.SUSPENDED, False)
        assert merge_into(here.database, old, refold).changes_nothing


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
