"""Suggested changes of concepts' states: ask the rules, keep the answers.

The facts are collected for many concepts at once, in a number of statements that does not grow with
them. Which state they suggest is decided in `study.rules.evidence`; the learner accepts a
suggestion or puts it off until the next learner day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from studyattn.grouping import grouped
from studyattn.memory import MemoryState, New, Remembered, Scheduler, effective_reviews
from studyattn.memory.state import drill_id
from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import changes_of, histories_of, record_change
from studyattn.store.queries.concepts import (
    JudgedItem,
    StoredConcept,
    concepts_of_packs,
    concepts_to_judge,
    find_concept,
    judged_items,
    pack_slugs,
)
from studyattn.store.queries.practice import (
    AttemptOutcome,
    attempt_outcomes,
    diagnosed_attempts,
)
from studyattn.store.queries.settings import put_value, read_value
from studyattn.store.vocabulary import DRILL, KNOWN, LEARNER, PROGRAM, UNDO
from studyattn.study.profile import Profile
from studyattn.study.rules.concept_changes import effective_changes
from studyattn.study.rules.evidence import (
    HELD_DAYS,
    ConceptFacts,
    FailedDrill,
    Suggestion,
    suggest_state,
)
from studyattn.study.rules.mistakes import MistakeSeen, mistakes_by_concept

_PASSED, _STEP = "passed", "step"  # verdicts

Seen = Mapping[str, tuple[MistakeSeen, ...]]
"""Mistakes in code by the slug of the concept that they belong to."""


def mistakes_seen(connection: Connection) -> Seen:
    """Return all mistakes that grading recognised."""
    return mistakes_by_concept(diagnosed_attempts(connection))


def facts_of(
    connection: Connection, scheduler: Scheduler, concepts: Collection[StoredConcept], seen: Seen
) -> dict[int, ConceptFacts]:
    """Return what the rules of evidence read of each of these concepts, by the concept's number."""
    numbers = [concept.id for concept in concepts]
    items = judged_items(connection, numbers)
    attempts = _attempts(connection, items.values())
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
    return {
        concept.id: _facts(
            concept.state,
            items[concept.id],
            attempts,
            _open_mistake(mistakes[concept.id], since.get(concept.id)),
            since.get(concept.id),
            lapses[concept.id],
        )
        for concept in concepts
    }


def _attempts(
    connection: Connection, items: Iterable[Sequence[JudgedItem]]
) -> Mapping[str, Sequence[AttemptOutcome]]:
    """Return the attempts at the drills among the items of each concept, by guid."""
    drills = [item.guid for own in items for item in own if item.kind == DRILL]
    return grouped((each.guid, each) for each in attempt_outcomes(connection, drills))


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
    forgotten = list(_forgotten(items, since))
    if not forgotten:
        return Counter()
    from studyattn.study.records import logs_of  # late: little is forgotten after that

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


def _forgotten(
    items: Mapping[int, Sequence[JudgedItem]], since: Mapping[int, datetime]
) -> Iterator[tuple[int, str, datetime]]:
    """Yield a known concept, an item that was forgotten since, and since when it is known."""
    for number, at in since.items():
        for item in items[number]:
            if item.forgotten_at is not None and item.forgotten_at > at:
                yield number, item.guid, at


def _lapses_in(state: MemoryState) -> int:
    return state.lapses if isinstance(state, Remembered) else 0


def _facts(  # noqa: PLR0917 - what was read of one concept
    state: str,
    items: Sequence[JudgedItem],
    attempts: Mapping[str, Sequence[AttemptOutcome]],
    mistake: str | None,
    since: datetime | None,
    lapses: int,
) -> ConceptFacts:
    drills = [item.guid for item in items if item.kind == DRILL]
    tried = {drill_id(guid): attempts.get(guid, ()) for guid in drills}
    return ConceptFacts(
        state=state,
        stabilities=tuple(item.stability for item in items if item.kind != DRILL),
        drill_days={drill: _days_passed(tries) for drill, tries in tried.items()},
        unpassed=tuple(
            drill for drill, tries in tried.items() if tries and tries[-1].verdict != _PASSED
        ),
        mistake=mistake,
        since=since,
        lapses=lapses,
        failed=_failed(state, since, tried.values()),
    )


def _days_passed(tries: Iterable[AttemptOutcome]) -> int:
    """Count the learner days on which a drill was passed without its solution."""
    passed = (each for each in tries if each.verdict == _PASSED and not each.revealed)
    return len({each.learner_day for each in passed})


def _open_mistake(mistakes: Iterable[MistakeSeen], since: datetime | None) -> str | None:
    """Return the title of the first mistake since an instant that is not mended; None for none."""
    for each in mistakes:
        if not each.mended and (since is None or each.last > since):
            return each.title
    return None


def _failed(
    state: str, since: datetime | None, attempts: Iterable[Sequence[AttemptOutcome]]
) -> FailedDrill | None:
    """Return the last of the attempts that did not pass since the concept is known."""
    if state != KNOWN or since is None:
        return None
    failed = (
        FailedDrill(drill_id(each.guid), each.at)
        for tries in attempts
        for each in tries
        if each.verdict not in {_PASSED, _STEP} and each.at > since
    )
    return max(failed, key=lambda each: each.at, default=None)


_LATER = "suggestions.later"


def suggestions(
    profile: Profile, *, most: int | None = None, among: Collection[str] | None = None
) -> list[Suggestion]:
    """Return the changes that the evidence suggests, without those put off until tomorrow.

    With `most` no more are looked for than that, with `among` only those of these concepts.
    """
    found: list[Suggestion] = []
    with profile.database.read() as connection:
        later = put_off_today(connection, profile)
        seen = mistakes_seen(connection)
        mistaken = concepts_of_packs(connection, seen) if seen else set()
        judging = concepts_to_judge(connection, held=HELD_DAYS, besides=mistaken, among=among)
        for judged in judging:
            asked = [each for each in judged if each.slug not in later]
            facts = facts_of(connection, profile.scheduler, asked, seen)
            proposed = (suggestion_of(each, facts[each.id]) for each in asked)
            found += [each for each in proposed if each is not None]
            if most is not None and len(found) >= most:
                break
    return found[:most]


def suggestion_for(connection: Connection, profile: Profile, slug: str) -> Suggestion | None:
    """Return the suggestion for one concept, put off or not. Raises NotFoundError."""
    concept = find_concept(connection, slug)
    seen = mistakes_seen(connection)
    facts = facts_of(connection, profile.scheduler, (concept,), seen)
    return suggestion_of(concept, facts[concept.id])


def accept(profile: Profile, suggestion: Suggestion) -> bool:
    """Change the state as suggested, with the suggestion's reason."""
    with profile.database.write() as connection:
        concept = find_concept(connection, suggestion.slug)
        return record_change(
            connection,
            concept.id,
            suggestion.to_state,
            suggestion.reason,
            LEARNER,
            profile.clock.now(),
        )


def move_on_evidence(profile: Profile) -> tuple[Suggestion, ...]:
    """Carry out all suggestions if the learner's setting asks for that, and return them.

    The changes are the program's own, and the learner can take them back. A concept of which one
    was taken back is only suggested to go there again.
    """
    if not profile.settings.move_on_evidence or profile.database.hindrance is not None:
        return ()
    moved = []
    proposed = suggestions(profile)
    if not proposed:
        return ()
    with profile.database.write() as connection:
        for each in proposed:
            concept = find_concept(connection, each.slug)
            taken_back = {
                change.from_state
                for change in changes_of(connection, concept.id)
                if change.author == UNDO
            }
            at = profile.clock.now()
            if each.to_state not in taken_back and record_change(
                connection, concept.id, each.to_state, each.reason, PROGRAM, at
            ):
                moved.append(each)
    return tuple(moved)


def put_off(profile: Profile, suggestion: Suggestion) -> None:
    """Do not suggest it again before the next learner day."""
    today = profile.today().isoformat()
    with profile.database.write() as connection:
        later = dict.fromkeys([*put_off_today(connection, profile), suggestion.slug], today)
        put_value(connection, _LATER, later)


def put_off_today(connection: Connection, profile: Profile) -> frozenset[str]:
    """Return the slugs of the concepts whose suggestion was put off until tomorrow."""
    today = profile.today().isoformat()
    later = read_value(connection, _LATER)
    if not isinstance(later, dict):
        return frozenset()
    return frozenset(slug for slug, day in later.items() if day == today)


def suggestion_of(concept: StoredConcept, facts: ConceptFacts) -> Suggestion | None:
    """Return the suggestion that the facts of a concept lead to; None for a joined one."""
    suggested = None if concept.joined_into_id is not None else suggest_state(facts)
    if suggested is None:
        return None
    return Suggestion(concept.slug, concept.title, concept.state, *suggested)
