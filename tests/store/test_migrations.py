"""Migrations against the models: pytest-alembic's four tests; the list in code is whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from pytest_alembic.tests import (
    test_model_definitions_match_ddl,
    test_single_head_revision,
    test_up_down_consistency,
    test_upgrade,
)
from sqlalchemy import Engine, NullPool

from studyattn.bundled import migrations_dir
from studyattn.home import Home
from studyattn.store import revisions
from studyattn.store.engine import engine_of
from studyattn.store.transactions import WRITING
from tests.databases import Server

__all__ = [
    "test_model_definitions_match_ddl",
    "test_single_head_revision",
    "test_up_down_consistency",
    "test_upgrade",
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
        yield engine_of(Home(tmp_path), poolclass=NullPool)
        return
    server: Server = request.getfixturevalue("server")
    with server.database("TEMPLATE template0") as name:
        address = server.address(name)
        server.execute(f'CREATE SCHEMA "{address.schema}"', name)
        engine = engine_of(Home(tmp_path, address), poolclass=NullPool)
        yield engine.execution_options(**WRITING)


def test_the_revisions_in_code_are_those_of_the_folder(alembic_config: Config) -> None:
    script = ScriptDirectory.from_config(alembic_config)
    oldest_first = tuple(each.revision for each in reversed(list(script.walk_revisions())))
    assert oldest_first == revisions.REVISIONS
    assert script.get_current_head() == revisions.HEAD
