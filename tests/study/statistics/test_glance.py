"""Today's numbers as an app shows them first: without SQLAlchemy, checks or backups."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study import review, statistics
from studyattn.study.clock import FixedClock
from studyattn.study.profile import glance, open_profile

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)

_GLANCE = """
import sys
from pathlib import Path
from studyattn.home import Home
from studyattn.study import statistics
from studyattn.study.clock import SystemClock
from studyattn.study.profile import glance

with glance(Home(Path(sys.argv[1])), SystemClock()) as reader:
    print(statistics.today.numbers(reader).never_asked)
print(*sys.modules, file=sys.stderr)
"""


def test_the_numbers_are_those_of_today(tmp_path: Path) -> None:
    clock = FixedClock(NOW)
    with open_profile(Home(tmp_path), clock) as profile:
        first, second, *_ = review.queue.due_items(profile)
        review.batch.answer(profile, first.guid, Rating.EASY)
        review.batch.answer(profile, second.guid, Rating.AGAIN)
        whole = statistics.today.today(profile)
        with glance(Home(tmp_path), clock) as reader:
            assert reader is not None
            numbers = statistics.today.numbers(reader)
    assert numbers.answered == 2
    assert numbers.later + numbers.cards_now >= 1
    later = {"known_unknown", "recently_known", "suggestion", "by_day"}  # read with the concepts
    later |= {"done", "tomorrow", "capstone", "reached", "runs"}
    for name in statistics.day.Today._fields:
        if name not in later:
            assert getattr(numbers, name) == getattr(whole, name), name


def test_they_need_no_sqlalchemy_and_change_no_file(tmp_path: Path) -> None:
    with open_profile(Home(tmp_path), FixedClock(NOW)) as profile:
        items = statistics.today.today(profile).never_asked
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("studyattn.db")}
    ran = subprocess.run(
        [sys.executable, "-c", _GLANCE, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert int(ran.stdout) == items
    heavy = {"sqlalchemy", "alembic", "yaml", "markdown_it", "numpy", "torch", "click"}
    unused = {"studyattn.memory.scheduler", "studyattn.study.review.views"}
    assert not (heavy | unused) & set(ran.stderr.split())
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("studyattn.db")} == before


@pytest.mark.parametrize("content", [None, b"", b"SQLite format 3\0" + bytes(4096)])
def test_a_home_that_has_to_be_made_or_looked_after_is_left_alone(
    tmp_path: Path, content: bytes | None
) -> None:
    home = Home(tmp_path)
    if content is not None:
        home.database.write_bytes(content)
    with suppress(sqlite3.DatabaseError), glance(home, FixedClock(NOW)) as reader:
        assert reader is None
    assert (home.database.read_bytes() if home.database.exists() else None) == content
