"""`export`: the learning note, cards for Anki, and everything as JSON Lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import Day, emit, examples, json_option, opened, pass_invocation
from studyattn.errors import InputError
from studyattn.paths import shown
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.store.snapshot import Snapshot
    from studyattn.study.profile import Profile

_OUTPUT = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Output file or folder.  [default: standard output]",
)


@click.group(
    epilog=examples("studyattn export note -o note.md", "studyattn export all -o everything.jsonl")
)
def export() -> None:
    """Export the learning note, cards for Anki, or everything."""


@export.command(
    epilog=examples(
        "studyattn export note -o note.md",
        "studyattn export note --format html -o note.html",
        "studyattn export note --concept softmax --since 2026-11-01",
    )
)
@_OUTPUT
@click.option("--concept", metavar="SLUG", help="Export only this concept.")
@click.option("--source", metavar="NAME", help="Export only this source (title or guid).")
@click.option(
    "--since", type=Day(), help="Export only what changed on or after this day (2026-11-21)."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "obsidian", "html"]),
    default="markdown",
    help="One document, a folder of linked files, or a web page.",
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
    """Export the learning note.

    It holds concepts, questions and answers, notes and drills.
    """
    from studyattn.exchange.learning_note.content import Selection, learning_note
    from studyattn.exchange.learning_note.writer import write_note
    from studyattn.packs.errata import installed_errata

    with opened(invocation) as profile:
        held, errata = _held(profile), installed_errata(profile.home)
        guid = None if source is None else _guid(profile, source)
    chosen = Selection(concept, guid, since)
    if form == "obsidian":
        from studyattn.exchange.learning_note.obsidian import write_folder

        _put_folder(output, partial(write_folder, held, chosen, errata), as_json)
        return
    if form == "html":
        from studyattn.exchange.html.writer import write_page

        text = write_page(held, chosen, errata)
    else:
        text = write_note(learning_note(held, chosen, errata))
    if as_json and output is None:
        emit({"path": None, "text": text})
    else:
        _put(output, text, as_json)


@export.command("all", epilog=examples("studyattn export all -o everything.jsonl"))
@_OUTPUT
@json_option
@pass_invocation
def everything(invocation: Invocation, output: Path | None, as_json: bool) -> None:
    """Export everything as JSON Lines (docs/exchange-format.md)."""
    from studyattn.exchange.json_lines import write_lines

    with opened(invocation) as profile:
        lines = list(write_lines(_held(profile)))
    if as_json and output is None:
        click.echo(f"[{', '.join(lines)}]".encode())
    else:
        _put(output, "".join(f"{line}\n" for line in lines), as_json)


def _held(profile: Profile) -> Snapshot:
    from studyattn.store.queries.snapshot import load_snapshot

    with profile.database.read() as connection:
        return load_snapshot(connection)


def _guid(profile: Profile, source: str) -> str:
    from studyattn.study.notes.sources import find_source

    with profile.database.read() as connection:
        return find_source(connection, source).guid


def _put_folder(output: Path | None, write: Callable[[], Mapping[str, str]], as_json: bool) -> None:
    """One file a concept. Files that are there and are not ours stay."""
    from studyattn.exchange.save_file import save_text

    if output is None:
        raise InputError("a folder is needed", advice="Name it with -o DIR")
    files = write()
    for name, text in files.items():
        save_text(output / name, text)
    _tell(output, count(len(files), "file"), as_json)


def _put(output: Path | None, text: str, as_json: bool) -> None:
    """Into the file, or onto standard output."""
    if output is None:
        click.echo(text.encode(), nl=False)
        return
    from studyattn.exchange.save_file import save_text

    save_text(output, text)
    _tell(output, "", as_json)


def _tell(output: Path, what: str, as_json: bool) -> None:
    """Say that it is written; on standard output only as JSON."""
    if as_json:
        emit({"path": output, "written": what or None})
    else:
        click.echo(f"Written: {shown(output)}{f': {what}' if what else ''}", err=True)


@export.command(epilog=examples("studyattn export anki -o cards.apkg"))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True, help="The .apkg to write."
)
@json_option
@pass_invocation
def anki(invocation: Invocation, output: Path, as_json: bool) -> None:
    """Export cards for Anki, with review history and memory states."""
    from studyattn.exchange.export_file import ExportFormat, export_to

    with opened(invocation) as profile:
        told = export_to(profile.database, profile.scheduler, ExportFormat.ANKI, output)
    _tell(output, told, as_json)
