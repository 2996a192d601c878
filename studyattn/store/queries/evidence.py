"""The items that speak for or against a concept's state, read for many concepts in one statement.

Which concepts are worth looking at is `concepts.concepts_to_judge`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from studyattn.store.driver import read_instant
from studyattn.store.queries.rules import active
from studyattn.store.readable import Readable, driver_of


class JudgedItem(NamedTuple):
    """An item that is neither suspended nor retired."""

    guid: str
    kind: str  # card | drill
    stability: float | None  # days; None for one that is new
    forgotten_at: datetime | None  # aware, UTC; the last rating `again`, withdrawn or not


def judged_items(
    connection: Readable, concepts: Sequence[int]
) -> defaultdict[int, list[JudgedItem]]:
    """Return the items of each concept and of those joined into it, cards before drills."""
    found: defaultdict[int, list[JudgedItem]] = defaultdict(list)
    statement = _ITEMS.format(concepts=", ".join(map(str, concepts)))
    for concept, guid, kind, stability, forgotten_at, *_ in driver_of(connection).stream(statement):
        found[concept].append(JudgedItem(guid, kind, stability, read_instant(forgotten_at)))
    return found


_ITEM = "item.guid, item.kind, item.stability, item.forgotten_at, item.position, item.id"
_ITEMS = f"""
SELECT item.concept_id, {_ITEM} FROM item WHERE item.concept_id IN ({{concepts}}) AND {active()}
UNION ALL
SELECT part.joined_into_id, {_ITEM}
FROM concept AS part JOIN item ON item.concept_id = part.id
WHERE part.joined_into_id IN ({{concepts}}) AND {active()}
ORDER BY kind, position, id"""  # noqa: S608 - constants
