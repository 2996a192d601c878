"""The app where it cannot draw, and as a job of a shell."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import click
import pytest
from click.testing import CliRunner

from studyattn.cli.path import compared
from studyattn.packs.answers import ExpectedText
from studyattn.study.review.views import RenderedCard
from tests.cli.terminal import PATIENCE, Terminal, terminal

STUDYATTN = f"{sys.executable} -m studyattn --home"


def test_a_dumb_terminal_teaches_and_reviews_in_lines(tmp_path: Path) -> None:
    home = tmp_path / "new"
    start = [*STUDYATTN.split(), str(home)]
    with terminal(*start, environment={"TERM": "dumb"}) as screen:
        said = screen.wait_for("1–4, or Enter")
        assert "cannot draw its screens: TERM is dumb." in said
        assert "Lesson 1 of " in said
        wrong = next(line for line in said.splitlines() if line.endswith("[2 -3 0]"))
        screen.type(f"{wrong.split()[0]}\n")
        told = screen.wait_for("q leaves")
        assert "✗ you said [2 -3 0]: it prints -1" in told
        assert "A dot product also adds them up." in told
        screen.type("\n")
        screen.wait_for("Answer: ")  # the page's card asks for a number
        screen.type("\n")
        screen.wait_for("q leave [3]")
        screen.type("2\n")
        screen.wait_for("2 of 3")  # the next page
        screen.type("\x03")  # an interrupt loses nothing
        screen.wait_for("1 answer kept.")
    with sqlite3.connect(home / "studyattn.db") as connection:
        assert connection.execute("SELECT rating FROM review").fetchall() == [(2,)]


@pytest.mark.parametrize(
    ("given", "said", "right"),
    [("The values.", "✓ right", True), ("what it hands over", "≠ values", None)],
)
def test_other_words_are_not_called_wrong(given: str, said: str, right: bool | None) -> None:
    asks = SimpleNamespace(card_kind="typed", expected=ExpectedText(("values",)))
    found = []

    @click.command()
    def asked() -> None:
        found.append(compared(cast("RenderedCard", asks), "Answer"))

    assert said in CliRunner().invoke(asked, input=f"{given}\n").output
    assert found == [right]


def test_a_skipped_lesson_leaves_its_cards(home: Path) -> None:
    start = [*STUDYATTN.split(), str(home)]
    with terminal(*start, environment={"TERM": "dumb"}) as screen:
        screen.wait_for("1–4, or Enter")
        screen.type("\n")
        screen.wait_for("k skips the lesson")
        screen.type("k\n")
        screen.wait_for("Answer: ")


def test_the_stream_that_is_no_terminal_is_named(home: Path, tmp_path: Path) -> None:
    start = [sys.executable, "-m", "studyattn", "--home", str(home)]
    no_input = subprocess.run(start, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert b"standard input is not a terminal" in no_input.stdout
    with terminal("sh", "-c", f"{STUDYATTN} {home} | cat", environment={}) as screen:
        screen.wait_for("standard output is not a terminal")


def test_the_app_draws_where_errors_go_to_a_file(home: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with terminal("sh", "-c", f"{STUDYATTN} {home} 2> {log}", environment={}) as screen:
        screen.wait_for("start learning")
        screen.type("\x11")
        screen.wait_end()
    assert log.read_bytes() == b""


def test_a_terminal_without_utf_8_is_told_what_to_set(tmp_path: Path) -> None:
    home = tmp_path / "empty"
    start = [*STUDYATTN.split(), str(home)]
    home.mkdir()
    with terminal(*start, environment={"PYTHONIOENCODING": "latin-1"}) as screen:
        screen.wait_for("lacks the characters of the app. Use a UTF-8 locale, or set PYTHONUTF8=1")
        screen.wait_end()
    assert not list(home.iterdir())


def test_the_app_is_a_job_of_its_shell(home: Path) -> None:
    with terminal("bash", "--norc", "-i", environment={"HISTFILE": "", "PS1": "ready> "}) as shell:
        shell.type(f"{STUDYATTN} {home}\n")
        shell.wait_for("start learning")
        shell.type("\x03")
        shell.wait_for("^q quits")
        shell.type("\x1a")
        shell.wait_for("Stopped")
        shell.type("fg\n")
        # Also what had not changed since, such as the first line, is drawn again.
        shell.wait_for("Learn attention until")
        shell.wait_for("? keys")
        shell.type("\x11")
        shell.wait_for("ready> ")
        shell.type("echo still here: $?\n")
        shell.wait_for("still here: 0")


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGHUP])
def test_the_app_quits_in_order_when_it_is_told_to(home: Path, told: signal.Signals) -> None:
    """It has saved the note that is being written, and given the terminal its screen back."""
    start = f"sh -c 'echo $$ > {home}.pid; exec {STUDYATTN} {home}'; echo ended $?\n"
    with terminal("bash", "--norc", "-i", environment={"HISTFILE": "", "PS1": "ready> "}) as shell:
        shell.type(start)
        shell.wait_for("start learning")
        begin_note(shell, "as yet unsaved")
        os.kill(int(Path(f"{home}.pid").read_text("utf-8")), told)
        assert "?1049l" in shell.wait_for(f"ended {128 + told}", sequences=True)
    assert note_of(home) == "as yet unsaved"


@pytest.mark.parametrize("starting", ["exec {}", "trap : HUP; {}; :"], ids=["itself", "waited_for"])
def test_a_closed_terminal_leaves_nothing_behind(home: Path, starting: str) -> None:
    """A program that waits for the app, as `make` does, keeps the signal of the end to itself."""
    start = starting.format(f"{STUDYATTN} {home}")
    with terminal("sh", "-c", start, environment={}) as screen:
        screen.wait_for("start learning")
        begin_note(screen, "in a window")
        screen.hang_up()
    assert note_of(home) == "in a window"
    assert not (home / "errors.log").exists()


def begin_note(screen: Terminal, text: str) -> None:
    screen.type("n")
    screen.wait_for("n new")
    screen.type("n")
    screen.wait_for("New note")
    screen.type(text)
    screen.wait_for(text[-4:])


def note_of(home: Path) -> str | None:
    """Return the text of the home's note, saved by a process that may still be ending."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with sqlite3.connect(home / "studyattn.db") as connection:
            if found := connection.execute("SELECT body FROM note").fetchone():
                return str(found[0])
        time.sleep(0.05)
    return None


def test_an_interrupt_ends_the_editor_and_not_the_app(home: Path, tmp_path: Path) -> None:
    editor = tmp_path / "waiting"
    editor.write_text("#!/bin/sh\necho editing $0\nexec sleep 60\n")
    editor.chmod(0o755)
    start = [*STUDYATTN.split(), str(home)]
    with terminal(*start, environment={"VISUAL": str(editor)}) as screen:
        screen.wait_for("start learning")
        begin_note(screen, "first line")
        screen.type("\x0f")
        screen.wait_for("editing")
        screen.type("\x03")
        screen.wait_for("ended by SIGINT")
        screen.type("\r\x11")
        screen.wait_end()
    assert note_of(home) == "first line"
