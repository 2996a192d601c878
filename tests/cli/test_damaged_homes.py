"""No command changes a damaged home: the bytes of its database, log and backups stay as they were.

The command lines are examples in the help of every command, so that a command that is added later
is tried as well: on an empty file, and on one of the other damages. Those that open the database
in a way of their own meet all of them. Each runs in a process of its own, which is ended when it
takes too long.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import shlex
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NoReturn

import click
import pytest

from studyattn import cli
from studyattn.cli import run
from studyattn.cli.app import studyattn
from studyattn.errors import DamagedDatabaseError
from studyattn.grading.run import runner
from studyattn.home import Home
from studyattn.lm.llama import kept
from studyattn.store import backup
from studyattn.store.database import open_database
from studyattn.store.health import mark_closed
from studyattn.store.queries.concepts import titles_at_once
from studyattn.store.replacing import UNFINISHED
from studyattn.store.sqlite_file import files_beside
from studyattn.study.clock import SystemClock
from studyattn.study.profile import glance
from studyattn.study.statistics.ahead import read_ahead
from tests.cli.conftest import Command, one_line
from tests.store.conftest import NOW, add_review

PATIENCE = 8
"""Seconds on a busy machine. A damaged home is told of in less; a server has no end."""
REMEDIES = (["db", "recover"], ["db", "restore", "studyattn-backup.db"])


def empty(database: Path) -> None:
    os.truncate(database, 0)


def cut(database: Path) -> None:
    os.truncate(database, 3 * 4096)


def behead(database: Path) -> None:
    with database.open("r+b") as file:
        file.write(bytes(100))


def lose(database: Path) -> None:
    database.unlink()


def tear_log(database: Path) -> None:
    log = files_beside(database)[0]
    with log.open("r+b") as file:
        file.seek(log.stat().st_size // 3)
        file.write(b"\xa5" * 600)


def empty_without_trace(database: Path) -> None:
    """Nothing but the log tells that this was no first start."""
    empty(database)
    shutil.rmtree(database.parent / "backups")
    database.with_name(f"{database.name}-checked").unlink()


def without_log(database: Path) -> None:
    """As a process leaves it that closes it: a file alone, with all that was in its log."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert not any(path.exists() for path in files_beside(database))


def bruise(database: Path) -> None:
    """Damage pages, which only SQLite notices."""
    with database.open("r+b") as file:
        file.seek(5 * 4096)
        file.write(b"\xa5" * 20 * 4096)


def bruise_closed(database: Path) -> None:
    without_log(database)
    bruise(database)


def bruise_below_log(database: Path) -> None:
    """As a file and its log are that were copied without the log's index."""
    files_beside(database)[1].unlink()
    bruise(database)


def garble(database: Path) -> None:
    """Leave a text that is not UTF-8, which SQLite's own checks accept."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE concept SET title = CAST(x'41ff' AS TEXT) WHERE id = 3")
    without_log(database)


Harm = Callable[[Path], None]
UNOPENED: tuple[Harm, ...] = (empty, empty_without_trace, cut, behead, lose, tear_log)
HARM: tuple[Harm, ...] = (*UNOPENED, bruise, bruise_closed, bruise_below_log, garble)


@pytest.fixture(scope="session")
def crashed_home(fresh_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a backup, and with answers that are only in its log."""
    folder = tmp_path_factory.mktemp("crashed")
    home = Home(Path(shutil.copytree(fresh_home, folder / "working")))
    backup.make(home, now=NOW)
    with open_database(home, now=NOW) as database:
        for number in range(40):
            with database.write() as connection:
                add_review(connection, f"review-{number}", "attention:softmax-axis")
        return Path(shutil.copytree(home.root, folder / "home"))


def damaged_copy(crashed_home: Path, folder: Path, harm: Harm) -> Path:
    """A working folder with a damaged home in it, and with what the examples read."""
    (folder / "notes.md").write_text("## Questions\n\n### Why?\n\nBecause.\n")
    (folder / "cards.csv").write_text("front,back\nWhy?,Because.\n")
    (folder / "attention.py").write_text("def attention(q, k, v):\n    return v\n")
    for name in ("home", "laptop"):
        shutil.copytree(crashed_home, folder / name)
    harm(folder / "home" / "studyattn.db")
    harm(folder / "laptop" / "studyattn.db")
    for suffix in ("", "-wal"):
        path = folder / "laptop" / f"studyattn.db{suffix}"
        if path.exists():
            shutil.copyfile(path, folder / f"studyattn-backup.db{suffix}")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """The databases, logs and backups, not the copies of a dry run cut off.

    Of a log's index only that it is there: it follows from the log.
    """
    return {
        str(path.relative_to(folder)): b"" if path.suffix == ".db-shm" else path.read_bytes()
        for path in sorted(folder.rglob("*.db*"))
        if path.suffix in {".db", ".db-wal", ".db-shm"} and UNFINISHED not in str(path)
    }


def examples(command: click.Command, *, most: int | None = None) -> Iterator[list[str]]:
    """The examples in the help of a command and of those below it, or the first of each."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from examples(below, most=most)
        return
    lines = [line.strip() for line in (command.epilog or "").splitlines()]
    found = [shlex.split(line)[1:] for line in lines if line.startswith("studyattn ")]
    assert found, f"{command.name} has no example"
    for arguments in found[:most]:
        ends = [place for place, each in enumerate(arguments) if each in {"<", ">", ">>"}]
        yield arguments[: ends[0] if ends else None]


EXAMPLES = [[], *examples(studyattn)]  # without a command, the app
DOORS = {"answer", "db", "due"}  # those that open the database each in a way of their own
HOMELESS = (["gpt", "mistakes"], ["model", "mistakes"], ["pack", "check"])  # they take seconds
FIRST = [
    each
    for each in examples(studyattn, most=1)
    if each[0] not in DOORS and each[:2] not in HOMELESS
]
LONG = (["doctor"], ["model", "get"], ["serve"], ["db", "recover", "--dry-run"])
"""These take a second or more, or have no end: they are asked on one damage."""


def ask(folder: Path, arguments: list[str]) -> tuple[int, str]:
    """Run one command line on the home in a process of its own. Return its status and its words."""
    with tempfile.TemporaryFile() as said:
        process = os.fork()
        if process == 0:
            _run(folder, arguments, said.fileno())
        _, status = os.waitpid(process, 0)
        with suppress(ProcessLookupError):
            os.killpg(process, signal.SIGKILL)  # what it had started
        said.seek(0)
        return os.waitstatus_to_exitcode(status), said.read().decode()


def _run(folder: Path, arguments: list[str], said: int) -> NoReturn:
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["HOME"] = str(folder)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        for stream in (1, 2):
            os.dup2(said, stream)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - this process ends
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        socket.getaddrinfo = _refuse  # no example reaches the network
        kept.SMOLLM2 = kept.SMOLLM2._replace(package="nowhere")  # type: ignore[misc]  # nor converts 100 MB
        runner._Server = _refuse  # type: ignore[assignment, misc]  # nor grades, which takes no home
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(PATIENCE)
        from studyattn.__main__ import start_app

        status = run(["--home", str(folder / "home"), *arguments], start_app)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    finally:
        os._exit(99)


def _refuse(*_: object, **__: object) -> NoReturn:
    raise OSError("no network in tests")


@pytest.fixture(scope="module")
def _commands_imported() -> None:
    """Import what commands run, which each process would do anew."""
    for module in pkgutil.iter_modules(cli.__path__, f"{cli.__name__}."):
        importlib.import_module(module.name)


@pytest.mark.usefixtures("_commands_imported")
@pytest.mark.parametrize("harm", HARM)
def test_every_command_leaves_a_damaged_home_as_it_is(
    crashed_home: Path, tmp_path: Path, harm: Harm
) -> None:
    folder = damaged_copy(crashed_home, tmp_path, harm)
    before = contents(folder)
    told = 0
    asked = [each for each in EXAMPLES if not each or each[0] in DOORS]
    if harm is empty:
        asked += FIRST
    elif harm in UNOPENED:
        asked += FIRST[UNOPENED.index(harm) - 1 :: len(UNOPENED) - 1]
    for arguments in asked:
        if arguments in REMEDIES or (arguments in LONG and harm is not empty):
            continue
        status, said = ask(folder, arguments)
        assert contents(folder) == before, (arguments, said)
        assert status in {0, 1, 2, 130, -signal.SIGALRM}, (arguments, status, said)
        assert "a bug: " not in said, (arguments, said)
        if status == 2 and "the database is damaged" in said:
            told += 1
            assert one_line(said), (arguments, said)
            assert "`studyattn db recover`" in said, (arguments, said)
    assert told > len(asked) // 2  # the others need no home, or lack what they are to read


@pytest.mark.usefixtures("_commands_imported")
@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("remedy", REMEDIES, ids=" ".join)
def test_a_remedy_keeps_all_bytes_and_changes_no_other_file(
    crashed_home: Path, tmp_path: Path, harm: Harm, remedy: list[str]
) -> None:
    folder = damaged_copy(crashed_home, tmp_path, harm)
    before = contents(folder)
    status, said = ask(folder, remedy)
    assert status == (0 if remedy == ["db", "recover"] else 2), said
    left = {path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(before.values()) <= left | {b""}
    after = contents(folder)
    for name in before.keys() - {f"home/studyattn.db{end}" for end in ("", "-wal", "-shm")}:
        assert after[name] == before[name], name
    assert not list(folder.rglob(".studyattn-copy.*"))
    if remedy == ["db", "recover"]:
        assert ask(folder, ["db", "check"])[0] == 0


@pytest.mark.parametrize("harm", HARM)
def test_what_reads_before_the_home_is_opened_leaves_it_as_it_is(
    crashed_home: Path, tmp_path: Path, harm: Harm
) -> None:
    folder = damaged_copy(crashed_home, tmp_path, harm)
    before = contents(folder)
    home = Home(folder / "home")
    titles_at_once(home)
    ahead = read_ahead(home)
    assert ahead is not None
    ahead.take()
    with suppress(Exception), glance(home, SystemClock()):  # as the app: opening it tells of it
        pass
    with pytest.raises(DamagedDatabaseError):
        open_database(home, now=NOW)
    assert contents(folder) == before


def test_a_bad_value_is_told_before_the_first_write_of_a_day(
    crashed_home: Path, tmp_path: Path
) -> None:
    """The day's backup reads every value, also of a file that looks as it was left."""
    folder = damaged_copy(crashed_home, tmp_path, garble)
    mark_closed(folder / "home" / "studyattn.db")
    for path in (folder / "home" / "backups").glob("*-automatic.db"):
        path.unlink()
    before = contents(folder)
    status, said = ask(folder, ["due"])
    assert (status, contents(folder)) == (2, before), said
    assert "the database is damaged" in said
    assert one_line(said)


def test_a_backup_and_another_database_with_a_log_are_read_with_it_and_left_alone(
    crashed_home: Path, tmp_path: Path, command: Command
) -> None:
    other = Path(shutil.copytree(crashed_home, tmp_path / "other"))
    for name in ("studyattn.db-shm", "studyattn.db-checked"):
        (other / name).unlink(missing_ok=True)
    before = {path: path.read_bytes() for path in other.rglob("*") if path.is_file()}
    merged = command("db", "merge", str(other))
    assert "40 reviews" in merged.out, merged
    assert {path: path.read_bytes() for path in other.rglob("*") if path.is_file()} == before
    restored = command("db", "restore", str(other / "studyattn.db"))
    assert restored.status == 0, restored
    assert {path: path.read_bytes() for path in other.rglob("*") if path.is_file()} == before
    assert command("db", "rebuild", "--json").json["reviews"] == 40
