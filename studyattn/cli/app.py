"""The root of the command line: lazily imported commands. `error_output` reports failures."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from studyattn.cli import table
from studyattn.cli.common import Invocation as Invocation  # noqa: PLC0414 - also for commands
from studyattn.cli.declared import SuggestingGroup, command_named
from studyattn.cli.error_output import INTERRUPTED, fail, guarded
from studyattn.home import Home, find_home


class LazyCommands(SuggestingGroup):
    """Find a command in the table, of which only `export` needs its module for its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(table.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name == "export":
            from studyattn.cli.export import export  # late: its commands are formats

            return export
        return command_named(cmd_name)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Complete a command from the table: click would import all of them for their help."""
        from click.shell_completion import CompletionItem

        return [
            *(
                CompletionItem(name, help=entry.help)
                for name, entry in table.COMMANDS.items()
                if name.startswith(incomplete)
            ),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002
        return table.overview()


class _Folder(click.Path):
    """A folder; no name is not the current one, as when a variable of a script is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("The name of the folder is empty.", param, ctx)
        return super().convert(value, param, ctx)


@click.group(
    cls=LazyCommands,
    invoke_without_command=True,
    context_settings={"help_option_names": list(table.HELP)},
)
@click.option(
    "--home",
    type=_Folder(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Store everything in DIR instead of the default folder.",
)
@click.option(
    "--db",
    "database",
    metavar="URL",
    help="Use a database on a server, postgresql+psycopg://HOST/NAME.",
)
@click.option(
    "--learner", metavar="NAME", help="Learner in that database.  [default: the user name]"
)
@click.option("--version", "-V", "shows_version", is_flag=True, help="Show the version.")
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


def run(arguments: list[str], start_app: Callable[[Home], int] | None = None) -> int:
    """Run one command line; print every failure as one line on standard error."""
    return guarded(lambda: _carry_out(arguments, start_app))


def _carry_out(arguments: list[str], start_app: Callable[[Home], int] | None) -> int:
    """Do what click's `main` does, which would end the process when the reader closes the pipe."""
    try:
        if any("\0" in argument for argument in arguments):
            raise click.UsageError("Names and texts cannot contain a NUL character")
        with studyattn.make_context(
            "studyattn", list(arguments), obj=start_app, color=_shows_colors()
        ) as context:
            studyattn.invoke(context)
    except click.exceptions.Exit as done:
        status = done.exit_code
    except click.ClickException as error:
        return fail(_usage(error))
    except click.Abort:  # in the middle of a question
        click.echo(err=True)
        told = "interrupted" if sys.stdin.isatty() else "the input ended before the last question"
        return fail(told, INTERRUPTED)
    else:
        status = 0
    sys.stdout.flush()
    return status


def _shows_colors() -> bool | None:
    """Return whether colors are wanted; with None click asks the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        message = "Missing command"
    else:
        message = error.format_message()
    if context is None:
        return message
    ended = message if message.endswith(("?", "?)")) else f"{message.rstrip('.')}."
    return f"{ended} See `{context.command_path} --help`."
