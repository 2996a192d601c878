"""`man`: the manual pages, made of the commands' own help.

One page is about `studyattn`; each of its commands has a page of its own, with the commands below
it as sections.
"""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import click

from studyattn import __version__
from studyattn.cli.app import studyattn
from studyattn.cli.common import Answer
from studyattn.cli.table import COMMANDS
from studyattn.errors import InputError

_ENVIRONMENT = (
    ("STUDYATTN_HOME", "Folder that holds all of a learner's data, like --home."),
    ("STUDYATTN_DB", "Address of a database on a server, like --db."),
    ("STUDYATTN_LEARNER", "Learner in that database, like --learner."),
    ("STUDYATTN_ANKI_KEY", "AnkiConnect's API key, like --key of export and import."),
    ("STUDYATTN_TRACEBACK", "If set, print a traceback for a bug."),
    ("VISUAL, EDITOR", "Editor for texts, unless the setting `editor` names one."),
    ("PAGER", "Pager for text longer than the screen. Empty = none."),
    ("NO_COLOR", "If set, print without colors."),
    ("FORCE_COLOR", "If set, print colors to files and pipes, too."),
)
_FILES = (
    ("~/.local/share/studyattn", "The home on Linux; `studyattn doctor` shows it on any system."),
)
_STATUS = (
    ("0", "Done."),
    ("1", "Negative result: a submission did not pass, or there was nothing to undo."),
    ("2", "Invalid input, or the home cannot be used."),
    ("130", "Interrupted."),
)


def title(name: str | None) -> str:
    """Return the name of the page of a command, or of the program."""
    return "studyattn" if name is None else f"studyattn-{name}"


def page(root: click.Group, name: str | None) -> str:
    """Return the page of the command `name`, or of the program, as man reads it."""
    context = click.Context(root, info_name="studyattn", **root.context_settings)
    if name is None:
        lines = _program(root, context)
    else:
        command = root.get_command(context, name)
        assert command is not None  # noqa: S101 - the caller has it from the table
        lines = _command(click.Context(command, info_name=name, parent=context), name)
    return "\n".join(lines) + "\n"


def _program(root: click.Group, context: click.Context) -> list[str]:
    about = _about(root)
    lines = [
        *_head(None, about[0]),
        ".SH SYNOPSIS",
        *_usage(context),
        ".SH DESCRIPTION",
        *_text(inspect.cleandoc(root.help or "")),
        ".PP",
        "Without a command, the terminal app starts.",
        *_options(context),
        ".SH COMMANDS",
    ]
    for name, entry in COMMANDS.items():
        lines += [".TP", f".BR studyattn\\-{_bold(name)} (1)", _escaped(entry.help)]
    for heading, rows in (
        ("ENVIRONMENT", _ENVIRONMENT),
        ("FILES", _FILES),
        ("EXIT STATUS", _STATUS),
    ):
        lines.append(f".SH {heading}")
        for term, meaning in rows:
            lines += [".TP", f".B {_bold(term)}", _escaped(meaning)]
    return lines


def _command(context: click.Context, name: str) -> list[str]:
    command = context.command
    about = _about(command)
    lines = [*_head(name, about[0]), ".SH SYNOPSIS"]
    parts = _below(context)
    for each in parts or [context]:
        lines += [*_usage(each), ".br"]
    lines = [*lines[:-1], ".SH DESCRIPTION", *_text(inspect.cleandoc(command.help or ""))]
    lines += _options(context)
    if parts:
        lines.append(".SH COMMANDS")
    for each in parts:
        path = each.command_path.removeprefix(f"studyattn {name} ")
        lines += [f".SS {_escaped(path)}", *_text(inspect.cleandoc(each.command.help or ""))]
        lines += _options(each, heading=False)
        lines += _examples(each.command, heading=False)
    for heading, rows in getattr(command, "lists", dict)().items():
        lines.append(f".SH {_escaped(heading.upper())}")
        for term, meaning in rows:
            lines += [".TP", f".B {_bold(term)}", _escaped(meaning)]
    lines += _examples(command)
    return [*lines, ".SH SEE ALSO", ".BR studyattn (1)"]


def _below(context: click.Context) -> list[click.Context]:
    """Return the commands below one, each with the ones below it."""
    command = context.command
    if not isinstance(command, click.Group):
        return []
    found = []
    for name in command.list_commands(context):
        part = command.get_command(context, name)
        if part is not None and not part.hidden:
            below = click.Context(part, info_name=name, parent=context)
            found += [below, *_below(below)]
    return found


def _head(name: str | None, about: str) -> list[str]:
    called = title(name)
    return [
        f'.TH "{_escaped(called.upper())}" "1" "" "studyattn {__version__}" "studyattn"',
        ".SH NAME",
        f"{_escaped(called)} \\- {_escaped(about.rstrip('.'))}",
    ]


def _about(command: click.Command) -> list[str]:
    return inspect.cleandoc(command.help or "").split("\n\n")[0].splitlines() or [""]


def _usage(context: click.Context) -> list[str]:
    pieces = " ".join(context.command.collect_usage_pieces(context))
    return [f".B {_bold(context.command_path)}", _escaped(pieces)]


def _options(context: click.Context, *, heading: bool = True) -> list[str]:
    records = [
        record
        for parameter in context.command.get_params(context)
        if isinstance(parameter, click.Option)
        and (record := parameter.get_help_record(context)) is not None
    ]
    lines = [".SH OPTIONS"] if heading and records else []
    for names, meaning in records:
        lines += [".TP", f".B {_bold(names)}", *([_escaped(meaning)] if meaning else ["\\&"])]
    return lines


def _examples(command: click.Command, *, heading: bool = True) -> list[str]:
    """Return the commands of the epilog, which `examples` made."""
    given = [line.strip() for line in (command.epilog or "").splitlines()[2:]]
    if not given:
        return []
    return [
        ".SH EXAMPLES" if heading else ".PP",
        ".EX",
        *(_escaped(line) for line in given),
        ".EE",
    ]


def _text(markdown: str) -> list[str]:
    r"""Return paragraphs; one that begins with \b keeps its lines."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", markdown):
        if lines:
            lines.append(".PP")
        rows = paragraph.splitlines()
        if rows and rows[0].strip() == "\b":
            lines += [".nf", *(_escaped(row) for row in rows[1:]), ".fi"]
        else:
            lines += [_escaped(row.strip()) for row in rows]
    return lines


def _bold(text: str) -> str:
    """Return the argument of .B: quotes would end it."""
    return _escaped(text).replace('"', "\\(dq")


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
