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
@click.option("--concept", metavar="SLUG", help="Link the note to this concept.")
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

    Without TEXT it is read from standard input, or written in your editor.
    """
    from studyattn.study.notes.notes import add_note

    body = _text(text, "")
    with opened(invocation) as profile:
        made = add_note(profile, body, title=title, concept=concept, source=source, item=item)
    _tell(made, as_json)


@note.command(
    "list", epilog=examples("studyattn note list", "studyattn note list --concept softmax")
)
@click.option("--concept", metavar="SLUG", help="List only notes on this concept.")
@json_option
@pass_invocation
def list_(invocation: Invocation, concept: str | None, as_json: bool) -> None:
    """List notes, last changed first."""
    from studyattn.study.notes.notes import list_notes

    with opened(invocation) as profile:
        found = list_notes(profile, concept)
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
def show(invocation: Invocation, number: int, as_json: bool) -> None:
    """Print a note as it was written."""
    from studyattn.study.notes.notes import show_note

    with opened(invocation) as profile:
        found = show_note(profile, number)
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

    Without TEXT it is read from standard input, or written in your editor.
    """
    from studyattn.study.notes.edit_session import NoteEditSession
    from studyattn.study.notes.notes import check_text, own_title, show_note

    with opened(invocation) as profile:
        before = show_note(profile, number)
        sitting = NoteEditSession(profile, number)
        body = _text(text, before.body)
        named = own_title(before) if title is None else title
        check_text(title or "", body)
        saved = sitting.save(named, body)
        changed = show_note(profile, number)
    if saved.elsewhere is not None:
        click.echo(f"studyattn: note {number}: {saved.elsewhere.value}", err=True)
    _tell(changed, as_json)


@note.command(epilog=examples("studyattn note remove 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
def remove(invocation: Invocation, number: int, as_json: bool) -> None:
    """Remove a note."""
    from studyattn.study.notes.notes import remove_note

    with opened(invocation) as profile:
        removed = remove_note(profile, number)
    _tell(removed, as_json, "Removed: note")


@note.command(epilog=examples("studyattn note links 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
def links(invocation: Invocation, number: int, as_json: bool) -> None:
    """List the concepts that a note links to."""
    from studyattn.study.notes.note_links import links_of

    with opened(invocation) as profile:
        found = links_of(profile, number)
    if as_json:
        emit(found)
    else:
        table([(clean(each.target), each.title or "no such concept") for each in found])


@note.command(epilog=examples("studyattn note versions 3"))
@click.argument("number", type=NUMBER)
@json_option
@pass_invocation
def versions(invocation: Invocation, number: int, as_json: bool) -> None:
    """List every version of a note, newest first."""
    from studyattn.study.notes.note_versions import versions as all_versions

    with opened(invocation) as profile:
        found = all_versions(profile, number)
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
def diff(invocation: Invocation, number: int, version: int, as_json: bool) -> None:
    """Show changes since VERSION."""
    from studyattn.study.notes.note_versions import difference, show_version
    from studyattn.study.notes.note_versions import versions as all_versions

    with opened(invocation) as profile:
        before = show_version(profile, number, version)
        lines = difference(before, all_versions(profile, number)[0])
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
    from studyattn.study.notes.note_versions import restore_version

    with opened(invocation) as profile:
        restored = restore_version(profile, number, version)
    _tell(restored, as_json)


def _tell(note: NoteView, as_json: bool, what: str = "Note") -> None:
    respond(note, f"{what} {note.id}: {clean(note.title)}", as_json=as_json)


def _words(title: str) -> str:
    """A note's title on a line of a list: mathematics set, no marks."""
    from studyattn.text.render import plain

    return plain(title) or title


def _print(text: str) -> None:
    """The text as it is into a file, and without control characters on a terminal."""
    click.echo(clean(text) if sys.stdout.isatty() else text)


def clean(text: str) -> str:
    """Without control characters: no note drives the terminal."""
    from studyattn.text.lines import clean as clean_text

    return clean_text(text)


def _text(given: str | None, before: str) -> str:
    """The text from the argument, from standard input when it is no terminal, or from an editor."""
    if given is not None:
        return given
    if not sys.stdin.isatty():
        try:
            return sys.stdin.read()
        except UnicodeDecodeError:
            raise click.UsageError("Standard input is not UTF-8 text") from None
    written = click.edit(before, extension=".md")
    if written is None:
        raise click.UsageError("Nothing was saved in the editor")
    return written
