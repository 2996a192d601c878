"""The root of the command line: lazily imported commands, and errors as one line.

No traceback reaches the learner. To find a bug, STUDYATTN_TRACEBACK=1 lets it through.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from studyattn.cli import HELP, table
from studyattn.cli.lines import printable
from studyattn.cli.streams import open_missing
from studyattn.errors import StudyattnError
from studyattn.home import Home, find_home

UNUSABLE = 2
_LONGEST = 2000  # characters of a message; it may quote what someone gave
INTERRUPTED = 130  # as shells report a process that Ctrl-C ended


@dataclass(frozen=True, slots=True)
class Invocation:
    """What every command needs to know of the command line."""

    home: Home
    start_app: Callable[[Home], int] | None = None  # what happens without a command


class LazyCommands(click.Group):
    """Finds a command in the table and imports only its module."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(table.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        entry = table.COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = importlib.import_module(f"studyattn.cli.{entry[0]}")
        command: click.Command = getattr(module, entry[1])
        return command

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002
        return table.overview()


@click.group(
    cls=LazyCommands,
    invoke_without_command=True,
    context_settings={"help_option_names": list(HELP)},
)
@click.option("--home", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@click.option("--db", "database", metavar="URL")
@click.option("--learner", metavar="NAME")
@click.option("--version", "-V", "shows_version", is_flag=True)
@click.pass_context
def studyattn(
    ctx: click.Context,
    home: Path | None,
    database: str | None,
    learner: str | None,
    shows_version: bool,
) -> None:
    """Learn attention in transformers until you can explain it and write it."""
    ctx.obj = Invocation(find_home(home, database=database, learner=learner), ctx.obj)
    if shows_version:
        click.echo(table.version())
        ctx.exit()
    if ctx.invoked_subcommand is None:
        if ctx.obj.start_app is None:
            raise click.UsageError("Give a command", ctx)
        ctx.exit(ctx.obj.start_app(ctx.obj.home))


def run(  # noqa: PLR0911 - one return a kind of failure
    arguments: list[str], start_app: Callable[[Home], int] | None = None
) -> int:
    """Carry out one command line; every failure becomes one line on standard error."""
    open_missing()
    try:
        return _carry_out(arguments, start_app)
    except click.ClickException as error:
        return _fail(_usage(error))
    except StudyattnError as error:
        return _fail(str(error), error.exit_status)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read the output has read enough. Python must not try to flush it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(_os_error(error))
    except UnicodeEncodeError as error:
        return _fail(f"{ascii(error.object)[:60]} is not text that can be kept. Use UTF-8.")
    except Exception as error:
        if os.environ.get("STUDYATTN_TRACEBACK"):
            raise
        return _fail(
            f"a bug: {type(error).__name__}: {error}. Nothing that was saved is lost; "
            "STUDYATTN_TRACEBACK=1 shows where it happened"
        )


def _carry_out(arguments: list[str], start_app: Callable[[Home], int] | None) -> int:
    """Not click's own `main`: that one ends the process by itself when the reader is gone."""
    if any("\0" in argument for argument in arguments):
        raise click.UsageError("No name and no text may hold a NUL")
    try:
        with studyattn.make_context("studyattn", list(arguments), obj=start_app) as context:
            studyattn.invoke(context)
    except click.exceptions.Exit as done:
        status = done.exit_code
    else:
        status = 0
    sys.stdout.flush()
    return status


def _fail(message: str, status: int = UNUSABLE) -> int:
    line = printable(" ".join(message.split()))
    if len(line) > _LONGEST:
        line = f"{line[:_LONGEST]}…"
    print(f"studyattn: {line}", file=sys.stderr)
    return status


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        message = "Give one of its commands"
    else:
        message = error.format_message()
    if context is None:
        return message
    return f"{message.rstrip('.')}. See `{context.command_path} --help`."


def _os_error(error: OSError) -> str:
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}{error.strerror or error}"
