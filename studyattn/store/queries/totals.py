"""Totals over items and concepts, for looking back. Those of the log are in `days`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from studyattn.store.readable import Readable, driver_of


class ItemTotals(NamedTuple):
    """Numbers of all items that are not retired."""

    by_phase: Mapping[str, int]
    suspended: int
    leeches: int  # items that were forgotten at least so often


def item_totals(connection: Readable, *, leech_lapses: int) -> ItemTotals:
    """Count the items by their phase, the suspended ones, and those with so many lapses."""
    by_phase: dict[str, int] = {}
    suspended = leeches = 0
    rows = driver_of(connection).stream(_ITEMS, {"lapses": leech_lapses})
    for phase, items, some_suspended, some_leeches in rows:
        by_phase[phase] = items
        suspended += some_suspended
        leeches += some_leeches
    return ItemTotals(by_phase, suspended, leeches)


_ITEMS = """
SELECT phase, count(*), sum(CASE WHEN suspended THEN 1 ELSE 0 END),
       sum(CASE WHEN lapses >= :lapses THEN 1 ELSE 0 END)
FROM item WHERE NOT retired GROUP BY phase ORDER BY phase"""


def items_by_stability(connection: Readable, bounds: Sequence[float]) -> dict[int, int]:
    """Count the reviewed items by class of their stability in days.

    Class 0 is below the first of `bounds`, class n begins at the n-th.
    """
    cases = [f"WHEN stability < {bound:g} THEN {place}" for place, bound in enumerate(bounds)]
    statement = _STABILITIES.format(place=f"CASE {' '.join(cases)} ELSE {len(bounds)} END")
    return dict(driver_of(connection).stream(statement))


_STABILITIES = """
SELECT {place}, count(*) FROM item WHERE stability IS NOT NULL AND NOT retired
GROUP BY {place} ORDER BY {place}"""


def concepts_by_state(connection: Readable) -> dict[str, int]:
    """Count the concepts in each state, joined ones once."""
    return dict(driver_of(connection).stream(_CONCEPTS))


_CONCEPTS = (
    "SELECT state, count(*) FROM concept WHERE NOT retired AND joined_into_id IS NULL"
    " GROUP BY state ORDER BY state"
)


def count_begun_concepts(connection: Readable) -> int:
    """Count the concepts of which an item was asked, or that the learner has spoken about.

    Joined ones count once.
    """
    row = driver_of(connection).one(_BEGUN)
    return 0 if row is None else int(row[0])


_BEGUN = """
SELECT count(DISTINCT coalesce(joined_into_id, id)) FROM concept
WHERE NOT retired AND (state <> 'unseen' OR EXISTS (
    SELECT 1 FROM item WHERE item.concept_id = concept.id
    AND item.phase <> 'new' AND NOT item.retired))"""
