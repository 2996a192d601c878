"""`note`: the learner's own Markdown; `search`: everything that has some words."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer, Rows, local, warned, words_of, written
from studyattn.store.search_schema import SearchKind
from studyattn.study import notes
from studyattn.study.notes.excerpt import with_formulas
from studyattn.text.characters import printable

if TYPE_CHECKING:
    from studyattn.store.queries.notes import NoteView
    from studyattn.store.search import MarkedText
    from studyattn.study.notes.search import SearchResult
    from studyattn.study.profile import Profile

_KINDS = ("concept", "note", "card", "source")


def search(
    profile: Profile, words: tuple[str, ...], kinds: tuple[str, ...], limit: int, as_json: bool
) -> Answer:
    wanted = [SearchKind(kind) for kind in kinds or _KINDS]
    if words:
        # An argument of several words was quoted, so it is a phrase if there are others.
        phrase = [f'"{word}"' if " " in word and len(words) > 1 else word for word in words]
        found = notes.search.search(profile, " ".join(phrase), kinds=wanted, limit=limit)
    elif wanted == [SearchKind.SOURCE]:
        found = notes.search.sources(profile, limit)
    else:
        raise click.UsageError("Give the words to search for")
    if not found:
        return Answer(found, warned("No results."), failed=not as_json)
    return Answer(found, partial(click.echo, "\n".join(map(_told_found, found))))


def _told_found(found: SearchResult) -> str:
    about = f"  ({found.about})" if found.about else ""
    line = f"{found.kind:<8} {found.key}  {_styled(found.title)}{about}"
    return f"{line}\n         {_styled(found.excerpt)}" if found.excerpt.text else line


def _styled(line: MarkedText) -> str:
    """Return the line, formulas as mathematics and the words of the query in bold."""
    line = with_formulas(line)
    parts, position = [], 0
    for start, end in line.marks:
        parts += [
            printable(line.text[position:start]),
            click.style(printable(line.text[start:end]), bold=True),
        ]
        position = end
    return "".join([*parts, printable(line.text[position:])])


def add(
    profile: Profile,
    *,
    text: str | None,
    title: str,
    concept: str | None,
    source: str | None,
    item: str | None,
) -> Answer:
    body = written("") if text is None else text
    made = notes.notes.add_note(
        profile, body, title=title, concept=concept, source=source, item=item
    )
    return _told(made)


def list_(profile: Profile, concept: str | None, most: int | None) -> Answer:
    found = notes.notes.list_notes(profile, concept, limit=most)
    rows = [
        (str(each.id), local(each.updated_at), each.concept or each.source or "", each.title)
        for each in found
    ]
    return Answer(found, Rows(rows, words_of))


def show(profile: Profile, number: int) -> Answer:
    found = notes.notes.show_note(profile, number)
    return Answer(found, partial(_print, found.body))


def edit(profile: Profile, number: int, text: str | None, title: str | None) -> Answer:
    before = notes.notes.show_note(profile, number)
    session = notes.edit_session.NoteEditSession(profile, number)
    body = written(before.body) if text is None else text
    named = notes.notes.own_title(before) if title is None else title
    notes.notes.check_text(title or "", body)
    saved = session.save(named, body)
    if saved.elsewhere is not None:
        click.echo(f"studyattn: note {number}: {saved.elsewhere.value}", err=True)
    return _told(notes.notes.show_note(profile, number))


def remove(profile: Profile, number: int) -> Answer:
    return _told(notes.notes.remove_note(profile, number), "Removed: note")


def links(profile: Profile, number: int) -> Answer:
    found = notes.note_links.links_of(profile, number)
    return Answer(found, Rows([(each.target, each.title or "no such concept") for each in found]))


def versions(profile: Profile, number: int) -> Answer:
    found = notes.notes.versions(profile, number)
    rows = [(str(each.number), local(each.at), f"{each.size:,}", each.title) for each in found]
    return Answer(found, Rows(rows, words_of))


def diff(profile: Profile, number: int, version: int) -> Answer:
    before = notes.notes.show_version(profile, number, version)
    now = notes.notes.versions(profile, number)[0]
    lines = notes.notes.difference(before, now)
    return Answer(lines, partial(_print, "\n".join(lines)) if lines else None)


def restore(profile: Profile, number: int, version: int) -> Answer:
    return _told(notes.notes.restore_version(profile, number, version))


def _told(note: NoteView, what: str = "Note") -> Answer:
    return Answer(note, f"{what} {note.id}: {note.title}")


def _print(text: str) -> None:
    """Print the text: as it is into a file, without control characters on a terminal."""
    click.echo(printable(text) if sys.stdout.isatty() else text)
