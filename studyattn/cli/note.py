"""`note`: the learner's own Markdown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import (
    NUMBER,
    emit,
    examples,
    json_option,
    local,
    opened,
    pass_invocation,
    respond,
    table,
)
from studyattn.cli.names import CONCEPT, slug_of
from studyattn.cli.paging import paged
from studyattn.cli.written import written
from studyattn.study import notes
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.store.queries.notes import NoteView


@click.group(
    epilog=examples("studyattn note add 'Ask about the 1/sqrt(d) factor'", "studyattn note list")
)
def note() -> None:
    """Write and edit notes; see their links and versions."""


@note.command(
    epilog=examples(
        "studyattn note add 'Rows of QK^T are queries' --concept scores",
        "studyattn note add",
    )
)
@click.argument("text", required=False)
@click.option("--title", default="", help="Title.  [default: the first line]")
@click.option("--concept", type=CONCEPT, metavar="CONCEPT", help="Link the note to this concept.")
@click.option("--source", metavar="NAME", help="Link the note to this source (title or guid).")
@click.option("--item", metavar="GUID", help="Link the note to this card or drill.")
@json_option
@pass_invocation
def add(  # noqa: PLR0917 - click gives them by name
    invocation: Invocation,
    text: str | None,
    title: str,
    concept: str | None,
    source: str | None,
    item: str | None,
    as_json: bool,
) -> None:
    """Add a note.

    Without TEXT, read standard input or open your editor.
    """
    body = written("") if text is None else text
    with opened(invocation) as profile:
        if concept is not None:
            concept = slug_of(profile, concept)
        made = notes.notes.add_note(
            profile, body, title=title, concept=concept, source=source, item=item
        )
    _tell(made, as_json)


@note.command(
    "list", epilog=examples("studyattn note list", "studyattn note list --concept softmax")
)
@click.option("--concept", type=CONCEPT, metavar="CONCEPT", help="List only notes on this concept.")
@json_option
@pass_invocation
@paged()
def list_(invocation: Invocation, concept: str | None, as_json: bool) -> None:
    """List notes, last changed first."""
    with opened(invocation) as profile:
        if concept is not None:
            concept = slug_of(profile, concept)
        found = notes.notes.list_notes(profile, concept)
    if as_json:
        emit(found)
        return
    rows = [
        (str(each.id), local(each.updated_at), each.concept or each.source or "", each.title)
        for each in found
    ]
    table(rows, _words)


@note.command(epilog=examples("studyattn note show 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
@paged()
def show(invocation: Invocation, number: int, as_json: bool) -> None:
    """Print a note's source text."""
    with opened(invocation) as profile:
        found = notes.notes.show_note(profile, number)
    if as_json:
        emit(found)
    else:
        _print(found.body)


@note.command(epilog=examples("studyattn note edit 3", "studyattn note edit 3 --title 'Scaling'"))
@click.argument("number", type=NUMBER)
@click.argument("text", required=False)
@click.option("--title", help="New title.  [default: unchanged, or the first line]")
@json_option
@pass_invocation
def edit(
    invocation: Invocation, number: int, text: str | None, title: str | None, as_json: bool
) -> None:
    """Replace a note's text; the old text is kept as a version.

    Without TEXT, read standard input or open your editor.
    """
    with opened(invocation) as profile:
        before = notes.notes.show_note(profile, number)
        session = notes.edit_session.NoteEditSession(profile, number)
        body = written(before.body) if text is None else text
        named = notes.notes.own_title(before) if title is None else title
        notes.notes.check_text(title or "", body)
        saved = session.save(named, body)
        changed = notes.notes.show_note(profile, number)
    if saved.elsewhere is not None:
        click.echo(f"studyattn: note {number}: {saved.elsewhere.value}", err=True)
    _tell(changed, as_json)


@note.command(epilog=examples("studyattn note remove 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
def remove(invocation: Invocation, number: int, as_json: bool) -> None:
    """Remove a note."""
    with opened(invocation) as profile:
        removed = notes.notes.remove_note(profile, number)
    _tell(removed, as_json, "Removed: note")


@note.command(epilog=examples("studyattn note links 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
@paged()
def links(invocation: Invocation, number: int, as_json: bool) -> None:
    """List the concepts that a note links to."""
    with opened(invocation) as profile:
        found = notes.note_links.links_of(profile, number)
    if as_json:
        emit(found)
    else:
        table([(each.target, each.title or "no such concept") for each in found])


@note.command(epilog=examples("studyattn note versions 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
@paged()
def versions(invocation: Invocation, number: int, as_json: bool) -> None:
    """List every version of a note, newest first."""
    with opened(invocation) as profile:
        found = notes.note_versions.versions(profile, number)
    if as_json:
        emit(found)
        return
    rows = [(str(each.number), local(each.at), f"{each.size:,}", each.title) for each in found]
    table(rows, _words)


@note.command(epilog=examples("studyattn note diff 3 1"))
@click.argument("number", type=NUMBER)
@click.argument("version", type=NUMBER)
@json_option
@pass_invocation
@paged()
def diff(invocation: Invocation, number: int, version: int, as_json: bool) -> None:
    """Show changes since VERSION."""
    with opened(invocation) as profile:
        before = notes.note_versions.show_version(profile, number, version)
        now = notes.note_versions.versions(profile, number)[0]
        lines = notes.note_versions.difference(before, now)
    if as_json:
        emit(lines)
    elif lines:
        _print("\n".join(lines))


@note.command(epilog=examples("studyattn note restore 3 1"))
@click.argument("number", type=NUMBER)
@click.argument("version", type=NUMBER)
@json_option
@pass_invocation
def restore(invocation: Invocation, number: int, version: int, as_json: bool) -> None:
    """Restore VERSION; the current text is kept as a version."""
    with opened(invocation) as profile:
        restored = notes.note_versions.restore_version(profile, number, version)
    _tell(restored, as_json)


def _tell(note: NoteView, as_json: bool, what: str = "Note") -> None:
    respond(note, f"{what} {note.id}: {note.title}", as_json=as_json)


def _words(title: str) -> str:
    """Return a note's title for a line of a list: mathematics set, no marks."""
    # Late: few commands print Markdown, and its reader takes as long as click.
    from studyattn.text.render import plain

    return plain(title) or title


def _print(text: str) -> None:
    """Print the text: as it is into a file, without control characters on a terminal."""
    click.echo(printable(text) if sys.stdout.isatty() else text)
