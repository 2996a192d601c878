"""Suggested changes of concepts' states: collect the facts, ask the rules, keep the answers.

Which state the facts suggest is decided in `study.rules.evidence`; the learner accepts a suggestion
or puts it off until the next learner day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from studyattn.memory import MemoryState, New, Remembered, effective_reviews
from studyattn.memory.state import drill_id
from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import changes_of, record_change
from studyattn.store.queries.concepts import (
    StoredConcept,
    all_concepts,
    concepts_to_judge,
    find_concept,
    forgotten_since,
    pack_slugs,
)
from studyattn.store.queries.item_search import ListedItem, items_of_concept
from studyattn.store.queries.practice import attempt_outcomes
from studyattn.store.queries.settings import put_value, read_value
from studyattn.store.vocabulary import DRILL, KNOWN, LEARNER, PROGRAM, UNDO
from studyattn.study.practice.mistakes import mistakes_seen
from studyattn.study.profile import Profile
from studyattn.study.records import log_of
from studyattn.study.review.views import Suggestion
from studyattn.study.rules.concept_changes import effective_changes
from studyattn.study.rules.evidence import HELD_DAYS, ConceptFacts, FailedDrill, suggest_state
from studyattn.study.rules.mistakes import MistakeSeen

_LATER = "suggestions.later"

Seen = Mapping[str, tuple[MistakeSeen, ...]]
"""Mistakes in code by the slug of the concept that they belong to."""


def suggestions(profile: Profile, *, most: int | None = None) -> list[Suggestion]:
    """Return the changes that the evidence suggests, without those put off until tomorrow.

    With `most` no more are looked for than that.
    """
    found: list[Suggestion] = []
    with profile.database.read() as connection:
        later = put_off_today(connection, profile)
        seen = mistakes_seen(connection)
        concepts = all_concepts(connection)
        judged = concepts_to_judge(connection, held=HELD_DAYS) | _mistaken(concepts, seen)
        for concept in concepts:
            if len(found) == most:
                break
            if concept.id in judged and concept.slug not in later:
                suggestion = _suggest(connection, profile, concept, seen)
                found += [] if suggestion is None else [suggestion]
    return found


def _mistaken(concepts: Iterable[StoredConcept], seen: Seen) -> set[int]:
    """Return the concepts that mistakes belong to, or to one that is joined into them."""
    return {
        concept.joined_into_id or concept.id
        for concept in concepts
        if concept.slug in seen or concept.slug.removeprefix(f"{concept.pack}-") in seen
    }


def suggestion_for(connection: Connection, profile: Profile, slug: str) -> Suggestion | None:
    """Return the suggestion for one concept, put off or not. Raises NotFoundError."""
    concept = find_concept(connection, slug)
    return _suggest(connection, profile, concept, mistakes_seen(connection))


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


def mistakes_of(
    connection: Connection, concept: StoredConcept, seen: Seen
) -> tuple[MistakeSeen, ...]:
    """Return the misconceptions that belong to a concept or one joined into it, latest first."""
    if not seen:
        return ()
    found = [each for slug in pack_slugs(connection, concept.id) for each in seen.get(slug, ())]
    return tuple(sorted(found, key=lambda each: each.last, reverse=True))


def facts_of(
    connection: Connection,
    profile: Profile,
    concept: StoredConcept,
    items: Sequence[ListedItem],
    seen: Seen,
) -> ConceptFacts:
    """Collect what the rules of evidence read of a concept with these items."""
    asked = [item for item in items if not item.suspended]
    changes = changes_of(connection, concept.id)
    effective = effective_changes(changes)
    since = changes[effective[-1]].at if effective else None
    drills = [item.guid for item in asked if item.kind == DRILL]
    attempts = attempt_outcomes(connection, drills)
    passed_on = {
        (each.guid, each.learner_day)
        for each in attempts
        if each.verdict == "passed" and not each.revealed
    }
    last = {each.guid: each.verdict for each in attempts}
    mistakes = mistakes_of(connection, concept, seen)
    lapses, failed = 0, None
    if since is not None and concept.state == KNOWN:
        for guid in forgotten_since(connection, concept.id, since) & {each.guid for each in asked}:
            reviews = effective_reviews(log_of(connection, guid))
            before = [each for each in reviews if each.at <= since]
            replay = profile.scheduler.replay
            lapses += _lapses(replay(guid, New(), reviews)) - _lapses(replay(guid, New(), before))
        for each in attempts:
            if each.at > since and each.verdict != "passed":
                failed = FailedDrill(drill_id(each.guid), each.at)
    return ConceptFacts(
        state=concept.state,
        stabilities=tuple(item.stability for item in asked if item.kind != DRILL),
        drill_days={
            drill_id(drill): sum(guid == drill for guid, _ in passed_on) for drill in drills
        },
        unpassed=tuple(drill_id(guid) for guid, verdict in last.items() if verdict != "passed"),
        mistake=mistakes[0].title
        if mistakes and (since is None or mistakes[0].last > since)
        else None,
        since=since,
        lapses=lapses,
        failed=failed,
    )


def suggestion_of(concept: StoredConcept, facts: ConceptFacts) -> Suggestion | None:
    """Return the suggestion that the facts of a concept lead to; None for a joined one."""
    suggested = None if concept.joined_into_id is not None else suggest_state(facts)
    if suggested is None:
        return None
    return Suggestion(concept.slug, concept.title, concept.state, *suggested)


def _suggest(
    connection: Connection, profile: Profile, concept: StoredConcept, seen: Seen
) -> Suggestion | None:
    items = items_of_concept(connection, concept.id)
    return suggestion_of(concept, facts_of(connection, profile, concept, items, seen))


def _lapses(state: MemoryState) -> int:
    return state.lapses if isinstance(state, Remembered) else 0
