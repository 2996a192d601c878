"""`man`: the manual pages, made of the commands' own help.

One page is about `studyattn`; each of its commands has a page of its own, with the commands below
it as sections.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import click

from studyattn.cli import roff
from studyattn.cli.app import studyattn
from studyattn.cli.common import Answer
from studyattn.cli.table import COMMANDS
from studyattn.errors import InputError


def man(name: str | None, folder: Path | None) -> Answer:
    if name is not None and name not in COMMANDS:
        context = click.get_current_context()
        raise click.NoSuchCommand(name, possibilities=COMMANDS, ctx=context)
    if folder is None:
        page = roff.page(studyattn, name)
        return Answer({"page": roff.title(name), "roff": page}, partial(_show, page, name))
    folder = folder.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    pages = []
    for each in (None, *COMMANDS):
        pages.append(folder / f"{roff.title(each)}.1")
        pages[-1].write_text(roff.page(studyattn, each), "utf-8")
    return Answer({"pages": pages}, f"{len(pages)} pages in {folder}")


def _show(page: str, name: str | None) -> None:
    """Show the page with man; into a file or pipe, or without man, as it is."""
    program = shutil.which("man")
    if program is None or not sys.stdout.isatty():
        click.echo(page, nl=False)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{roff.title(name)}.1"  # man takes a name with / for a file
        file.write_text(page, "utf-8")
        done = subprocess.run([program, str(file)], check=False)
    if done.returncode != 0:
        raise InputError("man could not show the page", advice="`studyattn man | cat` prints it.")
