"""`sync DIR`: two homes that meet in a folder, which brings files half and twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from studyattn.cli import run
from tests.cli.conftest import Result, one_line

CARDS = ("attention:softmax-axis", "attention:scaling-why")


@pytest.fixture
def machine(
    fresh_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    """Carries out one command line on the machine `here` or `there`."""
    for name in ("here", "there"):
        shutil.copytree(fresh_home, tmp_path / name)
    capsys.readouterr()

    def carry_out(name: str, *arguments: str) -> Result:
        status = run(["--home", str(tmp_path / name), *arguments])
        said = capsys.readouterr()
        return Result(status, said.out, said.err)

    return carry_out


def reps(machine: Callable[..., Result], name: str) -> list[int]:
    """How often each of the two cards was answered, as a machine knows it."""
    items = {each["guid"]: each for each in machine(name, "items", "--all", "--json").json}
    return [items[guid]["reps"] for guid in CARDS]


def test_two_homes_meet_in_a_folder(machine: Callable[..., Result], tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    missing = machine("here", "sync", str(folder))
    assert (missing.status, one_line(missing.err)) == (2, True)
    assert "there is no folder" in missing.err
    folder.mkdir()
    machine("here", "answer", CARDS[0], "good")
    machine("there", "answer", CARDS[1], "easy")
    first = machine("here", "sync", str(folder), "--json").json
    assert (first["taken"], first["changed"], first["problems"]) == (0, False, [])
    assert machine("there", "sync", str(folder), "--json").json["changed"]
    told = machine("here", "sync", str(folder))
    assert (told.status, told.err) == (0, "")
    assert "read." in told.out
    assert reps(machine, "here") == reps(machine, "there") == [1, 1]
    assert "nothing new here" in machine("here", "sync", str(folder)).out
    assert [path.suffix for path in folder.iterdir()] == [".jsonl", ".jsonl"]


def test_without_a_folder_it_is_that_of_the_setting(
    machine: Callable[..., Result], tmp_path: Path
) -> None:
    none = machine("here", "sync")
    assert none.status == 2
    assert "settings set sync_folder DIR" in none.err
    folder = tmp_path / "folder"
    folder.mkdir()
    machine("here", "settings", "set", "sync_folder", str(folder))
    assert machine("here", "sync").status == 0
    assert len(list(folder.iterdir())) == 1
    assert machine("there", "sync", str(folder)).status == 0
    assert machine("there", "sync").status == 2  # the setting stays on its machine


def test_a_file_that_came_half_or_twice_is_taken_in_once(
    machine: Callable[..., Result], tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    machine("here", "answer", CARDS[0], "good")
    machine("here", "answer", CARDS[1], "good")
    file = folder / machine("here", "sync", str(folder), "--json").json["file"]
    whole = file.read_bytes()
    assert json.loads(whole.splitlines()[-1])
    file.write_bytes(whole[: len(whole) // 2])
    assert machine("there", "sync", str(folder)).status == 0
    file.write_bytes(whole)
    (folder / "again.jsonl").write_bytes(whole)
    assert machine("there", "sync", str(folder)).status == 0
    assert reps(machine, "there") == [1, 1]
    assert machine("there", "db", "check").out == "The database is intact.\n"


def test_a_line_that_does_not_fit_is_told_and_the_rest_is_taken_in(
    machine: Callable[..., Result], tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    machine("here", "answer", CARDS[0], "good")
    machine("here", "sync", str(folder))
    (folder / "a-bad-one.jsonl").write_text('{"type": "studyattn"\n', encoding="utf-8")
    told = machine("there", "sync", str(folder))
    assert told.status == 1
    assert "a-bad-one.jsonl" in told.out
    assert reps(machine, "there") == [1, 0]
