"""Bringing a database to the schema of this program, with a backup first.

The usual case, nothing to do, costs one SELECT. A new file is made from `schema_file`; Alembic is
imported only to migrate, and on a server. A migration is one transaction: a crash, or a second
process that starts at the same moment, finds all of it or nothing. On a server that is enough, and
nothing but a file is backed up here.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from studyattn.bundled import migrations_dir
from studyattn.errors import DamagedDatabaseError, NewerDatabaseError, StoreError
from studyattn.home import Home
from studyattn.store import backup, health, revisions
from studyattn.store.backup_files import STAMP
from studyattn.store.driver import Driver
from studyattn.store.engine import damaged, open_driver, opened, transaction
from studyattn.store.queries import sharing
from studyattn.store.sql import Connection, do, is_sqlite, value, values
from studyattn.store.sqlite_file import connect
from studyattn.store.transactions import PATIENCE

NAME = "schema.sql"


def statements() -> Iterator[str]:
    """Yield the statements that make an empty file one of the newest revision."""
    statement = ""
    for line in (migrations_dir() / NAME).read_text("utf-8").splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):  # a trigger has more than one semicolon
            yield statement
            statement = ""


def tables() -> set[str]:
    """Return the names of the tables of the newest revision that hold what a learner has.

    What only follows from them, which is indexes of words and totals, is not among them.
    """
    return set(_TABLE.findall((migrations_dir() / NAME).read_text("utf-8"))) - _FOLLOWING


_TABLE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
_FOLLOWING = {"alembic_version", "review_day", "review_answers"}


def written(driver: sqlite3.Connection) -> str:
    """Return the file for the schema of a database that holds nothing yet."""
    tables = "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    searches = [name for name, sql in driver.execute(tables) if "USING fts5" in sql]
    # SQLite makes these itself, with the table of the index.
    parts = {f"{name}_{part}" for name in searches for part in _PARTS_OF_A_SEARCH}
    # A migration may make the indexes of a table in any order, so they are put in one.
    made = """
        SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL
        ORDER BY type = 'table' DESC, type, iif(type = 'table', rowid, 0), name
    """
    lines = [f"{sql};" for name, sql in driver.execute(made) if name not in parts]
    for name in searches:
        options = f"SELECT k, v FROM {name}_config WHERE k != 'version'"  # noqa: S608 - of the schema
        for option, set_to in driver.execute(options):
            lines.append(_insert(f"{name}({name}, rank)", option, set_to))
    ((revision,),) = driver.execute("SELECT version_num FROM alembic_version").fetchall()
    lines.append(_insert("alembic_version (version_num)", revision))
    return "\n".join(lines) + "\n"


def _insert(into: str, *values: str) -> str:
    return f"INSERT INTO {into} VALUES ({', '.join(map(repr, values))});"  # noqa: S608 - the same


_PARTS_OF_A_SEARCH = ("data", "idx", "docsize", "config", "content")


def bring_up_to_date(home: Home, now: datetime) -> None:
    """Make or migrate the tables when needed. Raises NewerDatabaseError or StoreError."""
    with opened(home) as driver:
        if read_revision(driver, home) == revisions.HEAD:
            return
    # A connection opened before the journal's mode changed would not know of it.
    with closing(open_driver(home)) as driver:
        if home.server is None:
            _migrate_file(driver, home, now)
        else:
            _migrate_schema(driver, home)


def read_revision(connection: Connection, home: Home) -> str | None:
    """The revision of the schema, None for an empty database.

    Raises StoreError for a database of another program, and DamagedDatabaseError for one that has
    lost tables: nothing is made in what is left of it.
    """
    names = set(values(connection, _OF_FILE if is_sqlite(connection) else _OF_SERVER))
    if not names:
        return None
    if "alembic_version" not in names:
        raise StoreError(
            "this database belongs to another program",
            where=home.database_shown,
            advice="Move it away or choose another folder with --home.",
        )
    revision = value(connection, "SELECT version_num FROM alembic_version")
    if revision is not None and revision not in revisions.REVISIONS:
        raise NewerDatabaseError(
            f"the database was made by a newer version of studyattn (schema {revision})",
            where=home.database_shown,
            advice="Install that version, or restore an older backup.",
        )
    if what := _lost(names, revision):
        if is_sqlite(connection):
            raise damaged(home.database, what)
        raise DamagedDatabaseError(
            f"the database is damaged ({what})",
            where=home.database_shown,
            advice="Restore a backup with `studyattn db restore`; what is left is kept.",
        )
    return None if revision is None else str(revision)


def _lost(names: AbstractSet[str], revision: str | None) -> str:
    """Return what is missing of a database with these tables; empty for nothing."""
    if revision is None:
        return "" if names.isdisjoint(tables()) else "the version of its schema is missing"
    missing = tables() - names if revision == revisions.HEAD else ()
    return f"the table {min(missing)} is missing" if missing else ""


_OF_FILE = "SELECT name FROM sqlite_master WHERE type = 'table'"
_OF_SERVER = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


def _migrate_file(driver: Driver, home: Home, now: datetime) -> None:
    _use_write_ahead_log(driver.beneath, home.database)
    # With foreign keys on, rebuilding a table that others refer to would delete their rows. The
    # pragma has no effect inside a transaction, so it comes first; the keys are checked afterwards.
    do(driver, "PRAGMA foreign_keys = OFF")
    with transaction(driver, writing=True):
        revision = read_revision(driver, home)
        if revision == revisions.HEAD:
            return  # another process was quicker
        if revision is not None:
            backup.make(home, now=now, reason="migration")
        if revision is None:
            for statement in statements():
                do(driver, statement)
        else:
            upgrade(driver)
        findings = health.dangling(driver)
        if findings:
            raise StoreError(
                f"migrating would leave broken references ({findings[0]})",
                where=str(home.database),
                advice="Nothing was changed.",
            )
    _shrink(driver.beneath)


def _shrink(driver: sqlite3.Connection) -> None:
    """Give the disk back what a migration freed, if that is much: SQLite keeps it for new rows.

    Nothing depends on it. What prevents it, a full disk or another process, leaves the file whole.
    """
    (free,), (pages,) = (
        driver.execute(f"PRAGMA {name}").fetchone() for name in ("freelist_count", "page_count")
    )
    if free > pages // 4:
        with suppress(sqlite3.Error):
            driver.execute("VACUUM")


def set_schema_aside(home: Home, now: datetime) -> str:
    """Give what is left of a damaged database on a server another name, and return it."""
    schema = _schema(home)
    kept = f"{schema[:_LONGEST]}-damaged-{now.astimezone(UTC):{STAMP}}"
    with opened(home, writing=True) as driver:
        do(driver, f'ALTER SCHEMA "{schema}" RENAME TO "{kept}"')
    return kept


_LONGEST = 35  # bytes; with what follows it, a name may have 63


def make_anew(connection: Connection, home: Home) -> None:
    """Drop all that a learner has on a server and make the tables anew, in the transaction."""
    schema = _schema(home)
    with sharing.rebuilt(connection, schema):
        do(connection, f'DROP SCHEMA "{schema}" CASCADE')
        do(connection, f'CREATE SCHEMA "{schema}"')
        upgrade(connection)


def _migrate_schema(driver: Driver, home: Home) -> None:
    with transaction(driver, writing=True):
        if read_revision(driver, home) == revisions.HEAD:  # another process was quicker
            return
        schema = _schema(home)
        if value(driver, "SELECT to_regnamespace(quote_ident(:name))", name=schema) is None:
            do(driver, f'CREATE SCHEMA "{schema}"')
        elif not value(driver, _IS_OURS, name=schema):
            raise StoreError(  # made after this connection was: that one looked for it, too
                "another user of the server has just created this learner",
                where=home.database_shown,
                advice="Choose your own learner name with --learner.",
            )
        with sharing.rebuilt(driver, schema):
            upgrade(driver)


_IS_OURS = "SELECT pg_get_userbyid(nspowner) = current_user FROM pg_namespace WHERE nspname = :name"


def _schema(home: Home) -> str:
    if home.server is None:
        raise TypeError("only a database on a server has a schema for each learner")
    return home.server.schema


def upgrade(connection: Connection) -> None:
    """Carry out the migrations that a database lacks, in the transaction of the connection."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_dir()).replace("%", "%%"))
    config.attributes["connection"] = getattr(connection, "core", connection)
    command.upgrade(config, revisions.HEAD)


def _use_write_ahead_log(driver: sqlite3.Connection, path: Path) -> None:
    """Turn on WAL, once in a file's life.

    SQLite does not wait for others in this one statement, so the waiting is done here.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            (mode,) = driver.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
        else:
            if mode == "wal":
                return
            raise StoreError(
                "this file system has no shared memory, which the database needs",
                where=str(path),
                advice="Choose a folder on a local disk with --home.",
            )
        time.sleep(0.02)


def migrated_schema() -> str:
    """Return the file of `schema_file` for what the migrations make of an empty database."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        with opened(home, writing=True) as made:
            upgrade(made)
        with closing(connect(home.database)) as driver:
            return written(driver)


if __name__ == "__main__":
    (migrations_dir() / NAME).write_text(migrated_schema(), "utf-8")
