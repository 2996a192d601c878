"""The commands: each parses its arguments, calls one function of a lower layer, and prints.

`studyattn --version`, `--help`, `due --count` and the start of the app are handled here without
click, whose import takes several times as long as Python's own start, so nothing is imported at the
top.
Everything else goes to `cli.app`. What commands take and what their help says is a table
(`commands.txt`, read by `declared`), so the module of a command is imported when it runs.
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
    import os

    from studyattn.cli.table import HELP, VERSION, overview, version

    if asked := os.environ.get("_STUDYATTN_COMPLETE"):
        from studyattn.cli.completing import complete

        return complete(asked)
    if len(arguments) == 1 and arguments[0] in VERSION + HELP:
        return _print(version() if arguments[0] in VERSION else overview())
    if arguments[-2:] == ["due", "--count"] and (counted := _counted(arguments[:-2])) is not None:
        return _print(str(counted))
    if start_app is not None and _is_plain_start(arguments):
        from pathlib import Path

        from studyattn.cli.error_output import guarded
        from studyattn.home import find_home

        home = Path(arguments[1]) if arguments else None
        return guarded(lambda: start_app(find_home(home)))
    from studyattn.cli.app import run as run_command

    return run_command(arguments, start_app)


def _counted(options: list[str]) -> int | None:
    """Return how many items are due in the home that the options name, if that is remembered."""
    import os

    from studyattn.study.review.due_count import look_up

    if "STUDYATTN_DB" in os.environ:
        return None
    named = os.environ.get("STUDYATTN_HOME")
    if len(options) == 2 and options[0] == "--home":
        named = options[1]
    elif options:
        return None
    if not named:
        import platformdirs

        named = platformdirs.user_data_dir("studyattn", appauthor=False)
    return look_up(os.path.expanduser(named))  # noqa: PTH111 - pathlib takes as long to import


def _print(text: str) -> int:
    def carry_out() -> int:
        print(text, flush=True)
        return 0

    try:
        return carry_out()
    except OSError:  # reported as every failure is, by a module that only a failure needs
        from studyattn.cli.error_output import guarded

        return guarded(carry_out)


def _is_plain_start(arguments: list[str]) -> bool:
    """Return whether only the app is asked for, in the default home or in an existing folder."""
    from pathlib import Path

    return not arguments or (
        len(arguments) == 2 and arguments[0] == "--home" and Path(arguments[1]).is_dir()
    )
