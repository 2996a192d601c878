"""A database on a server: learners apart, turns in writing, and what goes wrong said in words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import func, insert, select

from studyattn.address import ServerAddress, read_address
from studyattn.errors import StoreError
from studyattn.exchange.merge.other_database import opened_other
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.store import postgresql
from studyattn.store.database import open_database
from studyattn.store.engine import open_driver
from studyattn.store.models import AttemptRow, ConceptRow, ItemRow
from studyattn.store.sql import as_json, driver_of
from studyattn.store.sql import insert as add
from studyattn.study.profile import Profile
from studyattn.study.review.batch import answer
from studyattn.study.review.rebuild import check_database
from tests.databases import Server, environment_of
from tests.store.conftest import NOW, add_review, reviews

SECRET = "s3cret"
ANNA, CARL = f"anna{os.getpid()}", f"carl{os.getpid()}"  # a server's users have no test apart


@pytest.fixture
def home(tmp_path: Path, address: ServerAddress) -> Home:
    return Home(tmp_path / "home", address)


# ── learners and turns ───────────────────────────────────────────────────────────────────────────


def test_two_learners_in_one_database_do_not_see_each_other(home: Home, learner: Profile) -> None:
    assert home.server is not None
    other = Home(home.root, replace(home.server, learner="other"))
    with open_database(other, now=NOW) as database:
        with database.write() as connection:
            add_review(connection, "theirs")
        with database.read() as connection:
            assert connection.scalar(select(func.count()).select_from(ItemRow)) == 0
    assert reviews(learner.database) == 0


def test_a_learner_writes_while_another_is_writing(home: Home, learner: Profile) -> None:
    assert home.server is not None
    other = Home(home.root, replace(home.server, learner="other"))
    with open_database(other, now=NOW) as database, database.write():
        answer(learner, "card-0", Rating.GOOD)
    assert reviews(learner.database) == 1


ANSWERING = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from studyattn.home import find_home
from studyattn.memory import Rating
from studyattn.store.database import open_database
from studyattn.study.clock import FixedClock
from studyattn.study.review.card_loader import CardLoader
from studyattn.study.review.recorder import ReviewRecorder
from studyattn.study.profile import Profile

home = find_home(Path(sys.argv[1]))
clock = FixedClock(datetime(2026, 11, 21, 12, tzinfo=UTC))
with open_database(home, now=clock.now()) as database:
    with ReviewRecorder(Profile(home, database, clock)) as journal:
        print("open", flush=True)
        sys.stdin.readline()
        for number in range(40):
            clock.advance(timedelta(minutes=1))
            journal.take("card-0", Rating.GOOD, Profile(home, database, clock).moment())
"""


def test_two_processes_answer_one_item_at_once_and_both_succeed(
    home: Home, learner: Profile
) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", ANSWERING, str(home.root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env={**os.environ, **environment_of(home)},
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        _, err = process.communicate()
        assert (process.returncode, err) == (0, "")
    assert reviews(learner.database) == 80
    assert check_database(home) == []


def test_a_commit_is_on_the_servers_disk_whatever_the_servers_own_settings(
    home: Home, server: Server
) -> None:
    assert home.server is not None
    name = database_of(home)
    server.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    server.execute(f"ALTER DATABASE {name} SET DateStyle = 'German'")
    with open_database(home, now=NOW) as database, database.read() as connection:
        settings = [
            connection.exec_driver_sql(f"SHOW {each}").scalar_one()
            for each in ("synchronous_commit", "DateStyle", "transaction_isolation")
        ]
    assert settings[0] == "on"
    assert settings[1].startswith("ISO")
    assert settings[2] == "repeatable read"


# ── what SQLite does by itself ───────────────────────────────────────────────────────────────────


def test_numbers_go_on_after_rows_that_came_with_theirs(learner: Profile) -> None:
    with learner.database.write() as connection:
        connection.execute(insert(ConceptRow), [{"id": 70, "slug": "a", "title": "A"}])
        made = connection.execute(insert(ConceptRow).values(slug="b", title="B"))
    assert made.inserted_primary_key is not None
    assert made.inserted_primary_key[0] == 71


def test_texts_are_ordered_as_in_a_file_whatever_the_server_speaks(
    home: Home, server: Server
) -> None:
    words = ["b", "B", "a", "Z", "ä", "_", "1", "-", "x" * 5000]
    german = "TEMPLATE template0 ENCODING UTF8 LOCALE_PROVIDER icu ICU_LOCALE 'de'"
    with (
        server.database(german) as name,
        open_database(Home(home.root, server.address(name)), now=NOW) as database,
        database.write() as connection,
    ):
        connection.execute(insert(ConceptRow), [{"slug": word, "title": word} for word in words])
        ordered = connection.scalars(select(ConceptRow.slug).order_by(ConceptRow.slug)).all()
        assert ordered == sorted(words)
        assert connection.exec_driver_sql("SELECT 'b' < 'B'").scalar()  # as the server orders


def test_the_character_that_no_text_can_hold_becomes_the_sign_for_it(learner: Profile) -> None:
    report = {"said": "a\0b", "\0": r"\u0000 \\" + "\0"}
    with learner.database.write() as connection:
        connection.execute(insert(ConceptRow).values(slug="nul", title="a\0b"))
        row = {"uuid": "a", "item_guid": "card-0", "at": NOW, "utc_offset": 0, "code": "\0"}
        row |= {"hints": 0, "revealed": False, "seconds": 0.0, "report": as_json(report)}
        said = {"learner_day": NOW.date(), "backend": "torch", "device": "cpu"}
        add(connection, "attempt", **row, **said, verdict="x")
        assert connection.scalar(select(ConceptRow.title).where(ConceptRow.slug == "nul")) == "a�b"
        assert connection.scalar(select(AttemptRow.report)) == {
            "said": "a�b",
            "�": r"\u0000 \\" + "�",
        }


def test_a_stream_is_read_in_portions_and_given_up(
    learner: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql, "_FIRST_PORTION", 1)
    with learner.database.read() as connection:
        driver = driver_of(connection)
        statement = "SELECT guid FROM item WHERE id > :id ORDER BY id"
        assert [row[0] for row in driver.stream(statement, {"id": 0})] == [
            "card-0",
            "card-1",
            "card-2",
        ]
        first, second = (
            iter(driver.stream(statement, {"id": 0})),
            driver.stream(statement, {"id": 1}),
        )
        assert next(iter(first)) == ("card-0",)
        assert list(second) == [("card-1",), ("card-2",)]
        assert list(first) == [("card-1",), ("card-2",)]


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────


def told(home: Home) -> str:
    with pytest.raises(StoreError) as raised:
        open_database(home, now=NOW)
    said = str(raised.value)
    assert "\n" not in said
    assert SECRET not in said
    return said


def at(home: Home, url: str, learner: str | None = "anna") -> Home:
    return Home(home.root, read_address(url, learner))


def test_a_server_that_is_not_there(home: Home) -> None:
    url = f"postgresql://anna:{SECRET}@127.0.0.1:1/db"
    said = told(at(home, url))
    assert "cannot be reached" in said
    assert "anna@127.0.0.1:1/db" in said
    assert "cannot be reached" in told(at(home, f"postgresql://anna:{SECRET}@no.invalid/db"))


def test_an_address_that_the_client_does_not_understand(home: Home) -> None:
    url = f"postgresql://anna:{SECRET}@127.0.0.1:1/db?colour=red"
    assert 'cannot parse this address: invalid URI query parameter: "colour"' in told(at(home, url))


def test_a_database_that_is_not_there_and_a_user_that_is_not(home: Home, server: Server) -> None:
    place = f"host={server.folder}&port=5432"
    assert "no such database" in told(at(home, f"postgresql://study@/nowhere?{place}"))
    assert "refused the user" in told(at(home, f"postgresql://nobody@/postgres?{place}"))


def test_a_wrong_password(home: Home, server: Server) -> None:
    rules = server.folder / "data" / "pg_hba.conf"
    before = rules.read_text()
    server.execute(f"CREATE ROLE careful LOGIN PASSWORD 'not-{SECRET}'")
    rules.write_text(f"local all careful scram-sha-256\n{before}")
    server.execute("SELECT pg_reload_conf()")
    try:
        place = f"host={server.folder}&port=5432"
        url = f"postgresql://careful:{SECRET}@/postgres?{place}"
        for _ in range(100):  # the server reads its rules in its own time
            try:
                psycopg.connect(url).close()
            except psycopg.OperationalError:
                break
        assert "refused the user or the password" in told(at(home, url))
        no_password = f"postgresql://careful@/postgres?{place}"
        assert "refused the user or the password" in told(at(home, no_password))
    finally:
        rules.write_text(before)
        server.execute("SELECT pg_reload_conf()")
        server.execute("DROP ROLE careful")


def test_a_user_who_may_make_no_schema(home: Home, server: Server) -> None:
    server.execute("CREATE ROLE guest LOGIN")
    try:
        assert home.server is not None
        url = home.server.url.replace("study@", "guest@")
        said = told(at(home, url))
    finally:
        server.execute("DROP ROLE guest")
    assert "lacks this permission" in said
    assert "GRANT CREATE" in said


@pytest.fixture
def roles(server: Server, tmp_path: Path) -> Iterator[Callable[..., Home]]:
    """Two users of one database, ANNA and CARL: the home of a learner as one of them sees it."""
    with server.database() as name:
        for user in (ANNA, CARL):
            server.execute(f"CREATE ROLE {user} LOGIN")
            server.execute(f"GRANT CREATE ON DATABASE {name} TO {user}")

        def home_of(user: str, learner: str | None = None) -> Home:
            url = f"postgresql://{user}@/{name}?host={server.folder}&port=5432"
            return Home(tmp_path / user, read_address(url, learner))

        try:
            yield home_of
        finally:
            for user in (ANNA, CARL):
                server.execute(f"DROP OWNED BY {user} CASCADE", name)
                server.execute(f"DROP ROLE {user}")


def database_of(home: Home) -> str:
    assert home.server is not None
    return home.server.url.split("@/")[1].split("?")[0]


def test_the_learner_of_another_user_is_refused(roles: Callable[..., Home]) -> None:
    open_database(roles(CARL), now=NOW).close()
    said = told(roles(ANNA, CARL))
    assert f"the learner {CARL} belongs to the user {CARL}, but you are {ANNA}" in said
    assert "--learner" in said
    with pytest.raises(StoreError, match=f"belongs to the user {CARL}"):
        check_database(roles(ANNA, CARL))
    address = read_address(roles(ANNA).server.url, CARL)  # type: ignore[union-attr] # all have one
    refused = pytest.raises(StoreError, match=f"belongs to the user {CARL}")
    with refused, opened_other(address, NOW):
        pass


def test_who_says_a_name_first_does_not_get_what_another_user_writes(
    roles: Callable[..., Home], server: Server
) -> None:
    squatted = roles(ANNA, CARL)
    open_database(squatted, now=NOW).close()
    name = database_of(squatted)
    schema = f"SCHEMA studyattn_{CARL}"
    for what in (schema, f"ALL TABLES IN {schema}", f"ALL SEQUENCES IN {schema}"):
        server.execute(f"GRANT ALL ON {what} TO {CARL}", name)  # so that Carl would notice nothing
    carl = roles(CARL)
    assert f"the learner {CARL} belongs to the user {ANNA}, but you are {CARL}" in told(carl)
    server.execute(f"ALTER ROLE {CARL} SUPERUSER")  # to whom nothing is forbidden
    assert f"belongs to the user {ANNA}" in told(carl)
    with (
        open_database(roles(CARL, f"{CARL}-2"), now=NOW) as database,
        database.write() as connection,
    ):
        add_review(connection, "private")
    assert f"belongs to the user {CARL}" in told(roles(ANNA, f"{CARL}-2"))


def test_a_learner_that_another_user_makes_at_the_same_moment_is_refused(
    roles: Callable[..., Home], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = postgresql.refuse_another_owner

    def quicker(cursor: psycopg.Cursor[Any], address: ServerAddress) -> None:
        looked(cursor, address)
        statement = f"CREATE SCHEMA IF NOT EXISTS studyattn_new AUTHORIZATION {ANNA}"
        server.execute(statement, database_of(roles(CARL)))

    monkeypatch.setattr(postgresql, "refuse_another_owner", quicker)
    server.execute(f"ALTER ROLE {CARL} SUPERUSER")
    assert f"belongs to the user {ANNA}" in told(roles(CARL, "new"))


def test_without_its_package_the_error_says_what_to_install(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "studyattn.store.postgresql", None)
    monkeypatch.delattr(sys.modules["studyattn.store"], "postgresql", raising=False)
    with pytest.raises(StoreError, match=r'pip install "studyattn\[postgresql\]"'):
        open_driver(home)
