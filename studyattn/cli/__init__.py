"""The commands: each parses its arguments, calls one function of a lower layer, and prints.

`studyattn --version`, `--help` and the start of the app are handled here without click, whose
import takes several times as long as Python's own start, so nothing is imported at the top.
Everything else goes to `cli.app`, which imports only the module of the requested command; that
module names packages of `study`, whose modules are imported when the command runs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it, without importing typing for `--version`
if TYPE_CHECKING:
    from collections.abc import Callable

    from studyattn.home import Home


def run(arguments: list[str], start_app: Callable[[Home], int] | None = None) -> int:
    """Run one command line. Return its exit status: 0 done, 1 the answer is no, 2 unusable input.

    `start_app` runs if there is no command.
    """
    from studyattn.cli.table import HELP, VERSION

    if len(arguments) == 1 and arguments[0] in VERSION + HELP:
        try:
            return _print_about(arguments[0])
        except OSError:  # reported as every failure is, by a module that only a failure needs
            from studyattn.cli.error_output import guarded

            return guarded(lambda: _print_about(arguments[0]))
    if start_app is not None and _is_plain_start(arguments):
        from pathlib import Path

        from studyattn.cli.error_output import guarded
        from studyattn.home import find_home

        home = Path(arguments[1]) if arguments else None
        return guarded(lambda: start_app(find_home(home)))
    from studyattn.cli.app import run as run_command

    return run_command(arguments, start_app)


def _print_about(option: str) -> int:
    from studyattn.cli.table import VERSION, overview, version

    print(version() if option in VERSION else overview(), flush=True)
    return 0


def _is_plain_start(arguments: list[str]) -> bool:
    """Return whether only the app is asked for, in the default home or in an existing folder."""
    from pathlib import Path

    return not arguments or (
        len(arguments) == 2 and arguments[0] == "--home" and Path(arguments[1]).is_dir()
    )
