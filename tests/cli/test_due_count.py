"""`studyattn due --count`: one number for a prompt, counted once and then looked up."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from studyattn.study.review import due_count
from tests.cli.conftest import Command, process


def age(home: Path) -> None:
    """Let the database's files look as if they were written a minute ago."""
    for path in home.glob("studyattn.db*"):
        os.utime(path, (time.time() - 60, time.time() - 60))


def test_it_is_counted_once_and_again_after_an_answer(command: Command, home: Path) -> None:
    listed = command("due", "--json").json
    age(home)
    assert command("due", "--count").out == f"{len(listed)}\n"
    assert due_count.look_up(str(home)) == len(listed)

    assert command("answer", listed[0]["guid"], "easy").status == 0
    assert due_count.look_up(str(home)) is None
    age(home)
    now = len(command("due", "--json").json)
    assert now != len(listed)
    assert command("due", "--count").out == f"{now}\n"


def test_it_is_looked_up_without_what_counting_needs(command: Command, home: Path) -> None:
    age(home)
    counted = command("due", "--count").out
    import_times = process(
        "due", "--count", home=home, environment={"PYTHONPROFILEIMPORTTIME": "1"}
    )
    assert import_times.stdout == counted
    for heavy in ("click", "sqlalchemy", "sqlite3", "dataclasses", "pathlib", "typing"):
        assert f" {heavy}\n" not in import_times.stderr


def test_it_holds_until_the_next_item_comes_due(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guid = command("due", "--json").json[0]["guid"]
    command("answer", guid, "again", "--at", datetime.now(UTC).isoformat())  # due in a minute
    age(home)
    command("due", "--count")
    assert due_count.look_up(str(home)) is not None
    soon = time.time() + timedelta(minutes=2).total_seconds()
    monkeypatch.setattr(time, "time", lambda: soon)
    assert due_count.look_up(str(home)) is None
    earlier = time.time() - timedelta(days=1).total_seconds()
    monkeypatch.setattr(time, "time", lambda: earlier)
    assert due_count.look_up(str(home)) is None


def test_a_file_that_is_no_count_is_passed_over(command: Command, home: Path) -> None:
    (home / "due-count").write_text("soon", encoding="ascii")
    assert command("due", "--count").out == f"{len(command('due', '--json').json)}\n"
    assert command("due", "--count", "--at", "2026-03-02T12:00:30Z").status == 2
