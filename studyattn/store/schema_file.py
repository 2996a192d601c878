"""The newest schema as one file of SQL, `migrations/schema.sql`, from which a new file is made.

Going through all migrations takes a first start half of its time. The file is written from them:

    python -m studyattn.store.migrate

Databases on a server are few, and go through the migrations.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from studyattn.bundled import migrations_dir

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
        for option, value in driver.execute(options):
            lines.append(_insert(f"{name}({name}, rank)", option, value))
    ((revision,),) = driver.execute("SELECT version_num FROM alembic_version").fetchall()
    lines.append(_insert("alembic_version (version_num)", revision))
    return "\n".join(lines) + "\n"


def _insert(into: str, *values: str) -> str:
    return f"INSERT INTO {into} VALUES ({', '.join(map(repr, values))});"  # noqa: S608 - the same


_PARTS_OF_A_SEARCH = ("data", "idx", "docsize", "config", "content")
