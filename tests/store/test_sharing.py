"""What a teacher may read of a learner on a server, and what the server refuses."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert

from studyattn.address import read_address
from studyattn.classroom import shared
from studyattn.classroom.score import Score
from studyattn.cli import run
from studyattn.errors import InputError, NotFoundError
from studyattn.exchange.archive import make, restore
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.store.models import AttemptRow
from studyattn.study.review.rebuild import refold
from tests.databases import Server
from tests.store.conftest import NOW

ANNA, CARL, TEACHER = (f"{name}{os.getpid()}" for name in ("a", "c", "t"))
MISTAKE = {"id": "scale-missing", "title": "No scale.", "formula": "x", "concept": "scaling"}
WRONG = {
    "cases": [{"name": "one", "passed": True}, {"name": "two", "passed": False}],
    "diagnosis": [{"mistakes": [MISTAKE]}],
    "printed": "secret",
}


@pytest.fixture(scope="module")
def users(
    server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Home]]:
    """Two learners and their teacher, who are users of one database."""
    folder = tmp_path_factory.mktemp("homes")
    with server.database("TEMPLATE template0") as name:
        for user in (ANNA, CARL, TEACHER):
            server.execute(f"CREATE ROLE {user} LOGIN")
        for user in (ANNA, CARL):
            server.execute(f"GRANT CREATE ON DATABASE {name} TO {user}")

        def home_of(user: str) -> Home:
            url = f"postgresql://{user}@/{name}?host={server.folder}&port=5432"
            return Home(folder / user, read_address(url))

        for user in (ANNA, CARL):
            with open_database(home_of(user), now=NOW) as database:
                attempt(database, f"{user}-1", "wrong", WRONG)
        try:
            yield home_of
        finally:
            for user in (ANNA, CARL, TEACHER):
                server.execute(f"DROP OWNED BY {user} CASCADE", name)
                server.execute(f"DROP ROLE {user}")


def attempt(database: Database, uuid: str, verdict: str, report: object) -> None:
    with database.write() as connection:
        connection.execute(
            insert(AttemptRow).values(
                uuid=uuid, item_guid="attention:drill/attention", at=NOW, utc_offset=0,
                learner_day=NOW.date(), code="my = 'own code'", backend="numpy", device="cpu",
                verdict=verdict, report=report,
            )
        )  # fmt: skip


def refused(users: Callable[..., Home], user: str, statement: str) -> bool:
    """Whether the server does not let this user carry out a statement."""
    address = users(user).server
    assert address is not None
    try:
        with psycopg.connect(address.url.replace("+psycopg", "")) as connection:
            connection.execute(statement.encode())
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


def test_a_teacher_reads_results_and_mistakes_and_nothing_else(
    users: Callable[..., Home],
) -> None:
    assert shared.read_class(users(TEACHER)) == []
    shared.share(users(ANNA), TEACHER, now=NOW)
    with open_database(users(ANNA), now=NOW) as database:
        attempt(database, "later", "passed", {"cases": "not a list"})
    teachers, own = shared.shown_attempts(users(ANNA), now=NOW)
    assert teachers == [TEACHER]
    assert shared.read_class(users(TEACHER)) == own  # a learner sees what the teacher sees
    assert [(each.learner, each.verdict, each.cases, each.of) for each in own] == [
        (ANNA, "wrong", 1, 2),
        (ANNA, "passed", 0, 0),
    ]
    assert [each.mistakes for each in own] == [[MISTAKE], []]
    assert "secret" not in str(own)
    for table in ("attempt", "note", "card", "review", "item", "setting"):
        assert refused(users, TEACHER, f"SELECT 1 FROM studyattn_{ANNA}.{table}")
    table = f'"studyattn-class_{ANNA}".result'
    for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET verdict = 'passed'"):
        assert refused(users, TEACHER, statement)
    assert not refused(users, TEACHER, f"SELECT 1 FROM {table}")
    assert refused(users, CARL, f"SELECT 1 FROM {table}")
    so_far = shared.class_so_far(own, Score())
    assert [(each.student, each.drill, each.passed) for each in so_far.results] == [
        (ANNA, "attention", True)
    ]
    assert [each.mistakes for each in so_far.attempts] == [("scale-missing",), ()]

    with open_database(users(ANNA), now=NOW) as database:
        backup = make(database, now=NOW)
    restore(users(ANNA), backup.path, refold, now=NOW)  # drops and makes all tables anew
    assert shared.read_class(users(TEACHER)) == own

    shared.unshare(users(ANNA), TEACHER, now=NOW)
    assert shared.read_class(users(TEACHER)) == []
    assert shared.shown_attempts(users(ANNA), now=NOW) == ([], [])


def test_the_commands_of_a_learner_and_of_the_teacher(
    users: Callable[..., Home], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def command(user: str, *arguments: str) -> str:
        home = users(user)
        assert home.server is not None
        where = ["--home", str(home.root), "--db", home.server.url, "--learner", user]
        capsys.readouterr()
        assert run([*where, "class", *arguments]) == 0
        return capsys.readouterr().out

    assert command(ANNA, "share") == "Nobody sees your results.\n"
    assert f"{TEACHER} can see this" in command(ANNA, "share", TEACHER)
    page = tmp_path / "class.html"
    seen = json.loads(command(TEACHER, "results", "--json", "--html", str(page)))
    assert [each["student"] for each in seen["submissions"]] == [ANNA]
    assert [each["id"] for each in seen["misconceptions"]] == ["scale-missing"]
    assert "2026, week" in page.read_text()
    assert command(ANNA, "share", TEACHER, "--end") == "Nobody sees your results.\n"


def test_whoever_takes_the_place_of_a_learners_results_is_not_read(
    users: Callable[..., Home], server: Server
) -> None:
    shared.share(users(CARL), TEACHER, now=NOW)
    shown = f'"studyattn-class_{ANNA}"'
    address = users(CARL).server
    assert address is not None
    with psycopg.connect(address.url.replace("+psycopg", "")) as connection:
        for statement in (
            f"CREATE SCHEMA {shown}",
            f'CREATE TABLE {shown}.result (LIKE "studyattn-class_{CARL}".result)',
            f'INSERT INTO {shown}.result SELECT * FROM "studyattn-class_{CARL}".result',
            f"GRANT USAGE ON SCHEMA {shown} TO {TEACHER}",
            f"GRANT SELECT ON {shown}.result TO {TEACHER}",
        ):
            connection.execute(statement.encode())
    try:
        assert {each.learner for each in shared.read_class(users(TEACHER))} == {CARL}
        with psycopg.connect(address.url.replace("+psycopg", "")) as connection:
            own = f'"studyattn-class_{CARL}"'  # a view would run its functions as the teacher
            connection.execute(f"ALTER TABLE {own}.result RENAME TO kept".encode())
            connection.execute(f"CREATE VIEW {own}.result AS SELECT * FROM {own}.kept".encode())
            connection.execute(f"GRANT SELECT ON {own}.result TO {TEACHER}".encode())
        assert shared.read_class(users(TEACHER)) == []
    finally:
        with psycopg.connect(address.url.replace("+psycopg", "")) as connection:
            connection.execute(f"DROP SCHEMA {shown} CASCADE".encode())


def test_what_cannot_be_shared_says_why(users: Callable[..., Home], tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="the server has no user 'nobody-there'"):
        shared.share(users(ANNA), "nobody-there", now=NOW)
    with pytest.raises(InputError, match="--db: sharing a class needs a database on a server"):
        shared.read_class(Home(tmp_path))
