"""Concepts as the learner sees them: their states, their memory at a glance, joining and parting.

The learner decides; what the evidence says is in `suggestions`, all of one concept in
`conceptpage`. Every change of a state goes through `store.queries.concepts.record_change`, which
keeps
when, why and by whom. Rows of changes are only added: taking a move back is a change of its own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Function, and_, case, func, select, true

from studyattn.errors import InputError
from studyattn.memory import Phase
from studyattn.store.models import ConceptChangeRow, ConceptRow, ItemRow, SourceRow
from studyattn.store.queries.concepts import join, record_change, unjoin
from studyattn.study.concepts.concept_rows import (
    LEARNER,
    UNDO,
    ConceptChange,
    concept_rows,
    find_concept,
    places_that_stand,
)
from studyattn.study.concepts.suggestions import HELD_DAYS
from studyattn.study.practice.drill_log import drill_states
from studyattn.study.profile import Profile
from studyattn.study.review.views import DRILL


@dataclass(frozen=True, slots=True)
class ConceptLine:
    """A concept in a list. What is joined into it counts with it."""

    slug: str
    title: str
    state: str  # unseen | known-unknown | known
    pack: str | None
    source: str | None  # the title of the document it was imported from
    core: bool
    joined_into: str | None  # slug of the concept that it is the same as
    cards: int
    held: int  # cards with a stability of HELD_DAYS or more
    due: int  # cards that are asked now
    new: int  # cards that were never asked
    drills: int
    drills_passed: int  # without a look at the solution
    drills_tried: int  # attempted or looked up, and not passed yet


@dataclass(frozen=True, slots=True)
class ConceptMove:
    """A concept that went from one state to another."""

    slug: str
    title: str
    from_state: str
    to_state: str


def list_concepts(profile: Profile, state: str | None = None) -> list[ConceptLine]:
    """Concepts in the order of their path, those of the packs first; joined ones too."""
    with profile.database.read() as connection:
        return concept_lines(connection, profile.clock.now(), state=state)


def set_state(profile: Profile, slug: str, state: str, why: str = "") -> bool:
    """Move a concept to a state, on the learner's word. False when it is there already.

    Raises NotFoundError for the concept, InputError for the state.
    """
    with profile.database.write() as connection:
        concept = find_concept(connection, slug)
        return record_change(connection, concept.id, state, why, LEARNER, profile.clock.now())


def undo_move(profile: Profile) -> ConceptMove | None:
    """Take back the learner's last move of a concept that still stands; None when there is none.

    Whatever day it was of. A concept that something else moved since then stays where it is.
    """
    with profile.database.write() as connection:
        last = _last_move(connection)
        if last is None:
            return None
        concept_id, from_state = last
        concept = connection.execute(
            select(ConceptRow.slug, ConceptRow.title, ConceptRow.state).where(
                ConceptRow.id == concept_id
            )
        ).one()
        record_change(connection, concept_id, from_state, "taken back", UNDO, profile.clock.now())
        return ConceptMove(concept.slug, concept.title, concept.state, from_state)


def merge(profile: Profile, slug: str, into: str) -> None:
    """Say that two concepts are the same: `slug` speaks from now on with the name of `into`.

    Nothing is moved, so `part` brings back what was. Raises NotFoundError, or InputError when the
    two are one already.
    """
    with profile.database.write() as connection:
        concept, whole = find_concept(connection, slug), find_concept(connection, into)
        if concept.id == whole.id:
            raise InputError("a concept cannot be joined with itself", where=slug)
        if whole.joined_into_id is not None:
            raise InputError(f"{into} is itself joined into another concept", where=slug)
        join(connection, concept.id, whole.id, LEARNER, profile.clock.now())


def part(profile: Profile, slug: str) -> str:
    """Take a joined concept apart again; returns the slug it was joined into.

    Raises NotFoundError, or InputError when it is not joined.
    """
    with profile.database.write() as connection:
        concept = find_concept(connection, slug)
        if concept.joined_into_id is None:
            raise InputError(
                "it is not joined with another concept",
                where=slug,
                advice="`studyattn concept list` shows which ones are.",
            )
        whole = unjoin(connection, concept.id, UNDO, profile.clock.now())
        return connection.execute(
            select(ConceptRow.slug).where(ConceptRow.id == whole)
        ).scalar_one()


def concept_lines(
    connection: Connection, at: datetime, *, state: str | None = None, slug: str | None = None
) -> list[ConceptLine]:
    """Every concept, those in a state, or one, with what is held, due and new at `at`."""
    everything = concept_rows(connection)
    rows = [row for row in everything if state in {None, row.state} and slug in {None, row.slug}]
    slugs = {row.id: row.slug for row in everything}
    sources = dict(connection.execute(select(SourceRow.id, SourceRow.title)).all())
    wanted = {row.id for row in rows}
    joined = {
        row.id: row.joined_into_id
        for row in everything
        if row.id in wanted or row.joined_into_id in wanted
    }
    tallies = _tallies(connection, at, joined, all_of_them=len(rows) == len(everything))
    return [
        ConceptLine(
            slug=row.slug,
            title=row.title,
            state=row.state,
            pack=row.pack,
            source=sources.get(row.source_id),
            core=row.core,
            joined_into=slugs.get(row.joined_into_id),
            **{name: tallies[name][row.id] for name in tallies},
        )
        for row in rows
    ]


def _tallies(
    connection: Connection, at: datetime, joined: Mapping[int, int | None], *, all_of_them: bool
) -> dict[str, Counter[int]]:
    """The counts of ConceptLine, each by the concept's row.

    `joined` says what speaks as what, of `all_of_them` or of those that are to be counted.
    """
    counted: dict[str, Counter[int]] = {
        name: Counter()
        for name in ("cards", "held", "due", "new", "drills", "drills_passed", "drills_tried")
    }

    def add(name: str, concept_id: int, number: int) -> None:
        whole = joined.get(concept_id)
        for each in (concept_id,) if whole is None else (concept_id, whole):
            counted[name][each] += number

    def number_of(condition: ColumnElement[bool]) -> Function[int]:
        return func.sum(case((condition, 1), else_=0))

    counted_here = true() if all_of_them else ItemRow.concept_id.in_(joined)
    new = and_(ItemRow.phase == Phase.NEW.value, ~ItemRow.suspended)
    due = and_(ItemRow.phase != Phase.NEW.value, ItemRow.due <= at, ~ItemRow.suspended)
    cards = (
        select(
            ItemRow.concept_id,
            func.count(),
            number_of(ItemRow.stability >= HELD_DAYS),
            number_of(due),
            number_of(new),
        )
        .where(ItemRow.kind != DRILL, ~ItemRow.retired, counted_here)
        .group_by(ItemRow.concept_id)
    )
    for concept_id, *numbers in connection.execute(cards):
        for name, number in zip(("cards", "held", "due", "new"), numbers, strict=True):
            add(name, concept_id, number)
    states = drill_states(connection)
    drills = select(ItemRow.concept_id, ItemRow.guid).where(
        ItemRow.kind == DRILL, ~ItemRow.retired, counted_here
    )
    for concept_id, guid in connection.execute(drills):
        add("drills", concept_id, 1)
        state = states.get(guid)
        if state is not None:
            add("drills_passed" if state == "passed" else "drills_tried", concept_id, 1)
    return counted


def _last_move(connection: Connection) -> tuple[int, str] | None:
    """The concept that the learner moved last, and the state that it came from."""
    rows = connection.execute(
        select(
            ConceptChangeRow.concept_id,
            ConceptChangeRow.at,
            ConceptChangeRow.from_state,
            ConceptChangeRow.to_state,
            ConceptChangeRow.reason,
            ConceptChangeRow.author,
        ).order_by(ConceptChangeRow.at, ConceptChangeRow.id)
    )
    changes: dict[int, list[ConceptChange]] = defaultdict(list)
    places: dict[int, list[int]] = defaultdict(list)  # of a concept's changes among all
    for place, row in enumerate(rows):
        changes[row.concept_id].append(ConceptChange(*row[1:]))
        places[row.concept_id].append(place)
    last: tuple[int, int, str] | None = None
    for concept_id, own in changes.items():
        stand = places_that_stand(own)
        if not stand or own[stand[-1]].author != LEARNER:
            continue
        move = (places[concept_id][stand[-1]], concept_id, own[stand[-1]].from_state)
        last = move if last is None else max(last, move)
    return None if last is None else last[1:]
