"""The queue of a learner day: what is asked, and how much of it. The order is `memory.order`.

The day's limits and its budget of minutes count what was answered today already, in any session and
by any process. Candidates are read in their order and no further than the limits reach, so that a
hundred thousand items open as fast as a hundred, on a day when all of them are due too.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from studyattn.memory import Phase, learner_day
from studyattn.memory.order import (
    AFTER_CARDS,
    NOTHING,
    Candidate,
    DayLimits,
    Interleaving,
    in_learning_order,
    order_queue,
    review_order,
)
from studyattn.memory.state import drill_id
from studyattn.store.queries import queue as queries
from studyattn.store.queries.queue import CandidateRow
from studyattn.store.sql import Connection as Readable
from studyattn.store.vocabulary import DRILL
from studyattn.study.clock import Moment
from studyattn.study.review.backlog import read_backlog
from studyattn.study.review.pace import Estimator
from studyattn.study.rules.pace import (
    PATIENCE,
    Asked,
    DoneToday,
    admitted,
    late_since,
    long_drill,
    overdue,
)
from studyattn.text.characters import first_line

if TYPE_CHECKING:
    from studyattn.study.profile import ReadOnlyProfile


class DueItem(NamedTuple):
    """One item at its place in the day's queue."""

    guid: str
    kind: str  # card | drill
    card_kind: str | None  # basic | cloze | typed | numeric | computed | bug; None for a drill
    title: str  # the first line of a card's front; a drill's id
    concept_slug: str
    concept_title: str
    phase: Phase
    due: datetime | None  # aware, UTC; None for a new item
    sibling_group: str | None
    brought_back: str = ""  # why it is asked before its time: a mistake in code; else empty
    step: str = ""  # of a long drill, the one that comes next: `3/5 weigh the keys`

    @property
    def title_with_step(self) -> str:
        return f"{self.title}, step {self.step}" if self.step else self.title


class DayQueue(NamedTuple):
    """The queue at one instant."""

    items: tuple[DueItem, ...]  # in order
    later: tuple[tuple[datetime, str], ...]  # (due, guid) of steps that end later today
    done: DoneToday
    seconds: float  # that `items` are expected to take
    put_off: int  # new cards that today's limit would allow and its minutes do not
    long_drill: str = ""  # the sentence about a drill that is longer than today's minutes allow


def due_items(profile: ReadOnlyProfile, at: datetime | Moment | None = None) -> list[DueItem]:
    """Return what is due at `at` (now), in order."""
    return list(read_day(profile, at).items)


def read_day(
    profile: ReadOnlyProfile,
    at: datetime | Moment | None = None,
    *,
    interleaving: Interleaving | None = None,
    only: Collection[str] | None = None,
    ahead: bool = False,
) -> DayQueue:
    """Return the queue at `at` (now) and what comes back later on the same learner day.

    `only` are the guids of items that the learner has chosen. The queue is made of them alone,
    and neither the day's limits and minutes nor an open requirement hold them back. Of siblings
    one a day is asked all the same. New ones come in the order given. With `ahead` those come too
    that are due on a later day, and those that were answered today.
    """
    moment = at if isinstance(at, Moment) else profile.moment(at)
    how = interleaving or profile.settings.interleave
    with profile.read() as connection:
        return _DayReader(connection, profile, moment).day(how, only, ahead=ahead)


def interleave(items: Iterable[DueItem], how: Interleaving) -> list[DueItem]:
    """Return cards and drills in one order, in which both keep their own."""
    cards: list[DueItem] = []
    drills: list[DueItem] = []
    for item in items:
        (drills if item.kind == DRILL else cards).append(item)
    if how is Interleaving.CARDS_ONLY:
        return cards
    if how is Interleaving.FIRST:
        return [*drills, *cards]
    if how is Interleaving.LAST:
        return [*cards, *drills]
    mixed: list[DueItem] = []
    gap = len(cards) / (len(drills) + 1)
    for index, drill in enumerate(drills, start=1):
        mixed += cards[round(gap * (index - 1)) : round(gap * index)]
        mixed.append(drill)
    return mixed + cards[round(gap * len(drills)) :]


class _DayReader:
    """Reads one day's queue at one moment."""

    def __init__(self, connection: Readable, profile: ReadOnlyProfile, moment: Moment) -> None:
        self._connection = connection
        self._now, self._utc_offset = moment.at, moment.utc_offset
        self._today = profile.day_of(moment)
        self._settings = profile.settings
        self._estimator = Estimator(connection, lessons=profile.settings.lessons, today=self._today)
        self._rollover = self._settings.scheduling.rollover_hour
        tomorrow = self._today + timedelta(days=1)
        self._day_end = profile.day_start(tomorrow, moment)
        self._share = self._settings.scheduling.share(self._today)
        self._vacation = self._settings.scheduling.on_vacation(self._today)
        self._backlog = read_backlog(connection, self._settings, self._today)
        self._late: frozenset[str] = frozenset()  # drills that have waited too long
        self._studied: list[date] = []  # the latest days before this one, where a drill waits

    def day(
        self, interleaving: Interleaving, only: Collection[str] | None, *, ahead: bool
    ) -> DayQueue:
        now, pace = self._now, self._estimator.pace
        done = self._estimator.done_on(self._today)
        if only is None:
            left, candidates = self._of_the_day(done)
        else:
            left, candidates = self._of_a_choice(only, ahead=ahead)
        groups = done.sibling_groups
        if ahead:  # what was answered today is not held back by its own answer
            groups -= {each.siblings for each in candidates if each.guid in done.guids}
        queue = order_queue(candidates, now, left, groups, ahead=ahead)
        items = self._details([*self._back(only), *(each.guid for each in queue.items)])
        if interleaving is Interleaving.CARDS_ONLY:
            items = _cards(items)
        kept, asked, told = self._within_budget(items, done) if only is None else (items, {}, "")
        put_off = len(_cards(items)) - len(_cards(kept))
        kept = [*kept, *self._instead(items, kept, queue.buried)]
        return DayQueue(
            items=tuple(interleave(kept, interleaving)),
            later=tuple(sorted(_steps_after(now, candidates))),
            done=done,
            seconds=sum(pace.expected(self._asked(item, asked)) for item in kept),
            put_off=put_off,
            long_drill=told,
        )

    def _back(self, only: Collection[str] | None) -> list[str]:
        """Return the cards that mistakes brought back: all of them on a day, but on a vacation."""
        back = queries.cards_brought_back(self._connection, today=self._today)
        if only is not None:
            return [guid for guid in back if guid in only]
        return [] if self._vacation else back

    def _details(self, guids: Iterable[str]) -> list[DueItem]:
        """Return items with the step of a long drill that comes next."""
        progress = self._estimator.progress
        return [
            item._replace(step=progress[item.guid].next) if item.guid in progress else item
            for item in details(self._connection, list(dict.fromkeys(guids)))
        ]

    def _instead(
        self, items: Iterable[DueItem], kept: Iterable[DueItem], buried: Sequence[Candidate]
    ) -> list[DueItem]:
        """Return the due siblings of those `items` that are not `kept`."""
        due = {each.siblings: each.guid for each in buried[::-1] if each.due}
        wait = {item.sibling_group for item in items} - {item.sibling_group for item in kept}
        return self._details(due[group] for group in due.keys() & wait)

    def _of_the_day(self, done: DoneToday) -> tuple[DayLimits, list[Candidate]]:
        """Return how much today still allows, and the candidates, read as far as that reaches.

        On an easy day what is due is asked in any case, except a drill on a day without a share; of
        what is new the day's share. On vacation what was begun today is brought to its end.
        """
        limits = self._settings.day_limits.of_share(self._share)
        left, drills = done.left_of(limits), self._drills()
        if limits.drills:
            left = left._replace(overdue=overdue(self._studied))
        steps = queries.learning_steps(self._connection, today=self._today, until=self._day_end)
        learning = list(map(_candidate, steps))
        if self._vacation:
            begun = done.guids
            left, learning = NOTHING, [each for each in learning if each.guid in begun]
        groups = done.sibling_groups | {each.siblings for each in learning if each.siblings}
        due = _enough(self._due_cards(groups), left.reviews, groups)
        candidates = [*learning, *drills, *due]
        if self._backlog is None:  # until it is done, nothing new is added to it
            candidates += _enough(self._new_cards(), left.new, groups)
        return left, candidates

    def _of_a_choice(
        self, only: Collection[str], *, ahead: bool
    ) -> tuple[DayLimits, list[Candidate]]:
        """Return limits that allow all of the learner's choice, and its candidates."""
        wanted = {guid: place for place, guid in enumerate(only)}
        until = None if ahead else self._day_end
        chosen = queries.chosen_items(
            self._connection, list(wanted), today=self._today, until=until
        )
        candidates = [
            each._replace(place=(AFTER_CARDS if each.drill else 0, wanted[each.guid]))
            for each in map(_candidate, chosen)
        ]
        return DayLimits(new=len(wanted), reviews=len(wanted), drills=len(wanted)), candidates

    def _within_budget(
        self, items: Sequence[DueItem], done: DoneToday
    ) -> tuple[list[DueItem], Mapping[str, int], str]:
        """Return the items that today's minutes have room for, and what is told of a long drill.

        Between them are the numbers of steps that are asked of drills. A step of a card that was
        begun today is asked in any case: its time was counted with its card's, which is among what
        is done.
        """
        pace, begun = self._estimator.pace, done.guids
        budget = self._settings.budget * (self._share or 1)  # without a share nothing is new
        queue = [self._asked(item) for item in items if item.guid not in begun]
        queue += self._drills_behind(items, done)
        asked = admitted(queue, pace, budget=budget, done=done.all)
        kept = [item for item in items if item.guid in begun or item.guid in asked]
        rest = [self._asked(item, asked) for item in kept if item.guid not in begun]
        return kept, asked, long_drill(rest, pace, budget=budget, done=done.all)

    def _asked(self, item: DueItem, steps: Mapping[str, int] | None = None) -> Asked:
        """Return an item as far as its time goes, in one piece with so many `steps` by guid."""
        new, late = item.due is None and not item.brought_back, item.guid in self._late
        asked = self._estimator.asked(item.guid, item.card_kind, new=new, late=late)
        if steps is None:
            return asked
        return asked._replace(shares=(sum(asked.shares[: steps.get(item.guid)]),))

    def _drills(self) -> list[Candidate]:
        """Return the drills that are due and, unless a backlog is spread, the new ones."""
        rows = list(queries.due_drills(self._connection, today=self._today, now=self._now))
        since = {row.guid: self._day_of(row.due) for row in rows if row.due is not None}
        drills = list(map(_candidate, rows))
        if self._backlog is None:
            new = list(self._new_drills())
            guids = [row.guid for row in new]
            since |= ready_since(self._connection, self._estimator, guids, self._day_of)
            drills += _placed(new, AFTER_CARDS)
        most = max(PATIENCE.values())
        if since:
            self._studied = queries.study_days(self._connection, self._today, most)
        drills = [
            each._replace(
                late_since=late_since(since[each.guid], self._studied, new=each.due is None),
                begun=self._estimator.steps(each.guid)[1] > 0,
            )
            for each in drills
        ]
        self._late = frozenset(each.guid for each in drills if each.late_since is not None)
        return drills

    def _day_of(self, at: datetime) -> date:
        return learner_day(at, self._utc_offset, self._rollover)

    def _new_drills(self) -> Iterator[CandidateRow]:
        """Yield new drills, except those that require one that was not tried yet."""
        new = set(queries.untried_drills(self._connection))
        for row in queries.new_drills(self._connection, today=self._today):
            if new.isdisjoint(self._estimator.requires(row.guid)):
                yield row

    def _drills_behind(self, items: Sequence[DueItem], done: DoneToday) -> Iterator[Asked]:
        """Yield the new drills that wait for nothing but new cards of `items`."""
        if self._backlog is not None:
            return
        asked = done.drills + sum(
            item.kind == DRILL and not self._asked(item).begun for item in items
        )
        if asked >= math.ceil(self._settings.drills_per_day * self._share):
            return
        listed = {item.guid for item in items}
        unseen: dict[str, set[str]] = {}
        for drill, card in queries.drills_behind_cards(self._connection):
            unseen.setdefault(drill, set()).add(card)
        untried = set(queries.untried_drills(self._connection))
        for drill, cards in unseen.items():
            if cards <= listed and untried.isdisjoint(self._estimator.requires(drill)):
                yield self._estimator.asked(drill, None, new=True, after=frozenset(cards))

    def _due_cards(self, groups: Collection[str]) -> Iterator[Candidate]:
        """Yield due cards, the latest for its interval first; of a backlog that is spread, a part.

        `groups` are the siblings that were asked today.
        """
        instants = list(queries.due_instants(self._connection, now=self._now))
        backlog = self._backlog
        if backlog is None:
            return self._due_at(instants)
        old = self._due_at([each for each in instants if each < backlog.before])
        part = _enough(old, backlog.asked_on(self._today), groups)
        own = self._due_at([each for each in instants if each >= backlog.before])
        return heapq.merge(part, own, key=self._review_order)

    def _due_at(self, instants: Iterable[datetime]) -> Iterator[Candidate]:
        """Yield the cards that came due at these instants, in order: the instants' cards merged."""
        runs = [
            map(_candidate, queries.cards_due_at(self._connection, instant, today=self._today))
            for instant in instants
        ]
        return heapq.merge(*runs, key=self._review_order)

    def _review_order(self, candidate: Candidate) -> tuple[float, float, str]:
        return review_order(candidate, self._now)

    def _new_cards(self) -> Iterator[Candidate]:
        """Yield new cards: prerequisites first, then those of concepts called not known."""
        needs: defaultdict[int, list[queries.Need]] = defaultdict(list)

        def wished() -> Iterator[int]:
            concepts = queries.wished_concepts(self._connection)
            while some := list(islice(concepts, _AT_ONCE)):
                new = queries.concepts_with_new_cards(self._connection, some)
                for each in queries.needs_of(self._connection, new):
                    needs[each.concept_id].append(each)
                yield from filter(new.__contains__, some)

        def requires(concept: int) -> list[int]:
            return [each.requires_id for each in needs[concept] if each.has_new]

        before: set[int] = set()
        for rank, concept in enumerate(in_learning_order(wished(), requires)):
            # Of concepts that require each other in a circle the later ones wait.
            waits = self._settings.requirements_first and any(
                each.is_open and (each.requires_id in before or not each.has_new)
                for each in needs[concept]
            )
            before.add(concept)
            if not waits:
                cards = queries.new_cards_of(
                    self._connection, concept, today=self._today, now=self._now
                )
                yield from _placed(cards, rank)


_AT_ONCE = 50  # concepts whose requirements are read in one statement


def ready_since(
    connection: Readable,
    estimator: Estimator,
    drills: Sequence[str],
    day_of: Callable[[datetime], date],
) -> dict[str, date]:
    """Return the day on which the last thing was seen that each of these new drills waits for.

    These are the cards of its concept and the drills that it requires.
    """
    before = {guid: set(estimator.requires(guid)) for guid in drills}
    since: dict[str, date] = {}
    for drill, added, card in queries.cards_before(connection, drills):
        since[drill] = day_of(added)
        before[drill] |= {card} if card is not None else set()
    seen = queries.first_seen(connection, sorted(set().union(*before.values())))
    return {
        drill: max([day, *(seen.get(guid, day) for guid in before[drill])])
        for drill, day in since.items()
    }


def _steps_after(now: datetime, candidates: Iterable[Candidate]) -> Iterator[tuple[datetime, str]]:
    """Yield the learning steps that end later today, as (due, guid)."""
    for each in candidates:
        if each.phase not in {Phase.NEW, Phase.REVIEW} and each.due and each.due > now:
            yield each.due, each.guid


def _candidate(row: CandidateRow) -> Candidate:
    return Candidate(
        guid=row.guid,
        phase=Phase(row.phase),
        due=row.due,
        last_review=row.last_review,
        siblings=row.sibling_group,
        drill=row.kind == DRILL,
    )


def _placed(rows: Iterable[CandidateRow], rank: int) -> Iterator[Candidate]:
    """Yield new items with their places: the rank of their concept, and the order of the rows."""
    for position, row in enumerate(rows):
        yield _candidate(row)._replace(place=(rank, position))


def _enough(
    candidates: Iterator[Candidate], limit: int, groups: Collection[str]
) -> Iterator[Candidate]:
    """Yield as many of the ordered candidates as fill a limit, siblings of `groups` not counted.

    The rest is never read.
    """
    seen = set(groups)
    while limit > 0 and (candidate := next(candidates, None)) is not None:
        yield candidate
        limit -= candidate.siblings not in seen
        if candidate.siblings is not None:
            seen.add(candidate.siblings)


def _cards(items: Iterable[DueItem]) -> list[DueItem]:
    return [item for item in items if item.kind != DRILL]


def details(connection: Readable, guids: Sequence[str]) -> list[DueItem]:
    """Return these items as a list shows them, in the order given."""
    return [
        DueItem(
            guid=row.guid,
            kind=row.kind,
            card_kind=row.card_kind,
            title=drill_id(row.guid) if row.front is None else first_line(row.front),
            concept_slug=row.concept_slug,
            concept_title=row.concept_title,
            phase=Phase(row.phase),
            due=row.due,
            sibling_group=row.sibling_group,
            brought_back=row.why_back or "",
        )
        for row in queries.queued_items(connection, guids)
    ]
