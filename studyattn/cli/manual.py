"""`man`: the manual pages, made of the commands' own help.

One page is about `studyattn`; each of its commands has a page of its own, with the commands below
it as sections.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from studyattn.cli import roff
from studyattn.cli.app import studyattn
from studyattn.cli.common import emit, examples, json_option, say
from studyattn.cli.table import COMMANDS
from studyattn.errors import InputError


def _words(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(begun)]


@click.command(
    epilog=examples(
        "studyattn man",
        "studyattn man drill",
        "studyattn man --dir ~/.local/share/man/man1",
    )
)
@click.argument("name", required=False, metavar="[COMMAND]", shell_complete=_words)
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write all pages to DIR, where man finds them.",
)
@json_option
@click.pass_context
def man(context: click.Context, name: str | None, folder: Path | None, as_json: bool) -> None:
    """Show the manual page of studyattn or of a command.

    Written to a file or pipe, it is in roff format.
    """
    if name is not None and name not in COMMANDS:
        raise click.NoSuchCommand(name, possibilities=COMMANDS, ctx=context)
    if folder is not None:
        if name is not None:
            raise click.UsageError("--dir writes all pages: leave out COMMAND")
        _write(folder, as_json=as_json)
        return
    page = roff.page(studyattn, name)
    if as_json:
        emit({"page": roff.title(name), "roff": page})
    elif not sys.stdout.isatty() or not _shown(page, name):
        click.echo(page, nl=False)


def _write(folder: Path, *, as_json: bool) -> None:
    folder = folder.expanduser()
    names = [None, *COMMANDS]
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{roff.title(name)}.1").write_text(roff.page(studyattn, name), "utf-8")
    if as_json:
        emit({"pages": [folder / f"{roff.title(name)}.1" for name in names]})
    else:
        say(f"{len(names)} pages in {folder}")


def _shown(page: str, name: str | None) -> bool:
    """Show the page with man. False when there is no man."""
    program = shutil.which("man")
    if program is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{roff.title(name)}.1"  # man takes a name with / for a file
        file.write_text(page, "utf-8")
        done = subprocess.run([program, str(file)], check=False)
    if done.returncode != 0:
        raise InputError("man could not show the page", advice="`studyattn man | cat` prints it.")
    return True
