"""Migrations against the models: pytest-alembic's four tests; the list in code is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from pytest_alembic import MigrationContext
from pytest_alembic.tests import (
    test_model_definitions_match_ddl,
    test_single_head_revision,
    test_up_down_consistency,
    test_upgrade,
)
from sqlalchemy import Engine

from studyattn.bundled import migrations_dir
from studyattn.home import Home
from studyattn.store import migrate, revisions
from studyattn.store.database import open_database
from studyattn.store.decisions import BEFORE_DECISIONS
from studyattn.store.queries.snapshot import load_snapshot
from tests.databases import Server, engine_of

__all__ = [
    "test_model_definitions_match_ddl",
    "test_single_head_revision",
    "test_up_down_consistency",
    "test_upgrade",
]

# SQLAlchemy reads no index of an expression from a file; below it is looked whether one is used.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Skipped unsupported reflection:sqlalchemy.exc.SAWarning"),
    pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified:UserWarning"),
]


@pytest.fixture
def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(migrations_dir()))
    return config


@pytest.fixture(params=["sqlite", "postgresql"])
def alembic_engine(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Of a database without tables: a file, then a schema on a server."""
    if request.param == "sqlite":
        yield engine_of(Home(tmp_path))
        return
    server: Server = request.getfixturevalue("server")
    with server.database("TEMPLATE template0") as name:
        address = server.address(name)
        server.execute(f'CREATE SCHEMA "{address.schema}"', name)
        yield engine_of(Home(tmp_path, address))


def test_the_revisions_in_code_are_those_of_the_folder(alembic_config: Config) -> None:
    script = ScriptDirectory.from_config(alembic_config)
    oldest_first = tuple(each.revision for each in reversed(list(script.walk_revisions())))
    assert oldest_first == revisions.REVISIONS
    assert script.get_current_head() == revisions.HEAD


CHOICES = """
INSERT INTO concept (id, slug, title, body, state, position, core, retired)
VALUES (1, 'masking', 'Masking', '', 'unseen', 0, true, false);
INSERT INTO item (id, guid, kind, concept_id, position, created_at, suspended, marked,
buried_until, retired, phase, step, reps, lapses) VALUES (1, 'card', 'card', 1, 0,
'2026-01-01 12:00:00', true, true, '2026-02-01', false, 'new', 0, 0, 0);
INSERT INTO setting (key, value) VALUES ('settings.new_per_day', '7')
"""
"""Choices of a learner in the schema before there were decisions."""


def test_what_was_chosen_before_there_were_decisions_becomes_decisions(
    alembic_runner: MigrationContext, alembic_engine: Engine
) -> None:
    alembic_runner.migrate_up_to("0003")
    with alembic_engine.begin() as connection:
        for statement in CHOICES.split(";"):
            connection.exec_driver_sql(statement)
    alembic_runner.migrate_up_to("heads")
    with alembic_engine.connect() as connection:
        records = {(each.name, each.field): each for each in load_snapshot(connection).decisions}
    assert {key: each.value for key, each in records.items()} == {
        ("card", "suspended"): True,
        ("card", "marked"): True,
        ("card", "buried_until"): "2026-02-01",
        ("settings.new_per_day", "value"): 7,
    }
    choices = {each.at for key, each in records.items() if key[0] == "card"}
    assert choices == {BEFORE_DECISIONS}
    assert records["settings.new_per_day", "value"].at > BEFORE_DECISIONS


def test_a_new_file_has_the_schema_that_the_migrations_come_to(tmp_path: Path) -> None:
    written = (migrations_dir() / migrate.NAME).read_text("utf-8")
    assert written == migrate.migrated_schema(), "run python -m studyattn.store.migrate"
    home = Home(tmp_path)
    open_database(home, now=datetime(2026, 1, 1, tzinfo=UTC)).close()
    with closing(sqlite3.connect(home.database)) as driver:
        assert migrate.written(driver) == written
