"""Manual pages: one for the program and one a command, in roff without a fault."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from studyattn.cli import manual
from studyattn.cli.app import studyattn
from studyattn.cli.table import COMMANDS
from tests.cli.conftest import Command

PAGES = (None, *COMMANDS)


def shown(page: str) -> str:
    """The page as groff shows it, which must find nothing to complain about."""
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-K", "utf8", "-P-cbou"],
        input=page,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def test_every_page_is_sound() -> None:
    """One call for all: groff starts as slowly as it sets a page."""
    shown("\n".join(manual.page(studyattn, name) for name in PAGES))


def test_a_page_says_what_the_help_says(command: Command) -> None:
    text = shown(command("man", "drill").out)
    for each in (
        "studyattn-drill - List, start, grade and watch coding drills",
        "studyattn drill grade [OPTIONS] ID FILE",
        "--repro",
        "studyattn drill grade attention attention.py --no-record --seed 7",
        "SEE ALSO",
    ):
        assert each in text
    whole = shown(command("man").out)
    for name, entry in COMMANDS.items():
        assert f"studyattn-{name}(1)" in whole
        assert " ".join(entry.help.split()[:4]) in " ".join(whole.split())
    assert "STUDYATTN_HOME" in whole


def test_text_that_roff_would_take_for_its_own_is_kept() -> None:
    assert manual._escaped(".x -a \\n 'b'") == "\\&.x \\-a \\en \\(aqb\\(aq"


def test_all_pages_are_written_where_man_finds_them(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "man" / "man1"
    told = command("man", "--dir", str(folder))
    assert told.out == f"{len(PAGES)} pages in {folder}\n"
    assert {file.name for file in folder.iterdir()} == {f"{manual.title(name)}.1" for name in PAGES}
    if shutil.which("man") is not None:
        found = subprocess.run(
            ["man", "-M", str(folder.parent), "-w", "studyattn-due"],
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert found.stdout.strip() == str(folder / "studyattn-due.1")


def test_a_page_that_there_is_not(command: Command) -> None:
    assert "No such command 'dew'. Did you mean" in command("man", "dew").err
    assert "leave out COMMAND" in command("man", "due", "--dir", "x").err
    assert command("man", "due", "--json").json["page"] == "studyattn-due"
