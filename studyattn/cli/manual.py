"""`man`: the manual pages, made of the commands' own help.

One page is about `studyattn`; each of its commands has a page of its own, with the help of the
commands below it as sections.
"""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from studyattn import __version__
from studyattn.cli.app import studyattn
from studyattn.cli.common import Answer
from studyattn.cli.table import COMMANDS, overview
from studyattn.errors import InputError

_WIDTH = 78  # columns of a help


def title(name: str | None) -> str:
    """Return the name of the page of a command, or of the program."""
    return "studyattn" if name is None else f"studyattn-{name}"


def page(root: click.Group, name: str | None) -> str:
    """Return the page of the command `name`, or of the program, as man reads it."""
    lines = list(_program(root) if name is None else _command(root, name))
    return "\n".join(lines) + "\n"


def _program(root: click.Group) -> Iterator[str]:
    yield from _head(None, root)
    yield from _section("DESCRIPTION", overview())
    more = Path(__file__).with_name("environment.txt").read_text("utf-8")
    for each in more.strip().split("\n\n"):
        heading, _, text = each.partition("\n")
        yield from _section(heading, text)
    yield from (".SH SEE ALSO", ".ad l", ".nh")
    pages = (f".BR {_escaped(title(each))} (1)," for each in COMMANDS)
    yield "\n".join(pages).removesuffix(",")


def _command(root: click.Group, name: str) -> Iterator[str]:
    context = click.Context(root, info_name="studyattn", **root.context_settings)
    command = root.get_command(context, name)
    assert command is not None  # noqa: S101 - the caller has it from the table
    yield from _head(name, command)
    context = click.Context(command, info_name=name, parent=context, terminal_width=_WIDTH)
    yield from _section("DESCRIPTION", command.get_help(context))
    for below in _below(context):
        yield from _section(below.command_path, below.get_help())
    yield from (".SH SEE ALSO", ".BR studyattn (1)")


def _below(context: click.Context) -> Iterator[click.Context]:
    """Yield the commands below one, each before the ones below it."""
    command = context.command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            part = command.get_command(context, name)
            if part is not None and not part.hidden:
                below = click.Context(part, info_name=name, parent=context)
                yield below
                yield from _below(below)


def _head(name: str | None, command: click.Command) -> Iterator[str]:
    called, about = _escaped(title(name)), inspect.cleandoc(command.help or "").split("\n")[0]
    yield f'.TH "{called.upper()}" "1" "" "studyattn {__version__}" "studyattn"'
    yield ".SH NAME"
    yield f"{called} \\- {_escaped(about.rstrip('.'))}"


def _section(heading: str, text: str) -> Iterator[str]:
    """Yield a section whose lines are kept as they are."""
    yield from (f'.SH "{_escaped(heading)}"', ".in 0", ".nf")
    yield from map(_escaped, text.rstrip().split("\n"))
    yield ".fi"


def _escaped(text: str) -> str:
    """Return text in which roff finds no command of its own, and hyphens can be copied."""
    line = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    line = line.replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return f"\\&{line}" if line.startswith((".", "'")) else line


def man(name: str | None, folder: Path | None) -> Answer:
    if name is not None and name not in COMMANDS:
        context = click.get_current_context()
        raise click.NoSuchCommand(name, possibilities=COMMANDS, ctx=context)
    if folder is None:
        text = page(studyattn, name)
        return Answer({"page": title(name), "roff": text}, partial(_show, text, name))
    folder = folder.expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    pages = []
    for each in (None, *COMMANDS):
        pages.append(folder / f"{title(each)}.1")
        pages[-1].write_text(page(studyattn, each), "utf-8")
    return Answer({"pages": pages}, f"{len(pages)} pages in {folder}")


def _show(text: str, name: str | None) -> None:
    """Show the page with man; into a file or pipe, or without man, as it is."""
    program = shutil.which("man")
    if program is None or not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{title(name)}.1"  # man takes a name with / for a file
        file.write_text(text, "utf-8")
        done = subprocess.run([program, str(file)], check=False)
    if done.returncode != 0:
        raise InputError("man could not show the page", advice="`studyattn man | cat` prints it.")
