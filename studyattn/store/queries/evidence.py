"""The items that speak for or against a concept's state, read for many concepts in one statement.

Which concepts are worth looking at is `concepts.concepts_to_judge`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from studyattn.store.sql import Connection, Statements, rows

_SQL = Statements(__file__)


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
    found: defaultdict[int, list[JudgedItem]] = defaultdict(list)
    items = rows(connection, tuple[int, JudgedItem], _SQL.judged_items, concepts=concepts)
    for concept, item in items:
        found[concept].append(item)
    return found
