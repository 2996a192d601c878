"""Cards that a learner makes of a passage: of a note of theirs, or of a source."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from uuid import uuid4

from msgspec.structs import replace

from studyattn.errors import InputError, NotFoundError
from studyattn.packs.card_kinds import BASIC, CLOZE
from studyattn.store.models import OWN
from studyattn.store.queries.concepts import all_concepts, find_concept
from studyattn.store.queries.notes import insert_own_cards
from studyattn.store.queries.settings import put_value, read_value
from studyattn.store.snapshot import CardRecord
from studyattn.study.notes.note_links import read_names
from studyattn.study.notes.sources import find_source
from studyattn.study.profile import Profile
from studyattn.text import cloze
from studyattn.text.links import links

_LAST_CONCEPT = "cards.last_concept"


@dataclass(frozen=True, slots=True)
class SelectedPassage:
    """The origin of a card. `line` counts from 1 in the note or source."""

    note: str | None = None  # guid
    source: str | None = None  # guid
    concept: str | None = None  # slug that the note or source belongs to
    text: str = ""  # of the whole note or source, for its links
    line: int | None = None


def suggested_concept(profile: Profile, passage: SelectedPassage) -> str:
    """Return the slug that a card of this passage most likely belongs to, or "".

    It is the passage's own concept, else the first that it links to, else one imported with the
    source, else that of the last card made this way.
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
            for concept in all_concepts(connection):
                if concept.source_id == source.id:
                    return concept.slug
        return str(read_value(connection, _LAST_CONCEPT) or "")


def make_card(
    profile: Profile, front: str, back: str, *, concept: str, passage: SelectedPassage | None = None
) -> tuple[str, ...]:
    """Make a card of the learner's own and return its guid; of a cloze text, one for each group.

    A front with `==…==` is a cloze. `concept` is a slug or a title. Raises InputError for a card
    without question or answer, NotFoundError for an unknown concept.
    """
    passage = passage or SelectedPassage()
    front, back = front.strip(), back.strip()
    groups = cloze.groups(front)
    if not front:
        raise InputError("the card asks nothing", advice="Write a question.")
    if not groups and not back:
        raise InputError(
            "the card has no answer", advice="Write one, or mark a gap in the question: ==…==."
        )
    origin: dict[str, str | int] = {} if passage.note is None else {"note": passage.note}
    if passage.line is not None:
        origin["line"] = passage.line
    guid = f"{OWN}{uuid4().hex}"
    now = profile.clock.now()
    card = CardRecord(
        kind=BASIC.name,
        front=front,
        back=back,
        answer=None,
        extra=origin,
        # As of an imported card without links, so that the text as it was first is recognised.
        digest=sha256(f"{front}\0{back}\0".encode()).hexdigest(),
        edited_at=now,
        sibling_group=guid if len(groups) > 1 else None,
    )
    cards = {guid: card}
    if groups:
        guids = [guid, *(f"{guid}:{group}" for group in groups[1:])]
        cards = {
            each: replace(card, kind=CLOZE.name, extra={**origin, **CLOZE.group_extra(group)})
            for each, group in zip(guids, groups, strict=True)
        }
    with profile.database.write() as connection:
        found = read_names(connection).find(concept)
        if found is None and not concept.strip():
            raise InputError(
                "the card belongs to no concept", advice="Name one by its slug or title."
            )
        if found is None:
            raise NotFoundError(
                f"there is no concept {concept!r}",
                advice="`studyattn concept list` shows all of them.",
            )
        source = passage.source and find_source(connection, passage.source)
        insert_own_cards(
            connection,
            cards,
            concept_id=find_concept(connection, found.slug).id,
            source_id=source.id if source else None,
            at=now,
        )
        put_value(connection, _LAST_CONCEPT, found.slug)
    return tuple(cards)
