"""Machines that meet in a folder: nothing is lost, whatever the folder does to the files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.sync_histories import GUIDS, beginning, run, run_kills
from studyattn.errors import InputError
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.sync import SyncReport, sync
from studyattn.memory import Rating
from studyattn.store.database import open_database
from studyattn.store.queries.items import CardWording, ItemField
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import Snapshot
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.notes.notes import add_note, list_notes, put_back, remove_note
from studyattn.study.profile import Profile
from studyattn.study.review import batch, item_actions
from studyattn.study.review.rebuild import refold
from tests.exchange.homes import NOW, Homes


@contextmanager
def machines(homes: Homes, folder: Path) -> Iterator[tuple[Profile, Profile]]:
    """Two machines that begin with the same and have met once."""
    folder.mkdir()
    with homes.new() as first, homes.new() as second:
        merge_into(first, beginning(), refold)
        here, there = (Profile(each.home, each, FixedClock(NOW)) for each in (first, second))
        for each in (here, there, here, there):
            meet(each, folder)
        yield here, there


def meet(profile: Profile, folder: Path) -> SyncReport:
    assert isinstance(profile.clock, FixedClock)
    profile.clock.advance(timedelta(minutes=1))
    report = sync(profile.database, folder, refold)
    profile.reload()
    return report


def held(profile: Profile) -> Snapshot:
    with profile.database.read() as connection:
        return load_snapshot(connection)


def test_histories_of_three_machines_end_in_one_state() -> None:
    outcome = run(2, first=1000)
    assert not outcome.apart
    assert min(outcome.late, outcome.half, outcome.twice) > 0


def test_a_sync_that_is_killed_loses_nothing() -> None:
    assert run_kills(3)[1] == []


def test_a_sync_writes_and_reads_only_what_is_new(homes: Homes, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        assert meet(here, folder).written == 0
        batch.answer(here, "s:1", Rating.GOOD)
        assert meet(here, folder).written == 1
        taken = meet(there, folder)
        assert (taken.taken, taken.written, taken.changed) == (1, 0, True)
        nothing = meet(there, folder)
        assert (nothing.taken, nothing.written, nothing.changed) == (0, 0, False)
        assert held(there) == held(here)


def test_a_torn_line_waits_for_its_end(homes: Homes, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        batch.answer(here, "s:1", Rating.GOOD)
        batch.answer(here, "s:2", Rating.GOOD)
        path = folder / meet(here, folder).file
        whole = path.read_bytes()
        path.write_bytes(whole[:-7])
        assert meet(there, folder).taken == 1
        path.write_bytes(whole)
        assert meet(there, folder).taken == 1
        assert held(there) == held(here)


def test_a_line_that_does_not_fit_is_told_and_holds_up_no_other_file(
    homes: Homes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        item_actions.change(here, "s:1", ItemField.SUSPENDED, True)
        meet(here, folder)
        bad = folder / "0.jsonl"
        bad.write_text('{"type": "studyattn", "schema": 2}\n{"type": "poem"}\n')
        report = meet(there, folder)
        assert len(report.problems) == 1
        assert f"{bad}:2" in report.problems[0]
        assert held(there).items[0].suspended


def test_a_file_that_cannot_be_read_is_told_and_holds_up_no_other_file(
    homes: Homes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        item_actions.change(here, "s:1", ItemField.SUSPENDED, True)
        meet(here, folder)
        bad = [folder / "0.jsonl", folder / "00.jsonl"]
        bad[0].mkdir()
        bad[1].symlink_to(tmp_path / "gone.jsonl")
        report = meet(there, folder)
        assert [each.partition(": ")[0] for each in report.problems] == [str(each) for each in bad]
        assert held(there).items[0].suspended


def test_a_copied_home_and_a_folder_put_back_begin_a_file_of_their_own(
    homes: Homes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        first = meet(here, folder).file
        before = (folder / first).read_bytes()
        batch.answer(here, "s:1", Rating.GOOD)
        meet(here, folder)
        copy = tmp_path / "copy"
        shutil.copytree(here.home.root, copy)
        with open_database(type(here.home)(copy), now=NOW) as database:
            copied = Profile(database.home, database, FixedClock(NOW))
            batch.answer(copied, "s:2", Rating.GOOD)
            assert meet(copied, folder).file != first
        (folder / first).write_bytes(before)
        again = meet(here, folder)
        assert again.file != first
        meet(there, folder)
        assert held(there) == held(here)
        assert {each.item_guid for each in held(there).reviews} == {"s:1", "s:2"}


def test_a_note_put_back_between_two_syncs_comes_back_where_it_was_removed(
    homes: Homes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        add_note(here, "A thought.")
        meet(here, folder)
        meet(there, folder)
        remove_note(there, list_notes(there)[0].id)
        meet(there, folder)
        assert isinstance(here.clock, FixedClock)
        here.clock.advance(timedelta(hours=1))
        put_back(here, remove_note(here, list_notes(here)[0].id))
        for each in (here, there, here):
            meet(each, folder)
        assert [note.body for note in held(there).notes] == ["A thought."]
        assert held(there) == held(here)


def test_a_sync_needs_a_folder(homes: Homes, tmp_path: Path) -> None:
    with homes.new() as database, pytest.raises(InputError, match="there is no folder"):
        sync(database, tmp_path / "nowhere", refold)


def test_the_command_syncs_with_the_folder_of_the_setting(homes: Homes, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, _):
        here.change_setting("sync_folder", str(folder))
        report = meet(here, folder)
        lines = (folder / report.file).read_text().splitlines()
    assert json.loads(lines[0]) == {"type": "studyattn", "schema": 2}
    assert all(guid in "".join(lines) for guid in GUIDS)
    assert "sync_folder" not in "".join(lines)


def test_a_state_and_a_wording_changed_back_before_the_next_sync_travel(
    homes: Homes, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    with machines(homes, folder) as (here, there):
        board.set_state(there, "masking", "known")
        item_actions.edit(there, "s:1", "Why so?", "So.")
        meet(there, folder)
        meet(here, folder)
        board.set_state(here, "masking", "unseen")
        item_actions.restore_text(here, "s:1", CardWording("Why?", "Because.", None))
        for each in (here, there, here, there, here):
            meet(each, folder)
        assert held(there) == held(here)
        card = held(there).items[0].card
        assert card is not None
        assert (card.front, card.edited_at) == ("Why?", None)
        assert {each.state for each in held(there).concepts} == {"unseen"}
