"""Where the program comes together: the command line, and the app that it starts without a command.

`cli` and `tui` know nothing of each other; only this module knows both.
"""

from __future__ import annotations

import gc
import sys

from studyattn.cli import run

TYPE_CHECKING = False  # as type checkers know it, without importing typing for `--version`
if TYPE_CHECKING:
    from studyattn.home import Home


def main() -> None:
    """The `studyattn` command, and `python -m studyattn`."""
    sys.exit(run(sys.argv[1:], start_app))


def start_app(home: Home) -> int:
    """The terminal app of a home, until the learner quits; the exit status."""
    # Nearly all that is made until the first screen is there stays, and looking for garbage in it
    # takes a tenth of the start. The first screen switches the collector on again.
    gc.disable()
    from studyattn.tui.app import run as run_app

    return run_app(home)


if __name__ == "__main__":
    main()
