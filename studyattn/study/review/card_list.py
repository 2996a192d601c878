"""The list of the card browser: which items it has and in which order, its rows page by page.

Nothing is left out, so it may have 100,000 rows. `ListedCards` is what is known of the whole list;
`rows` reads those that are in view.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from studyattn.packs.card_kinds import KINDS
from studyattn.store.database import Connection
from studyattn.store.queries.concepts import all_concepts
from studyattn.store.queries.item_search import (
    conditions,
    ids_of_concepts,
    listed_items,
    path_counts,
    sorted_ids,
)
from studyattn.store.search_schema import words_of
from studyattn.store.vocabulary import ListColumn
from studyattn.study.profile import Profile
from studyattn.study.review.browse import BrowsedItem, browsed_items


class ListedCards(NamedTuple):
    """A list at one moment: how many items it has, and what says which are where.

    It is either the numbers of its items, or, along the path, concepts with where each one's end.
    """

    total: int
    ids: Sequence[int] | None = None
    concepts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()


class ListedRow(NamedTuple):
    """One item of the list, and the number that it is chosen by."""

    id: int
    item: BrowsedItem


def open_list(
    profile: Profile,
    query: str = "",
    column: ListColumn = ListColumn.PATH,
    *,
    descending: bool = False,
) -> ListedCards:
    """Find the items that have every word of `query` (see `browse.search`), in an order."""
    words = words_of(query)
    with profile.database.read() as connection:
        if column is ListColumn.PATH and not words:
            counts = path_counts(connection)
            ends = tuple(accumulate(number for _, number in counts))
            return ListedCards(
                ends[-1] if ends else 0, None, tuple(concept for concept, _ in counts), ends
            )
        wanted = conditions(
            connection,
            words,
            now=profile.clock.now(),
            today=profile.today(),
            card_kinds=KINDS,
            leech_lapses=profile.settings.scheduling.leech_lapses,
        )
        found = sorted_ids(connection, wanted, column, descending=descending)
    return ListedCards(len(found), array("q", found))


def ids(profile: Profile, cards: ListedCards, start: int, stop: int) -> list[int]:
    """Return the numbers of the items from one place up to another, that one not included."""
    with profile.database.read() as connection:
        return _ids(connection, cards, start, stop)


def rows(profile: Profile, cards: ListedCards, start: int, stop: int) -> list[ListedRow]:
    """Return the rows from one place up to another, that one not included."""
    with profile.database.read() as connection:
        found = listed_items(connection, _ids(connection, cards, start, stop))
        items = browsed_items(connection, profile, [item for _, item in found])
    return [ListedRow(number, item) for (number, _), item in zip(found, items, strict=True)]


def _ids(connection: Connection, cards: ListedCards, start: int, stop: int) -> list[int]:
    start, stop = max(0, start), min(stop, cards.total)
    if start >= stop:
        return []
    if cards.ids is not None:
        return list(cards.ids[start:stop])
    first, last = bisect_right(cards.ends, start), bisect_right(cards.ends, stop - 1)
    before = cards.ends[first - 1] if first else 0
    found = ids_of_concepts(connection, cards.concepts[first : last + 1])
    return found[start - before : stop - before]


def concept_names(profile: Profile) -> dict[str, str]:
    """Return the titles of the concepts that a card can be moved to, by their slugs."""
    with profile.database.read() as connection:
        return {
            each.slug: each.title
            for each in all_concepts(connection)
            if each.joined_into_id is None
        }
