"""Looking through items: all of them with their memory, or those that a search finds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from studyattn.memory import Phase, elapsed_days
from studyattn.memory.intervals import retrievability
from studyattn.memory.state import drill_id
from studyattn.store.database import Connection
from studyattn.store.queries.item_search import (
    ItemOrder,
    ListedItem,
    conditions,
    find_items,
    items_on_path,
)
from studyattn.store.queries.practice import drill_states
from studyattn.store.search_schema import words_of
from studyattn.store.vocabulary import DRILL
from studyattn.study.profile import Profile
from studyattn.text.characters import first_line

if TYPE_CHECKING:
    from studyattn.study.review.views import RenderedCard


class BrowsedItem(NamedTuple):
    """One item with its memory state."""

    guid: str
    kind: str  # card | drill
    card_kind: str | None
    title: str
    concept: str  # slug
    concept_title: str
    phase: Phase
    stability: float | None  # days
    difficulty: float | None  # 1–10
    retrievability: float | None  # the chance of recalling it today
    due: datetime | None  # aware, UTC
    reps: int
    lapses: int
    suspended: bool
    marked: bool
    retired: bool
    tags: tuple[str, ...]
    drill_state: str | None  # new | tried | passed | revealed; None for a card


def items(profile: Profile, most: int | None = None, *, retired: bool = False) -> list[BrowsedItem]:
    """List every item along the path of its concepts; on request also those their pack dropped.

    With `most` only the first ones.
    """
    with profile.database.read() as connection:
        found = islice(items_on_path(connection, retired=retired), most)
        return browsed_items(connection, profile, found)


def search(
    profile: Profile,
    query: str = "",
    limit: int = 500,
    *,
    order: ItemOrder = ItemOrder.PATH,
) -> list[BrowsedItem]:
    """Find items that have every word of `query` in their text, guid, tags or concept, in any case.

    `is:new`, `is:learning`, `is:review`, `is:begun` (not new), `is:suspended`, `is:marked`,
    `is:leech`, `is:due`, `is:today` (answered today), `is:forgotten` (rated again today),
    `is:back` (for a mistake in code), `is:card`, `is:drill`, `is:` with a kind of card (`is:bug`),
    `tag:TAG` (or one below it), `concept:SLUG`, `source:GUID` and `mistake:ID` (a misconception
    that the card explains) narrow the search; `-is:new` is all but those.
    """
    from studyattn.packs.card_kinds import KINDS  # late: a list of all does without it

    with profile.database.read() as connection:
        wanted = conditions(
            connection,
            words_of(query),
            now=profile.clock.now(),
            today=profile.today(),
            card_kinds=KINDS,
            leech_lapses=profile.settings.scheduling.leech_lapses,
        )
        found = find_items(connection, wanted, order, limit)
        return browsed_items(connection, profile, found)


def browsed_items(
    connection: Connection, profile: Profile, rows: Iterable[ListedItem]
) -> list[BrowsedItem]:
    """Return items as a list shows them, in the order given."""
    states = drill_states(connection)
    today, parameters = profile.today(), profile.settings.scheduling.parameters

    def recall(row: ListedItem) -> float | None:
        if row.stability is None or row.last_day is None:
            return None
        return retrievability(row.stability, elapsed_days(row.last_day, today), parameters)

    return [
        BrowsedItem(
            guid=row.guid,
            kind=row.kind,
            card_kind=row.card_kind,
            title=drill_id(row.guid) if row.front is None else first_line(row.front),
            concept=row.concept_slug,
            concept_title=row.concept_title,
            phase=Phase(row.phase),
            stability=row.stability,
            difficulty=row.difficulty,
            retrievability=recall(row),
            due=row.due,
            reps=row.reps,
            lapses=row.lapses,
            suspended=row.suspended,
            marked=row.marked,
            retired=row.retired,
            tags=row.tags,
            drill_state=states.get(row.guid, "new") if row.kind == DRILL else None,
        )
        for row in rows
    ]


def show_item(profile: Profile, guid: str) -> RenderedCard:
    """Return an item as a session would show it. Raises NotFoundError."""
    # Late: lists of items do without them.
    from studyattn.study.review.card_loader import CardLoader
    from studyattn.study.review.recorder import ReviewRecorder, no_such_item

    with ReviewRecorder(profile) as recorder:
        shown = CardLoader(recorder.driver, profile).read(guid)
    if shown is None:
        raise no_such_item(guid)
    return shown
