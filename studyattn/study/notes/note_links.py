"""Links between notes and concepts, both ways.

They are read from the notes' own texts whenever they are asked for, so nothing can be out of step.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from studyattn.store.database import Connection
from studyattn.store.queries.concepts import StoredConcept, all_concepts
from studyattn.store.queries.notes import notes_with_links
from studyattn.study.notes.notes import show_note
from studyattn.study.profile import Profile
from studyattn.text.links import Names, Target, links, normal


class LinkView(NamedTuple):
    """A link of a note: as it is written, and the concept that it leads to, if there is one."""

    target: str
    text: str
    slug: str | None
    title: str | None


class LinkingNote(NamedTuple):
    """A note that links to a concept."""

    id: int
    title: str
    updated_at: datetime


def concept_names(profile: Profile) -> Names:
    """Return the names by which a link can call concepts."""
    with profile.database.read() as connection:
        return read_names(connection)


def links_of(profile: Profile, number: int) -> tuple[LinkView, ...]:
    """Return the links of a note, each concept or unknown name once. Raises NotFoundError."""
    return views_of(show_note(profile, number).body, concept_names(profile))


def views_of(body: str, names: Names) -> tuple[LinkView, ...]:
    """Return the links of a text in its order, each concept or unknown name once."""
    views: dict[str, LinkView] = {}
    for link in links(body):
        found = names.find(link.target)
        key = found.slug if found else f"[[{normal(link.target)}"
        slug, title = (found.slug, found.title) if found else (None, None)
        view = LinkView(link.target, link.text, slug, title)
        views.setdefault(key, view)
    return tuple(views.values())


def linking_notes(
    connection: Connection, concepts: Sequence[StoredConcept], slug: str
) -> tuple[LinkingNote, ...]:
    """Return the notes that link to one of the concepts or one joined into it.

    The last changed come first. `concepts` are all there are.
    """
    linking = notes_with_links(connection)
    names = names_of(concepts).of(slug) if linking else ()
    found = []
    for note in linking:
        plain = normal(note.body)  # reading Markdown is slow; most notes do not have the name
        if any(name in plain for name in names) and any(
            normal(link.target) in names for link in links(note.body)
        ):
            found.append(LinkingNote(note.id, note.title, note.updated_at))
    return tuple(found)


def read_names(connection: Connection) -> Names:
    """Return the names of all concepts, within a transaction of the caller's."""
    return names_of(all_concepts(connection))


def names_of(rows: Sequence[StoredConcept]) -> Names:
    """Return the names of these concepts, which are all there are."""
    targets = {row.id: Target(row.slug, row.title) for row in rows}
    joined = {
        targets[row.id]: targets[row.joined_into_id]
        for row in rows
        if row.joined_into_id is not None and row.joined_into_id in targets
    }
    return Names((targets[row.id] for row in rows if row.joined_into_id is None), joined)
