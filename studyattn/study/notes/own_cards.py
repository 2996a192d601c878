"""Cards that a learner makes of a passage: of a note of theirs, or of a source."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from sqlalchemy import Connection, func, insert, select

from studyattn.errors import InputError, NotFoundError
from studyattn.store.models import OWN, CardRow, ConceptRow, ItemRow
from studyattn.study.concepts.concept_rows import concept_rows
from studyattn.study.notes.note_links import read_names
from studyattn.study.notes.notes import find_source
from studyattn.study.profile import Profile
from studyattn.study.state import get_state, put_state
from studyattn.text import cloze
from studyattn.text.links import links

_LAST_CONCEPT = "cards.last_concept"


@dataclass(frozen=True, slots=True)
class SelectedPassage:
    """Where a card comes from. `line` counts from 1 in the note or source."""

    note: str | None = None  # guid
    source: str | None = None  # guid
    concept: str | None = None  # slug that the note or source belongs to
    text: str = ""  # of the whole note or source, for its links
    line: int | None = None


def suggested_concept(profile: Profile, passage: SelectedPassage) -> str:
    """The slug that a card of this passage most likely belongs to; "" when nothing speaks for one.

    Its own concept, else the first that it links to, else one imported with the source, else that
    of the last card made so.
    """
    with profile.database.read() as connection:
        if passage.concept is not None:
            return passage.concept
        names = read_names(connection)
        for link in links(passage.text):
            found = names.find(link.target)
            if found is not None:
                return found.slug
        if passage.source is not None:
            source = find_source(connection, passage.source)
            of_source = [row for row in concept_rows(connection) if row.source_id == source.id]
            if of_source:
                return str(of_source[0].slug)
        return get_state(connection, _LAST_CONCEPT) or ""


def make_card(
    profile: Profile, front: str, back: str, *, concept: str, passage: SelectedPassage | None = None
) -> tuple[str, ...]:
    """Make a card of the learner's own and return its guid; of a cloze text, one for each group.

    A front with `==…==` is a cloze. `concept` is a slug or a title. Raises InputError for a card
    that asks nothing or answers nothing, NotFoundError for an unknown concept.
    """
    passage = passage or SelectedPassage()
    groups = cloze.groups(front)
    if not front.strip():
        raise InputError("the card asks nothing", advice="Write a question.")
    if not groups and not back.strip():
        raise InputError(
            "the card has no answer", advice="Write one, or mark a gap in the question: ==…==."
        )
    now = profile.clock.now()
    with profile.database.write() as connection:
        found = read_names(connection).find(concept)
        if found is None:
            raise _no_concept(concept)
        concept_id = connection.execute(
            select(ConceptRow.id).where(ConceptRow.slug == found.slug)
        ).scalar_one()
        source_id = passage.source and find_source(connection, passage.source).id
        place = connection.execute(
            select(func.coalesce(func.max(ItemRow.position), 0))
        ).scalar_one()
        siblings = _siblings(groups)
        for offset, (guid, kind, extra) in enumerate(siblings, start=1):
            item_id = _insert_item(
                connection,
                guid=guid,
                concept_id=concept_id,
                source_id=source_id,
                position=place + offset,
                created_at=now,
            )
            connection.execute(
                insert(CardRow).values(
                    item_id=item_id,
                    kind=kind,
                    front=front.strip(),
                    back=back.strip(),
                    extra={**_origin(passage), **extra},
                    digest=_digest(front.strip(), back.strip()),
                    edited_at=now,
                    sibling_group=siblings[0][0] if len(siblings) > 1 else None,
                )
            )
        put_state(connection, _LAST_CONCEPT, found.slug)
    return tuple(guid for guid, _, _ in siblings)


def _siblings(groups: tuple[int, ...]) -> list[tuple[str, str, dict[str, object]]]:
    """Guid, kind and `extra` of each card: one, or one for each group of a cloze."""
    guid = f"{OWN}{uuid4().hex}"
    if not groups:
        return [(guid, "basic", {})]
    guids = [guid, *(f"{guid}:{group}" for group in groups[1:])]
    return [(each, "cloze", {"group": group}) for each, group in zip(guids, groups, strict=True)]


def _insert_item(connection: Connection, **values: object) -> int:
    made = connection.execute(insert(ItemRow).values(kind="card", **values)).inserted_primary_key
    return 0 if made is None else int(made[0])


def _origin(passage: SelectedPassage) -> dict[str, object]:
    """Where the card comes from, as its `extra` keeps it."""
    known = {"note": passage.note, "line": passage.line}
    return {key: value for key, value in known.items() if value is not None}


def _digest(front: str, back: str) -> str:
    """Of the text as it was first, as an imported card without links has it."""
    return sha256(f"{front}\0{back}\0".encode()).hexdigest()


def _no_concept(name: str) -> InputError:
    if not name.strip():
        return InputError("the card belongs to no concept", advice="Name one by its slug or title.")
    return NotFoundError(
        f"there is no concept {name!r}", advice="`studyattn concept list` shows all of them."
    )
