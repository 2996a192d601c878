"""What may be a million rows is never held whole, and of two homes only what differs is read."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from studyattn.errors import DocumentError
from studyattn.exchange.export_file import export_to
from studyattn.exchange.import_file import import_file
from studyattn.exchange.json_lines import write_lines
from studyattn.exchange.merge.merge_into import merge_database, merge_into
from studyattn.exchange.registry import JSON_LINES
from studyattn.exchange.sync import sync
from studyattn.memory import Scheduler
from studyattn.store.database import Database
from studyattn.store.log_values import LogRow
from studyattn.store.queries.difference import different
from studyattn.store.queries.snapshot import log_row
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    ReviewRecord,
    Snapshot,
)
from studyattn.study.review.rebuild import check_database, refold
from tests.exchange.homes import NOW, Homes

FEW, MANY = 300, 2000
MORE_THAN_A_PART = 5100  # reviews


@dataclass(frozen=True)
class Log:
    """So many reviews, made as they are taken."""

    length: int

    def __iter__(self) -> Iterator[LogRow]:
        return (log_row(_review(number)) for number in range(self.length))


def _review(number: int) -> ReviewRecord:
    at = NOW + timedelta(minutes=number)
    return ReviewRecord(
        *(f"review {number:06}", f"own:{number % 50}", "good", None, at, 0, at.date(), 3.5),
        "learner",
    )


def _things() -> Snapshot:
    concept = ConceptRecord("c", "C", "unseen", "", None, None, None, 0, False, False, ())
    items = tuple(
        ItemRecord(
            *(f"own:{number}", "card", "c", None, None, number, NOW, False, False, False, None),
            CardRecord("basic", f"Why {number}?", "So.", None, {}, "", None, None),
        )
        for number in range(50)
    )
    notes = tuple(
        NoteRecord(f"note {number}", "", f"Text {number}", None, None, None, NOW, NOW)
        for number in range(9)
    )
    return Snapshot(concepts=(concept,), items=items, notes=notes)


def fill(database: Database, length: int) -> None:
    merge_into(database, _things(), refold, log=Log(length))


def peak(work: Callable[[], object]) -> int:
    """Return the bytes that `work` had at most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_export_takes_no_more_memory_for_a_longer_log(homes: Homes, tmp_path: Path) -> None:
    taken = []
    for length in (FEW, FEW, MANY):  # the first imports what it needs
        with homes.new() as database:
            fill(database, length)
            path = tmp_path / "all.jsonl"
            taken.append(peak(lambda: export_to(database, Scheduler(), JSON_LINES, path)))  # noqa: B023 - called at once
            assert path.read_text("utf-8").count('"type": "review"') == length
    assert taken[2] - taken[1] < 500 * (MANY - FEW)  # a record and its texts have more


def test_a_sync_takes_no_more_memory_for_a_longer_log(homes: Homes, tmp_path: Path) -> None:
    taken = []
    for turn, length in enumerate((FEW, FEW, MANY)):  # the first imports what it needs
        folder = tmp_path / str(turn)
        folder.mkdir()
        with homes.new() as database:
            fill(database, length)
            taken.append(peak(lambda: sync(database, folder, refold)))  # noqa: B023 - called at once
            (file,) = folder.glob("*.jsonl")
            assert file.read_text("utf-8").count('"type": "review"') == length
            assert sync(database, folder, refold).written == 0
    assert taken[2] - taken[1] < 500 * (MANY - FEW)


def test_a_file_and_a_home_of_many_parts_come_in_whole(homes: Homes, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    with homes.new() as first, homes.new() as second, homes.new() as third:
        fill(first, MORE_THAN_A_PART)
        export_to(first, Scheduler(), JSON_LINES, path)
        report = import_file(second, path, JSON_LINES, NOW, refold)
        assert report.added["reviews"] == MORE_THAN_A_PART
        assert merge_database(third, first, refold).added == report.added
        for database in (second, third):
            assert not check_database(database.home)
            assert import_file(database, path, JSON_LINES, NOW, refold).changes_nothing
            assert merge_database(database, first, refold).changes_nothing


def test_of_two_homes_only_what_differs_is_read(homes: Homes) -> None:
    with homes.new() as first, homes.new() as second:
        for database in (first, second):
            fill(database, FEW)
        merge_into(second, Snapshot(), refold, log=[log_row(_review(n)) for n in (FEW, FEW + 1)])
        note = replace(_things().notes[3], body="Other", updated_at=NOW + timedelta(days=1))
        merge_into(second, Snapshot(notes=(note,)), refold)
        with second.read() as theirs, first.read() as ours:
            read, log = different(theirs, ours)
            assert list(log) == [log_row(_review(n)) for n in (FEW, FEW + 1)]
        assert (read.items, read.reviews, read.notes) == ((), (), (note,))


def test_two_reviews_of_one_name_in_a_file_are_refused_by_their_line(
    homes: Homes, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    lines = list(write_lines(replace(_things(), reviews=tuple(map(_review, range(3))))))
    path.write_text("\n".join([*lines, lines[-2]]), "utf-8")
    with homes.new() as database:
        with pytest.raises(DocumentError, match=r"two of review 'review 000001'") as refused:
            import_file(database, path, JSON_LINES, NOW, refold)
        assert refused.value.where == f"{path}:{len(lines) + 1}"
