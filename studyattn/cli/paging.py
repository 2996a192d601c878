"""Long text for a person goes through a pager; short text, JSON and pipes go straight out."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator

_USUAL = ("less", "more")
_LESS = "FRX"  # stay on the screen, show colours, end at once with what fits


class _Kept(io.TextIOWrapper):
    """A terminal's stand-in: what is printed in it has the terminal's width and colours."""

    def isatty(self) -> bool:
        return True


@contextlib.contextmanager
def paged() -> Iterator[None]:
    """Show what is printed inside in the pager if the screen is too small for it.

    That is `$PAGER`, else less or more; an empty `$PAGER` is none. Nothing changes where standard
    output is no terminal.
    """
    pager = _pager() if sys.stdout.isatty() else []
    if not pager:
        yield
        return
    terminal = sys.stdout
    kept = _Kept(io.BytesIO(), encoding=terminal.encoding, errors=terminal.errors, newline="")
    sys.stdout = kept
    try:
        yield
    finally:
        sys.stdout = terminal
        kept.flush()
        text = kept.buffer.getvalue()  # type: ignore[attr-defined]  # it is the BytesIO above
        if text.count(b"\n") < shutil.get_terminal_size().lines or not _shown(pager, text):
            terminal.buffer.write(text)
            terminal.flush()


def _pager() -> list[str]:
    """Return the command line of the pager, or nothing."""
    named = os.environ.get("PAGER")
    if named is not None:
        try:
            return shlex.split(named)
        except ValueError:  # a quote that is not closed
            return []
    if os.environ.get("TERM", "dumb") == "dumb":
        return []
    return next(([name] for name in _USUAL if shutil.which(name)), [])


def _shown(pager: list[str], text: bytes) -> bool:
    """Show text in the pager until it ends. False when it cannot be started."""
    try:
        reader = subprocess.Popen(pager, stdin=subprocess.PIPE, env={"LESS": _LESS, **os.environ})
    except OSError:
        return False
    # Ctrl-C is the pager's while it runs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with contextlib.suppress(BrokenPipeError):  # it was left before its end
            reader.communicate(text)
    finally:
        signal.signal(signal.SIGINT, before)
    return True
