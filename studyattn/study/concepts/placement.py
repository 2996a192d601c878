"""Placement: a few questions at the beginning, for a learner who knows some of it already.

Which concepts are asked about, and what the answers say of the others, is decided in
`study.rules.placement`. Here are the cards that ask, and what it means to keep the result: a placed
concept is a decision, its new cards begin with a memory of some days, spread over two weeks, and
its lesson is not put before them. No review is written, and no state of a concept changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from studyattn.grouping import grouped
from studyattn.memory import Phase, Remembered
from studyattn.packs.card_kinds import BASIC, BUG, CLOZE, COMPUTED, NUMERIC, TYPED
from studyattn.packs.locate import pack_folders, place_of, taught_after
from studyattn.store.database import Connection
from studyattn.store.queries import review_log
from studyattn.store.queries.concepts import StoredConcept, taught_concepts
from studyattn.store.queries.decisions import decide
from studyattn.store.queries.path import PathItem, path_items, placed_concepts
from studyattn.store.queries.queue import requirements
from studyattn.store.queries.review_log import StartColumns
from studyattn.store.vocabulary import DRILL
from studyattn.study.profile import Profile
from studyattn.study.records import fold_item, starts_of, store_memory
from studyattn.study.review.browse import show_item
from studyattn.study.review.views import RenderedCard
from studyattn.study.rules.placement import QUESTIONS, Prerequisites, next_question, placed

_ASKED_BY = {
    kind.name: rank for rank, kind in enumerate((COMPUTED, NUMERIC, TYPED, BUG, CLOZE, BASIC))
}
"""The kinds of cards that ask, the best first: an answer that is computed or compared deceives
nobody, a fresh number cannot be remembered, and a program is read before its bug is known."""

_DAYS = 14  # over which the cards of placed concepts are spread
_EASE = 2500.0  # in thousandths: that of SM-2 for a card of average difficulty
_TICK = timedelta(microseconds=1)


class MapStop(NamedTuple):
    """A concept on the map of a placement."""

    slug: str
    title: str
    position: int  # 1 is the first of the path
    placed: bool
    answer: bool | None = None  # to its own question; None where it was not asked


class PlacementTest:
    """The questions of one placement. Nothing of it is kept before `keep`."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        with profile.database.read() as connection:
            concepts = _concepts(profile, connection)
            self._stops = tuple(_stops(concepts, ()))
            slugs = {row.id: row.slug for row in concepts}
            needs: dict[str, list[str]] = {row.slug: [] for row in concepts}
            for concept, needed in requirements(connection):
                if concept in slugs and needed in slugs:
                    needs[slugs[concept]].append(slugs[needed])
            self._cards: dict[str, PathItem] = {}
            for item in path_items(connection):
                slug = slugs.get(item.concept_id)
                if slug is not None and item.card_kind in _ASKED_BY:
                    best = self._cards.setdefault(slug, item)
                    if _rank(item) < _rank(best):
                        self._cards[slug] = item
        self._graph = Prerequisites(needs)
        self._answers: dict[str, bool] = {}
        self._asked: str | None = None
        self._card: RenderedCard | None = None
        self._go_on()

    @property
    def number(self) -> int:
        """The number of the question that is asked now, from 1."""
        return len(self._answers) + 1

    @property
    def most(self) -> int:
        """The most questions that are asked."""
        return min(QUESTIONS, len(self._cards))

    @property
    def card(self) -> RenderedCard | None:
        """The card that is asked now; None when the questions are over."""
        return self._card

    def answer(self, *, right: bool) -> None:
        """Take the answer to the card that is asked, and go on to the next one.

        Raises LookupError when nothing is asked.
        """
        if self._asked is None:
            raise LookupError("nothing is being asked")
        self._answers[self._asked] = right
        self._go_on()

    def result(self) -> tuple[MapStop, ...]:
        """Return the map that the answers so far lead to."""
        found = placed(self._graph, self._answers)
        return tuple(
            stop._replace(placed=stop.slug in found, answer=self._answers.get(stop.slug))
            for stop in self._stops
        )

    def _go_on(self) -> None:
        self._asked = next_question(self._graph, self._answers, self._cards.keys())
        self._card = (
            None if self._asked is None else show_item(self._profile, self._cards[self._asked].guid)
        )


def read_placement(profile: Profile) -> tuple[MapStop, ...]:
    """Return the map as it was kept last; nothing is placed before that."""
    with profile.database.read() as connection:
        return tuple(_stops(_concepts(profile, connection), placed_concepts(connection)))


def keep(profile: Profile, slugs: Collection[str]) -> int:
    """Let these concepts of the packs be placed and no others. Return how many cards that changed.

    The new cards of a concept that becomes placed are asked from tomorrow on, those of the last
    concepts of the path first. Where one is placed no more, the cards that were not asked
    since are new again.
    """
    with profile.database.write() as connection:
        concepts = _concepts(profile, connection)
        before = placed_concepts(connection)
        at = profile.moment().at
        changed: dict[int, bool] = {}  # whether it is placed now, the last of the path first
        for row in reversed(concepts):
            now = row.slug in slugs
            if now != (_name(row) in before):
                decide(connection, "placement", _name(row), "placed", now, at)
                changed[row.id] = now
        cards = grouped((e.concept_id, e) for e in path_items(connection) if e.kind != DRILL)
        new, known = [], []
        for concept, now in changed.items():
            if now:
                new += [item.guid for item in cards[concept] if item.phase == Phase.NEW]
            else:
                known += [item.guid for item in cards[concept]]
        return _begin(profile, connection, new) + _forget(profile, connection, known)


def _begin(profile: Profile, connection: Connection, guids: Sequence[str]) -> int:
    """Let the memories of these cards begin now, with intervals of 1 to `_DAYS` days."""
    for number, guid in enumerate(guids):
        interval = 1.0 + number * _DAYS // len(guids)
        _put_start(profile, connection, guid, interval, _EASE)
    return len(guids)


def _forget(profile: Profile, connection: Connection, guids: Sequence[str]) -> int:
    """Let those of the cards be new again that were not asked since their memory began."""
    forgotten = 0
    for guid, start in starts_of(connection, guids).items():
        state = fold_item(connection, guid, profile.scheduler)
        if isinstance(state, Remembered) and state.last_review == start.at:
            _put_start(profile, connection, guid, None, None)
            forgotten += 1
    return forgotten


def _put_start(
    profile: Profile, connection: Connection, guid: str, interval: float | None, ease: float | None
) -> None:
    moment = profile.moment()
    before = starts_of(connection, (guid,)).get(guid)
    at = moment.at if before is None else max(moment.at, before.at + _TICK)
    day = profile.day_of(moment)
    start = StartColumns(at, moment.utc_offset, day, interval, ease)
    review_log.put_memory_starts(connection, {guid: start})
    store_memory(connection, {guid: fold_item(connection, guid, profile.scheduler)})


def _concepts(profile: Profile, connection: Connection) -> list[StoredConcept]:
    """Return the concepts of the packs in the order of their paths.

    A pack that says itself what it comes after is for later: nobody is placed in it.
    """
    order = profile.settings.packs
    later = {
        name
        for name, folder in pack_folders(profile.home).items()
        if place_of(name, order) != place_of(name, order, taught_after(folder))
    }
    return [row for row in taught_concepts(connection) if row.pack not in later]


def _stops(concepts: Iterable[StoredConcept], names: Collection[str]) -> Iterable[MapStop]:
    for position, row in enumerate(concepts, start=1):
        yield MapStop(row.slug, row.title, position, _name(row) in names)


def _name(row: StoredConcept) -> str:
    return f"{row.pack}:{row.slug}"


def _rank(item: PathItem) -> int:
    return _ASKED_BY.get(item.card_kind or "", len(_ASKED_BY))
