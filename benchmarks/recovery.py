"""Damages copies of a home, recovers each, and counts what came back.

    python -m benchmarks.recovery --copies 500

The home has answers, undone answers, attempts, notes and decisions; the last of them are in its log
(`-wal`) alone, as a crash leaves it, and its newest backup has only the first half. Each copy is
damaged in another way: bytes, pages, the schema, text, an end cut off, the log torn, or all of it
written over. Then every command must answer in one line, and `db recover` must bring back each row
that SQLite itself still reads from the damaged copy when it is asked row by row.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import random
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import insert

from studyattn.home import Home
from studyattn.packs.installed import sync_installed
from studyattn.store import backup, backup_files, salvage
from studyattn.store.database import Database, open_database
from studyattn.store.database_file import examine_file
from studyattn.store.log_values import read_uuid
from studyattn.store.models import (
    AttemptRow,
    ConceptChangeRow,
    ConceptRow,
    ItemRow,
    MemoryStartRow,
    NoteRow,
    PracticeStepRow,
    ReviewRow,
    WordingRow,
)
from studyattn.store.queries.items import MEMORY_COLUMNS
from studyattn.store.recovery import Derive, recover
from studyattn.study.review.rebuild import check_database, refold

PAGE = 4096
ITEMS = 40
MOST_ROWS = 700  # of one table
BEGAN = datetime(2026, 11, 1, 8, tzinfo=UTC)
NOW = BEGAN + timedelta(days=20)
COMMANDS = (("db", "check"), ("due",), ("items",), ("stats",))

_DERIVED = MEMORY_COLUMNS | {"id", "forgotten_at"}
KEYS: Mapping[str, str] = {
    "review": "uuid",
    "attempt": "uuid",
    "practice_step": "uuid",
    "concept_change": "reason",
    "wording": "title",
    "note": "guid",
    "item": "guid",
    "concept": "slug",
    "memory_start": "item_guid",
}
Rows = dict[tuple[str, str], tuple[Any, ...]]
"""Rows by table and name, without the numbers by which they refer to each other."""


@dataclass(frozen=True, slots=True)
class Copy:
    """What came of one damaged copy."""

    harm: str
    sound: bool  # the damage was nowhere that anything is read from
    readable: int  # rows of the home that SQLite still read from the copy
    lost: tuple[str, ...]  # those of them that are not in the result
    recovered: int  # rows of the home that are in the result
    problems: tuple[str, ...]  # answers that were no answer, and findings after the recovery


# -- a home ----------------------------------------------------------------------------------------


def make_home(folder: Path, *, answers: int, with_pack: bool) -> Home:
    """Make a home that a crash has left: half of it in its backup, the end only in its log."""
    working = Home(folder.with_name(f"{folder.name}-working"))
    with open_database(working, now=BEGAN) as database:
        if with_pack:
            sync_installed(database, BEGAN)
        _add_cards(database)
        for number in range(answers):
            if number == answers // 2:
                with database.write() as connection:
                    refold(connection)
                backup.make(working, now=BEGAN + timedelta(minutes=number))
            if number == answers * 3 // 4:
                with database.read() as connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            _live_on(database, number)
        shutil.copytree(working.root, folder)
    shutil.rmtree(working.root)
    return Home(folder)


def _add_cards(database: Database) -> None:
    with database.write() as connection:
        connection.execute(insert(ConceptRow).values(slug="own-concept", title="Masks ∞"))
        concept = connection.exec_driver_sql("SELECT max(id) FROM concept").scalar_one()
        connection.execute(
            insert(ItemRow),
            [
                {
                    "guid": f"own:{number}",
                    "kind": "drill",
                    "concept_id": concept,
                    "created_at": BEGAN,
                }
                for number in range(ITEMS)
            ],
        )
        # Learned elsewhere before its log began.
        start = {"at": BEGAN, "utc_offset": 60, "learner_day": BEGAN.date(), "interval": 12.5}
        connection.execute(insert(MemoryStartRow).values(item_guid="own:0", **start))


def answer_uuid(number: int) -> str:
    """Return the UUID of the n-th answer: of version 7, made a second after the one before."""
    milliseconds = int(BEGAN.timestamp() + number) * 1000
    scattered = number * 0x9E3779B97F4A7C15 % (1 << 62)
    return str(UUID(int=milliseconds << 80 | 7 << 76 | 0b10 << 62 | scattered))


def _live_on(database: Database, number: int) -> None:
    """One transaction: an answer, sometimes taken back, and now and then something longer."""
    at = BEGAN + timedelta(minutes=number)
    when = {"at": at, "utc_offset": 60, "learner_day": at.date()}
    guid = f"own:{number % ITEMS}"
    with database.write() as connection:
        undo = number % 9 == 8
        what = {
            "rating": None if undo else number % 4 + 1,
            "withdraws": answer_uuid(number - 1) if undo else None,
        }
        uuid = answer_uuid(number)
        connection.execute(
            insert(ReviewRow).values(uuid=uuid, item_guid=guid, origin="learner", **when, **what)
        )
        if number % 10 == 3:
            code = f"def attention_{number}():\n" + f"    return {number} * 'ü'\n" * (number * 3)
            connection.execute(
                insert(AttemptRow).values(
                    uuid=f"attempt-{number}",
                    item_guid=guid,
                    code=code,
                    backend="numpy",
                    device="cpu",
                    verdict="failed",
                    report={"cases": [number, "NaN"]},
                    **when,
                )
            )
            connection.execute(
                insert(PracticeStepRow).values(
                    uuid=f"step-{number}", item_guid=guid, kind="kept", code=code[:200], **when
                )
            )
        if number % 10 == 5:
            connection.execute(
                insert(NoteRow).values(
                    guid=f"note-{number}",
                    title=f"Note {number}",
                    body=f"Softmax of {number} ∑ " * (number % 300),
                    created_at=at,
                    updated_at=at,
                )
            )
            connection.execute(
                insert(WordingRow).values(
                    guid=f"note-{number}", at=at, title=f"W {number}", body="x"
                )
            )
        if number % 10 == 7:
            connection.execute(
                insert(ConceptChangeRow).values(
                    concept_id=1,
                    at=at,
                    from_state="unseen",
                    to_state="known",
                    reason=f"reason {number}",
                    author="learner",
                )
            )


def rows_of(database: Path) -> Rows:
    """Return the rows of a home that must come back, as far as SQLite reads them one by one."""
    found: Rows = {}
    try:
        with closing(sqlite3.connect(database)) as connection:
            for name in KEYS:
                found.update(_rows_of_table(connection, name))
    except (sqlite3.Error, ValueError):
        pass
    return found


def _rows_of_table(connection: sqlite3.Connection, name: str) -> Rows:
    table = salvage.TABLES[name]
    names = [
        column.name
        for column in table.columns
        if column.name not in _DERIVED and not column.foreign_keys
    ]
    key = names.index(KEYS[name])
    select = f"SELECT {', '.join(names)} FROM {name} WHERE rowid = ?"  # noqa: S608 - ours
    found: Rows = {}
    try:
        connection.execute(f"EXPLAIN {select}", (1,))
    except (sqlite3.Error, ValueError):
        return found  # the schema cannot be read, which would be tried for each row
    for rowid in range(1, MOST_ROWS):
        try:
            row = connection.execute(select, (rowid,)).fetchone()
            called = None if row is None else row[key]
            called = read_uuid(called) if isinstance(called, bytes) else called
        except (sqlite3.Error, ValueError):
            continue
        if row is not None:
            found[name, str(called)] = row
    return found


# -- damage ----------------------------------------------------------------------------------------


def _bytes(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 10, 100))):
        data[draw.randrange(len(data))] = draw.randrange(256)


def _pages(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 5, 30))):
        start = PAGE * draw.randrange(max(len(data) // PAGE, 1))
        data[start : start + PAGE] = draw.choice((bytes(PAGE), draw.randbytes(PAGE)))[: len(data)]


def _swap(data: bytearray, draw: random.Random) -> None:
    one, two = (PAGE * draw.randrange(len(data) // PAGE) for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]


def _schema(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 3, 20))):
        data[draw.randrange(min(len(data), 3 * PAGE))] = draw.choice((0xFE, 0x80, 0, ord("x")))


def _header(data: bytearray, draw: random.Random) -> None:
    length = min(len(data), draw.choice((4, 24, 100, PAGE)))
    data[:length] = bytes(length)


def _cut(data: bytearray, draw: random.Random) -> None:
    del data[draw.randrange(len(data)) :]


def _text(data: bytearray, draw: random.Random) -> None:
    signs = (b"revi", b"2026", b"own:")
    places = [at for at in range(PAGE, len(data)) if bytes(data[at : at + 4]) in signs]
    for at in draw.sample(places, min(len(places), 20)):
        data[at + draw.randrange(4)] = draw.choice((0xFF, 0xC3, ord("q"), 0))


def _overwrite(data: bytearray, draw: random.Random) -> None:
    start = draw.choice((0, draw.randrange(len(data))))
    length = min(len(data) - start, draw.choice((500, 50_000, 10**7)))
    data[start : start + length] = (b"Dear diary, today I wrote into a database. " * 250_000)[
        :length
    ]


def _everything(data: bytearray, draw: random.Random) -> None:
    data[:] = b"not a database at all\n" * draw.randrange(1, 10_000)


def _empty(data: bytearray, _draw: random.Random) -> None:
    data.clear()


def _gone(data: bytearray, _draw: random.Random) -> None:
    data.clear()  # and the file is removed


Harm = Callable[[bytearray, random.Random], None]
HARM: tuple[tuple[str, str, Harm], ...] = (
    ("bytes", "", _bytes),
    ("pages", "", _pages),
    ("pages swapped", "", _swap),
    ("schema", "", _schema),
    ("header", "", _header),
    ("cut short", "", _cut),
    ("text", "", _text),
    ("written over", "", _overwrite),
    ("no database", "", _everything),
    ("emptied", "", _empty),
    ("gone", "", _gone),
    ("log: bytes", "-wal", _bytes),
    ("log: pages", "-wal", _pages),
    ("log: header", "-wal", _header),
    ("log: cut short", "-wal", _cut),
    ("log: emptied", "-wal", _empty),
)


def damage(home: Home, number: int) -> str:
    """Damage a home's database in the way that belongs to a number. Return how."""
    draw = random.Random(number)
    name, suffix, harm = HARM[number % len(HARM)]
    path = home.root / f"studyattn.db{suffix}"
    data = bytearray(path.read_bytes())
    harm(data, draw)
    path.write_bytes(data)
    if harm is _gone:
        path.unlink()
    if draw.random() < 0.1:  # and one thing more
        name = f"{name}, and without its backups"
        shutil.rmtree(home.backups)
    return name


# -- recovery --------------------------------------------------------------------------------------


def try_copy(
    whole: Home, truth: Rows, number: int, folder: Path, derive: Derive, *, ask: bool
) -> Copy:
    """Damage a copy of a home, recover it, and compare."""
    home = Home(folder / str(number))
    shutil.copytree(whole.root, home.root)
    harm = damage(home, number)
    problems: list[str] = []
    aside = folder / f"{number}-aside"
    shutil.copytree(home.root, aside)
    before = {path.name: path.read_bytes() for path in aside.glob("studyattn.db*")}
    is_told = bool(examine_file(aside / "studyattn.db", thorough=False))  # as at a start
    readable = {
        name: row for name, row in rows_of(aside / "studyattn.db").items() if truth.get(name) == row
    }
    kept_rows: Rows = {}
    for each in backup_files.list_backups(home):
        kept_rows |= rows_of(each.path)
    if ask:
        problems += _ask(home)
        gc.collect()  # what a failed command left open; in life each is a process of its own
        if is_told:
            problems += [f"{path.name} was changed by asking" for path in _changed(home, before)]
    result = recover(home, derive, now=NOW)
    if result.kept is not None and not ask:
        for name, content in before.items():
            kept = result.kept.with_name(name.replace("studyattn.db", result.kept.name))
            if kept.read_bytes() != content:
                problems.append(f"{name} was not kept as it was")
    if result.findings:  # else nothing was done
        problems += check_database(home)[:3]
    left = [path.name for path in home.root.glob(".studyattn*")]
    problems += [f"{name} is left over" for name in left]
    now = rows_of(home.database)
    wanted = readable | {name: row for name, row in kept_rows.items() if result.findings}
    lost = tuple(
        f"{table} {name}" for (table, name), row in wanted.items() if now.get((table, name)) != row
    )
    recovered = sum(now.get(name) == row for name, row in truth.items())
    shutil.rmtree(home.root)
    shutil.rmtree(aside)
    return Copy(harm, not result.findings, len(readable), lost, recovered, tuple(problems))


def _changed(home: Home, before: Mapping[str, bytes]) -> list[Path]:
    """Return the files of a damaged home that are not as they were."""
    kept = [home.root / name for name in before if not name.endswith(("-shm", "-checked"))]
    return [path for path in kept if not path.exists() or path.read_bytes() != before[path.name]]


def _ask(home: Home) -> list[str]:
    """Run commands on a damaged home. Return what was no answer."""
    from studyattn.cli import run

    problems = []
    for arguments in COMMANDS:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = run(["--home", str(home.root), *arguments])
        text = said.getvalue()
        if status not in (0, 1, 2) or "a bug" in text or "Traceback" in text:
            problems.append(f"{' '.join(arguments)}: {text}")
    return problems


def derive(database: Database) -> None:
    """What the program itself does behind a recovery."""
    sync_installed(database, NOW)
    with database.write() as connection:
        refold(connection)


# -- figures ---------------------------------------------------------------------------------------


def _report(copies: list[Copy], truth: Rows, took: float) -> None:
    lost = sum(len(each.lost) for each in copies)
    print(
        f"{len(copies)} damaged copies of a home with {len(truth):,} rows, {took:.0f} s:"
        f" {sum(each.sound for each in copies)} sound all the same,"
        f" {sum(each.readable for each in copies):,} rows that SQLite still read,"
        f" {lost} of them lost, {sum(bool(each.problems) for each in copies)} with findings"
    )
    kinds = Counter(each.harm.split(",")[0] for each in copies)
    print(f"{'damage':16} {'copies':>7} {'SQLite reads':>13} {'recovered':>10}  of all rows, mean")
    for kind, count in kinds.items():
        own = [each for each in copies if each.harm.split(",")[0] == kind]
        readable = sum(each.readable for each in own) / count / len(truth)
        recovered = sum(each.recovered for each in own) / count / len(truth)
        print(f"{kind:16} {count:7} {readable:13.1%} {recovered:10.1%}")
    for each in copies:
        for problem in (*each.problems, *each.lost[:3]):
            print(f"  {each.harm}: {problem}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--copies", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="studyattn-recovery-") as made:
        folder = Path(made)
        whole = make_home(folder / "whole", answers=600, with_pack=True)
        shutil.copytree(whole.root, folder / "truth")
        truth = rows_of(folder / "truth" / "studyattn.db")
        begun = time.perf_counter()
        numbers = range(arguments.first, arguments.first + arguments.copies)
        copies = [try_copy(whole, truth, number, folder, derive, ask=True) for number in numbers]
        _report(copies, truth, time.perf_counter() - begun)
    if any(each.lost or each.problems for each in copies):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
