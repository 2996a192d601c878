"""What all commands share: errors in a line, help, imports, signals, two processes at once."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import pytest

from studyattn.cli import run, table
from studyattn.cli.app import studyattn
from tests.cli.conftest import Command, one_line, process

CARD = "attention:softmax-axis"
CARDS = Path(__file__).parents[1] / "exchange" / "documents" / "files" / "table.md"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nonsense"],
        ["answer"],
        ["answer", CARD],
        ["answer", CARD, "splendid"],
        ["answer", "nowhere", "good"],
        ["answer", CARD, "good", "--at", "noon"],
        ["answer", "--from", "missing.jsonl"],
        ["due", "--at", "9999999"],
        ["concept", "merge", "a", "b", "c"],
        ["import", "missing.md"],
        ["import"],
        ["concept"],
        ["drill", "nonsense"],
        ["note", "show", "one"],
        ["db", "nonsense"],
        ["answer", "\udcff", "good"],
    ],
)
def test_what_cannot_be_used_is_one_line_and_status_2(
    command: Command, arguments: list[str]
) -> None:
    refused = command(*arguments)
    assert refused.status == 2
    assert refused.out == ""
    assert one_line(refused.err), refused.err
    assert "bug" not in refused.err


def test_a_home_that_cannot_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        refused = process("items", home=place)
        assert refused.returncode == 2
        assert one_line(refused.stderr), refused.stderr


def test_help_and_version_import_nothing() -> None:
    heavy = {"click", "torch", "sqlalchemy", "alembic", "textual", "rich", "numpy", "typing"}
    script = (
        "import sys, runpy; sys.argv = ['studyattn', sys.argv[1]]\n"
        "try: runpy.run_module('studyattn', run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    for argument in ("--version", "--help"):
        done = subprocess.run(
            [sys.executable, "-S", "-c", script, argument],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "studyattn" in done.stdout
        assert heavy.isdisjoint(done.stderr.split())


def test_help_is_readable_in_any_encoding() -> None:
    command = [sys.executable, "-m", "studyattn", "--help"]
    shown = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=True
    )
    assert shown.stdout.isascii()


def test_an_option_that_is_misspelt_is_told_what_is_like_it(command: Command) -> None:
    assert command("--learnr").err == (
        "studyattn: No such option '--learnr'. Did you mean '--learner'? See `studyattn --help`.\n"
    )


HEAVY = {
    *("torch", "textual", "alembic", "sqlalchemy", "psycopg", "numpy", "yaml", "markdown_it"),
    *("rich", "msgspec", "hashlib", "secrets", "tempfile", "shutil", "tomllib", "asyncio"),
    *("studyattn.packs.model", "studyattn.grading"),
}
"""What takes long to load, beside a start of Python."""
LOADED = {
    "settings list": "",
    "due": "rich",  # for the widths of formulas
    "due --json": "",
    "due --count": "",
    "add Why? Because --concept softmax": "msgspec hashlib",
    "answer attention:softmax-axis good": "msgspec",
    "undo": "",
    "concept list": "",
    "concept set softmax known": "",
    "note list": "",
    "note add Ask --concept softmax": "",
    "search softmax": "rich",
    "items": "rich",
    "stats": "",
    "path": "rich tomllib",
    "concept --help": "shutil",
    "doctor --help": "shutil",
    f"export anki -o {os.devnull}": "*",
    f"export all -o {os.devnull}": "*",
    f"import {CARDS} --yes": "*",
}
"""What a command may load of it. An asterisk is all but what is never needed."""
NEVER = {"torch", "textual", "alembic", "sqlalchemy", "psycopg"}


@pytest.mark.parametrize("line", LOADED)
def test_a_command_imports_no_more_than_it_needs(home: Path, line: str) -> None:
    script = (
        "import sys; from studyattn.cli import run; run(sys.argv[1:])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "--home", str(home), *line.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    needed = LOADED[line].split()
    unneeded = NEVER if needed == ["*"] else HEAVY - set(needed)
    assert unneeded.isdisjoint(done.stderr.split()), unneeded.intersection(done.stderr.split())


def test_every_command_is_in_the_overview_and_has_help(command: Command) -> None:
    overview = command("--help").out
    for name in table.COMMANDS:
        assert f"  {name} " in overview
        shown = command(name, "--help")
        assert shown.status == 0
        assert "Usage: studyattn" in shown.out


def commands(command: click.Command, name: str = "") -> Iterator[tuple[str, click.Command]]:
    """The command and every one below it, by its whole name; no earlier names, which are hidden."""
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for part in command.list_commands(context):
            below = command.get_command(context, part)
            assert below is not None
            if not below.hidden:
                yield from commands(below, f"{name} {part}".strip())


def test_the_overview_says_what_the_commands_say_themselves() -> None:
    for name, command in commands(studyattn):
        if name in table.COMMANDS:
            assert command.help is not None
            assert table.COMMANDS[name].help == command.help.partition("\n")[0]


def test_every_line_of_a_list_of_commands_is_whole() -> None:
    cut = [
        line
        for name, command in commands(studyattn)
        if isinstance(command, click.Group)
        for line in help_of(command, name).splitlines()
        if line.endswith("...") and not line.startswith("Usage: ")
    ]
    assert cut == []


def help_of(command: click.Command, name: str) -> str:
    """The help as a terminal of 80 columns shows it."""
    return command.get_help(click.Context(command, info_name=name, terminal_width=80))


def examples_of(command: click.Command, name: str) -> list[str]:
    """The command lines under "Examples:"."""
    _, _, below = help_of(command, name).partition("Examples:\n")
    return [line.strip() for line in below.splitlines()]


@pytest.mark.parametrize("name", [name for name, _ in commands(studyattn)])
def test_every_help_has_examples_that_can_be_typed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STUDYATTN_HOME", str(tmp_path / "home"))
    command = dict(commands(studyattn))[name]
    examples = examples_of(command, name)
    assert examples
    for example in examples:
        assert len(example) < 76
        words = shlex.split(re.split(" [<>]+ ", example)[0])  # a shell takes away the rest
        assert " ".join(words).startswith(f"studyattn {name}".strip())
        Path(words[-1].replace("/", "-")).touch()  # an option may insist on a file
        parse(studyattn, words[1:])


def parse(command: click.Command, words: list[str]) -> None:
    """Parse a command line down to the last command. Raises UsageError."""
    context = command.make_context("studyattn", list(words))
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        _, below, rest = command.resolve_command(context, words)
        assert below is not None
        parse(below, rest)


def test_an_example_that_does_not_parse_is_noticed() -> None:
    for wrong in ("due --on monday", "concept put softmax known", "drill grade attention"):
        with pytest.raises(click.UsageError):
            parse(studyattn, wrong.split())


def test_every_command_prints_json() -> None:
    without = [
        name
        for name, command in commands(studyattn)
        if not isinstance(command, click.Group)
        and not any("--json" in parameter.opts for parameter in command.params)
    ]
    assert without == []


@pytest.mark.parametrize("arguments", [["items", "--json"], ["--help"], ["--version"]])
def test_whoever_stops_reading_ends_it_quietly(home: Path, arguments: list[str]) -> None:
    before = [] if arguments[0].startswith("--") else ["--home", str(home)]
    writer = subprocess.Popen(
        [sys.executable, "-m", "studyattn", *before, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert writer.stdout is not None
    assert writer.stderr is not None
    writer.stdout.close()
    errors = writer.stderr.read()
    assert writer.wait(timeout=60) == 0
    assert errors == b""
    writer.stderr.close()


def test_interrupted_is_one_line(home: Path) -> None:
    with sqlite3.connect(home / "studyattn.db", isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")  # so that the answer waits, and can be interrupted
        waiting = subprocess.Popen(
            [sys.executable, "-m", "studyattn", "--home", str(home), "answer", CARD, "good"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        wait_until_open(waiting.pid, home / "studyattn.db")
        os.kill(waiting.pid, signal.SIGINT)
        time.sleep(0.2)
        holder.execute("ROLLBACK")
        _, errors = waiting.communicate(timeout=60)
    holder.close()
    assert waiting.returncode in {0, 130}  # it may have been taken just before
    assert waiting.returncode == 0 or one_line(errors)


def wait_until_open(process: int, path: Path) -> None:
    """Until a process has had a file open for a moment, in which it comes to wait for its lock."""
    until = time.monotonic() + 60
    opened = Path(f"/proc/{process}/fd")
    if not opened.exists():  # no Linux
        time.sleep(3)
    while opened.exists() and not any(each.resolve() == path for each in opened.iterdir()):
        assert time.monotonic() < until
        time.sleep(0.02)
    time.sleep(0.5)


def test_two_processes_answer_at_once(home: Path, command: Command) -> None:
    guids = [item["guid"] for item in command("items", "--json").json][:6]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "studyattn", "--home", str(home), "answer", guid, "good"],
            stdout=subprocess.DEVNULL,
        )
        for guid in guids
    ]
    assert [each.wait(timeout=60) for each in running] == [0] * len(guids)
    items = {item["guid"]: item for item in command("items", "--json").json}
    assert [items[guid]["reps"] for guid in guids] == [1] * len(guids)


def test_a_killed_file_of_answers_counts_whole_or_not_at_all(
    home: Path, tmp_path: Path, command: Command
) -> None:
    guids = [item["guid"] for item in command("items", "--json").json]
    path = tmp_path / "many.jsonl"
    lines: list[dict[str, Any]] = [
        {
            "guid": guids[n % 40],
            "rating": 3,
            "at": datetime.fromtimestamp(1.7e9 + n * 9e4, UTC).isoformat(),
        }
        for n in range(4000)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    for wait in (0.4, 0.6, 0.8):
        killed = subprocess.Popen(
            [sys.executable, "-m", "studyattn", "--home", str(home), "answer", "--from", str(path)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(wait)
        killed.kill()
        killed.wait()
        with sqlite3.connect(home / "studyattn.db") as connection:
            (count,) = connection.execute("SELECT count(*) FROM review").fetchone()
        connection.close()
        assert count in {0, len(lines)}
        assert command("db", "check").status == 0


def test_a_simulation_tells_minutes_a_day_and_when_concepts_are_known(command: Command) -> None:
    told = command("stats", "--simulate", "--seed", "3").out
    assert told.splitlines()[0].split() == [
        *("day", "new", "reviews", "drills", "minutes", "in", "drills", "concepts", "met"),
        *("attention", "serving"),
    ]
    assert "\n\nlongest wait of a drill: " in told
    assert "every concept of attention met: day " in told
    assert re.search(r"^dot-product +1$", told, re.MULTILINE)
    ranges = command("stats", "--simulate", "--days", "8", "--seeds", "2").out
    assert re.search(r"^attention +[67]( to 7)?$", ranges, re.MULTILINE)
    assert "every concept of serving met: day later" in ranges
    way = command("stats", "--simulate", "--seed", "3", "--json").json
    assert len(way["days"]) == 120
    assert {each["slug"] for each in way["concepts"]} >= {"softmax", "kv-cache"}
    drill = "attention:drill/multi-head-attention"
    slow = ("--simulate", "--seed", "3", "--days", "32", "--drill-pace", "3")
    assert way["drills"][drill] < command("stats", *slow, "--json").json["drills"][drill] <= 32
    assert drill not in command("stats", *slow, "--minutes", "5", "--json").json["drills"]


def test_a_day_that_a_drill_makes_longer_says_so(command: Command, home: Path) -> None:
    command("answer", "attention:drill/softmax", "good", "--at", "2026-01-05T12:00")
    told = "Today has a long drill: about "
    assert told not in command("due").out
    command("settings", "set", "minutes_per_day", "1")
    assert told in command("due").out
    assert told in process(home=home).stdout  # Today, where nobody can answer


@pytest.mark.parametrize("arguments", [[], ["--home", "HOME"]])
def test_the_app_starts_without_click(arguments: list[str], tmp_path: Path) -> None:
    code = """
import sys
from studyattn.cli import run
started = []
status = run(sys.argv[1:], lambda home: started.append(home.root) or 0)
assert status == 0 and [str(each) for each in started] == [HOME]
assert "click" not in sys.modules
"""
    given = [str(tmp_path) if each == "HOME" else each for each in arguments]
    done = subprocess.run(
        [sys.executable, "-c", f"HOME = {str(tmp_path)!r}\n{code}", *given],
        env={**os.environ, "STUDYATTN_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_an_app_that_fails_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> int:
        raise OSError(28, "No space left on device", "/full")

    for home in (tmp_path, tmp_path / "new"):
        assert run(["--home", str(home)], fail) == 2
        assert capsys.readouterr().err == "studyattn: /full: No space left on device\n"
