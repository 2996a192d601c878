"""Migrations against the models: pytest-alembic's four tests; the list in code is whole."""

from __future__ import annotations

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
from studyattn.store import migrate
from studyattn.store.engine import make_engine

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


@pytest.fixture
def alembic_engine(tmp_path: Path) -> Engine:
    return make_engine(tmp_path / "migrated.db", poolclass=NullPool)


def test_the_revisions_in_code_are_those_of_the_folder(alembic_config: Config) -> None:
    script = ScriptDirectory.from_config(alembic_config)
    oldest_first = tuple(each.revision for each in reversed(list(script.walk_revisions())))
    assert oldest_first == migrate.REVISIONS
    assert script.get_current_head() == migrate.HEAD
