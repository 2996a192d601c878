"""Wait at a terminal for files to be saved, until q is pressed.

The main thread watches the file, another one reads keys. Meanwhile the terminal delivers each key
at once without echo, but still ends lines and interrupts at ^C. Its mode is always restored.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from watchfiles import watch

from studyattn.grading.submission import SourceFile, files_beside

T = TypeVar("T")

_ENDING = (b"", b"q", b"Q", b"\x04")
"""End of input, q, ^D."""

_QUIET = 50
"""Milliseconds without a change after which a save is over: some editors write in several steps."""

_SETTLED = 500
"""Milliseconds in which the hand-ins of a class are taken together."""

_LATEST = 1000
"""Milliseconds after which the file is looked at anyway: it may have been saved before it was
watched, and some file systems tell nothing."""


@contextlib.contextmanager
def until_q() -> Iterator[threading.Event]:
    """Yield an event that is set when q is pressed, or when input ends."""
    pressed = threading.Event()
    with _keys_at_once():
        threading.Thread(target=_read_keys, args=(pressed,), daemon=True).start()
        yield pressed


def saves(path: Path, end: threading.Event) -> Iterator[bytes | None]:
    """Yield the content of a file, and again whenever it or a file that it imports changes.

    None while it cannot be read. A file that another one replaces, is removed, or comes back is
    the same file. Ends with `end`.
    """
    path = path.absolute()
    files = {path, path.resolve()}  # a link may be replaced, or what it leads to be written
    changes = _changes(
        partial(_content, path),
        end,
        *{file.parent for file in files},
        watch_filter=lambda _, changed: Path(changed) in files or changed.endswith(".py"),
        debounce=_QUIET,
        step=10,
        recursive=False,
    )
    for content, _ in changes:
        yield content


def hand_ins_in(folder: Path, end: threading.Event) -> Iterator[None]:
    """Yield at once, and again after anything in a folder has changed. Ends with `end`.

    What changes while the caller works is seen too, also before the folder was watched.
    """
    for _ in _changes(partial(_saved_in, folder), end, folder, debounce=_SETTLED):
        yield


def _changes(
    look: Callable[[], T], end: threading.Event, *folders: Path, **how: Any
) -> Iterator[T]:
    """Yield what `look` finds, and again whenever it finds something else. Ends with `end`."""
    said = look()
    yield said
    for _ in watch(*folders, stop_event=end, rust_timeout=_LATEST, yield_on_timeout=True, **how):
        says = look()
        if says != said:
            said = says
            yield said


def _saved_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Return when each file in a folder was saved, and its size."""
    saved = {}
    for inside, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # removed meanwhile
                path = os.path.join(inside, name)  # noqa: PTH118 - twice as fast in large folders
                found = os.stat(path)  # noqa: PTH116 - the same
                saved[path] = (found.st_mtime_ns, found.st_size)
    return saved


@contextlib.contextmanager
def until_saved(path: Path, end: threading.Event) -> Iterator[threading.Event]:
    """Yield an event that is set when a file or one that it imports changes, or with `end`."""
    said, changed, left = _content(path), threading.Event(), threading.Event()

    def look() -> None:
        while not left.wait(_LATEST / 5000):
            if end.is_set() or _content(path) != said:
                changed.set()
                return

    threading.Thread(target=look, daemon=True).start()
    try:
        yield changed
    finally:
        left.set()


def _content(path: Path) -> tuple[bytes | None, tuple[SourceFile, ...]]:
    """Return the file's bytes and the files beside it that it imports."""
    try:
        source = path.read_bytes()
    except OSError:
        return None, ()
    return source, files_beside(path, source)


@contextlib.contextmanager
def _keys_at_once() -> Iterator[None]:
    if not sys.stdin.isatty():
        yield
        return
    # Late: not every platform has them.
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_keys(pressed: threading.Event) -> None:
    """Read until a key ends the wait; also what is no terminal, so that `echo q |` ends it too."""
    with contextlib.suppress(OSError):
        while os.read(sys.stdin.fileno(), 1) not in _ENDING:
            pass
    pressed.set()
