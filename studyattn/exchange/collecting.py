"""Reads all that a learner has out of the database, as Holdings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, or_, select

from studyattn.exchange.holdings import (
    HeldAttempt,
    HeldBroughtBack,
    HeldCard,
    HeldChange,
    HeldConcept,
    HeldItem,
    HeldNote,
    HeldSetting,
    HeldSource,
    HeldStep,
    HeldWording,
    Holdings,
    present_wordings,
)
from studyattn.memory import LoggedReview, Rating
from studyattn.setting import FITTED_PARAMETERS, STORED_PREFIX
from studyattn.store.models import (
    Attempt,
    Base,
    BroughtBack,
    Card,
    Concept,
    ConceptChange,
    ConceptRequires,
    Item,
    Note,
    PracticeStep,
    Review,
    Setting,
    Source,
    Wording,
)


def collect(connection: Connection) -> Holdings:
    """All of it, in order."""
    sources = {row.id: row.guid for row in connection.execute(select(Source.id, Source.guid))}
    concepts = {row.id: row.slug for row in connection.execute(select(Concept.id, Concept.slug))}
    items = {row.id: row.guid for row in connection.execute(select(Item.id, Item.guid))}
    held = Holdings(
        sources=tuple(_sources(connection)),
        concepts=tuple(_concepts(connection, sources, concepts)),
        changes=tuple(_changes(connection, concepts)),
        items=tuple(_items(connection, sources, concepts)),
        notes=tuple(_notes(connection, sources, concepts, items)),
        reviews=tuple(_reviews(connection)),
        attempts=tuple(_attempts(connection)),
        steps=tuple(_as(HeldStep, connection, PracticeStep)),
        brought_back=tuple(_as(HeldBroughtBack, connection, BroughtBack)),
        settings=tuple(_settings(connection)),
    )
    # One that came back by an undo holds again, and is no earlier one any more.
    earlier = set(_wordings(connection)) - present_wordings(held)
    return replace(held, wordings=tuple(earlier)).ordered()


Held = TypeVar("Held", HeldStep, HeldBroughtBack)
Names = dict[int, str]
Rows = Iterable[Any]


def _sources(connection: Connection) -> Iterator[HeldSource]:
    rows: Rows = connection.execute(select(Source.__table__))
    for row in rows:
        yield HeldSource(
            row.guid,
            row.kind,
            row.title,
            row.path,
            row.text,
            row.digest,
            row.front_matter,
            row.imported_at,
        )


def _concepts(connection: Connection, sources: Names, slugs: Names) -> Iterator[HeldConcept]:
    requires: defaultdict[int, list[str]] = defaultdict(list)
    edges = connection.execute(select(ConceptRequires.concept_id, ConceptRequires.requires_id))
    for concept_id, requires_id in edges:
        requires[concept_id].append(slugs[requires_id])
    rows: Rows = connection.execute(select(Concept.__table__))
    for row in rows:
        yield HeldConcept(
            slug=row.slug,
            title=row.title,
            state=row.state,
            body=row.body,
            pack=row.pack,
            source=sources.get(row.source_id),
            joined_into=slugs.get(row.joined_into_id),
            position=row.position,
            core=row.core,
            retired=row.retired,
            requires=tuple(sorted(requires[row.id])),
        )


def _changes(connection: Connection, slugs: Names) -> Iterator[HeldChange]:
    rows: Rows = connection.execute(select(ConceptChange.__table__))
    for row in rows:
        yield HeldChange(
            slugs[row.concept_id], row.at, row.from_state, row.to_state, row.reason, row.author
        )


def _items(connection: Connection, sources: Names, slugs: Names) -> Iterator[HeldItem]:
    cards = {row.item_id: row for row in connection.execute(select(Card.__table__))}
    rows: Rows = connection.execute(
        select(
            Item.id,
            Item.guid,
            Item.kind,
            Item.concept_id,
            Item.source_id,
            Item.pack,
            Item.position,
            Item.created_at,
            Item.suspended,
            Item.marked,
            Item.retired,
            Item.buried_until,
        )
    )
    for row in rows:
        yield HeldItem(
            guid=row.guid,
            kind=row.kind,
            concept=slugs[row.concept_id],
            source=sources.get(row.source_id),
            pack=row.pack,
            position=row.position,
            created_at=row.created_at,
            suspended=row.suspended,
            marked=row.marked,
            retired=row.retired,
            buried_until=row.buried_until,
            card=_card(cards.get(row.id)),
        )


def _card(row: Any) -> HeldCard | None:
    if row is None:
        return None
    return HeldCard(
        kind=row.kind,
        front=row.front,
        back=row.back,
        answer=row.answer,
        extra=row.extra,
        digest=row.digest,
        edited_at=row.edited_at,
        sibling_group=row.sibling_group,
    )


def _notes(
    connection: Connection, sources: Names, slugs: Names, guids: Names
) -> Iterator[HeldNote]:
    rows: Rows = connection.execute(select(Note.__table__))
    for row in rows:
        yield HeldNote(
            guid=row.guid,
            title=row.title,
            body=row.body,
            concept=slugs.get(row.concept_id),
            source=sources.get(row.source_id),
            item=guids.get(row.item_id),
            created_at=row.created_at,
            updated_at=row.updated_at,
        )


def _wordings(connection: Connection) -> Iterator[HeldWording]:
    rows: Rows = connection.execute(select(Wording.__table__))
    for row in rows:
        yield HeldWording(row.guid, row.at, row.title, row.body)


def _reviews(connection: Connection) -> Iterator[LoggedReview]:
    rows: Rows = connection.execute(select(Review.__table__))
    for row in rows:
        yield LoggedReview(
            uuid=row.uuid,
            item_guid=row.item_guid,
            rating=None if row.rating is None else Rating(row.rating),
            withdraws=row.withdraws,
            at=row.at,
            utc_offset=row.utc_offset,
            learner_day=row.learner_day,
            seconds=row.seconds,
            origin=row.origin,
        )


def _attempts(connection: Connection) -> Iterator[HeldAttempt]:
    rows: Rows = connection.execute(select(Attempt.__table__))
    for row in rows:
        yield HeldAttempt(
            uuid=row.uuid,
            item_guid=row.item_guid,
            at=row.at,
            utc_offset=row.utc_offset,
            learner_day=row.learner_day,
            code=row.code,
            backend=row.backend,
            device=row.device,
            verdict=row.verdict,
            report=row.report,
            hints=row.hints,
            revealed=row.revealed,
            seconds=row.seconds,
        )


def _as(record: type[Held], connection: Connection, table: type[Base]) -> Iterator[Held]:
    """Rows whose columns are called as the fields are."""
    names = [field.name for field in fields(record)]
    rows: Rows = connection.execute(select(*(getattr(table, name) for name in names)))
    for row in rows:
        yield record(*row)


def _settings(connection: Connection) -> Iterator[HeldSetting]:
    """The learner's rows of the table; the others are the program's own small state."""
    statement = select(Setting.key, Setting.value).where(
        or_(Setting.key.startswith(STORED_PREFIX), Setting.key == FITTED_PARAMETERS)
    )
    for key, value in connection.execute(statement):
        yield HeldSetting(key, value)
