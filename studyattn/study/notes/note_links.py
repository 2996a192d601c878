"""Links between notes and concepts, both ways.

They are read from the notes' own texts whenever they are asked for, so nothing can be out of step.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from studyattn.store.models import NoteRow
from studyattn.study.concepts.concept_rows import concept_rows
from studyattn.study.notes.notes import show_note
from studyattn.study.profile import Profile
from studyattn.text.links import Names, Target, links, normal


@dataclass(frozen=True, slots=True)
class LinkView:
    """A link of a note: as it is written, and the concept that it leads to, if there is one."""

    target: str
    text: str
    slug: str | None
    title: str | None


@dataclass(frozen=True, slots=True)
class LinkingNote:
    """A note that links to a concept."""

    id: int
    title: str
    updated_at: datetime


def concept_names(profile: Profile) -> Names:
    """What concepts can be called in a link."""
    with profile.database.read() as connection:
        return read_names(connection)


def links_of(profile: Profile, number: int) -> tuple[LinkView, ...]:
    """What a note links to, each concept or unknown name once. Raises NotFoundError."""
    return views_of(show_note(profile, number).body, concept_names(profile))


def views_of(body: str, names: Names) -> tuple[LinkView, ...]:
    """The links of a text, each concept or unknown name once, in the order in which they stand."""
    views: dict[str, LinkView] = {}
    for link in links(body):
        found = names.find(link.target)
        key = found.slug if found else f"[[{normal(link.target)}"
        slug, title = (found.slug, found.title) if found else (None, None)
        view = LinkView(link.target, link.text, slug, title)
        views.setdefault(key, view)
    return tuple(views.values())


def linking_notes(connection: Connection, slug: str) -> tuple[LinkingNote, ...]:
    """The notes that link to a concept or to one joined into it, the last changed first."""
    names = read_names(connection).of(slug)
    rows = connection.execute(
        select(NoteRow.id, NoteRow.title, NoteRow.body, NoteRow.updated_at)
        .where(NoteRow.body.contains("[["))
        .order_by(NoteRow.updated_at.desc(), NoteRow.id.desc())
    )
    return tuple(
        LinkingNote(row.id, row.title, row.updated_at) for row in rows if _links_to(row.body, names)
    )


def read_names(connection: Connection) -> Names:
    """The names of all concepts, within a transaction of the caller's."""
    rows = concept_rows(connection)
    targets = {row.id: Target(row.slug, row.title) for row in rows}
    joined = {
        targets[row.id]: targets[row.joined_into_id]
        for row in rows
        if row.joined_into_id in targets
    }
    return Names((targets[row.id] for row in rows if row.joined_into_id is None), joined)


def _links_to(body: str, names: frozenset[str]) -> bool:
    # Reading Markdown is slow beside looking for the name, which most notes do not have.
    plain = normal(body)
    return any(name in plain for name in names) and any(
        normal(link.target) in names for link in links(body)
    )
