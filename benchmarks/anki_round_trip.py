"""A collection of Anki in, out, and in again: what arrives, how it is remembered, how fast.

    python -m benchmarks.anki_round_trip [--notes N]

The collection is made by the real Anki with its own scheduler (group `interop`): notes of every
kind, studied on several days, with cards that were reset and logs that lack their beginning. Memory
states are compared with those that Anki works out itself, tags, flags, marks, suspended and buried
cards and the files of pictures and sounds with those that come back to Anki, and every row of the
collection with itself after our package was imported into it; times of the whole
commands with those of Anki's own import and export of the same collection.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anki.collection  # noqa: F401 - before its parts, which import each other
from anki.cards import CardId
from anki.collection import Collection

from benchmarks._anki import export_package, import_package, make_collection
from studyattn.exchange.anki.reader import Package, read_package
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file
from studyattn.exchange.merge.merge_into import MergeReport
from studyattn.exchange.registry import ANKI
from studyattn.home import Home
from studyattn.memory import MemoryState, Remembered, Scheduler
from studyattn.store.database import Database, open_database
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.study.records import memories
from studyattn.study.review.rebuild import refold

Result = TypeVar("Result")
TURNS = 5


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many memory states agree with Anki's, and by how much the others do not."""

    compared: int
    apart: tuple[int, ...]
    """Numbers of Anki's cards whose stability or difficulty differs by more than 1e-4."""
    worst: float
    """The largest relative difference."""


def main() -> int:
    """Print the report; 0 when all memory states agree and nothing new comes back."""
    parser = argparse.ArgumentParser(description="Take a collection of Anki in, out, and in again.")
    parser.add_argument("--notes", type=int, default=5000)
    notes = parser.parse_args().notes
    with tempfile.TemporaryDirectory() as name:
        return _report(Path(name), notes)


def _report(folder: Path, notes: int) -> int:
    now = datetime.now(UTC)
    made, (collection, groups) = timed(lambda: make_collection(folder / "first.anki2", notes))
    with closing(collection), open_database(Home(folder / "home"), now=now) as database:
        print(f"made by Anki in {made:.1f} s: {counts_of(collection)}")
        package, back = folder / "first.apkg", folder / "ours.apkg"
        export_package(collection, package)
        report = import_file(database, package, ANKI, now, refold)
        _print_report("in", report)
        read = read_package(package, now)
        first = compare(collection, read, states_of(database))
        _print_agreement("memory states after the import, beside Anki's", first)
        for title, cards in (
            ("reset", groups.forgotten),
            ("truncated", groups.truncated),
            ("without a log", groups.without_log),
        ):
            print(f"  {title}: {len(set(cards) & set(first.apart))} of {len(cards)} apart")
        with database.read() as connection:
            held = load_snapshot(connection)
        media = database.home.media
        written = write_package(back, held, Scheduler(), media)
        print(f"out: {written}")
        changed, said = changed_by(collection, back)
        print(f"imported again where it came from, Anki says: {said}")
        print(f"  rows that differ: {changed or 'none'}")
        (folder / "later").mkdir()
        repeat, twice = folder / "later" / "first.apkg", folder / "later" / "ours.apkg"
        once_more = import_file(database, export_package(collection, repeat), ANKI, now, refold)
        _print_report("in once more", once_more)
        with database.read() as connection:
            write_package(twice, load_snapshot(connection), Scheduler(), media)
        equal = twice.read_bytes() == back.read_bytes()
        print(f"out once more: {'the same bytes' if equal else 'other bytes'}")
        with closing(Collection(str(folder / "second.anki2"))) as second:
            second.set_config("fsrs", True)
            import_package(second, back)
            print(f"in Anki: {counts_of(second)}")
            again = export_package(second, folder / "again.apkg")
            returned = read_package(again, now)
            third = compare(second, returned, states_of(database))
            _print_agreement("memory states in Anki after our export", third)
            lost = labels_lost((collection, read), (second, returned))
            print(f"tags, flags and so on that did not come back: {lost or 'none'}")
            files = [
                {e.name: e.read_bytes() for e in at.iterdir()} for at in (media, media_of(second))
            ]
            print(f"pictures and sounds: {len(files[0])} here, {len(files[1])} in Anki again")
        repeated = import_file(database, again, ANKI, now, refold)
        _print_report("in again", repeated)
    _compare_times(folder, (package, back))
    same = (
        equal
        and once_more.changes_nothing
        and repeated.changes_nothing
        and set(files[0].values()) == set(files[1].values())
    )
    return int(bool(first.apart or third.apart or lost or changed or not same))


def _compare_times(folder: Path, packages: tuple[Path, Path]) -> None:
    """Print the time of whole commands beside Anki's: medians of both, taken in turns.

    We import what Anki wrote, and Anki what we wrote; each into something without a card of it:
    ours into a home that was started once, so that its pack is there. Both export what they took.
    """
    package, back = packages
    here = [sys.executable, "-m"]
    stocked = folder / "stocked"
    _cost([*here, "studyattn", "--home", str(stocked), "due"])
    taken: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for number in range(TURNS):
        home, other = folder / f"home {number}", str(folder / f"empty {number}.anki2")
        shutil.copytree(stocked, home)
        ours = [*here, "studyattn", "--home", str(home)]
        for name, command in {
            "in": [*ours, "import", str(package), "--yes"],
            "Anki in": [*here, "benchmarks._anki", "import", other, str(back)],
            "out": [*ours, "export", "anki", "-o", str(home / "timed.apkg")],
            "Anki out": [*here, "benchmarks._anki", "export", other, str(folder / "theirs.apkg")],
        }.items():
            taken[name].append(_cost(command))
    for way in ("in", "out"):
        for kind, ours_took, theirs in zip(
            ("by the clock", "processor time"),
            map(statistics.median, zip(*taken[way], strict=True)),
            map(statistics.median, zip(*taken[f"Anki {way}"], strict=True)),
            strict=True,
        ):
            times = f"{ours_took:6.2f} s, Anki {theirs:6.2f} s: {ours_took / theirs:5.1f}×"
            print(f"{way:4} {kind:14} {times}")


def _cost(command: list[str]) -> tuple[float, float]:
    """Run a command; return its seconds by the clock, and of the processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
    clock, _ = timed(done)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


_ROWS = {
    "notes": "SELECT guid, mid, mod, tags, flds FROM notes",
    "cards": "SELECT nid, did, ord, type, queue, due, ivl, factor, reps, lapses, left, odue, odid,"
    " flags, data FROM cards",
    "revlog": "SELECT id, cid, ease, ivl, lastIvl, factor, time, type FROM revlog",
    "notetypes": "SELECT id, name, mtime_secs FROM notetypes",
    "decks": "SELECT id, name FROM decks",
}


def changed_by(collection: Collection, package: Path) -> tuple[dict[str, tuple[int, int]], str]:
    """Return how many rows a collection loses and gets when Anki imports a package into it.

    Also what Anki says of the notes.
    """
    assert collection.db is not None
    all_rows = collection.db.all
    before: list[set[Any]] = []
    after: list[set[Any]] = []
    said = ""
    for found in (before, after):
        found += [{*map(tuple, all_rows(query))} for query in _ROWS.values()]
        if found is before:
            said = import_package(collection, package)
    numbers = [(len(old - new), len(new - old)) for old, new in zip(before, after, strict=True)]
    named = zip(_ROWS, numbers, strict=True)
    return {name: each for name, each in named if each != (0, 0)}, said


def labels_lost(
    before: tuple[Collection, Package], after: tuple[Collection, Package]
) -> dict[str, tuple[int, int]]:
    """Return what is said of other cards than before, with the numbers of cards."""
    said = ("is:suspended", "is:buried", "tag:marked")
    queries = [*said, *(f"tag:chapter::{number}" for number in range(12))]
    queries += [f"flag:{number}" for number in range(8)]
    lost = {}
    for query in queries:
        sides = [
            {package.guids[each] for each in collection.find_cards(query) if each in package.guids}
            for collection, package in (before, after)
        ]
        if sides[0] != sides[1]:
            lost[query] = (len(sides[0]), len(sides[1]))
    return lost


def media_of(collection: Collection) -> Path:
    """Return the folder of a collection's pictures and sounds."""
    return Path(collection.media.dir())


def compare(
    collection: Collection, package: Package, states: Mapping[str, MemoryState]
) -> Agreement:
    """Compare the memory of every card with what Anki works out from its log."""
    apart: list[int] = []
    worst = 0.0
    for number, guid in package.guids.items():
        theirs: Any = collection.compute_memory_state(CardId(number))
        if theirs.stability is None:  # of a card without a log Anki knows what the card itself says
            theirs = collection.card_stats_data(CardId(number)).memory_state
        ours = states[guid]
        if isinstance(ours, Remembered) and theirs.stability:
            difference = max(
                abs(theirs.stability / ours.stability - 1),
                abs(theirs.difficulty / ours.difficulty - 1),
            )
        else:
            difference = float(isinstance(ours, Remembered) or bool(theirs.stability))
        worst = max(worst, difference)
        if difference > 1e-4:
            apart.append(number)
    return Agreement(len(package.guids), tuple(apart), worst)


def states_of(database: Database) -> dict[str, MemoryState]:
    """Return the memory of every item, by guid."""
    with database.read() as connection:
        return memories(connection)


def counts_of(collection: Collection) -> str:
    """Return the numbers of a collection's notes, cards and answers."""
    assert collection.db is not None
    answers = collection.db.scalar("SELECT count() FROM revlog WHERE ease > 0")
    notes, cards = collection.note_count(), collection.card_count()
    return f"{notes} notes, {cards} cards, {answers} answers"


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Return the seconds that `work` takes, and its result."""
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def _print_report(title: str, report: MergeReport) -> None:
    lines = list(report.lines())
    print(f"{title}: {lines[0]}")
    for line in _headings(lines[1:]):
        print(f"  {line}")


def _headings(lines: Iterable[str]) -> Iterable[str]:
    return (line for line in lines if not line.startswith("    "))


def _print_agreement(title: str, found: Agreement) -> None:
    print(
        f"{title}: {found.compared - len(found.apart)} of {found.compared} within 1e-4,"
        f" worst {found.worst:.1e}"
    )


if __name__ == "__main__":
    sys.exit(main())
