"""The queue of a learner day: what is asked, and how much of it. The order is `memory.order`.

The day's limits and its budget of minutes count what was answered today already, in any session and
by any process.
Candidates are read in their order and no further than the limits reach, so that a hundred thousand
items open as fast as a hundred, on a day when all of them are due too.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, text

from studyattn.memory import Phase, day_start
from studyattn.memory.order import (
    Candidate,
    DayLimits,
    concept_ranks,
    order_queue,
    review_order,
)
from studyattn.store.driver import Driver
from studyattn.store.engine import driver_of
from studyattn.store.models import UtcDateTime
from studyattn.store.queries.review_log import in_effect
from studyattn.study.clock import Moment
from studyattn.study.profile import Profile
from studyattn.study.review.card_loader import drill_id
from studyattn.study.review.pace import Kinds, read_pace
from studyattn.study.review.recorder import instant_text
from studyattn.study.review.views import DRILL, STILL_BACK, DueItem
from studyattn.study.rules.budget import Asked, Pace, admitted
from studyattn.study.settings import Interleaving

_CANDIDATE = """
SELECT item.guid, item.kind, item.phase, item.due, item.last_review, item.position,
       card.sibling_group
FROM item LEFT JOIN card ON card.item_id = item.id
WHERE NOT item.suspended AND NOT item.retired
  AND (item.buried_until IS NULL OR item.buried_until <= :today)
"""
_LEARNING = (
    _CANDIDATE
    + """ AND item.kind IN ('card', 'drill') AND item.phase IN ('learning', 'relearning')
  AND item.due < :horizon ORDER BY item.id"""
)
_REVIEW_DRILLS = (
    _CANDIDATE
    + """ AND item.kind = 'drill' AND item.phase = 'review' AND item.due <= :now
ORDER BY item.id"""
)
# Each instant at which cards came due, found by hopping along the index: they begin a learner day
# each, so there are as many as days that the learner is behind.
_DUE_INSTANTS = """
WITH RECURSIVE behind(due) AS (
    SELECT min(due) FROM item WHERE kind = 'card' AND phase = 'review' AND due <= :now
    UNION ALL
    SELECT (SELECT min(item.due) FROM item WHERE kind = 'card' AND phase = 'review'
            AND item.due > behind.due AND item.due <= :now)
    FROM behind WHERE behind.due IS NOT NULL)
SELECT due FROM behind WHERE due IS NOT NULL ORDER BY due"""
# Of cards due at one instant the one with the shortest interval is the latest for its interval.
_DUE_AT = (
    "SELECT item.guid, item.kind, item.phase, item.due, item.last_review, item.position,"
    " card.sibling_group"
    " FROM item LEFT JOIN card ON card.item_id = item.id"
    " WHERE item.kind = 'card' AND item.phase = 'review' AND item.due = ?"
    " AND NOT item.suspended AND NOT item.retired"
    " AND (item.buried_until IS NULL OR item.buried_until <= ?)"
    " ORDER BY item.last_review DESC, item.guid"
)
# Cards that a mistake in code made due before their time; no limit of the day holds for them. The
# cross join makes SQLite begin with the few.
_BROUGHT_BACK = (
    """
SELECT item.guid FROM brought_back CROSS JOIN item
WHERE item.guid = brought_back.item_guid AND item.kind = 'card' AND item.phase IN ('new', 'review')
  AND NOT item.suspended AND NOT item.retired
  AND (item.buried_until IS NULL OR item.buried_until <= :today) AND """
    + STILL_BACK
    + " GROUP BY item.id ORDER BY min(brought_back.id)"
)
_CHOSEN = (
    _CANDIDATE
    + """ AND item.guid IN (:guids) AND (item.due IS NULL OR item.due < :horizon)
ORDER BY item.id"""
)
# A drill is new when all cards of its concept were seen: first say it, then write it.
_NEW_DRILLS = (
    _CANDIDATE  # noqa: S608 - two constants
    + """ AND item.kind = 'drill' AND item.phase = 'new' AND NOT EXISTS (
    SELECT 1 FROM item AS first WHERE first.concept_id = item.concept_id
    AND first.kind = 'card' AND first.phase = 'new'
    AND NOT first.suspended AND NOT first.retired)
ORDER BY item.id"""
)
_NEW_CONCEPTS = text(
    """
SELECT concept.id FROM concept
WHERE EXISTS (SELECT 1 FROM item WHERE item.concept_id = concept.id AND item.kind = 'card'
              AND item.phase = 'new' AND NOT item.suspended AND NOT item.retired)
ORDER BY CASE concept.state WHEN 'known-unknown' THEN 0 WHEN 'unseen' THEN 1 ELSE 2 END,
         concept.position, concept.id"""
)
# A sibling that is due goes before a new card, on a day when the limit leaves it over too.
_NEW_OF_CONCEPT = (
    "SELECT item.guid, item.kind, item.phase, item.due, item.last_review, item.position,"
    " card.sibling_group"
    " FROM item JOIN card ON card.item_id = item.id"
    " WHERE item.concept_id = :concept AND item.kind = 'card' AND item.phase = 'new'"
    " AND NOT item.suspended AND NOT item.retired"
    " AND (item.buried_until IS NULL OR item.buried_until <= :today)"
    " AND (card.sibling_group IS NULL OR NOT EXISTS ("
    "  SELECT 1 FROM card AS other JOIN item AS due ON due.id = other.item_id"
    "  WHERE other.sibling_group = card.sibling_group AND due.phase = 'review' AND due.due <= :now"
    "  AND NOT due.suspended AND NOT due.retired"
    "  AND (due.buried_until IS NULL OR due.buried_until <= :today)))"
    " ORDER BY item.position, item.id"
)
_REQUIRES = text("SELECT concept_id, requires_id FROM concept_requires")
# A requirement is open while a card of it is new, in its first steps, or forgotten and not learnt
# again; none of a concept that the learner calls known.
_OPEN_REQUIREMENTS = text(
    """
SELECT needs.concept_id, needs.requires_id FROM concept_requires AS needs
JOIN concept ON concept.id = needs.requires_id
LEFT JOIN concept AS whole ON whole.id = concept.joined_into_id
WHERE coalesce(whole.state, concept.state) <> 'known' AND EXISTS (
    SELECT 1 FROM item WHERE item.concept_id = needs.requires_id AND item.kind = 'card'
    AND item.phase <> 'review' AND NOT item.suspended AND NOT item.retired)"""
)
# A joined concept's items go by the name of the concept that it was joined into.
_DETAILS = (
    """
SELECT item.guid, item.kind, card.kind, item.phase, item.due, card.sibling_group, card.front,
       coalesce(whole.slug, concept.slug), coalesce(whole.title, concept.title),
       (SELECT brought_back.reason FROM brought_back WHERE item_guid = item.guid AND """  # noqa: S608 - a constant
    + STILL_BACK
    + """ ORDER BY brought_back.id LIMIT 1)
FROM item
JOIN concept ON concept.id = item.concept_id
LEFT JOIN concept AS whole ON whole.id = concept.joined_into_id
LEFT JOIN card ON card.item_id = item.id
WHERE item.guid IN :guids"""
)
_DETAILS_OF = (
    text(_DETAILS).bindparams(bindparam("guids", expanding=True)).columns(due=UtcDateTime())
)
# Withdrawn reviews move `last_day` back, so what is left was answered on this day.
_ANSWERED = f"""
SELECT item.guid, card.kind, card.sibling_group,
       NOT EXISTS (
           SELECT 1 FROM review AS earlier
           WHERE earlier.item_guid = item.guid AND earlier.learner_day < :today
             AND {in_effect("earlier")})
FROM (SELECT DISTINCT item_guid FROM review WHERE learner_day = :today) AS answered
JOIN item ON item.guid = answered.item_guid AND item.last_day = :today
LEFT JOIN card ON card.item_id = item.id
ORDER BY item.id"""  # noqa: S608 - constants
_CHUNK = 500  # guids in one statement
_AFTER_CARDS = 1 << 30  # a place behind every concept's cards


@dataclass(frozen=True, slots=True)
class DoneToday:
    """What was answered on a learner day already."""

    asked: tuple[Asked, ...]
    sibling_groups: frozenset[str]

    @property
    def new_cards(self) -> int:
        return sum(each.new and not each.drill for each in self.asked)

    @property
    def reviews(self) -> int:
        """Cards that were not new."""
        return sum(not each.new and not each.drill for each in self.asked)

    @property
    def drills(self) -> int:
        return sum(each.drill for each in self.asked)


@dataclass(frozen=True, slots=True)
class DayQueue:
    """The queue as it stands at one instant."""

    items: tuple[DueItem, ...]  # in order
    later: tuple[tuple[datetime, str], ...]  # (due, guid) of steps that end later today
    done: DoneToday
    seconds: float  # that `items` are expected to take
    put_off: int  # new cards that today's limit would allow and its minutes do not


def due_items(
    profile: Profile,
    at: datetime | Moment | None = None,
    *,
    interleaving: Interleaving | None = None,
) -> list[DueItem]:
    """What is due at `at` (now), in order."""
    return list(read_day(profile, at, interleaving=interleaving).items)


def read_day(
    profile: Profile,
    at: datetime | Moment | None = None,
    *,
    interleaving: Interleaving | None = None,
    only: Collection[str] | None = None,
) -> DayQueue:
    """Return the queue at `at` (now) and what comes back later on the same learner day.

    `only` are the guids of items that the learner has chosen. The queue is made of them alone,
    and neither the day's limits and minutes nor an open requirement hold them back. Of siblings
    one a day is asked all the same. New ones come in the order given.
    """
    moment = at if isinstance(at, Moment) else profile.moment(at)
    how = interleaving or profile.settings.interleave
    with profile.database.read() as connection:
        return _Reader(connection, profile, moment).day(how, only)


def interleave(
    cards: Sequence[DueItem], drills: Sequence[DueItem], how: Interleaving
) -> list[DueItem]:
    """Cards and drills in one order; both keep their own."""
    if how is Interleaving.CARDS_ONLY:
        return list(cards)
    if how is Interleaving.FIRST:
        return [*drills, *cards]
    if how is Interleaving.LAST:
        return [*cards, *drills]
    mixed: list[DueItem] = []
    gap = len(cards) / (len(drills) + 1)
    for index, drill in enumerate(drills, start=1):
        mixed += cards[round(gap * (index - 1)) : round(gap * index)]
        mixed.append(drill)
    return mixed + list(cards[round(gap * len(drills)) :])


class _Reader:
    """Reads one day's queue at one moment."""

    def __init__(self, connection: Connection, profile: Profile, moment: Moment) -> None:
        self._connection = connection
        self._driver = driver_of(connection)
        self._now = moment.at
        self._today = profile.day_of(moment)
        self._settings = profile.settings
        self._kinds = Kinds(profile.home)
        rollover = profile.settings.scheduling.rollover_hour
        horizon = day_start(self._today + timedelta(days=1), moment.utc_offset, rollover)
        self._given = {
            "today": self._today.isoformat(),
            "now": instant_text(moment.at),
            "horizon": instant_text(horizon),
        }

    def day(self, interleaving: Interleaving, only: Collection[str] | None) -> DayQueue:
        done = done_today(self._driver, self._today, self._kinds)
        brought_back = self._brought_back()
        if only is None:
            left = DayLimits(
                new=max(0, self._settings.new_per_day - done.new_cards),
                reviews=max(0, self._settings.reviews_per_day - done.reviews),
                drills=max(0, self._settings.drills_per_day - done.drills),
            )
            learning = list(self._candidates(_LEARNING))
            groups = done.sibling_groups | {each.siblings for each in learning if each.siblings}
            candidates = [
                *learning,
                *self._candidates(_REVIEW_DRILLS),
                *_enough(self._reviews(), left.reviews, groups),
                *self._new_drills(),
                *_enough(self._new_cards(), left.new, groups),
            ]
        else:
            wanted = {guid: place for place, guid in enumerate(only)}
            left = DayLimits(new=len(wanted), reviews=len(wanted), drills=len(wanted))
            candidates = list(self._chosen(wanted))
            learning = [each for each in candidates if each.phase not in {Phase.NEW, Phase.REVIEW}]
            brought_back = [guid for guid in brought_back if guid in wanted]
        queue = order_queue(candidates, self._now, left, done.sibling_groups)
        guids = list(dict.fromkeys((*brought_back, *(each.guid for each in queue.items))))
        items = details(self._connection, guids)
        if interleaving is Interleaving.CARDS_ONLY:
            items = [item for item in items if item.kind != DRILL]
        pace = read_pace(self._driver, self._kinds)
        kept = items
        if only is None:
            asked = self._within_budget(items, pace, done)
            kept = [item for item in items if item.guid in asked]
        cards = [item for item in kept if item.kind != DRILL]
        drills = [item for item in kept if item.kind == DRILL]
        later = ((each.due, each.guid) for each in learning if each.due and each.due > self._now)
        return DayQueue(
            items=tuple(interleave(cards, drills, interleaving)),
            later=tuple(sorted(later)),
            done=done,
            seconds=sum(pace.expected(self._asked(item)) for item in kept),
            put_off=sum(item.kind != DRILL for item in items) - len(cards),
        )

    def _within_budget(
        self, items: Sequence[DueItem], pace: Pace, done: DoneToday
    ) -> Collection[str]:
        """The guids of the items that today's minutes have room for.

        The time of a step that was begun today is that of its card, which is among what is done.
        """
        begun = {each.guid for each in done.asked}
        steps = {item.guid for item in items if item.guid in begun}
        queue = [self._asked(item) for item in items if item.guid not in steps]
        return steps | admitted(queue, pace, budget=self._settings.budget, done=done.asked)

    def _asked(self, item: DueItem) -> Asked:
        kind = self._kinds.of(item.guid, item.card_kind)
        return Asked(item.guid, kind, new=item.due is None and not item.brought_back)

    def _candidates(self, statement: str) -> Iterator[Candidate]:
        return map(_candidate, self._driver.stream(statement, self._given))

    def _chosen(self, places: Mapping[str, int]) -> Iterator[Candidate]:
        """The items with these guids that may be asked today; new ones get the place given."""
        guids = list(places)
        for start in range(0, len(guids), _CHUNK):
            names = {f"guid{n}": guid for n, guid in enumerate(guids[start : start + _CHUNK])}
            statement = _CHOSEN.replace(":guids", ", ".join(f":{name}" for name in names))
            for row in self._driver.stream(statement, {**self._given, **names}):
                candidate = _candidate(row)
                rank = _AFTER_CARDS if candidate.drill else 0
                yield replace(candidate, place=(rank, places[candidate.guid]))

    def _reviews(self) -> Iterator[Candidate]:
        """Due cards, the latest for its interval first: the instants' cards, merged."""
        instants = self._driver.stream(_DUE_INSTANTS, self._given)
        runs = [self._due_at(instant) for (instant,) in instants]
        return heapq.merge(*runs, key=self._lateness)

    def _due_at(self, instant: str) -> Iterator[Candidate]:
        return map(_candidate, self._driver.stream(_DUE_AT, (instant, self._given["today"])))

    def _lateness(self, candidate: Candidate) -> tuple[float, float, str]:
        return review_order(candidate, self._now)

    def _brought_back(self) -> list[str]:
        return [guid for (guid,) in self._driver.stream(_BROUGHT_BACK, self._given)]

    def _new_drills(self) -> Iterator[Candidate]:
        for position, drill in enumerate(self._candidates(_NEW_DRILLS)):
            yield replace(drill, place=(_AFTER_CARDS, position))

    def _new_cards(self) -> Iterator[Candidate]:
        """New cards along the path."""
        for rank, concept in enumerate(self._concepts_with_new()):
            found = self._driver.stream(_NEW_OF_CONCEPT, {**self._given, "concept": concept})
            for position, row in enumerate(found):
                yield replace(_candidate(row), place=(rank, position))

    def _concepts_with_new(self) -> list[int]:
        """Concepts that have new cards: prerequisites first, then what is known not to be known."""
        wished = self._connection.scalars(_NEW_CONCEPTS).all()
        requires = [(row[0], row[1]) for row in self._connection.execute(_REQUIRES)]
        ranks = concept_ranks({each: place for place, each in enumerate(wished)}, requires)
        waiting = self._waiting(ranks) if self._settings.requirements_first else set()
        return sorted(ranks.keys() - waiting, key=ranks.__getitem__)

    def _waiting(self, ranks: Mapping[int, int]) -> set[int]:
        """Concepts of which a requirement is open. In a circle those that come later wait."""
        return {
            concept
            for concept, requirement in self._connection.execute(_OPEN_REQUIREMENTS)
            if concept in ranks and ranks.get(requirement, -1) < ranks[concept]
        }


def _enough(
    candidates: Iterator[Candidate], limit: int, groups: Collection[str]
) -> Iterator[Candidate]:
    """As many of the ordered candidates as fill a limit when siblings of `groups` are passed over.

    The rest is never read.
    """
    seen = set(groups)
    while limit > 0 and (candidate := next(candidates, None)) is not None:
        yield candidate
        limit -= candidate.siblings not in seen
        if candidate.siblings is not None:
            seen.add(candidate.siblings)


def done_today(driver: Driver, today: date, kinds: Kinds) -> DoneToday:
    """What was answered on the learner day `today`."""
    rows = list(driver.stream(_ANSWERED, {"today": today.isoformat()}))
    return DoneToday(
        asked=tuple(
            Asked(guid, kinds.of(guid, card_kind), bool(is_new))
            for guid, card_kind, _, is_new in rows
        ),
        sibling_groups=frozenset(group for *_, group, _ in rows if group is not None),
    )


def details(connection: Connection, guids: Sequence[str]) -> list[DueItem]:
    """What is shown of these items in a list, in the order given."""
    found: dict[str, DueItem] = {}
    for start in range(0, len(guids), _CHUNK):
        rows = connection.execute(_DETAILS_OF, {"guids": list(guids[start : start + _CHUNK])})
        found.update((row[0], _due_item(row)) for row in rows)
    return [found[guid] for guid in guids if guid in found]


def _candidate(row: Sequence[Any]) -> Candidate:
    guid, kind, phase, due, last_review, _, group = row
    return Candidate(
        guid=guid,
        phase=Phase(phase),
        due=_instant(due),
        last_review=_instant(last_review),
        siblings=group,
        drill=kind == DRILL,
    )


def _due_item(row: Sequence[Any]) -> DueItem:
    guid, kind, card_kind, phase, due, group, front, slug, title, brought_back = row
    return DueItem(
        guid=guid,
        kind=kind,
        card_kind=card_kind,
        title=drill_id(guid) if front is None else first_line(front),
        concept_slug=slug,
        concept_title=title,
        phase=Phase(phase),
        due=due,
        sibling_group=group,
        brought_back=brought_back or "",
    )


def _instant(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored).replace(tzinfo=UTC)


def first_line(markdown: str) -> str:
    """The first line of a card's front that says something."""
    return next((line.strip() for line in markdown.splitlines() if line.strip()), "")
