"""Concepts: their rows, items and requirements. Changes of their states are in `concept_changes`.

A concept that was joined into another keeps its rows; `rules.WHOLE` is the one that it counts as.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from studyattn.errors import NotFoundError, StoreError
from studyattn.grouping import grouped
from studyattn.home import Home
from studyattn.store.quick import open_quickly
from studyattn.store.sql import Connection, Statements, row, rows, values


def titles_at_once(home: Home) -> dict[str, str]:
    """Return the title of each concept by its slug, in the order of the path.

    Nothing where that takes more than looking into the home's file as it is: no such file, one of
    another version, a damaged one, or a database on a server.
    """
    try:
        with open_quickly(home) as connection:
            return {} if connection is None else dict(connection.stream(_ALL))
    except (OSError, StoreError, sqlite3.Error):
        return {}


_ALL = """
SELECT slug, title FROM concept WHERE NOT retired
ORDER BY pack IS NULL, pack, position, id"""


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


_SQL = Statements(__file__, STORED_CONCEPT=", ".join(StoredConcept._fields))


def find_concept(connection: Connection, slug: str) -> StoredConcept:
    """Return the concept called `slug`. Raises NotFoundError."""
    found = row(connection, StoredConcept, _SQL.find_concept, slug=slug)
    if found is None:
        raise NotFoundError(
            f"there is no concept {slug!r}", advice="`studyattn concept list` lists them."
        )
    return found


def concept_with_id(connection: Connection, concept_id: int) -> StoredConcept:
    """Return the concept of a row's number, which must be there."""
    (found,) = rows(connection, StoredConcept, _SQL.concept_with_id, concept=concept_id)
    return found


def concept_body(connection: Connection, concept_id: int) -> str:
    """Return the Markdown of a concept, which must be there."""
    (body,) = values(connection, _SQL.concept_body, concept=concept_id)
    return str(body)


def all_concepts(connection: Connection) -> list[StoredConcept]:
    """Return all concepts in the order of their path, those of the packs first."""
    return rows(connection, StoredConcept, _SQL.all_concepts)


def taught_concepts(connection: Connection) -> list[StoredConcept]:
    """Return the concepts of packs that are not joined into another one, in this order."""
    return rows(connection, StoredConcept, _SQL.taught_concepts)


def concepts_with_ids(connection: Connection, concepts: Collection[int]) -> list[StoredConcept]:
    """Return those of the concepts that are in use, in the order of their path."""
    return rows(connection, StoredConcept, _SQL.concepts_with_ids, concepts=concepts)


def first_concepts(connection: Connection, state: str, most: int) -> list[StoredConcept]:
    """Return the first of all concepts in a state that are not joined into another one."""
    return rows(connection, StoredConcept, _SQL.first_concepts, state=state, most=most)


def joined_concepts(connection: Connection, concept_id: int) -> list[StoredConcept]:
    """Return the concepts that were joined into this one."""
    return rows(connection, StoredConcept, _SQL.joined_concepts, concept=concept_id)


def pack_slugs(connection: Connection, concepts: Collection[int]) -> dict[int, set[str]]:
    """Return the slugs by which packs call each of these concepts and those joined into it.

    A pack's slug that another concept had first is stored behind the pack's id.
    """
    slugs: defaultdict[int, set[str]] = defaultdict(set)
    found = rows(connection, tuple[int, str, str | None], _SQL.pack_slugs, concepts=concepts)
    for whole, slug, pack in found:
        slugs[whole] |= {slug} if pack is None else {slug, slug.removeprefix(f"{pack}-")}
    return slugs


def concept_of_pack(connection: Connection, pack: str, slug: str) -> StoredConcept | None:
    """Return the concept that a pack calls `slug`, or the one it is joined into.

    It is stored as `PACK-slug` if another concept had that name first.
    """
    return row(
        connection,
        StoredConcept,
        _SQL.concept_of_pack,
        slug=slug,
        behind=f"{pack}-{slug}",
        pack=pack,
    )


def card_tallies(
    connection: Connection, at: datetime, *, held: float, concepts: Collection[int] | None
) -> list[CardTally]:
    """Count the cards of each of `concepts`, or of all: due at `at`, stable for `held` days.

    Concepts without cards are left out.
    """
    statement = _SQL.card_tallies.format(of=_of(concepts))
    return rows(connection, CardTally, statement, at=at, held=held, concepts=concepts)


def _of(concepts: Collection[int] | None) -> str:
    return "" if concepts is None else "AND concept_id IN @numbers(:concepts)"


def neighbours(
    connection: Connection, concepts: Collection[int], *, that_require: bool = False
) -> list[NeighbourRow]:
    """Return what a concept requires directly, or what requires it, in the order of the path.

    `concepts` are its number and those of the concepts that are joined into it.
    """
    ends = ("requires_id", "concept_id") if that_require else ("concept_id", "requires_id")
    statement = _SQL.neighbours.format(own=ends[0], other=ends[1])
    return rows(connection, NeighbourRow, statement, concepts=concepts)


def drills_of(connection: Connection, concepts: Collection[int] | None) -> list[tuple[int, str]]:
    """Return (concept, guid) of each drill of `concepts`, or of all."""
    return rows(
        connection, tuple[int, str], _SQL.drills_of.format(of=_of(concepts)), concepts=concepts
    )


def concepts_of_packs(connection: Connection, slugs: Collection[str]) -> set[int]:
    """Return the concepts that packs call by one of these slugs, or what they are joined into."""
    return set(values(connection, _SQL.concepts_of_packs, slugs=list(slugs)))


def concepts_to_judge(
    connection: Connection,
    *,
    held: float,
    besides: Collection[int] = (),
    among: Collection[str] | None = None,
) -> Iterator[list[StoredConcept]]:
    """Yield the concepts whose items may speak for another state, and those of `besides`.

    These are the known ones of which something was forgotten, or a drill not passed, since they
    first were known; and others without a card that is stable for less than `held` days. They come
    some at a time, in the order of their path, and no more items are read than the caller goes.
    With `among` all of them have one of these slugs.
    """
    failed = set(values(connection, _SQL.failed))
    since = dict(rows(connection, tuple[int, datetime], _SQL.first_known))
    path = values(connection, _SQL.path.format(among="" if among is None else _AMONG), among=among)
    for start in range(0, len(path), _AT_ONCE):
        some = path[start : start + _AT_ONCE]
        forgotten = dict(
            rows(connection, tuple[int, datetime | None], _SQL.forgotten, concepts=some)
        )
        judged = set(besides).intersection(some)
        evidence = rows(connection, tuple[int, bool, bool], _SQL.evidence, concepts=some, held=held)
        for concept, known, weak in evidence:
            first, last = since.get(concept), forgotten.get(concept)
            doubted = concept in failed or (first and last and last > first)
            if doubted if known else not weak:
                judged.add(concept)
        if judged:
            yield concepts_with_ids(connection, judged)


_AMONG = "AND slug IN @texts(:among)"
_AT_ONCE = 250  # concepts: fewer statements for all of them, or less to read for the first


def own_statements(connection: Connection, concept_id: int) -> list[OwnText]:
    """Return the concept and those joined into it, as far as they came from no pack."""
    return rows(connection, OwnText, _SQL.own_statements, concepts=[concept_id])


def own_cards(connection: Connection, concept_id: int) -> list[OwnText]:
    """Return the cards of a concept and of those joined into it that came from no pack."""
    return rows(connection, OwnText, _SQL.own_cards, concepts=[concept_id])


class JudgedItem(NamedTuple):
    """An item that is neither suspended nor retired."""

    guid: str
    kind: str  # card | drill
    stability: float | None  # days; None for one that is new
    forgotten_at: datetime | None  # aware, UTC; the last rating `again`, withdrawn or not


def judged_items(
    connection: Connection, concepts: Sequence[int]
) -> defaultdict[int, list[JudgedItem]]:
    """Return the items of each concept and of those joined into it, cards before drills."""
    return grouped(rows(connection, tuple[int, JudgedItem], _SQL.judged_items, concepts=concepts))
