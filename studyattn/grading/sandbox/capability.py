"""Find out whether something works on this system, by doing it in a child that is then thrown away.

Asking for a version is not enough: containers and policies refuse what the kernel could do.
"""

from __future__ import annotations

import os
from collections.abc import Callable


def supported(attempt: Callable[[], object]) -> bool:
    """Return whether `attempt` returns when it is called in a fork of this process."""
    child = os.fork()
    if child == 0:
        try:
            attempt()
        except BaseException:  # noqa: BLE001  # a forked child must never run its parent's code
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
