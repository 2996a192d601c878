"""Report every failure of a command as one line on standard error and an exit status.

No traceback reaches the learner, unless STUDYATTN_TRACEBACK=1 is set to find a bug. This module
does not import click, so that the app starts without it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from studyattn.errors import StudyattnError
from studyattn.text.characters import printable

UNUSABLE = 2
INTERRUPTED = 130  # as shells report a process that Ctrl-C ended
_LONGEST = 2000  # characters of a message; it may quote what someone gave


def guarded(carry_out: Callable[[], int]) -> int:  # noqa: PLR0911 - one return a kind of failure
    """Return the exit status of `carry_out`; print every failure as one line on standard error."""
    _open_missing()
    try:
        return carry_out()
    except StudyattnError as error:
        return fail(str(error), error.exit_status)
    except KeyboardInterrupt:
        return fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader closed the pipe. Python must not try to flush it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        from studyattn.disk import reason  # late: only a failure needs it

        place = f"{error.filename}: " if error.filename else ""
        return fail(f"{place}{reason(error, Path(error.filename or '.').absolute().parent)}")
    except UnicodeEncodeError as error:
        return fail(_not_encoded(error))
    except Exception as error:
        if os.environ.get("STUDYATTN_TRACEBACK"):
            raise
        return fail(
            f"a bug: {type(error).__name__}: {error}. Saved data is safe. Set "
            "STUDYATTN_TRACEBACK=1 to see where it happened"
        )


def _not_encoded(error: UnicodeEncodeError) -> str:
    if error.encoding.lower().replace("-", "") == "utf8":
        return f"{ascii(error.object)[:60]} is not valid text. Use UTF-8."
    return (
        f"the output's encoding, {error.encoding}, has no {error.object[error.start]!a}. "
        "Use a UTF-8 locale, or set PYTHONUTF8=1"
    )


def fail(message: str, status: int = UNUSABLE) -> int:
    """Print a message on standard error. Return `status`."""
    line = printable(" ".join(message.split()))
    if len(line) > _LONGEST:
        line = f"{line[:_LONGEST]}…"
    print(f"studyattn: {line}", file=sys.stderr)
    return status


_STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def _open_missing() -> None:
    """Open each closed stream on the null device.

    The system gives a closed descriptor to the next file that is opened. The database could become
    standard output, and printed text would be written into it.
    """
    for number, (name, mode) in enumerate(_STREAMS):
        if getattr(sys, name) is None:
            while (nowhere := os.open(os.devnull, os.O_RDWR)) < number:
                pass  # a lower one is closed too; that one keeps what it was given
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            stream = os.fdopen(number, mode, encoding="utf-8", errors="replace")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
