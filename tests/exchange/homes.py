"""Many empty databases for property tests: migrated once, then copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from studyattn.address import ServerAddress
from studyattn.exchange.merge.merge_into import MergeReport, merge_database, merge_into
from studyattn.exchange.merge.other_database import opened_other
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.store.snapshot import Snapshot
from studyattn.study.review.rebuild import refold

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def merge(database: Database, other: Path | ServerAddress) -> MergeReport:
    """As `db merge` does."""
    with opened_other(other, NOW) as theirs:
        return merge_database(database, theirs, refold)


def merge_held(database: Database, other: Database) -> MergeReport:
    """As `merge`, but of what another open database holds: in a third of the time."""
    return merge_database(database, other, refold)


class Homes:
    """Makes homes below a folder: empty ones, or with what all of them begin with."""

    def __init__(self, folder: Path, beginning: Snapshot | None = None) -> None:
        self._folder = folder
        self._numbers = count()
        self._template = Home(folder / "template")
        with open_database(self._template, now=NOW) as database:
            if beginning is not None:
                merge_into(database, beginning, refold)

    @contextmanager
    def new(self) -> Iterator[Database]:
        """A database in a home of its own."""
        home = Home(self._folder / str(next(self._numbers)))
        home.root.mkdir()
        shutil.copy(self._template.database, home.database)
        with open_database(home, now=NOW) as database:
            yield database
        shutil.rmtree(home.root)
