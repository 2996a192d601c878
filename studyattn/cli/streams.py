"""Standard input, output and error, replaced where the program was started without them.

The system gives a closed descriptor to the next file that is opened. The database could become
standard output, and printed text would be written into it.
"""

from __future__ import annotations

import os
import sys

_NAMES = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_missing() -> None:
    """Open each closed stream on the null device."""
    for number, (name, mode) in enumerate(_NAMES):
        if getattr(sys, name) is None:
            while (nowhere := os.open(os.devnull, os.O_RDWR)) < number:
                pass  # a lower one is closed too; that one keeps what it was given
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            stream = os.fdopen(number, mode, encoding="utf-8", errors="replace")
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
