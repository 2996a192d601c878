"""Looking through items: all of them with their memory, or those that a search finds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from studyattn.memory import Phase
from studyattn.packs.card_kinds import KINDS
from studyattn.store.queries.items import find_items
from studyattn.study.profile import Profile
from studyattn.study.review.card_loader import CardLoader
from studyattn.study.review.queue import item_title
from studyattn.study.review.recorder import ReviewRecorder, no_such_item
from studyattn.study.review.views import RenderedCard


@dataclass(frozen=True, slots=True)
class BrowsedItem:
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
    due: datetime | None  # aware, UTC
    reps: int
    lapses: int
    suspended: bool
    marked: bool
    retired: bool


def items(profile: Profile, *, retired: bool = False) -> list[BrowsedItem]:
    """List every item along the path of its concepts; on request also those their pack dropped."""
    return _browse(profile, retired=retired)


def search(profile: Profile, query: str = "", limit: int = 500) -> list[BrowsedItem]:
    """Find items that have every word of `query` in their text, guid or concept, in any case.

    `is:new`, `is:learning`, `is:review`, `is:suspended`, `is:marked`, `is:leech`, `is:due`,
    `is:drill`, `is:back` (for a mistake in code), `is:` with a kind of card (`is:bug`) and
    `concept:SLUG` narrow the search.
    """
    return _browse(profile, query.casefold().split(), limit=limit)


def _browse(
    profile: Profile,
    words: Iterable[str] = (),
    *,
    retired: bool = False,
    limit: int | None = None,
) -> list[BrowsedItem]:
    with profile.database.read() as connection:
        found = find_items(
            connection,
            words,
            now=profile.clock.now(),
            card_kinds=KINDS,
            leech_lapses=profile.settings.scheduling.leech_lapses,
            retired=retired,
            limit=limit,
        )
    return [
        BrowsedItem(
            guid=row.guid,
            kind=row.kind,
            card_kind=row.card_kind,
            title=item_title(row.guid, row.front),
            concept=row.concept_slug,
            concept_title=row.concept_title,
            phase=Phase(row.phase),
            stability=row.stability,
            difficulty=row.difficulty,
            due=row.due,
            reps=row.reps,
            lapses=row.lapses,
            suspended=row.suspended,
            marked=row.marked,
            retired=row.retired,
        )
        for row in found
    ]


def show_item(profile: Profile, guid: str) -> RenderedCard:
    """Return an item as a session would show it. Raises NotFoundError."""
    with ReviewRecorder(profile) as recorder:
        shown = CardLoader(recorder.driver, profile).read(guid)
    if shown is None:
        raise no_such_item(guid)
    return shown
