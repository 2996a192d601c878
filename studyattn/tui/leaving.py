"""Beside the app in its terminal: a shell to go back to, and the learner's own editor.

Textual stops its own process alone, which hangs a terminal where another program started the app
and waits for it (`uv run`, a script). So the whole job is stopped, as an editor does it.

SIGTERM (`kill`, a shutdown) and the end of the terminal quit the app as the learner does: what is
written is saved, workers end, and the terminal gets its screen and its mouse back.

To the editor a text goes out as a file, the app waits, the text comes back. Which command it is,
the setting `editor` says, else `$VISUAL`, else `$EDITOR`. How it is started is a `Launcher` that
the app is given, so that tests start none.
"""

from __future__ import annotations

import asyncio
import os
import select
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from textual.app import App, SuspendNotSupported

from studyattn.errors import InputError

_SECONDS_TO_QUIT = 10
"""After these the process ends anyway. Answers are on disk, and a change is made whole or not."""

_BY_SIGNAL = 128  # shells report a process that a signal ended with this and its number


def has_shell() -> bool:
    """Return whether something in this terminal can bring a stopped job back.

    The process that started the app is of the same session then; a terminal's window that runs the
    app alone, and a server that has it behind a browser, are not.
    """
    try:
        return os.getsid(os.getppid()) == os.getsid(0)
    except OSError:  # the parent is gone, or another user's
        return False


def stop_job() -> None:
    """Stop all processes of the job in which the app runs, until the shell continues them."""
    os.killpg(0, signal.SIGTSTP)


def quit_when_told(leave: Callable[[int], None]) -> None:
    """Have SIGTERM and the end of the terminal call `leave` with an exit status.

    Called in the running loop. SIGHUP tells the end of a terminal, but where another program
    started the app and waits for it (`make run`), that program alone gets it. So the terminal is
    watched as well.
    """
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        signal.alarm(_SECONDS_TO_QUIT)
        leave(_BY_SIGNAL + number)

    def hang_up() -> None:
        if not os.isatty(0):  # nobody reads or types there any more: writing to it would fail
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nowhere, stream)
            os.close(nowhere)
        end(signal.SIGHUP)

    def watch() -> None:
        terminal = select.poll()
        terminal.register(0, 0)  # nothing but its end
        terminal.poll()
        if not os.isatty(0):
            with suppress(RuntimeError):  # the app ended in the same moment
                loop.call_soon_threadsafe(hang_up)

    loop.add_signal_handler(signal.SIGTERM, end, signal.SIGTERM)
    loop.add_signal_handler(signal.SIGHUP, hang_up)
    threading.Thread(target=watch, name="end of the terminal", daemon=True).start()


Launcher = Callable[[App[None], Sequence[str]], None]
"""Runs a command that takes over the terminal, and returns when it has ended.

Raises InputError when it cannot be started or fails.
"""


def launch(app: App[None], command: Sequence[str]) -> None:
    """Run `command` in the terminal, with the app put aside until it ends."""
    try:
        with app.suspend(), _interrupts_for_editor():
            ended = subprocess.run(command, check=False)
    except SuspendNotSupported as error:
        raise InputError("this terminal cannot run an editor") from error
    except OSError as error:
        raise _failed(command, str(error.strerror)) from error
    if ended.returncode < 0:
        raise _failed(command, f"it was ended by {signal.Signals(-ended.returncode).name}")
    if ended.returncode != 0:
        raise _failed(command, f"it ended with status {ended.returncode}")


@contextmanager
def _interrupts_for_editor() -> Iterator[None]:
    """Let Ctrl-C end an editor that does not take it as a key, and not the app as well."""
    before = signal.signal(signal.SIGINT, lambda *_: None)  # a command starts with the default
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def editor_command(setting: str, environment: Mapping[str, str]) -> list[str]:
    """The words of the command. Raises InputError when none is named, or not as a command line."""
    named = setting or environment.get("VISUAL") or environment.get("EDITOR") or ""
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise InputError(f"the editor {named!r} is not a valid command line ({error})") from error
    if not words:
        raise InputError(
            "no editor is named",
            advice="Set one in Settings, or $VISUAL or $EDITOR before starting",
        )
    return words


def edit(app: App[None], text: str, command: Sequence[str], launcher: Launcher) -> str:
    """`text` as the learner's editor left it. Raises InputError when it cannot be had."""
    with tempfile.TemporaryDirectory(prefix="studyattn-") as folder:
        file = Path(folder) / "text.md"
        file.write_text(f"{text}\n" if text else "", encoding="utf-8")
        launcher(app, [*command, str(file)])
        try:
            return file.read_text(encoding="utf-8").removesuffix("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                f"the edited text cannot be read ({error})", advice="Nothing was changed"
            ) from error


def _failed(command: Sequence[str], why: str) -> InputError:
    return InputError(
        f"the editor could not be used ({why})",
        where=command[0],
        advice="Name another in Settings; nothing was changed",
    )
