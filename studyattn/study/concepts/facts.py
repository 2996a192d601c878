"""The facts that speak for or against a concept's state, collected for many concepts at once.

The number of statements does not grow with the number of concepts. What the facts suggest is
decided in `study.rules.evidence`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from studyattn.memory import MemoryState, New, Remembered, Scheduler, effective_reviews
from studyattn.memory.state import drill_id
from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import histories_of
from studyattn.store.queries.concepts import JudgedItem, StoredConcept, judged_items, pack_slugs
from studyattn.store.queries.practice import AttemptOutcome, attempt_outcomes
from studyattn.store.vocabulary import DRILL, KNOWN
from studyattn.study.records import logs_of
from studyattn.study.rules.concept_changes import effective_changes
from studyattn.study.rules.evidence import ConceptFacts, FailedDrill
from studyattn.study.rules.mistakes import MistakeSeen

_PASSED = "passed"  # the verdict

Seen = Mapping[str, tuple[MistakeSeen, ...]]
"""Mistakes in code by the slug of the concept that they belong to."""


def facts_of(
    connection: Connection, scheduler: Scheduler, concepts: Collection[StoredConcept], seen: Seen
) -> dict[int, ConceptFacts]:
    """Return what the rules of evidence read of each of these concepts, by the concept's number."""
    numbers = [concept.id for concept in concepts]
    items = judged_items(connection, numbers)
    mistakes = mistakes_of(connection, numbers, seen)
    since = {
        number: changes[effective[-1]].at
        for number, changes in histories_of(connection, numbers).items()
        if (effective := effective_changes(changes))
    }
    known = {
        concept.id: since[concept.id]
        for concept in concepts
        if concept.state == KNOWN and concept.id in since
    }
    lapses = _lapses(connection, scheduler, items, known)
    drills = [item.guid for own in items.values() for item in own if item.kind == DRILL]
    attempts: defaultdict[str, list[AttemptOutcome]] = defaultdict(list)
    for each in attempt_outcomes(connection, drills):
        attempts[each.guid].append(each)
    return {
        concept.id: _facts(
            concept.state,
            items[concept.id],
            attempts,
            mistakes[concept.id],
            since.get(concept.id),
            lapses[concept.id],
        )
        for concept in concepts
    }


def mistakes_of(
    connection: Connection, concepts: Sequence[int], seen: Seen
) -> dict[int, tuple[MistakeSeen, ...]]:
    """Return the mistakes that belong to each concept or one joined into it, latest first."""
    slugs = pack_slugs(connection, concepts) if seen else {}
    found = {
        number: [each for slug in slugs.get(number, ()) for each in seen.get(slug, ())]
        for number in concepts
    }
    return {
        number: tuple(sorted(mistakes, key=lambda each: each.last, reverse=True))
        for number, mistakes in found.items()
    }


def _lapses(
    connection: Connection,
    scheduler: Scheduler,
    items: Mapping[int, Sequence[JudgedItem]],
    since: Mapping[int, datetime],
) -> Counter[int]:
    """Count, of each known concept, how often its items were forgotten since it is known."""
    forgotten = [
        (number, item.guid, at)
        for number, at in since.items()
        for item in items[number]
        if item.forgotten_at is not None and item.forgotten_at > at
    ]
    logs = logs_of(connection, [guid for _, guid, _ in forgotten])
    reviews = {guid: effective_reviews(log) for guid, log in logs.items()}
    after = scheduler.replay_all([(guid, New(), reviews[guid]) for _, guid, _ in forgotten])
    before = scheduler.replay_all(
        [(guid, New(), [e for e in reviews[guid] if e.at <= at]) for _, guid, at in forgotten]
    )
    lapses: Counter[int] = Counter()
    for (number, _, _), now, then in zip(forgotten, after, before, strict=True):
        lapses[number] += _lapses_in(now) - _lapses_in(then)
    return lapses


def _lapses_in(state: MemoryState) -> int:
    return state.lapses if isinstance(state, Remembered) else 0


def _facts(  # noqa: PLR0917 - what was read of one concept
    state: str,
    items: Sequence[JudgedItem],
    attempts: Mapping[str, Sequence[AttemptOutcome]],
    mistakes: Sequence[MistakeSeen],
    since: datetime | None,
    lapses: int,
) -> ConceptFacts:
    tried = {item.guid: attempts.get(item.guid, ()) for item in items if item.kind == DRILL}
    passed_on = {
        guid: {each.learner_day for each in tries if each.verdict == _PASSED and not each.revealed}
        for guid, tries in tried.items()
    }
    unpassed = [guid for guid, tries in tried.items() if tries and tries[-1].verdict != _PASSED]
    failed = _failed_since(since, tried.values()) if state == KNOWN else None
    told = mistakes and (since is None or mistakes[0].last > since)
    return ConceptFacts(
        state=state,
        stabilities=tuple(item.stability for item in items if item.kind != DRILL),
        drill_days={drill_id(guid): len(days) for guid, days in passed_on.items()},
        unpassed=tuple(map(drill_id, unpassed)),
        mistake=mistakes[0].title if told else None,
        since=since,
        lapses=lapses,
        failed=failed,
    )


def _failed_since(
    since: datetime | None, attempts: Iterable[Sequence[AttemptOutcome]]
) -> FailedDrill | None:
    """Return the last of these attempts that did not pass since an instant; None for none."""
    failed = (
        FailedDrill(drill_id(each.guid), each.at)
        for tries in attempts
        for each in tries
        if each.verdict != _PASSED and since is not None and each.at > since
    )
    return max(failed, key=lambda each: each.at, default=None)
