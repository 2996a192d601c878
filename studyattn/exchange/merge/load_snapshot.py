"""Reads all that a learner has out of the database, as Snapshot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from sqlalchemy import Connection, or_, select

from studyattn.exchange.merge.snapshot import (
    AttemptRecord,
    BroughtBackRecord,
    CardRecord,
    ConceptChangeRecord,
    ConceptRecord,
    ItemRecord,
    NoteRecord,
    PracticeStepRecord,
    SettingRecord,
    Snapshot,
    SourceRecord,
    WordingRecord,
    present_wordings,
)
from studyattn.memory import LoggedReview, Rating
from studyattn.setting import FITTED_PARAMETERS, STORED_PREFIX
from studyattn.store.models import (
    AttemptRow,
    Base,
    BroughtBackRow,
    CardRow,
    ConceptChangeRow,
    ConceptRequiresRow,
    ConceptRow,
    ItemRow,
    NoteRow,
    PracticeStepRow,
    ReviewRow,
    SettingRow,
    SourceRow,
    WordingRow,
)


def load_snapshot(connection: Connection) -> Snapshot:
    """All of it, in order."""
    sources = {row.id: row.guid for row in connection.execute(select(SourceRow.id, SourceRow.guid))}
    concepts = {
        row.id: row.slug for row in connection.execute(select(ConceptRow.id, ConceptRow.slug))
    }
    items = {row.id: row.guid for row in connection.execute(select(ItemRow.id, ItemRow.guid))}
    held = Snapshot(
        sources=tuple(_sources(connection)),
        concepts=tuple(_concepts(connection, sources, concepts)),
        changes=tuple(_changes(connection, concepts)),
        items=tuple(_items(connection, sources, concepts)),
        notes=tuple(_notes(connection, sources, concepts, items)),
        reviews=tuple(_reviews(connection)),
        attempts=tuple(_attempts(connection)),
        steps=tuple(_as(PracticeStepRecord, connection, PracticeStepRow)),
        brought_back=tuple(_as(BroughtBackRecord, connection, BroughtBackRow)),
        settings=tuple(_settings(connection)),
    )
    # One that came back by an undo holds again, and is no earlier one any more.
    earlier = set(_wordings(connection)) - present_wordings(held)
    return replace(held, wordings=tuple(earlier)).ordered()


Held = TypeVar("Held", PracticeStepRecord, BroughtBackRecord)
Names = dict[int, str]
Rows = Iterable[Any]


def _sources(connection: Connection) -> Iterator[SourceRecord]:
    rows: Rows = connection.execute(select(SourceRow.__table__))
    for row in rows:
        yield SourceRecord(
            row.guid,
            row.kind,
            row.title,
            row.path,
            row.text,
            row.digest,
            row.front_matter,
            row.imported_at,
        )


def _concepts(connection: Connection, sources: Names, slugs: Names) -> Iterator[ConceptRecord]:
    requires: defaultdict[int, list[str]] = defaultdict(list)
    edges = connection.execute(
        select(ConceptRequiresRow.concept_id, ConceptRequiresRow.requires_id)
    )
    for concept_id, requires_id in edges:
        requires[concept_id].append(slugs[requires_id])
    rows: Rows = connection.execute(select(ConceptRow.__table__))
    for row in rows:
        yield ConceptRecord(
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


def _changes(connection: Connection, slugs: Names) -> Iterator[ConceptChangeRecord]:
    rows: Rows = connection.execute(select(ConceptChangeRow.__table__))
    for row in rows:
        yield ConceptChangeRecord(
            slugs[row.concept_id], row.at, row.from_state, row.to_state, row.reason, row.author
        )


def _items(connection: Connection, sources: Names, slugs: Names) -> Iterator[ItemRecord]:
    cards = {row.item_id: row for row in connection.execute(select(CardRow.__table__))}
    rows: Rows = connection.execute(
        select(
            ItemRow.id,
            ItemRow.guid,
            ItemRow.kind,
            ItemRow.concept_id,
            ItemRow.source_id,
            ItemRow.pack,
            ItemRow.position,
            ItemRow.created_at,
            ItemRow.suspended,
            ItemRow.marked,
            ItemRow.retired,
            ItemRow.buried_until,
        )
    )
    for row in rows:
        yield ItemRecord(
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


def _card(row: Any) -> CardRecord | None:
    if row is None:
        return None
    return CardRecord(
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
) -> Iterator[NoteRecord]:
    rows: Rows = connection.execute(select(NoteRow.__table__))
    for row in rows:
        yield NoteRecord(
            guid=row.guid,
            title=row.title,
            body=row.body,
            concept=slugs.get(row.concept_id),
            source=sources.get(row.source_id),
            item=guids.get(row.item_id),
            created_at=row.created_at,
            updated_at=row.updated_at,
        )


def _wordings(connection: Connection) -> Iterator[WordingRecord]:
    rows: Rows = connection.execute(select(WordingRow.__table__))
    for row in rows:
        yield WordingRecord(row.guid, row.at, row.title, row.body)


def _reviews(connection: Connection) -> Iterator[LoggedReview]:
    rows: Rows = connection.execute(select(ReviewRow.__table__))
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


def _attempts(connection: Connection) -> Iterator[AttemptRecord]:
    rows: Rows = connection.execute(select(AttemptRow.__table__))
    for row in rows:
        yield AttemptRecord(
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


def _settings(connection: Connection) -> Iterator[SettingRecord]:
    """The learner's rows of the table; the others are the program's own small state."""
    statement = select(SettingRow.key, SettingRow.value).where(
        or_(SettingRow.key.startswith(STORED_PREFIX), SettingRow.key == FITTED_PARAMETERS)
    )
    for key, value in connection.execute(statement):
        yield SettingRecord(key, value)
