"""The statements in `.sql` files: each is used, and SQLite understands it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from studyattn.store.database import Database
from studyattn.store.driver import LIST, SqliteDriver
from studyattn.store.queries import rules
from studyattn.store.sql import Statements, driver_of, rows

FOLDER = Path(rules.__file__).parent
FILES = sorted(path.stem for path in FOLDER.glob("*.sql"))
NAMED = re.compile(r"^-- (\w+)$", re.MULTILINE)


@pytest.mark.parametrize("name", FILES)
def test_every_statement_is_used_once_written(name: str) -> None:
    text = (FOLDER / f"{name}.sql").read_text("utf-8")
    module = (FOLDER / f"{name}.py").read_text("utf-8")
    named = NAMED.findall(text)
    assert named
    assert len(named) == len(set(named))
    used = set(re.findall(r"_SQL\.(\w+)", module)) | set(re.findall(r"@(\w+)", text))
    assert [each for each in named if each not in used] == []


@pytest.mark.parametrize("name", FILES)
def test_sqlite_understands_every_statement(name: str, database: Database) -> None:
    module = __import__(f"studyattn.store.queries.{name}", fromlist=["_SQL"])
    statements: Statements = module._SQL
    with database.read() as connection:
        beneath = driver_of(connection).beneath
        for each in NAMED.findall((FOLDER / f"{name}.sql").read_text("utf-8")):
            statement = getattr(statements, each)
            if "{" in statement or not re.match(r"SELECT|WITH|INSERT|UPDATE|DELETE", statement):
                continue  # a part of others
            spelled = LIST.sub(r"(SELECT value FROM json_each(\2))", statement)
            given = dict.fromkeys(re.findall(r"(?<!:):(\w+)", statement))
            marks = statement.count("?")
            beneath.execute(f"EXPLAIN {spelled}", [None] * marks if marks else given)


def test_a_name_that_no_statement_has_is_a_mistake() -> None:
    with pytest.raises(AttributeError, match="no_such"):
        _ = Statements(str(FOLDER / "notes.py")).no_such


def test_rows_are_what_their_annotations_say() -> None:
    with sqlite3.connect(":memory:") as connection:
        driver = SqliteDriver(connection)
        found = rows(driver, tuple[str, bool | None, dict[str, int]], "SELECT 'a', 1, '{\"b\": 2}'")
        assert found == [("a", True, {"b": 2})]
        assert rows(driver, tuple[int], "SELECT * FROM @numbers(:some)", some=[3, 1]) == [
            (3,),
            (1,),
        ]
