"""`lsp`: the language server, for an editor to start."""

from __future__ import annotations

import os
import sys

from studyattn.cli.common import Invocation
from studyattn.errors import InputError
from studyattn.extras import how_to_install, is_installed


def lsp(invocation: Invocation, stdio: bool) -> None:  # noqa: ARG001 - for editors
    if not is_installed("pygls"):
        raise InputError("the language server needs pygls", advice=how_to_install("editor"))
    from studyattn.editor.language_server import DrillServer  # late: it needs pygls

    # What anything prints would break the protocol: it goes to standard error from now on.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with open(os.dup(sys.stdin.fileno()), "rb") as orders:  # noqa: PTH123 - a descriptor
        DrillServer(invocation.home).start_io(orders, answers)
