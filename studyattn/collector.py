"""Work without Python's collector of circles, for what makes many things that refer to no other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Look for no circles meanwhile.

    A hundred thousand records make the collector look through all of them again and again, which
    takes a fifth of the time of an import. What no circle holds is freed all the same.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
