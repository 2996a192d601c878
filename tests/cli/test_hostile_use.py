"""Commands where something is missing, full, closed or absurd: one line and a status, each time."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Command, one_line

CARD = "attention:softmax-axis"
HUGE = "9" * 30


def process(home: Path, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """A command in a process of its own; `before` is what a shell does to it first."""
    command = [sys.executable, "-m", "studyattn", "--home", str(home), *arguments]
    return subprocess.run(
        ["sh", "-c", f'{before} exec "$@"', "sh", *command] if before else command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["note", "show", HUGE],
        ["note", "show", "--", "-1"],
        ["note", "edit", HUGE, "x"],
        ["answer", CARD, HUGE],
        ["answer", CARD, "good", "--at", "99999-01-01"],
        ["answer", CARD, "good", "--at", "9999-12-31T23:59:59-14:00"],
        ["settings", "set", "new_per_day", "-1"],
        ["settings", "set", "new_per_day", HUGE],
        ["settings", "set", "desired_retention", "nan"],
        ["export", "note", "--since", "10000-01-01"],
        ["export", "note", "-o", "/"],
        ["export", "note", "-o", ""],
        ["export", "anki", "-o", "."],
        ["export", "note", "-o", "a\0b"],
        ["export", "note", "-o", "/proc/nowhere/note.md"],
        ["export", "note", "--concept", "a\0b"],
        ["import", "a\0b.md"],
        ["import", "x" * 300],
        ["import", "/dev/zero"],
        ["import", "/proc/self/mem"],
        ["answer", "--from", "/dev/zero"],
        ["db", "merge", "/dev/zero"],
        ["db", "merge", "a\0b"],
        ["db", "restore", "a\0b"],
        ["db", "restore", "/dev/zero"],
        ["concept", "show", "ö\x1b[2J" * 5000],
        ["note", "add", "\udcff"],
    ],
)
def test_what_makes_no_sense_is_refused(command: Command, arguments: list[str]) -> None:
    refused = command(*arguments)
    assert refused.status == 2
    assert refused.out == ""
    assert one_line(refused.err), refused.err
    assert len(refused.err) < 2500
    assert "\x1b" not in refused.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["note", "show", "first"], "'first' is not a valid whole number."),
        (["search", "x", "--limit", "many"], "'many' is not a valid whole number."),
        (["export", "note", "--since", "monday"], "'monday' is not a day. Write it like 2026-"),
        (["export", "note", "--source", "x"], "Nothing was imported yet."),
        (["db", "restore", "x"], "backups: there is no backup x."),
        (["--home", "", "due"], "The name of the folder is empty."),
        (["pack", "check", __file__], "this is a file. Give the folder of a pack"),
        (["pack", "check", "nowhere"], "nowhere: there is no such folder."),
        (["class", "grade", "attention", __file__], "this is not a folder or archive."),
        (["sync", __file__], "this is a file, not a folder."),
        (
            ["export", "note", "--format", "obsidian", "-o", __file__],
            "this is a file, not a folder",
        ),
        (
            ["settings", "set", "new_per_day", "abc"],
            "Invalid value 'abc' for new_per_day: expected a whole number from 0 to 999",
        ),
    ],
)
def test_what_makes_no_sense_is_told_in_plain_words(
    command: Command, arguments: list[str], told: str
) -> None:
    assert told in command(*arguments).err


def test_names_in_any_script(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "注意 – 'a b' \U0001f9e0"
    path = folder / "nöte.md"
    written = command("export", "note", "-o", str(path))
    assert written.err == f"Written: {path}\n"
    assert command("import", str(path)).out.startswith(f"{path}: learning note\n")


@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_bug_and_gets_no_database(home: Path, closed: str) -> None:
    for arguments in (["answer", CARD, "good"], ["export", "note"]):
        done = process(home, *arguments, before=f"exec {closed};")
        assert done.returncode == 0
        assert done.stderr == ""
    assert process(home, "db", "check").stdout == "The database is intact.\n"


def test_a_note_from_a_closed_input_is_empty(home: Path) -> None:
    refused = process(home, "note", "add", before="exec <&-;")
    assert refused.returncode == 2
    assert one_line(refused.stderr), refused.stderr


def test_an_output_without_the_characters_is_told(home: Path) -> None:
    refused = process(
        home, "lesson", "softmax", before="export PYTHONIOENCODING=latin-1; exec >/dev/null;"
    )
    assert refused.returncode == 2
    assert "the output's encoding, latin-1, has no '\\u" in refused.stderr


def test_questions_that_nobody_answers_are_told(home: Path) -> None:
    ended = process(home, "place")
    assert ended.returncode == 130
    assert ended.stderr.strip() == "studyattn: the input ended before the last question"


def test_the_app_without_a_terminal_tells_today_and_ends(home: Path) -> None:
    told = process(home)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("studyattn · ")
    assert "\x1b" not in told.stdout


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="there is no /dev/full here")
def test_a_full_device_is_told_and_stays_a_device(home: Path) -> None:
    refused = process(home, "export", "note", "-o", "/dev/full")
    assert refused.returncode == 2
    assert refused.stderr.startswith("studyattn: /dev/full: it cannot be written (No space")
    assert one_line(refused.stderr)
    assert Path("/dev/full").is_char_device()
    full = process(home, "export", "all", before="exec >/dev/full;")
    assert full.returncode == 2
    assert one_line(full.stderr)


def test_an_export_goes_into_a_pipe_and_through_a_link(home: Path, tmp_path: Path) -> None:
    done = process(home, "export", "note", "-o", "/dev/stdout")
    assert done.returncode == 0
    assert done.stdout.startswith("---\ntitle: Learning note\n")
    there, link = tmp_path / "there.md", tmp_path / "link.md"
    link.symlink_to(there)
    assert process(home, "export", "note", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert there.read_text() == done.stdout


def test_a_full_disk_leaves_all_as_it_was(home: Path, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: the system refuses to write on."""
    size = (home / "studyattn.db").stat().st_size
    note = tmp_path / "note.md"
    note.write_text("as it was")
    for limit, arguments in (
        (1000, ["export", "note", "-o", str(note)]),
        (1000, ["export", "anki", "-o", str(note)]),
        (size // 2, ["db", "backup"]),
    ):
        refused = limited(home, limit, *arguments)
        assert refused.returncode == 2, arguments
        assert one_line(refused.stderr), refused.stderr
        assert note.read_text() == "as it was"
        assert [each.name for each in tmp_path.glob(".*.part")] == []
    assert process(home, "db", "check").stdout == "The database is intact.\n"


def limited(home: Path, limit: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that may write no file longer than `limit` bytes."""
    return subprocess.run(
        [sys.executable, "-m", "studyattn", "--home", str(home), *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
