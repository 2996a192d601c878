"""`note`: the learner's own Markdown."""

from __future__ import annotations

import sys

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import emit, json_option, local, opened, pass_invocation, table


@click.group()
def note() -> None:
    """Add, list, show and edit your notes."""


@note.command()
@click.argument("text", required=False)
@click.option("--title", default="", help="Without one, the first line is the title.")
@click.option("--concept", metavar="SLUG", help="The concept it belongs to.")
@json_option
@pass_invocation
def add(
    invocation: Invocation, text: str | None, title: str, concept: str | None, as_json: bool
) -> None:
    """Write TEXT down; without it, standard input, or what you write in an editor."""
    from studyattn.study.notes import add_note

    body = _text(text, "")
    with opened(invocation) as learner:
        made = add_note(learner, body, title=title, concept=concept)
    if as_json:
        emit(made)
    else:
        click.echo(f"Note {made.id}: {made.title}")


@note.command("list")
@click.option("--concept", metavar="SLUG", help="Only those of this concept.")
@json_option
@pass_invocation
def list_(invocation: Invocation, concept: str | None, as_json: bool) -> None:
    """Every note, the last changed first."""
    from studyattn.study.notes import list_notes

    with opened(invocation) as learner:
        found = list_notes(learner, concept)
    if as_json:
        emit(found)
        return
    table(
        [(str(each.id), local(each.updated_at), each.concept or "", each.title) for each in found]
    )


@note.command()
@click.argument("number", type=int)
@json_option
@pass_invocation
def show(invocation: Invocation, number: int, as_json: bool) -> None:
    """One note, as it was written."""
    from studyattn.study.notes import show_note

    with opened(invocation) as learner:
        found = show_note(learner, number)
    if as_json:
        emit(found)
    else:
        click.echo(found.body)


@note.command()
@click.argument("number", type=int)
@click.argument("text", required=False)
@click.option("--title", default="", help="Without one, the first line is the title.")
@json_option
@pass_invocation
def edit(invocation: Invocation, number: int, text: str | None, title: str, as_json: bool) -> None:
    """Replace a note's text by TEXT, standard input, or what you write in an editor."""
    from studyattn.study.notes import edit_note, show_note

    with opened(invocation) as learner:
        body = _text(text, show_note(learner, number).body)
        changed = edit_note(learner, number, body, title=title)
    if as_json:
        emit(changed)
    else:
        click.echo(f"Note {changed.id}: {changed.title}")


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
