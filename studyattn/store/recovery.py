"""Recovery: a new database of all that is left of a damaged one, and of its newest good backup.

Whatever is wrong with the file, it is copied and only the copy is read (`salvage`). What is found
there is joined with the backup: rows of the log from both; of a thing that can change, such as a
note, what the file says now, and of a value that cannot be read what the backup says. The old files
keep their bytes, under other names (`replacing`).
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from studyattn.disk import reason
from studyattn.errors import NotFoundError, StoreError
from studyattn.home import Home
from studyattn.store import replacing, revisions
from studyattn.store.backup_files import Backup, newest_good
from studyattn.store.database import Database, open_database
from studyattn.store.database_file import examine_copy, examine_file, is_hindrance
from studyattn.store.engine import opened, store_error
from studyattn.store.hindered import hindrance
from studyattn.store.joining import JoinedTable, join
from studyattn.store.migrate import read_revision
from studyattn.store.salvage import Salvaged, salvage
from studyattn.store.search import out_of_step, rebuild_index
from studyattn.store.sqlite_file import connect, copy_files, files_beside

Derive = Callable[[Database], object]
"""Works out what follows from other data: the packs' texts, and every item's memory."""

_DOING = "recover"


@dataclass(frozen=True, slots=True)
class Recovery:
    """The report of a recovery: the damage, the rows read, and where the files are now."""

    findings: tuple[str, ...]  # empty when nothing was wrong, and nothing was done
    backup: Path | None  # the backup that was joined
    tables: tuple[JoinedTable, ...]
    database: Path | None  # the new database; None when nothing was changed
    kept: Path | None  # the old one
    mended: tuple[str, ...] = ()  # what was wrong with the search index of a sound file


def recover(home: Home, derive: Derive, *, now: datetime, dry_run: bool = False) -> Recovery:
    """Make a new database of what can be read, and put it in the place of a damaged one.

    A sound database is left as it is. Raises NotFoundError in a home without a database or backup,
    and StoreError while another process has the database open or when the disk fails.
    """
    if not home.root.is_dir():
        raise NotFoundError("nothing to recover", where=str(home.root))
    try:
        with replacing.taken(home, _DOING):
            return _recover(home, derive, now, dry_run=dry_run)
    except sqlite3.Error as error:
        raise store_error(error, home.database) or StoreError(
            f"the database cannot be recovered ({error})", where=str(home.database)
        ) from error
    except OSError as error:
        raise StoreError(
            f"the database cannot be recovered ({reason(error, home.root)})",
            where=str(home.database),
        ) from error


def _recover(home: Home, derive: Derive, now: datetime, *, dry_run: bool) -> Recovery:
    backup = newest_good(home)
    present = (home.database, *files_beside(home.database))
    if backup is None and not any(path.exists() for path in present):
        raise NotFoundError("nothing to recover", where=str(home.database))
    with _scratch(home, dry_run=dry_run) as folder:
        # Only a copy is looked at: SQLite writes beside a database that it reads.
        old = folder / home.database.name
        copy_files(home.database, old)
        findings = _examine(old)
        if not findings:
            mended = _mend_index(old, home.database, dry_run=dry_run)
            return Recovery((), None, (), None, None, mended)
        new = _prepare(home, backup, folder / "new", now)
        with closing(connect(new.database)) as connection, connection:
            found = Salvaged(connection, folder / "salvaged.db")
            connection.execute("BEGIN IMMEDIATE")
            salvage(old, files_beside(old)[0], found)
            tables = join(connection, found, now)
        with open_database(new, now=now) as database:
            with database.write() as writing:
                rebuild_index(writing)
            derive(database)
        _refuse_unsound(new.database)
        kept = None
        if not dry_run:
            kept = replacing.set_aside(home.database, now)
            replacing.replace(home.database, new.database)
    return Recovery(
        tuple(findings),
        backup.path if backup else None,
        tables,
        None if dry_run else home.database,
        kept if kept is not None and kept.exists() else None,
    )


def _examine(database: Path) -> list[str]:
    """Return what is wrong with a database, a line each."""
    try:
        findings = examine_file(database, thorough=True)
        if not findings:
            with closing(connect(database, read_only=True)) as connection:
                findings = _dangling(connection)
    except sqlite3.Error as error:
        if is_hindrance(error):
            raise
        return [str(error)]
    except OSError as error:
        return [f"it cannot be read ({error.strerror})"]
    return findings


def _mend_index(copy: Path, database: Path, *, dry_run: bool) -> tuple[str, ...]:
    """Make the search index of a sound file anew if it is wrong; return what is wrong with it.

    SQLite finds no fault with an index whose words are damaged.
    """
    with opened(Home(copy.parent), writing=True) as connection:
        is_ours = read_revision(connection, Home(copy.parent)) == revisions.HEAD  # else: migrated
        findings = out_of_step(connection) if is_ours else []
    if findings and not dry_run:
        with opened(Home(database.parent), writing=True) as connection:
            rebuild_index(connection)
    return tuple(findings)


def _dangling(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("PRAGMA foreign_key_check").fetchmany(1)
    return [f"{table} row {row} refers to a missing {other}" for table, row, other, _ in rows]


@contextmanager
def _scratch(home: Home, *, dry_run: bool) -> Iterator[Path]:
    """Yield an empty folder, on the home's disk if it can be; gone at the end."""
    elsewhere = dry_run and hindrance(home) is not None  # it is read-only, or its disk is full
    folder = Path(
        tempfile.mkdtemp(prefix=replacing.UNFINISHED, dir=None if elsewhere else home.root)
    )
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _prepare(home: Home, backup: Backup | None, folder: Path, now: datetime) -> Home:
    """Make a home for the new database: with the backup's, brought up to date, or an empty one."""
    folder.mkdir()
    new = Home(folder)
    if backup is not None:
        shutil.copyfile(backup.path, new.database)
    if home.packs.is_dir():
        new.packs.symlink_to(home.packs, target_is_directory=True)
    with open_database(new, now=now):
        return new


def _refuse_unsound(database: Path) -> None:
    findings = examine_copy(database)
    with closing(connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the file alone is taken
        findings += _dangling(connection)
    if findings:
        raise StoreError(
            f"the recovered database is damaged ({findings[0]})",
            where=str(database),
            advice="Nothing was changed.",
        )
