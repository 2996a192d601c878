"""`export`: a subcommand for each format, or for several formats of one thing.

The subcommands, their options and their help are drawn from `exchange.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from io import IOBase
from pathlib import Path

import click

from studyattn.cli.common import (
    Command,
    Day,
    Invocation,
    anki_key_option,
    emit,
    examples,
    json_option,
    opened,
    pass_invocation,
)
from studyattn.cli.declared import SuggestingGroup
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.errors import InputError
from studyattn.exchange.anki.address import ADDRESS
from studyattn.exchange.anki.format import ANKI
from studyattn.exchange.format import Format, OutputKind, Selection, Written
from studyattn.exchange.registry import FORMATS, format_written, of_command
from studyattn.paths import shown
from studyattn.study import notes, statistics


class _ExportGroup(SuggestingGroup):
    """The commands of the formats that are registered."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own
        return sorted({form.command for form in FORMATS.values()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's own
        formats = of_command(cmd_name)
        return _command(formats) if formats else None


@click.group(
    cls=_ExportGroup,
    epilog=examples("studyattn export note -o note.md", "studyattn export all -o everything.jsonl"),
)
def export() -> None:
    """Export the learning note, cards for Anki, or everything."""


def _command(formats: Sequence[Format]) -> click.Command:
    """Return the command that writes one of `formats`, the first by default."""
    usual = formats[0]

    @pass_invocation
    def run(  # noqa: PLR0917 - one argument an option
        invocation: Invocation,
        target: str | None,
        as_json: bool,
        form: str | None = None,
        concept: str | None = None,
        source: str | None = None,
        since: date | None = None,
        to_anki: str | None = None,
        key: str | None = None,
    ) -> None:
        if to_anki is not None:
            _push(invocation, usual, to_anki, key, as_json=as_json)
            return
        # Late: it loads SQLAlchemy, which help does without.
        from studyattn.exchange.export_file import save_export, write_export
        from studyattn.exchange.save_file import file_named

        output = None if target is None else Path(target)
        chosen = FORMATS[form] if form else format_written(formats, output)
        if output is None and chosen.output is not OutputKind.TEXT:
            is_folder = chosen.output is OutputKind.FOLDER
            what, name = ("folder", "DIR") if is_folder else ("file", "FILE")
            raise InputError(f"a {what} is needed", advice=f"Name it with -o {name}")
        if target is not None and chosen.output is not OutputKind.FOLDER:
            output = file_named(target)
        with opened(invocation) as profile:
            if concept is not None:
                concept = slug_of(profile, concept)
            guid = None
            if source is not None:
                with profile.database.read() as connection:
                    guid = notes.sources.find_source(connection, source).guid
            selection = Selection(concept, guid, since)
            figures = (
                statistics.pages.shared_figures(profile, concept, guid) if chosen.figures else ()
            )
            written = write_export(profile.database, profile.scheduler, chosen, selection, figures)
        if output is None:
            _show(written, as_json=as_json)
        else:
            save_export(output, written)
            _say_where(chosen, written, output, as_json=as_json)

    for option in (json_option, *reversed(_options(formats))):
        run = option(run)
    line = f"studyattn export {usual.command}"
    lines = [f"{line} -o {usual.file_name}"]
    lines += [f"{line} --format {form.name} -o {form.file_name}" for form in formats[1:2]]
    lines += [f"{line} --to-anki"] if usual is ANKI else []
    lines += [f"{line} --concept softmax --since 2026-11-01"] if usual.selects else []
    return click.command(usual.command, help=usual.help, epilog=examples(*lines))(run)


def _push(
    invocation: Invocation, form: Format, address: str, key: str | None, *, as_json: bool
) -> None:
    """Have a running Anki import everything."""
    from studyattn.exchange.anki.connect import push, read_key
    from studyattn.exchange.export_file import export_to

    with opened(invocation) as profile:
        export = partial(export_to, profile.database, profile.scheduler, form)
        key = read_key(profile.settings.anki_key_file) if key is None else key
        summary = push(export, profile.home.root, address, key)
    if as_json:
        emit({"address": address, "written": summary})
    else:
        click.echo(f"Imported by Anki: {summary}", err=True)


def _options(formats: Sequence[Format]) -> list[Callable[[Command], Command]]:
    """Return the options of the command: the output, the selection, the format."""
    usual = formats[0]
    to_screen = usual.output is OutputKind.TEXT
    options = [
        click.option(
            "-o",
            "--output",
            "target",
            type=click.Path(),
            required=not to_screen and usual is not ANKI,
            help="Output file or folder.  [default: standard output]"
            if to_screen
            else f"The {Path(usual.file_name).suffix or 'folder'} to write.",
        )
    ]
    if usual is ANKI:
        options.append(
            click.option(
                "--to-anki",
                is_flag=False,
                flag_value=ADDRESS,
                metavar="[ADDRESS]",
                help="Push to a running Anki with the AnkiConnect add-on instead of a file.  "
                f"[default address: {ADDRESS}]",
            )
        )
        options.append(anki_key_option)
    if any(form.selects for form in formats):
        since = "Export only changes on or after this day (2026-11-21)."
        options += [
            click.option(
                "--concept", type=CONCEPT, metavar="CONCEPT", help="Export only this concept."
            ),
            click.option(
                "--source", metavar="NAME", help="Export only this source (title or guid)."
            ),
            click.option("--since", type=Day(), help=since),
        ]
    if len(formats) > 1:
        names = [form.name for form in formats]
        told = f"by file name, else {usual.name}"
        about = " ".join(f"{form.name}: {form.about}." for form in formats)
        options.append(
            click.option(
                "--format",
                "form",
                type=click.Choice(names),
                help=f"{about}  [default: {told}]",
            )
        )
    return options


def _show(written: Written, *, as_json: bool) -> None:
    """Write a text onto standard output. Lines of JSON are, as JSON, an array of them."""
    content = written.content
    if isinstance(content, str):
        if as_json:
            emit({"path": None, "text": content})
        else:
            click.echo(content.encode(), nl=False)
    elif isinstance(content, IOBase):  # lines of JSON
        with content:
            for number, line in enumerate(content):
                told = line if not as_json else (b", " if number else b"[") + line.rstrip(b"\n")
                click.echo(told, nl=False)
        if as_json:
            click.echo("]")


def _say_where(form: Format, written: Written, output: Path, *, as_json: bool) -> None:
    """Say where an export was written; on standard output only as JSON."""
    summary = "" if form.output is OutputKind.TEXT else written.summary
    if as_json:
        emit({"path": output, "written": summary or None})
    else:
        click.echo(f"Written: {shown(output)}{f': {summary}' if summary else ''}", err=True)
