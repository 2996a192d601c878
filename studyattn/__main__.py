"""The root of the program: the command line, and the app that it starts without a command.

`cli` and `tui` know nothing of each other; only this module knows both.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from studyattn.cli import run

TYPE_CHECKING = False  # as type checkers know it, without importing typing for `--version`
if TYPE_CHECKING:
    from studyattn.home import Home


def main() -> None:
    """The `studyattn` command, and `python -m studyattn`."""
    # Most of what a command makes stays, and most commands make little.
    gc.set_threshold(50_000)
    status = run(sys.argv[1:], start_app)
    threading = sys.modules.get("threading")
    if threading is None or threading.active_count() == 1:
        _end(status)
    sys.exit(status)


def _end(status: int) -> None:
    """End the process without taking its modules apart, which takes longer than Python's start."""
    atexit._run_exitfuncs()  # noqa: SLF001 - as multiprocessing ends its processes
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # Python's own end says so
        return
    os._exit(status)


def start_app(home: Home) -> int:
    """The terminal app of a home, until the learner quits; the exit status.

    In lines where it cannot draw its screens. Raises InputError where their characters would be
    written as codes.
    """
    if hindrance := _hindrance():
        from studyattn.cli.plain import run as run_in_lines

        return run_in_lines(home, hindrance)
    _check_encoding()
    # Nearly all that is made until the first screen is there stays, and looking for garbage in it
    # takes a tenth of the start. The first screen switches the collector on again.
    gc.disable()
    from studyattn.study.statistics.ahead import read_ahead

    ahead = read_ahead(home)  # while the app is imported
    from studyattn.tui.app import run as run_app

    return run_app(home, ahead)


def _hindrance() -> str:
    """Return why the app cannot draw its screens; "" in a terminal that moves its cursor.

    With `TEXTUAL_DRIVER` it draws for something else, such as a browser.
    """
    if os.environ.get("TEXTUAL_DRIVER"):
        return ""
    for name, stream in (("input", sys.__stdin__), ("output", sys.__stdout__)):
        if stream is None or not stream.isatty():
            return f"standard {name} is not a terminal"
    return "TERM is dumb" if os.environ.get("TERM") == "dumb" else ""


def _check_encoding() -> None:
    """Refuse a terminal whose encoding lacks the characters of the screens."""
    encoding = getattr(sys.__stdout__, "encoding", None)
    if encoding is None or os.environ.get("TEXTUAL_DRIVER"):
        return
    if encoding.lower().replace("-", "") != "utf8":
        from studyattn.errors import InputError

        raise InputError(
            f"the terminal's encoding, {encoding}, lacks the characters of the app",
            advice="Use a UTF-8 locale, or set PYTHONUTF8=1",
        )


if __name__ == "__main__":
    main()
