"""`export`: what leaves the program, as files for people and for other programs."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import Day, emit, json_option, opened, pass_invocation
from studyattn.errors import InputError
from studyattn.paths import shown
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.exchange.holdings import Holdings
    from studyattn.exchange.learningnote.content import Selection
    from studyattn.study.learner import Learner

_OUTPUT = click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to.")


@click.group()
def export() -> None:
    """Write out what you know and made: the learning note, or everything."""


@export.command()
@_OUTPUT
@click.option("--concept", metavar="SLUG", help="Only what belongs to this concept.")
@click.option("--source", metavar="NAME", help="Only what came from this source, by title or guid.")
@click.option("--since", type=Day(), help="Only what changed on or after a day, as 2026-11-21.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "obsidian", "html"]),
    default="markdown",
    help="One document, a folder of linked files, or a page for a browser.",
)
@json_option
@pass_invocation
def note(  # noqa: PLR0917 - one argument an option
    invocation: Invocation,
    output: Path | None,
    concept: str | None,
    source: str | None,
    since: date | None,
    form: str,
    as_json: bool,
) -> None:
    """The learning note: Known, Known unknown, questions with answers, own notes, drills."""
    from studyattn.exchange.learningnote.content import Selection, learning_note
    from studyattn.exchange.learningnote.writing import write_note

    with opened(invocation) as learner:
        held = _held(learner)
        guid = None if source is None else _guid(learner, source)
    chosen = Selection(concept, guid, since)
    if form == "obsidian":
        _put_folder(output, held, chosen, as_json)
        return
    if form == "html":
        from studyattn.exchange.page.writing import write_page

        text = write_page(held, chosen)
    else:
        text = write_note(learning_note(held, chosen))
    if as_json and output is None:
        emit({"path": None, "text": text})
    else:
        _put(output, text, as_json)


@export.command("all")
@_OUTPUT
@json_option
@pass_invocation
def everything(invocation: Invocation, output: Path | None, as_json: bool) -> None:
    """Everything, as JSON Lines (docs/exchange-format.md)."""
    from studyattn.exchange.jsonlines import write_lines

    with opened(invocation) as learner:
        lines = list(write_lines(_held(learner)))
    if as_json and output is None:
        click.echo(f"[{', '.join(lines)}]".encode())
    else:
        _put(output, "".join(f"{line}\n" for line in lines), as_json)


def _held(learner: Learner) -> Holdings:
    from studyattn.exchange.collecting import collect

    with learner.database.read() as connection:
        return collect(connection)


def _guid(learner: Learner, source: str) -> str:
    from studyattn.study.notes import find_source

    with learner.database.read() as connection:
        return str(find_source(connection, source).guid)


def _put_folder(output: Path | None, held: Holdings, selection: Selection, as_json: bool) -> None:
    """One file a concept. Files that are there and are not ours stay."""
    from studyattn.exchange.learningnote.obsidian import write_folder
    from studyattn.exchange.saving import save_text

    if output is None:
        raise InputError("a folder is needed", advice="Name it with -o DIR")
    files = write_folder(held, selection)
    for name, text in files.items():
        save_text(output / name, text)
    _tell(output, count(len(files), "file"), as_json)


def _put(output: Path | None, text: str, as_json: bool) -> None:
    """Into the file, or onto standard output."""
    if output is None:
        click.echo(text.encode(), nl=False)
        return
    from studyattn.exchange.saving import save_text

    save_text(output, text)
    _tell(output, "", as_json)


def _tell(output: Path, what: str, as_json: bool) -> None:
    """Say that it is written; on standard output only as JSON."""
    if as_json:
        emit({"path": output, "written": what or None})
    else:
        click.echo(f"Written: {shown(output)}{f': {what}' if what else ''}", err=True)


@export.command()
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The .apkg to write."
)
@json_option
@pass_invocation
def anki(invocation: Invocation, output: Path, as_json: bool) -> None:
    """Your cards for Anki, with their review history and what is remembered."""
    from studyattn.exchange.leaving import Form, write_form

    with opened(invocation) as learner:
        told = write_form(learner.database, learner.scheduler, Form.ANKI, output)
    _tell(output, told, as_json)
