"""The decisions of a learner, as values: the last decision on each field that a learner can change.

A decision names a thing, one of its fields, the value that was chosen, when, and on which replica.
Of two decisions on one field the later holds; of two of one instant that of the greater replica,
then the greater value. So decisions can be united in any order. What a column of a table says of a
decided field is drawn from its decision; a field on which there is none has its default.

States of concepts are not among them: `concept_change` keeps all of those.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, Final

from studyattn.store.snapshot import DecisionRecord, Instant, Tag

BEFORE_DECISIONS: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of a choice that was made when only its outcome was kept: any decision is later."""

DecisionKey = tuple[str, str, str]
"""The kind of a thing, its name, and a field of it."""

DECIDED: Final[Mapping[tuple[str, str], Any]] = {
    ("item", "suspended"): bool,
    ("item", "marked"): bool,
    ("item", "buried_until"): date | None,
    ("item", "tags"): tuple[Tag, ...],
    ("item", "concept"): str,  # slug that a card was moved to, by the learner
    ("item", "removed"): bool,  # true: the learner deleted a card of their own
    ("item", "reworded"): bool,  # false: wordings given up to then were taken back
    ("concept", "joined_into"): str | None,  # slug
    ("note", "removed"): bool,  # true: what was written up to then is removed
    ("note", "about"): tuple[str | None, str | None, str | None],  # slug, guid, guid
    ("brought-back", "taken_back_at"): Instant | None,
    ("lesson", "page"): str | None,  # where it goes on; None: it was read to its end, or skipped
    ("placement", "placed"): bool,  # of a pack's concept, which is known already
    ("setting", "value"): Any,  # None: the default
}
"""The types of the values of all fields that are decided on, by kind of thing and field."""


def decision_key(decision: DecisionRecord) -> DecisionKey:
    """Return what a decision is about."""
    return (decision.kind, decision.name, decision.field)


def decision_order(decision: DecisionRecord) -> tuple[datetime, str, str]:
    """Order decisions on one field: the greatest holds."""
    value = json.dumps(decision.value, sort_keys=True, ensure_ascii=False)
    return (decision.at, decision.replica, value)


def latest(decisions: Iterable[DecisionRecord]) -> dict[DecisionKey, DecisionRecord]:
    """Return the decision that holds on each field."""
    held: dict[DecisionKey, DecisionRecord] = {}
    for each in decisions:
        key = decision_key(each)
        other = held.get(key)
        if other is None or decision_order(each) > decision_order(other):
            held[key] = each
    return held


def joined_wholes(slugs: Iterable[str], joined: Mapping[str, str | None]) -> dict[str, str]:
    """Map each slug to that of the concept it counts as, given what each was joined into.

    Joins are followed to their end. Of a circle, which two replicas can make together, all count
    as the first by name. What is joined into a concept that is not there counts as itself.
    """
    known = set(slugs)
    wholes: dict[str, str] = {}
    for slug in known:
        path = [slug]
        while (into := joined.get(path[-1])) in known and into not in path:
            path.append(into)
        end = path[-1]
        wholes[slug] = min(path[path.index(into) :]) if into in path else end
    return wholes
