"""`completion`: the script that a shell loads, and the answers that this script asks for.

The script runs `studyattn` with the words so far and `_STUDYATTN_COMPLETE` in the environment.
click knows commands, options and files; `cli.names` adds concepts, drills and settings.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

import click

from studyattn.cli.app import studyattn
from studyattn.cli.common import emit, examples, json_option

PROGRAM = "studyattn"
ASKED = "_STUDYATTN_COMPLETE"
"""The variable in which a script says which shell asks: `bash_complete`."""

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog=examples(
        "studyattn completion bash >> ~/.bash_completion",
        "studyattn completion zsh > ~/.zfunc/_studyattn",
        "studyattn completion fish > ~/.config/fish/completions/studyattn.fish",
    )
)
@click.argument("shell", required=False, type=click.Choice(SHELLS), metavar="[SHELL]")
@json_option
def completion(shell: str | None, as_json: bool) -> None:
    """Print a shell completion script for commands, concepts and drills.

    SHELL is bash, zsh or fish; by default the one named by $SHELL. Save it where the shell looks
    for it, as below, or load it at each start: eval "$(studyattn completion bash)". For zsh,
    ~/.zfunc has to be in fpath before compinit.
    """
    if shell is None:
        shell = Path(os.environ.get("SHELL", "")).name
        if shell not in SHELLS:
            raise click.UsageError("Name the shell: bash, zsh or fish")
    # Late: it is as large as click's other modules together.
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    script = "" if found is None else found(studyattn, {}, PROGRAM, ASKED).source()
    if as_json:
        emit({"shell": shell, "script": script})
    else:
        click.echo(script)


def complete(asked: str) -> int:
    """Print what completes the words that the shell gives; nothing where that fails."""
    from click.shell_completion import get_completion_class

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
