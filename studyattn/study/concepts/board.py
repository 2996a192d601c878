"""The board of concepts: their states, their memory at a glance, joining and parting.

The learner decides; suggestions are in `suggestions`, everything about one concept in
`concept_page`. Every change of a state is recorded by `store.queries.concept_changes`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import add
from typing import NamedTuple

from studyattn.errors import InputError
from studyattn.store.database import Connection
from studyattn.store.queries import concept_changes
from studyattn.store.queries import concepts as queries
from studyattn.store.queries.concept_changes import record_change
from studyattn.store.queries.concepts import StoredConcept, find_concept
from studyattn.store.queries.practice import drill_states
from studyattn.store.queries.sources import source_titles
from studyattn.store.vocabulary import LEARNER, UNDO
from studyattn.study.profile import Profile
from studyattn.study.rules.concept_changes import move_to_undo
from studyattn.study.rules.evidence import HELD_DAYS


class ConceptLine(NamedTuple):
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


class ConceptMove(NamedTuple):
    """A concept that went from one state to another."""

    slug: str
    title: str
    from_state: str
    to_state: str


def list_concepts(
    profile: Profile, state: str | None = None, most: int | None = None
) -> list[ConceptLine]:
    """Return the concepts in the order of their path, those of the packs first; joined ones too.

    With `most` only the first ones.
    """
    with profile.database.read() as connection:
        rows = queries.all_concepts(connection)
        wanted = rows if state is None else [row for row in rows if row.state == state]
        if most is not None and len(wanted) > most:
            wanted = wanted[:most]
        return concept_lines(connection, profile, rows, wanted)


def first_concepts(profile: Profile, state: str, most: int) -> list[ConceptLine]:
    """Return the first concepts in a state that are not joined into another one."""
    with profile.database.read() as connection:
        rows = queries.first_concepts(connection, state, most)
        parts = [part for row in rows for part in queries.joined_concepts(connection, row.id)]
        return concept_lines(connection, profile, (*rows, *parts), rows)


def set_state(profile: Profile, slug: str, state: str, why: str = "") -> bool:
    """Move a concept to a state as the learner wishes; return False if it is there already.

    Raises NotFoundError for the concept, InputError for the state.
    """
    with profile.database.write() as connection:
        concept = find_concept(connection, slug)
        return record_change(connection, concept.id, state, why, LEARNER, profile.clock.now())


def undo_move(profile: Profile) -> ConceptMove | None:
    """Take back the last move of a concept, the learner's or the program's; None for none.

    A concept that something else moved since then stays where it is.
    """
    with profile.database.write() as connection:
        last = move_to_undo(concept_changes.all_changes(connection))
        if last is None:
            return None
        concept_id, from_state = last
        concept = queries.concept_with_id(connection, concept_id)
        record_change(connection, concept_id, from_state, "taken back", UNDO, profile.clock.now())
        return ConceptMove(concept.slug, concept.title, concept.state, from_state)


def merge(profile: Profile, slug: str, into: str) -> None:
    """Join two concepts that are the same: `slug` counts from now on as `into`.

    Nothing is moved, so `part` restores both. Raises NotFoundError, or InputError if they are
    joined already.
    """
    with profile.database.write() as connection:
        concept, whole = find_concept(connection, slug), find_concept(connection, into)
        if concept.id == whole.id:
            raise InputError("a concept cannot be merged with itself", where=slug)
        if whole.joined_into_id is not None:
            raise InputError(f"{into} is already merged into another concept", where=slug)
        concept_changes.join(connection, concept.id, whole.id, LEARNER, profile.clock.now())


def part(profile: Profile, slug: str) -> str:
    """Separate a joined concept again and return the slug it was joined into.

    Raises NotFoundError, or InputError if it is not joined.
    """
    with profile.database.write() as connection:
        concept = find_concept(connection, slug)
        if concept.joined_into_id is None:
            raise InputError(
                "it is not merged with another concept",
                where=slug,
                advice="`studyattn concept list` lists merged concepts.",
            )
        whole = concept_changes.unjoin(connection, concept.id, UNDO, profile.clock.now())
        return queries.concept_with_id(connection, whole).slug


def concept_lines(
    connection: Connection,
    profile: Profile,
    everything: Sequence[StoredConcept],
    rows: Sequence[StoredConcept],
) -> list[ConceptLine]:
    """Return `rows` of `everything`, with counts of what is due now.

    Those that are joined into one of `rows` are among everything.
    """
    slug_of: dict[int | None, str] = {row.id: row.slug for row in everything}
    sources = dict[int | None, str](source_titles(connection).items())
    wanted = {row.id for row in rows}
    joined = [
        (row.id, row.joined_into_id)
        for row in everything
        if row.joined_into_id is not None and wanted & {row.id, row.joined_into_id}
    ]
    some = None if rows is everything else wanted.union(part for part, _ in joined)
    now = profile.clock.now()
    tallies = queries.card_tallies(connection, now, held=HELD_DAYS, concepts=some)
    cards = _with_joined({tally.concept_id: tally[1:] for tally in tallies}, joined)
    drills = _with_joined(_drill_tallies(connection, some), joined)
    return [
        ConceptLine(
            row.slug,
            row.title,
            row.state,
            row.pack,
            sources.get(row.source_id),
            row.core,
            slug_of.get(row.joined_into_id),
            *cards.get(row.id, _NO_CARDS),
            *drills.get(row.id, _NO_DRILLS),
        )
        for row in rows
    ]


_NO_CARDS = (0, 0, 0, 0)
_NO_DRILLS = (0, 0, 0)


def _drill_tallies(
    connection: Connection, concepts: Collection[int] | None
) -> dict[int, tuple[int, ...]]:
    """Return the drills of each concept, those of them that were passed, and those only tried."""
    states = drill_states(connection)
    found: dict[int, tuple[int, ...]] = {}
    for concept_id, guid in queries.drills_of(connection, concepts):
        state = states.get(guid)
        one = (1, int(state == "passed"), int(state not in {None, "passed"}))
        found[concept_id] = _sums(found.get(concept_id, _NO_DRILLS), one)
    return found


def _with_joined(
    own: Mapping[int, tuple[int, ...]], joined: Iterable[tuple[int, int]]
) -> dict[int, tuple[int, ...]]:
    """Add the numbers of the first concept of each pair to those of the second."""
    counted = dict(own)
    for part, whole in joined:
        if part in own:
            counted[whole] = _sums(counted[whole], own[part]) if whole in counted else own[part]
    return counted


def _sums(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, one, other))
