"""`completion`: the script that a shell loads, and the answers that this script asks for.

The script runs `studyattn` with the words so far and `_STUDYATTN_COMPLETE` in the environment.
click knows commands, options and files; `cli.names` adds concepts, drills and settings.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from functools import partial
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from studyattn.cli.app import studyattn
from studyattn.cli.common import Answer

PROGRAM = "studyattn"
ASKED = "_STUDYATTN_COMPLETE"
"""The variable in which a script says which shell asks: `bash_complete`."""

SHELLS = ("bash", "zsh", "fish")


def completion(shell: str | None) -> Answer:
    if shell is None:
        shell = Path(os.environ.get("SHELL", "")).name
        if shell not in SHELLS:
            raise click.UsageError("Name the shell: bash, zsh or fish")
    found = get_completion_class(shell)
    script = "" if found is None else found(studyattn, {}, PROGRAM, ASKED).source()
    return Answer({"shell": shell, "script": script}, partial(click.echo, script))


def complete(asked: str) -> int:
    """Print what completes the words that the shell gives; nothing where that fails."""
    found = get_completion_class(asked.removesuffix("_complete"))
    if found is None:
        return 1
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # nothing is told between two keys
            answers = found(studyattn, {}, PROGRAM, ASKED).complete()
    except Exception:  # noqa: BLE001 - the same: whoever runs the command is told
        return 1
    sys.stdout.write(answers + "\n")
    sys.stdout.flush()
    return 0
