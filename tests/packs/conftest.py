"""A tiny pack to read, change and break, and a database to take it into."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from studyattn.address import ServerAddress
from studyattn.home import Home
from studyattn.store.database import Database, open_database

TINY: Final = Path(__file__).parent / "softmax-regression"
NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the tiny pack that a test may change."""
    compiled = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(TINY, tmp_path / "packs" / "softmax-regression", ignore=compiled))


@pytest.fixture
def database(tmp_path: Path, either: ServerAddress | None) -> Iterator[Database]:
    """A database whose home holds the copy that `folder` makes."""
    with open_database(Home(tmp_path, either), now=NOW) as database:
        yield database


def change(file: Path, old: str, new: str) -> None:
    """Replace `old`, which must stand in the file."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
