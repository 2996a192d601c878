"""Cards that a learner makes: of a passage of a note or source, or of a text that they give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import uuid4

from msgspec.structs import replace

from studyattn.errors import InputError, NotFoundError
from studyattn.packs.card_kinds import BASIC, CLOZE
from studyattn.store.database import Connection
from studyattn.store.queries.concepts import StoredConcept, all_concepts, find_concept
from studyattn.store.queries.items import ItemField, put_field
from studyattn.store.queries.notes import insert_own_cards
from studyattn.store.queries.settings import put_value, read_value
from studyattn.store.snapshot import CardRecord
from studyattn.store.vocabulary import OWN
from studyattn.study.notes.note_links import read_names
from studyattn.study.notes.notes import find_source
from studyattn.study.profile import Profile
from studyattn.text import cloze
from studyattn.text.links import links

_LAST_CONCEPT = "cards.last_concept"


class SelectedPassage(NamedTuple):
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


class CardText(NamedTuple):
    """The two faces of a card as Markdown. `where` is their place in what was given, if it has one.

    A front with `==…==` is a cloze, which needs no back.
    """

    front: str
    back: str
    where: str = ""


class MadeCards(NamedTuple):
    """The guids of new cards in the order of their texts, and the concept that they belong to."""

    concept: str  # slug
    guids: tuple[str, ...]


def read_card_texts(text: str, *, only_cloze: bool) -> list[CardText]:
    """Return the cards of a text.

    If its first line has a tab, each line is a card: question, tab, answer. Otherwise the whole
    text is one card: its first line is the question and the rest the answer; with `only_cloze` all
    of it is the question. Raises InputError for a line without a tab among lines that have one, and
    for a text without a card.
    """
    lines = text.lstrip("\ufeff").strip("\r\n").splitlines()
    if not any(line.strip() for line in lines):
        raise InputError("it contains no card", where="standard input")
    if "\t" not in lines[0]:
        if only_cloze:
            return [CardText("\n".join(lines), "")]
        return [CardText(lines[0], "\n".join(lines[1:]))]
    cards = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        front, tab, back = line.partition("\t")
        where = f"standard input:{number}"
        if not tab and not only_cloze:
            raise InputError(
                "this line has no tab between a question and its answer",
                where=where,
                advice="The first line has one, so each line is a card.",
            )
        cards.append(CardText(front, back, where))
    return cards


def make_card(
    profile: Profile, front: str, back: str, *, concept: str, passage: SelectedPassage | None = None
) -> tuple[str, ...]:
    """Make a card of the learner's own and return its guid; of a cloze text, one for each group.

    A front with `==…==` is a cloze. `concept` is a slug or a title. Raises InputError for a card
    without question or answer, NotFoundError for an unknown concept.
    """
    return make_cards(profile, [CardText(front, back)], concept=concept, passage=passage).guids


def make_cards(
    profile: Profile,
    texts: Sequence[CardText],
    *,
    concept: str,
    tags: Iterable[str] = (),
    only_cloze: bool = False,
    passage: SelectedPassage | None = None,
) -> MadeCards:
    """Make cards of the learner's own, all or none, and give each of them the tags.

    `concept` is a slug or a title. With `only_cloze` a front without `==…==` is refused. Raises
    InputError for a card without question or answer, NotFoundError for an unknown concept.
    """
    passage = passage or SelectedPassage()
    tags = tuple(tags)
    now = profile.clock.now()
    made = [_records(text, passage, now, only_cloze=only_cloze) for text in texts]
    with profile.database.write() as connection:
        target = _target(connection, concept)
        source = passage.source and find_source(connection, passage.source)
        for cards in made:
            insert_own_cards(
                connection,
                cards,
                concept_id=target.id,
                source_id=source.id if source else None,
                at=now,
            )
            for guid in cards if tags else ():
                put_field(connection, guid, ItemField.TAGS, tags, now)
        put_value(connection, _LAST_CONCEPT, target.slug)
    return MadeCards(target.slug, tuple(guid for cards in made for guid in cards))


def _records(
    text: CardText, passage: SelectedPassage, at: datetime, *, only_cloze: bool
) -> dict[str, CardRecord]:
    """Return the card of a text by its new guid; of a cloze text, one for each group."""
    front, back = text.front.strip(), text.back.strip()
    groups = cloze.groups(front)
    if missing := _missing(front, back, has_gap=bool(groups), only_cloze=only_cloze):
        what, advice = missing
        raise InputError(f"the {what}", where=text.where, advice=advice)
    origin: dict[str, str | int] = {} if passage.note is None else {"note": passage.note}
    if passage.line is not None:
        origin["line"] = passage.line
    guid = f"{OWN}{uuid4().hex}"
    card = CardRecord(
        kind=BASIC.name,
        front=front,
        back=back,
        answer=None,
        extra=origin,
        # As of an imported card without links, so that the text as it was first is recognised.
        digest=sha256(f"{front}\0{back}\0".encode()).hexdigest(),
        edited_at=at,
        sibling_group=guid if len(groups) > 1 else None,
    )
    if not groups:
        return {guid: card}
    guids = [guid, *(f"{guid}:{group}" for group in groups[1:])]
    return {
        each: replace(card, kind=CLOZE.name, extra={**origin, **CLOZE.group_extra(group)})
        for each, group in zip(guids, groups, strict=True)
    }


def _missing(front: str, back: str, *, has_gap: bool, only_cloze: bool) -> tuple[str, str] | None:
    """Return what a card lacks, and what to do about it; None for one that is whole."""
    if not front:
        return "card has no question", "Write a question."
    if has_gap:
        return None
    if only_cloze:
        return "text has no gap", "Mark a gap: the ==answer== in the text."
    advice = "Write one, or mark a gap in the question: ==…==."
    return None if back else ("card has no answer", advice)


def _target(connection: Connection, concept: str) -> StoredConcept:
    found = read_names(connection).find(concept)
    if found is None and not concept.strip():
        raise InputError("the card belongs to no concept", advice="Name one by its slug or title.")
    if found is None:
        raise NotFoundError(
            f"there is no concept {concept!r}",
            advice="`studyattn concept list` lists them.",
        )
    return find_concept(connection, found.slug)
