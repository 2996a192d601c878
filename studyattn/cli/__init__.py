"""The commands: parse, call one function of a room below, print.

`studyattn --version` and `--help` are answered here from a table of names and sentences, because
click alone costs several times a bare start of Python. Everything else goes on to `cli.app`, which
imports the module of the one command that was asked for.
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
        from studyattn.cli import table

        print(table.version() if arguments[0] in VERSION else table.overview())
        return 0
    from studyattn.cli.app import run as run_command

    return run_command(arguments, start_app)
