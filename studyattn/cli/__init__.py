"""The commands: parse, call one function of a room below, print.

`studyattn --version` and `--help` are answered here from a table of names and sentences, because
click alone costs several times a bare start of Python; and the app starts without it. Everything
else goes on to `cli.app`, which imports the module of the one command that was asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it, without importing typing for `--version`
if TYPE_CHECKING:
    from collections.abc import Callable

    from studyattn.home import Home

VERSION = ("--version", "-V")
HELP = ("--help", "-h")


def run(arguments: list[str], start_app: Callable[[Home], int] | None = None) -> int:
    """Carry out one command line. The exit status: 0 done, 1 the answer is no, 2 unusable.

    `start_app` is what happens without a command.
    """
    if len(arguments) == 1 and arguments[0] in VERSION + HELP:
        try:
            return _tell_of_itself(arguments[0])
        except OSError:  # told as every failure is, by what only a failure needs to import
            from studyattn.cli.failing import guarded

            return guarded(lambda: _tell_of_itself(arguments[0]))
    if start_app is not None and _is_plain_start(arguments):
        from pathlib import Path

        from studyattn.cli.failing import guarded
        from studyattn.home import find_home

        home = Path(arguments[1]) if arguments else None
        return guarded(lambda: start_app(find_home(home)))
    from studyattn.cli.app import run as run_command

    return run_command(arguments, start_app)


def _tell_of_itself(option: str) -> int:
    from studyattn.cli import table

    print(table.version() if option in VERSION else table.overview(), flush=True)
    return 0


def _is_plain_start(arguments: list[str]) -> bool:
    """Whether nothing is asked but the app, in the usual home or in a folder."""
    from pathlib import Path

    return not arguments or (
        len(arguments) == 2 and arguments[0] == "--home" and Path(arguments[1]).is_dir()
    )
