"""Concepts: their rows, items and requirements. Changes of their states are in `concept_changes`.

A concept that was joined into another keeps its rows; `WHOLE` is the concept that it counts as.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    func,
    or_,
    select,
    true,
)

from studyattn.errors import NotFoundError
from studyattn.store.driver import instant_text, read_instant
from studyattn.store.models import (
    CardRow,
    ConceptRow,
    ItemRow,
    SourceRow,
)
from studyattn.store.queries.rules import active
from studyattn.store.readable import driver_of
from studyattn.store.vocabulary import DRILL

WHOLE = func.coalesce(ConceptRow.joined_into_id, ConceptRow.id)

_NEW = "new"  # the phase of an item that was never asked


class StoredConcept(NamedTuple):
    """The row of a concept, without its text (`concept_body`)."""

    id: int
    slug: str
    title: str
    state: str
    pack: str | None
    source_id: int | None
    joined_into_id: int | None
    core: bool
    retired: bool


class CardTally(NamedTuple):
    """Numbers of a concept's own cards, those of joined concepts not included."""

    concept_id: int
    cards: int
    held: int
    due: int
    new: int


class NeighbourRow(NamedTuple):
    """A concept that another one requires, or that requires it."""

    slug: str
    title: str
    state: str


class OwnText(NamedTuple):
    """A concept or a card that came from no pack. Of a card the title is its question."""

    concept_id: int
    title: str
    body: str
    source: str | None  # the title of its document


_COLUMNS = tuple(getattr(ConceptRow, name) for name in StoredConcept._fields)


def counts_as(concepts: Collection[int]) -> ColumnElement[bool]:
    """Return the condition that a concept is one of these, or joined into one of them.

    One of these that is itself joined counts as another concept. An index answers it, unlike a
    condition on `WHOLE`.
    """
    alone = and_(ConceptRow.id.in_(concepts), ConceptRow.joined_into_id.is_(None))
    return or_(ConceptRow.joined_into_id.in_(concepts), alone)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def find_concept(connection: Connection, slug: str) -> StoredConcept:
    """Return the concept called `slug`. Raises NotFoundError."""
    row = connection.execute(select(*_COLUMNS).where(ConceptRow.slug == slug)).one_or_none()
    if row is None:
        raise NotFoundError(
            f"there is no concept {slug!r}", advice="`studyattn concept list` lists them."
        )
    return StoredConcept(*row)


def concept_with_id(connection: Connection, concept_id: int) -> StoredConcept:
    """Return the concept of a row's number, which must be there."""
    return StoredConcept(
        *connection.execute(select(*_COLUMNS).where(ConceptRow.id == concept_id)).one()
    )


def concept_body(connection: Connection, concept_id: int) -> str:
    """Return the Markdown of a concept, which must be there."""
    return connection.execute(
        select(ConceptRow.body).where(ConceptRow.id == concept_id)
    ).scalar_one()


def all_concepts(connection: Connection) -> list[StoredConcept]:
    """Return all concepts in the order of their path, those of the packs first."""
    return _stored(connection, _ALL.format(of=""))


def concepts_with_ids(connection: Connection, concepts: Collection[int]) -> list[StoredConcept]:
    """Return those of the concepts that are in use, in the order of their path."""
    numbers = ", ".join(map(str, concepts))
    return _stored(connection, _ALL.format(of=f"AND id IN ({numbers})"))


def _stored(connection: Connection, statement: str) -> list[StoredConcept]:
    return [
        StoredConcept._make((*row, bool(core), False))
        for *row, core in driver_of(connection).stream(statement)
    ]


_ALL = """
SELECT id, slug, title, state, pack, source_id, joined_into_id, core
FROM concept WHERE NOT retired {of} ORDER BY pack IS NULL, pack, position, id"""


def first_concepts(connection: Connection, state: str, most: int) -> list[StoredConcept]:
    """Return the first of all concepts in a state that are not joined into another one."""
    rows = connection.execute(
        select(*_COLUMNS)
        .where(ConceptRow.state == state, ConceptRow.joined_into_id.is_(None), ~ConceptRow.retired)
        .order_by(ConceptRow.pack.is_(None), ConceptRow.pack, ConceptRow.position, ConceptRow.id)
        .limit(most)
    )
    return [StoredConcept(*row) for row in rows]


def joined_concepts(connection: Connection, concept_id: int) -> list[StoredConcept]:
    """Return the concepts that were joined into this one."""
    rows = connection.execute(
        select(*_COLUMNS)
        .where(ConceptRow.joined_into_id == concept_id, ~ConceptRow.retired)
        .order_by(ConceptRow.id)
    )
    return [StoredConcept(*row) for row in rows]


def pack_slugs(connection: Connection, concepts: Collection[int]) -> dict[int, set[str]]:
    """Return the slugs by which packs call each of these concepts and those joined into it.

    A pack's slug that another concept had first is stored behind the pack's id.
    """
    slugs: dict[int, set[str]] = {}
    for whole, slug, pack in connection.execute(
        select(WHOLE, ConceptRow.slug, ConceptRow.pack).where(counts_as(concepts))
    ):
        names = {slug} if pack is None else {slug, slug.removeprefix(f"{pack}-")}
        slugs.setdefault(whole, set()).update(names)
    return slugs


def concept_of_pack(connection: Connection, pack: str, slug: str) -> StoredConcept | None:
    """Return the concept that a pack calls `slug`, or the one it is joined into.

    It is stored as `PACK-slug` if another concept had that name first.
    """
    named = (
        select(WHOLE)
        .where(ConceptRow.slug.in_((slug, f"{pack}-{slug}")))
        .order_by((func.coalesce(ConceptRow.pack, "") == pack).desc())
        .limit(1)
    )
    row = connection.execute(
        select(*_COLUMNS).where(ConceptRow.id == named.scalar_subquery())
    ).one_or_none()
    return None if row is None else StoredConcept(*row)


def card_tallies(
    connection: Connection, at: datetime, *, held: float, concepts: Collection[int] | None
) -> list[CardTally]:
    """Count the cards of each of `concepts`, or of all: due at `at`, stable for `held` days.

    Concepts without cards are left out.
    """
    given = {"at": instant_text(at), "held": held}
    driver = driver_of(connection)
    if concepts is None:
        return [CardTally(*row) for row in driver.stream(_TALLIES.format(of=""), given)]
    found: list[CardTally] = []
    wanted = sorted(concepts)
    for start in range(0, len(wanted), _CHUNK):
        numbers = ", ".join(map(str, wanted[start : start + _CHUNK]))
        statement = _TALLIES.format(of=f"AND concept_id IN ({numbers})")
        found += [CardTally(*row) for row in driver.stream(statement, given)]
    return found


_CHUNK = 5000  # concepts in one statement
_TALLIES = """
SELECT concept_id, count(*),
       count(*) FILTER (WHERE stability >= :held),
       count(*) FILTER (WHERE phase <> 'new' AND due <= :at AND NOT suspended),
       count(*) FILTER (WHERE phase = 'new' AND NOT suspended)
FROM item WHERE kind <> 'drill' AND NOT retired {of}
GROUP BY concept_id ORDER BY concept_id"""


def required_by(connection: Connection, concepts: Collection[int]) -> list[NeighbourRow]:
    """Return what a concept requires directly, in the order of the path.

    `concepts` are its number and those of the concepts that are joined into it.
    """
    return _neighbours(connection, concepts, "concept_id", "requires_id")


def that_require(connection: Connection, concepts: Collection[int]) -> list[NeighbourRow]:
    """Return what requires a concept directly, in the order of the path."""
    return _neighbours(connection, concepts, "requires_id", "concept_id")


def _neighbours(
    connection: Connection, concepts: Collection[int], own: str, other: str
) -> list[NeighbourRow]:
    numbers = ", ".join(map(str, sorted(concepts)))
    statement = _NEIGHBOURS.format(own=own, other=other, numbers=numbers)
    return [NeighbourRow(*row[:3]) for row in driver_of(connection).stream(statement)]


_NEIGHBOURS = """
SELECT DISTINCT concept.slug, concept.title, concept.state, concept.position, concept.id
FROM concept_requires AS needs
JOIN concept AS named ON named.id = needs.{other}
JOIN concept ON concept.id = coalesce(named.joined_into_id, named.id)
WHERE needs.{own} IN ({numbers}) AND concept.id NOT IN ({numbers}) AND NOT concept.retired
ORDER BY concept.position, concept.id"""


def drills_of(connection: Connection, concepts: Collection[int] | None) -> list[tuple[int, str]]:
    """Return (concept, guid) of each drill of `concepts`, or of all."""
    rows = connection.execute(
        select(ItemRow.concept_id, ItemRow.guid).where(
            ItemRow.kind == DRILL, ~ItemRow.retired, _of(concepts)
        )
    )
    return [(concept_id, guid) for concept_id, guid in rows]


def _of(concepts: Collection[int] | None) -> ColumnElement[bool]:
    return true() if concepts is None else ItemRow.concept_id.in_(concepts)


def concepts_of_packs(connection: Connection, slugs: Collection[str]) -> set[int]:
    """Return the concepts that packs call by one of these slugs, or what they are joined into."""
    given = {f"slug{n}": slug for n, slug in enumerate(slugs)}
    statement = _CALLED.format(slugs=", ".join(f":{name}" for name in given))
    return {whole for (whole,) in driver_of(connection).stream(statement, given)}


# A pack's slug that another concept had first is stored behind the pack's id.
_CALLED = """
SELECT coalesce(joined_into_id, id) AS whole FROM concept
WHERE NOT retired AND (
    slug IN ({slugs})
    OR (substr(slug, length(pack) + 2) IN ({slugs})
        AND substr(slug, 1, length(pack) + 1) = pack || '-')
)
ORDER BY whole"""


def concepts_to_judge(
    connection: Connection, *, held: float, besides: Collection[int] = ()
) -> Iterator[list[StoredConcept]]:
    """Yield the concepts whose items may speak for another state, and those of `besides`.

    These are the known ones of which something was forgotten, or a drill not passed, since they
    first were known; and others without a card that is stable for less than `held` days. They come
    some at a time, in the order of their path, and no more items are read than the caller goes.
    """
    driver = driver_of(connection)
    failed = {concept for (concept,) in driver.stream(_FAILED)}
    since = {concept: read_instant(at) for concept, at in driver.stream(_FIRST_KNOWN)}
    path = [concept for (concept,) in driver.stream(_PATH)]
    for start in range(0, len(path), _AT_ONCE):
        some = path[start : start + _AT_ONCE]
        numbers = ", ".join(map(str, some))
        forgotten = {
            concept: read_instant(at)
            for concept, at in driver.stream(_FORGOTTEN.format(concepts=numbers))
        }
        judged = set(besides).intersection(some)
        evidence = driver.stream(_EVIDENCE.format(concepts=numbers), {"held": held})
        for concept, known, weak in evidence:
            first, last = since.get(concept), forgotten.get(concept)
            doubted = concept in failed or (first and last and last > first)
            if doubted if known else not weak:
                judged.add(concept)
        if judged:
            yield concepts_with_ids(connection, judged)


_AT_ONCE = 1000  # concepts: fewer statements for all of them, or less to read for the first
_PATH = "SELECT id FROM concept WHERE NOT retired ORDER BY pack IS NULL, pack, position, id"
_OF = "(joined_into_id IN ({concepts}) OR (joined_into_id IS NULL AND id IN ({concepts})))"
# A concept with a weak card is done with the first such card, and most concepts have one.
_EVIDENCE = f"""
SELECT coalesce(joined_into_id, id),
       max(CASE WHEN state = 'known' THEN 1 ELSE 0 END),
       max(CASE WHEN state <> 'known' AND EXISTS (
               SELECT 1 FROM item WHERE item.concept_id = concept.id AND {active()}
               AND item.kind <> 'drill' AND (item.stability IS NULL OR item.stability < :held)
           ) THEN 1 ELSE 0 END)
FROM concept
WHERE {_OF} AND EXISTS (SELECT 1 FROM item WHERE item.concept_id = concept.id AND {active()})
GROUP BY coalesce(joined_into_id, id) ORDER BY coalesce(joined_into_id, id)"""  # noqa: S608 - constants
_FORGOTTEN = f"""
SELECT coalesce(joined_into_id, id),
       max((SELECT max(item.forgotten_at) FROM item
            WHERE item.concept_id = concept.id AND {active()}))
FROM concept
WHERE {_OF} AND coalesce(joined_into_id, id) IN (SELECT id FROM concept WHERE state = 'known')
GROUP BY coalesce(joined_into_id, id) ORDER BY coalesce(joined_into_id, id)"""  # noqa: S608 - constants
_FIRST_KNOWN = (
    "SELECT concept_id, min(at) FROM concept_change WHERE to_state = 'known'"
    " GROUP BY concept_id ORDER BY concept_id"
)
_FAILED = (
    "SELECT DISTINCT coalesce(concept.joined_into_id, concept.id) AS whole FROM attempt"
    " JOIN item ON item.guid = attempt.item_guid JOIN concept ON concept.id = item.concept_id"
    " WHERE attempt.verdict <> 'passed' ORDER BY whole"
)


def own_statements(connection: Connection, concept_id: int) -> list[OwnText]:
    """Return the concept and those joined into it, as far as they came from no pack."""
    rows = connection.execute(
        select(ConceptRow.id, ConceptRow.title, ConceptRow.body, SourceRow.title)
        .outerjoin(SourceRow, SourceRow.id == ConceptRow.source_id)
        .where(counts_as((concept_id,)), ConceptRow.pack.is_(None), ~ConceptRow.retired)
        .order_by(ConceptRow.id)
    )
    return [OwnText(*row) for row in rows]


def own_cards(connection: Connection, concept_id: int) -> list[OwnText]:
    """Return the cards of a concept and of those joined into it that came from no pack."""
    rows = connection.execute(
        select(ItemRow.concept_id, CardRow.front, CardRow.back, SourceRow.title)
        .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .outerjoin(SourceRow, SourceRow.id == ItemRow.source_id)
        .where(counts_as((concept_id,)), ItemRow.pack.is_(None), ~ItemRow.retired)
        .order_by(ItemRow.position, ItemRow.id)
    )
    return [OwnText(*row) for row in rows]
