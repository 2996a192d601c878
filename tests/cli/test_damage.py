"""Damaged files: every command says in one line what is wrong and what to do, and none is a bug."""

from __future__ import annotations

import gc
import random
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.conftest import Command, one_line

CARD = "attention:softmax-axis"
PAGE = 4096


def random_bytes(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 5, 50))):
        data[draw.randrange(100, len(data))] = draw.randrange(256)


def bytes_of_the_schema(data: bytearray, draw: random.Random) -> None:
    start = data.index(b"CREATE TABLE")
    for _ in range(draw.choice((1, 3))):
        place = draw.randrange(start, min(start + 3000, len(data)))
        data[place] = draw.choice((0xFE, 0x80, draw.randrange(256)))


def random_pages(data: bytearray, draw: random.Random) -> None:
    for _ in range(draw.choice((1, 3))):
        start = PAGE * draw.randrange(len(data) // PAGE)
        data[start : start + PAGE] = draw.choice((bytes(PAGE), draw.randbytes(PAGE)))


def swapped_pages(data: bytearray, draw: random.Random) -> None:
    one, two = (PAGE * draw.randrange(1, len(data) // PAGE) for _ in range(2))
    data[one : one + PAGE], data[two : two + PAGE] = data[two : two + PAGE], data[one : one + PAGE]


def cut(data: bytearray, draw: random.Random) -> None:
    del data[draw.randrange(len(data)) :]


def text_of_rows(data: bytearray, draw: random.Random) -> None:
    """Change letters and figures where the structure is whole: days, kinds, JSON."""
    signs = [place for place in range(PAGE, len(data)) if data[place : place + 3] in SIGNS]
    for place in draw.sample(signs, min(len(signs), 20)):
        data[place] = draw.choice((0xFF, ord("q"), ord("\n")))


SIGNS = (b"202", b"car", b'{"t', b"new", b"rev", b"lea", b"null")
HARM: tuple[Callable[[bytearray, random.Random], None], ...] = (
    random_bytes,
    bytes_of_the_schema,
    random_pages,
    swapped_pages,
    cut,
    text_of_rows,
)
COPIES = len(HARM)  # 150 were tried by hand; the seeds are the numbers of the copies


@pytest.fixture
def backup(command: Command, home: Path) -> str:
    for rating in ("good", "again", "good"):
        assert command("answer", CARD, rating).status == 0
    return Path(command("db", "backup").out.strip()).name


def test_no_command_on_a_damaged_file_ends_in_a_bug(
    command: Command, home: Path, backup: str
) -> None:
    path = home / "studyattn.db"
    whole = path.read_bytes()
    for seed in range(COPIES):
        draw = random.Random(seed)
        harm = HARM[seed % len(HARM)]
        data = bytearray(whole)
        harm(data, draw)
        for old in home.glob("studyattn.db*"):
            old.unlink()
        path.write_bytes(data)
        for arguments in (("due",), ("items",), ("stats",), ("answer", CARD, "good")):
            result = command(*arguments)
            told = (seed, harm.__name__, arguments, result)
            assert result.status in (0, 2), told
            if result.status == 2:
                assert one_line(result.err), told
                assert "`studyattn db restore studyattn-" in result.err, told
        gc.collect()  # what a failed command left open; in life each is a process of its own
        checked = command("db", "check")
        assert (checked.status, checked.err) in ((0, ""), (1, "")), (seed, checked)
        restored = command("db", "restore", backup)
        assert (restored.status, restored.err) == (0, ""), (seed, restored)
        assert command("db", "check").status == 0


def test_a_bad_byte_in_the_schema_is_damage(command: Command, home: Path, backup: str) -> None:
    path = home / "studyattn.db"
    data = bytearray(path.read_bytes())
    data[data.index(b"CREATE TABLE item") + 30] = 0xFE
    path.write_bytes(data)
    for arguments in (["due"], ["items"], ["stats"], ["answer", CARD, "good"]):
        told = command(*arguments)
        assert told.status == 2
        assert one_line(told.err)
        assert f"`studyattn db restore {backup}`" in told.err
    checked = command("db", "check")
    assert checked.status == 1
    assert f"`studyattn db restore {backup}`" in checked.out
    assert path.read_bytes() == data
    assert command("db", "restore", backup).status == 0
    assert command("db", "check").status == 0


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE item SET due = '2026-1q-21 00:00:00.000000' WHERE guid = :card",
        "UPDATE item SET last_day = '2026-02-31' WHERE guid = :card",
        "UPDATE card SET front = CAST(x'fffe41' AS TEXT)",
        "UPDATE card SET extra = '{'",
    ],
)
def test_a_value_that_cannot_be_read_is_damage(
    command: Command, home: Path, backup: str, spoil: str
) -> None:
    with closing(sqlite3.connect(home / "studyattn.db")) as connection, connection:
        connection.execute(spoil, {"card": CARD} if ":card" in spoil else {})
    for arguments in (["items"], ["due"], ["answer", CARD, "good"]):
        told = command(*arguments)
        assert told.status == 0 or (one_line(told.err) and backup in told.err), told
    checked = command("db", "check")
    assert checked.status == 1
    assert backup in checked.out
    restored = command("db", "restore", backup)
    assert restored.status == 0
    assert ".damaged-" in restored.out
    assert command("db", "check").status == 0


def test_a_first_start_that_was_killed_is_gone_on_with(command: Command, home: Path) -> None:
    shutil.rmtree(home)
    home.mkdir()
    with closing(sqlite3.connect(home / "studyattn.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # as far as it came: no table yet
    for arguments in (["db", "check"], ["db", "backup"], ["due"]):
        result = command(*arguments)
        assert result.status == 0, result


KILLED = """
import os, signal, sqlite3, sys

connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("CREATE TABLE half (made)")
connection.execute("INSERT INTO half VALUES (zeroblob(1000000))")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("first", [["db", "check"], ["db", "backup"], ["due"]])
def test_a_first_start_that_was_killed_while_it_wrote_is_gone_on_with(
    command: Command, home: Path, first: list[str]
) -> None:
    shutil.rmtree(home)
    home.mkdir()
    subprocess.run([sys.executable, "-c", KILLED, str(home / "studyattn.db")], check=False)
    assert (home / "studyattn.db-journal").stat().st_size > 0
    assert (home / "studyattn.db").stat().st_size > 0
    result = command(*first)
    assert result.status == 0, result


def test_recover_takes_the_answers_that_a_restore_gives_up(
    command: Command, home: Path, backup: str
) -> None:
    assert command("db", "recover").out.startswith("The database is intact")
    assert command("answer", CARD, "easy").status == 0
    path = home / "studyattn.db"
    data = bytearray(path.read_bytes())
    data[:PAGE] = bytes(PAGE)
    path.write_bytes(data)
    told = command("answer", CARD, "good")
    assert "`studyattn db recover`" in told.err
    assert one_line(told.err)
    shown = command("db", "recover", "--dry-run")
    assert backup in shown.out
    assert re.search(r"answers.* 4 +0 +none", shown.out)
    assert path.read_bytes() == data
    done = command("db", "recover", "--json").json
    assert {each["table"]: each["read"] for each in done["tables"]}["review"] == 4
    assert Path(done["kept"]).read_bytes() == data
    assert command("db", "check").status == 0
    assert command("items", "--json").status == 0


def test_recovery_of_a_file_in_which_nothing_is_readable_says_so(
    command: Command, home: Path, backup: str
) -> None:
    (home / "studyattn.db").write_bytes(random.Random(1).randbytes(100_000))
    lost = "Nothing in the damaged file could be read: everything newer than the backup is lost."
    assert lost in command("db", "recover", "--dry-run").out
    assert lost in command("db", "recover").out


def test_an_emptied_file_fails_the_check_as_any_other_damage_does(
    command: Command, home: Path, backup: str
) -> None:
    (home / "studyattn.db").write_bytes(b"")
    checked = command("db", "check")
    assert (checked.status, checked.err) == (1, "")
    assert "`studyattn db recover`" in checked.out
