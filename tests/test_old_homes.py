"""A home that an earlier version made still opens, and nothing that the learner did there is lost.

`tests/homes/0.1.0.zip` holds a home that 0.1.0 made (`home/`), and what 0.1.0 itself wrote of it
(`written/`): 727 reviews over 60 days with two of them undone, an import, notes, joined concepts,
drill attempts, settings.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

ARCHIVE = Path(__file__).parent / "homes" / "0.1.0.zip"
KEYS = {
    "source": ("guid",),
    "concept": ("slug",),
    "change": ("concept", "at"),
    "item": ("guid",),
    "note": ("guid",),
    "wording": ("guid", "at"),
    "review": ("uuid",),
    "attempt": ("uuid",),
    "step": ("uuid",),
    "brought-back": ("uuid",),
    "setting": ("key",),
}
# What belongs to the pack may be worded anew by a later version; the rest is the learner's.
PACKS_OWN = {
    "concept": {"title", "body", "position", "requires", "core"},
    "item": {"card", "concept", "position", "retired"},
}


def run(home: Path, *arguments: str) -> str:
    """Standard output of one command on the home."""
    done = subprocess.run(
        [sys.executable, "-m", "studyattn", "--home", str(home), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked archive."""
    folder = tmp_path_factory.mktemp("old")
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
    return folder


def records(text: str) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Each record of an export with the key that names it."""
    for line in text.splitlines():
        record = json.loads(line)
        if record["type"] in KEYS:
            named = tuple(str(record[field]) for field in KEYS[record["type"]])
            yield (record["type"], *named), record


def of_the_learner(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a later version of the pack may not change."""
    own = PACKS_OWN.get(record["type"], set()) if record.get("pack") else set()
    return {name: value for name, value in record.items() if name not in own}


def test_the_database_is_sound(unpacked: Path) -> None:
    assert "intact" in run(unpacked / "home", "db", "check")


def test_every_record_is_exported_as_before_but_for_added_fields(unpacked: Path) -> None:
    target = unpacked / "now.jsonl"
    run(unpacked / "home", "export", "all", "-o", str(target))
    now = dict(records(target.read_text(encoding="utf-8")))
    before = dict(records((unpacked / "written" / "all.jsonl").read_text(encoding="utf-8")))
    assert len(before) > 1000
    for key, record in before.items():
        assert key in now
        learners = of_the_learner(record)
        assert {name: now[key].get(name) for name in learners} == learners


def test_no_memory_state_moved(unpacked: Path) -> None:
    before = json.loads((unpacked / "written" / "items.json").read_text(encoding="utf-8"))
    items = json.loads(run(unpacked / "home", "items", "--all", "--json"))
    now = {item["guid"]: item for item in items}
    reviewed = [item for item in before if item["reps"]]
    assert len(reviewed) > 100
    for item in reviewed:
        for name in ("phase", "due", "reps", "lapses", "suspended"):
            assert now[item["guid"]][name] == item[name]
        assert now[item["guid"]]["stability"] == pytest.approx(item["stability"], rel=1e-6)
        assert now[item["guid"]]["difficulty"] == pytest.approx(item["difficulty"], rel=1e-6)


def test_a_rebuild_changes_nothing(unpacked: Path) -> None:
    columns = "guid, phase, step, stability, difficulty, due, last_review, reps, lapses"
    run(unpacked / "home", "items", "--json")
    with sqlite3.connect(unpacked / "home" / "studyattn.db") as database:
        before = database.execute(f"SELECT {columns} FROM item ORDER BY guid").fetchall()
    run(unpacked / "home", "db", "rebuild")
    with sqlite3.connect(unpacked / "home" / "studyattn.db") as database:
        assert database.execute(f"SELECT {columns} FROM item ORDER BY guid").fetchall() == before


def test_the_drill_file_is_the_learners(unpacked: Path) -> None:
    code = (unpacked / "home" / "drills" / "softmax.py").read_bytes()
    run(unpacked / "home", "drill", "list")
    with zipfile.ZipFile(ARCHIVE) as archive:
        assert code == archive.read("home/drills/softmax.py")
    assert b"keepdim" in code
