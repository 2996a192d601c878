"""Kills processes that write, at random moments, and looks whether anything is lost or half done.

    python -m benchmarks.kills --kills 50
    python -m benchmarks.kills --kills 50 "pack sync" migration

Each scenario has a home, of which every run gets a copy, and a piece of work that a process of its
own carries out there. SIGKILL hits it at a random moment. Then the home is opened as the next start
would: what was acknowledged must be there, every part of the work is done whole or not at all, the
checks of `db check` are clean, and the work can be done again. A sync is killed by
`sync_histories`, answering by `crash`; both are run here too.
"""

from __future__ import annotations

import argparse
import multiprocessing.connection
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from benchmarks import crash, recovery, sync_histories
from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.import_file import import_file
from studyattn.exchange.registry import ANKI
from studyattn.home import Home
from studyattn.memory import Scheduler
from studyattn.packs.installed import sync_installed
from studyattn.store import backup, backup_files
from studyattn.store.database import open_database
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.recovery import recover
from studyattn.store.salvage import Salvaged, salvage
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    ItemRecord,
    ReviewRecord,
    Snapshot,
)
from studyattn.study.clock import FixedClock
from studyattn.study.notes.edit_session import NoteEditSession
from studyattn.study.notes.notes import list_notes
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.profile import open_profile
from studyattn.study.review.rebuild import check_database, refold

NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)
CARDS = 300  # of the Anki package
DRILL = "softmax"
KEEP_EVERY = 5  # saves of a drill; then its code is kept as a version too
LONGEST = 0.5  # seconds until the kill of work that never ends
OLD_HOME = Path(__file__).parents[1] / "tests" / "homes" / "0.1.0.zip"

Acknowledge = Callable[[int], None]
"""Says, from the process that is killed, that the part of the work with this number is done."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What was wrong after a kill."""

    lost: Sequence[str] = ()
    half_done: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A piece of work that is killed."""

    name: str
    prepare: Callable[[Home], None]
    """Makes the home of which each run gets a copy."""
    work: Callable[[Home, Acknowledge], None]
    examine: Callable[[Home, Home, int], Findings]
    """Looks at a home after the kill, beside the one that was prepared, and the last number that
    was acknowledged, -1 for none."""
    ends: bool = True


@dataclass(slots=True)
class Outcome:
    """What the kills of one scenario came to."""

    name: str
    kills: int = 0
    hit: int = 0  # of them, while the process was at work
    acknowledged: int = 0
    lost: int = 0
    half_done: int = 0

    def __str__(self) -> str:
        return (
            f"{self.name:16} {self.kills:6} {self.hit:12} {self.acknowledged:13}"
            f" {self.lost:18} {self.half_done:10}"
        )


# -- an import of an Anki package ------------------------------------------------------------------


def _prepare_import(home: Home) -> None:
    home.root.mkdir(parents=True)
    open_database(home, now=NOW).close()
    write_package(home.root / "deck.apkg", _deck(), Scheduler())


def _deck() -> Snapshot:
    concept = ConceptRecord("deck", "Deck", "unseen", "", None, None, None, 0, False, False, ())
    first = NOW - timedelta(days=100)
    items, reviews = [], []
    for number in range(CARDS):
        card = CardRecord("basic", f"Why {number}?", "Because.", None, {}, "", None, None)
        guid = f"own:{number}"
        items.append(
            ItemRecord(
                guid, "card", "deck", None, None, number, first, False, False, False, None, card
            )
        )
        for review in range(4):
            at = first + timedelta(days=review * 9, seconds=number)
            reviews.append(
                ReviewRecord(
                    f"{number}-{review}", guid, "good", None, at, 0, at.date(), 3.0, "learner"
                )
            )
    return Snapshot(concepts=(concept,), items=tuple(items), reviews=tuple(reviews))


def _import(home: Home, acknowledge: Acknowledge) -> None:
    with open_database(home, now=NOW) as database:
        import_file(database, home.root / "deck.apkg", ANKI, NOW, refold)
    acknowledge(0)


def _examine_import(home: Home, _: Home, acknowledged: int) -> Findings:
    counts = _counts(home)
    whole = counts == (CARDS, 4 * CARDS)
    lost = ["the package"] if acknowledged == 0 and not whole else []
    half = [] if whole or counts == (0, 0) else [f"{counts} items and reviews"]
    half += check_database(home)
    _import(home, lambda _: None)
    if _counts(home) != (CARDS, 4 * CARDS):
        half.append(f"after a second import {_counts(home)} items and reviews")
    return Findings(lost, half)


def _counts(home: Home) -> tuple[int, int]:
    with open_database(home, now=NOW) as database, database.read() as connection:
        held = load_snapshot(connection)
    return len(held.items), len(held.reviews)


# -- a sync of the packs ---------------------------------------------------------------------------


def _prepare_packs(home: Home) -> None:
    home.root.mkdir(parents=True)
    open_database(home, now=NOW).close()


def _sync_packs(home: Home, acknowledge: Acknowledge) -> None:
    with open_database(home, now=NOW) as database:
        sync_installed(database, NOW)
    acknowledge(0)


def _examine_packs(home: Home, prepared: Home, acknowledged: int) -> Findings:
    before = _items_of_packs(home)
    half = check_database(home)
    _sync_packs(home, lambda _: None)
    with open_database(home, now=NOW) as database, database.read() as connection:
        held = load_snapshot(connection)
    whole = Home(prepared.root.with_name("whole"))
    if not whole.root.exists():
        shutil.copytree(prepared.root, whole.root)
        _sync_packs(whole, lambda _: None)
    with open_database(whole, now=NOW) as database, database.read() as connection:
        wanted = load_snapshot(connection)
    all_of = _items_of_packs(whole)
    half += [
        f"{pack}: {count} of {all_of[pack]} items"
        for pack, count in before.items()
        if count != all_of[pack]
    ]
    if (held.items, held.concepts) != (wanted.items, wanted.concepts):
        half.append("the next sync comes to something else")
    lost = sorted(all_of.keys() - before.keys()) if acknowledged == 0 else []
    return Findings(lost, half)


def _items_of_packs(home: Home) -> Counter[str]:
    """Return the number of items by pack: each is synced whole or not at all."""
    with open_database(home, now=NOW) as database, database.read() as connection:
        return Counter(each.guid.partition(":")[0] for each in load_snapshot(connection).items)


# -- a migration -----------------------------------------------------------------------------------


def _prepare_migration(home: Home) -> None:
    with zipfile.ZipFile(OLD_HOME) as archive:
        archive.extractall(home.root.parent)
    (home.root.parent / "home").rename(home.root)


def _migrate(home: Home, acknowledge: Acknowledge) -> None:
    open_database(home, now=NOW).close()
    acknowledge(0)


def _examine_migration(home: Home, prepared: Home, _: int) -> Findings:
    _migrate(home, lambda _: None)
    before, after = _logged(prepared), _logged(home)
    half = check_database(home)
    half += [f"{path.name} is left over" for path in home.root.glob(".studyattn*")]
    old = {each.path.name for each in backup_files.list_backups(prepared)}
    half += [
        f"the backup {each.path.name} is not what was there"
        for each in backup_files.list_backups(home)
        if each.path.name not in old and _logged(home, each.path) != before
    ]
    return Findings(sorted(before - after), half)


def _logged(home: Home, database: Path | None = None) -> set[str]:
    """Return what names the rows of the logs, read without the program."""
    with closing(sqlite3.connect(database or home.database)) as connection:
        found = set()
        for table in ("review", "attempt", "practice_step"):
            rows = connection.execute(f"SELECT count(*), min(id), max(id) FROM {table}")  # noqa: S608 - ours
            found.add(f"{table}: {rows.fetchone()}")
        found |= {str(row) for row in connection.execute("SELECT title, body FROM note")}
        return found


# -- typing a note ---------------------------------------------------------------------------------


def _type(home: Home, acknowledge: Acknowledge) -> None:
    clock = FixedClock(NOW)
    with open_profile(home, clock) as profile:
        notes = list_notes(profile)
        session = NoteEditSession(profile, notes[0].id if notes else None)
        for number in count():
            clock.advance(timedelta(seconds=2))
            session.save("A thought", _text(number))
            acknowledge(number)


def _text(number: int) -> str:
    return f"Thought {number}.\n" + "Softmax of it. " * 200 + f"End of {number}."


def _number(text: str) -> int | None:
    """Return the number of a whole text of `_text`; None for anything else."""
    digits = text.partition(".")[0].rpartition(" ")[2]
    return int(digits) if digits.isdigit() and text == _text(int(digits)) else None


def _after(saved: str | None, acknowledged: int) -> Findings:
    """Compare the text that is there with the last one that was acknowledged, or its successor."""
    if saved is None:
        return Findings(() if acknowledged < 0 else ("all of the text",))
    number = _number(saved)
    if number is None:
        return Findings(half_done=(f"a text of {len(saved)} characters",))
    if number not in {acknowledged, acknowledged + 1}:
        return Findings((f"{number} is there, {acknowledged} was acknowledged",))
    return Findings()


def _examine_note(home: Home, _: Home, acknowledged: int) -> Findings:
    with open_profile(home, FixedClock(NOW)) as profile:
        bodies = [note.body for note in list_notes(profile)]
    found = _after(bodies[0] if bodies else None, acknowledged)
    more = [f"{len(bodies)} notes"] if len(bodies) > 1 else []
    return Findings(found.lost, (*found.half_done, *more, *check_database(home)))


# -- saving a drill --------------------------------------------------------------------------------


def _prepare_pack_home(home: Home) -> None:
    _prepare_packs(home)
    _sync_packs(home, lambda _: None)


def _save_drill(home: Home, acknowledge: Acknowledge) -> None:
    with open_profile(home, FixedClock(NOW)) as profile, PracticeSession(profile, DRILL) as session:
        for number in count():
            session.save(_text(number))
            if number % KEEP_EVERY == 0:
                session.keep(_text(number))
            acknowledge(number)


def _examine_drill(home: Home, _: Home, acknowledged: int) -> Findings:
    file = home.drills / f"{DRILL}.py"
    text = file.read_text(encoding="utf-8") if file.exists() else None
    if acknowledged < 0 and text is not None and _number(text) is None:
        text = None  # the starter
    found = _after(text, acknowledged)
    with open_profile(home, FixedClock(NOW)) as profile, PracticeSession(profile, DRILL) as session:
        kept = {version.code for version in session.history()}
    lost = [
        f"version {number}"
        for number in range(0, acknowledged + 1, KEEP_EVERY)
        if _text(number) not in kept
    ]
    half = [f"a version of {len(code)} characters" for code in kept if _number(code) is None]
    return Findings((*found.lost, *lost), (*found.half_done, *half, *check_database(home)))


# -- restoring and recovering ----------------------------------------------------------------------


def _prepare_damage(home: Home) -> None:
    recovery.make_home(home.root, answers=600, with_pack=True)
    data = bytearray(home.database.read_bytes())
    data[recovery.PAGE * 5 : recovery.PAGE * 6] = bytes(recovery.PAGE)
    home.database.write_bytes(data)


def _recover(home: Home, acknowledge: Acknowledge) -> None:
    recover(home, recovery.derive, now=recovery.NOW)
    acknowledge(0)


def _restore(home: Home, acknowledge: Acknowledge) -> None:
    if check_database(home):
        newest = backup_files.newest_good(home)
        assert newest is not None
        backup.restore(home, newest.path, now=recovery.NOW)
    acknowledge(0)


def _examine_recovery(home: Home, prepared: Home, _: int) -> Findings:
    _recover(home, lambda _: None)
    return _everything_is_somewhere(home, prepared)


def _examine_restore(home: Home, prepared: Home, _: int) -> Findings:
    _restore(home, lambda _: None)
    return _everything_is_somewhere(home, prepared)


def _everything_is_somewhere(home: Home, prepared: Home) -> Findings:
    """Look for each row of the damaged home in the database and in the files that were kept."""
    half = check_database(home)
    half += [f"{path.name} is left over" for path in home.root.glob(".studyattn*")]
    half += [f"{path.name} is left over" for path in home.root.glob("studyattn.db-new")]
    there = set(recovery.rows_of(home.database))
    for kept in home.root.glob("studyattn.db.damaged-*Z*"):
        if not kept.name.endswith(("-wal", "-shm")):
            there |= _salvaged(kept, home.root.parent)
    return Findings(
        [str(name) for name in _salvaged(prepared.database, home.root.parent) - there], half
    )


def _salvaged(database: Path, folder: Path) -> set[tuple[str, str]]:
    """Return the names of the rows that are left in a file and its log."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        copy = Path(scratch) / "kept.db"
        log = copy.with_name("kept.db-wal")
        shutil.copyfile(database, copy)
        with suppress(FileNotFoundError):
            shutil.copyfile(database.with_name(f"{database.name}-wal"), log)
        with closing(sqlite3.connect(":memory:")) as connection:
            found = Salvaged(connection, copy.with_name("salvaged.db"))
            salvage(copy, log, found)
            return {
                (name, str(row.text(key)))
                for name, key in recovery.KEYS.items()
                for row in found.rows(name)
            }


SCENARIOS = (
    Scenario("restore", _prepare_damage, _restore, _examine_restore),
    Scenario("recover", _prepare_damage, _recover, _examine_recovery),
    Scenario(".apkg import", _prepare_import, _import, _examine_import),
    Scenario("pack sync", _prepare_packs, _sync_packs, _examine_packs),
    Scenario("migration", _prepare_migration, _migrate, _examine_migration),
    Scenario("note typing", _prepare_packs, _type, _examine_note, ends=False),
    Scenario("saving a drill", _prepare_pack_home, _save_drill, _examine_drill, ends=False),
)


def run(scenario: Scenario, kills: int, folder: Path, seed: int = 0) -> Outcome:
    """Kill a scenario's work, and print what was wrong after it."""
    draw = random.Random(seed)
    prepared = Home(folder / scenario.name.replace(" ", "-") / "prepared")
    prepared.root.parent.mkdir()
    scenario.prepare(prepared)
    outcome = Outcome(scenario.name)
    longest = LONGEST
    if scenario.ends:
        timed = Home(prepared.root.with_name("timed"))
        shutil.copytree(prepared.root, timed.root)
        began = time.perf_counter()
        _kill(scenario, timed, None)
        longest = time.perf_counter() - began
    for number in range(kills):
        home = Home(prepared.root.with_name(str(number)))
        shutil.copytree(prepared.root, home.root)
        # Every other process whose work never ends is left alone until it acknowledged something.
        first = not scenario.ends and number % 2 == 1
        hit, acknowledged = _kill(scenario, home, draw.uniform(0, longest), first=first)
        found = scenario.examine(home, prepared, acknowledged)
        outcome.kills += 1
        outcome.hit += hit
        outcome.acknowledged += acknowledged + 1
        outcome.lost += len(found.lost)
        outcome.half_done += len(found.half_done)
        for problem in (*found.lost[:3], *found.half_done[:3]):
            print(f"  {scenario.name}, kill {number}: {problem}")
        shutil.rmtree(home.root)
    return outcome


def _kill(
    scenario: Scenario, home: Home, after: float | None, *, first: bool = False
) -> tuple[bool, int]:
    """Carry out the work in a process and kill it after so many seconds, or let it end.

    With `first` they are counted from the first number that it acknowledges.
    Return whether it was still at work, and the last number that it acknowledged.
    """
    context = get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_carry_out, args=(scenario, home, writing), daemon=True)
    process.start()
    writing.close()
    received = bytearray()
    while received.count(b"\n") <= first and (chunk := os.read(reading.fileno(), 1)):
        received += chunk
    hit = False
    if after is not None:
        process.join(after)
        hit = process.is_alive()
        if process.pid is not None and hit:
            os.kill(process.pid, signal.SIGKILL)
    while chunk := os.read(reading.fileno(), 1 << 16):
        received += chunk
    process.join()
    reading.close()
    numbers = bytes(received).split(b"\n")[1:-1]  # a line that the kill cut was not acknowledged
    return hit, int(numbers[-1]) if numbers else -1


def _carry_out(scenario: Scenario, home: Home, pipe: multiprocessing.connection.Connection) -> None:
    os.write(pipe.fileno(), b"\n")

    def acknowledge(number: int) -> None:
        os.write(pipe.fileno(), f"{number}\n".encode())

    scenario.work(home, acknowledge)


def _sync(kills: int) -> Outcome:
    hit, wrong = sync_histories.run_kills(kills)
    return Outcome("sync", kills, hit, 0, len(wrong), 0)


def _answering(kills: int, folder: Path) -> Outcome:
    found = crash.run(kills, folder, seed=0)
    return Outcome(
        "answering", kills, kills, found.acknowledged, len(found.lost), len(found.findings)
    )


def main() -> int:
    """Print the outcome of each scenario, or of those that are named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="SCENARIO")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--answering", type=int, default=1000, help="kills during answering")
    chosen = parser.parse_args()
    print(f"{'':16} {'kills':>6} {'while at work':>12} {'acknowledged':>13}", end="")
    print(f" {'acknowledged lost':>18} {'half done':>10}", flush=True)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="studyattn-kills-") as made:
        folder = Path(made)
        works: dict[str, Callable[[], Outcome]] = {
            each.name: partial(run, each, chosen.kills, folder) for each in SCENARIOS
        }
        works["sync"] = partial(_sync, chosen.kills)
        works["answering"] = partial(_answering, chosen.answering, folder / "answering")
        for name, work in works.items():
            if not chosen.names or name in chosen.names:
                began = time.perf_counter()
                outcomes.append(work())
                print(f"{outcomes[-1]}  {time.perf_counter() - began:.0f} s", flush=True)
    return int(any(each.lost or each.half_done for each in outcomes))


if __name__ == "__main__":
    raise SystemExit(main())
