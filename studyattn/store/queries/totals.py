"""Totals over items and concepts, for looking back. Those of the log are in `days`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from studyattn.store.sql import Connection, Statements, driver_of, rows, value
from studyattn.store.vocabulary import PHASES

Counted = TypeVar("Counted")

_SQL = Statements(__file__)


class ItemTotals(NamedTuple):
    """Numbers of all items that are not retired."""

    items: int
    by_phase: Mapping[str, int]
    by_stability: Mapping[int, int]  # of reviewed items, by class
    suspended: int
    leeches: int  # items that were forgotten at least so often


def item_totals(
    connection: Connection, *, leech_lapses: int, bounds: Sequence[float]
) -> ItemTotals:
    """Count the items by their phase, the suspended ones, and those with so many lapses.

    Reviewed ones are also counted by class of their stability in days: class 0 is below the first
    of `bounds`, class n begins at the n-th.
    """
    # Counted in one pass without groups: SQLite would sort the items into groups first.
    below = [f"stability < {bound:g}" for bound in bounds]
    conditions = [
        *(f"phase = '{phase}'" for phase in PHASES),
        *below,
        "stability IS NOT NULL",
        "suspended",
        "lapses >= :lapses",
    ]
    counts = ", ".join(f"count(*) FILTER (WHERE {condition})" for condition in conditions)
    statement = f"SELECT count(*), {counts} FROM item WHERE NOT retired"  # noqa: S608 - constants
    (items, *found) = driver_of(connection).every(statement, {"lapses": leech_lapses})[0]
    phases, upto = found[: len(PHASES)], [0, *found[len(PHASES) : -2]]
    return ItemTotals(
        items=items,
        by_phase=_present(zip(PHASES, phases, strict=True)),
        by_stability=_present(
            (place, upper - lower) for place, (lower, upper) in enumerate(pairwise(upto))
        ),
        suspended=found[-2],
        leeches=found[-1],
    )


def _present(counts: Iterable[tuple[Counted, int]]) -> dict[Counted, int]:
    return {name: number for name, number in counts if number}


def concepts_by_state(connection: Connection) -> dict[str, int]:
    """Count the concepts in each state, joined ones once."""
    return dict(rows(connection, tuple[str, int], _SQL.concepts_by_state))


def count_begun_concepts(connection: Connection) -> int:
    """Count the concepts of which an item was asked, or that the learner has spoken about.

    Joined ones count once.
    """
    return int(value(connection, _SQL.count_begun_concepts))
