"""Backups and exports as JSON Lines that fail on their way."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from studyattn.errors import DocumentError, StoreError
from studyattn.exchange import archive
from studyattn.exchange.format import ExportInput, Selection
from studyattn.exchange.registry import JSON_LINES
from studyattn.home import Home
from studyattn.memory import Scheduler
from studyattn.store.backup_files import list_backups
from studyattn.store.database import open_database
from studyattn.store.snapshot import ReviewRecord, Snapshot
from tests.exchange.homes import NOW


def test_a_backup_that_is_not_read_back_is_not_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> Snapshot:
        raise DocumentError("the line is not JSON", where=f"{path}:1")

    home = Home(tmp_path / "home")
    with open_database(home, now=NOW) as database:
        assert archive.make(database, now=NOW).path.is_file()
        monkeypatch.setattr(archive, "read", refuse)
        with pytest.raises(StoreError, match="no backup was made: the line is not JSON"):
            archive.make(database, now=NOW)
        assert len(list_backups(home, archive.SUFFIX)) == 1


def test_an_export_that_fails_on_its_way_leaves_no_file_open(tmp_path: Path) -> None:
    class FullDisk:
        def __iter__(self) -> Iterator[ReviewRecord]:
            raise OSError(28, "No space left on device")

    source = ExportInput(Snapshot(), Scheduler(), Home(tmp_path), Selection(), FullDisk())
    free = os.dup(0)
    os.close(free)
    with pytest.raises(OSError, match="No space left") as caught:
        JSON_LINES.write(source)
    assert os.dup(0) == free, caught  # the traceback would keep it open
    os.close(free)
