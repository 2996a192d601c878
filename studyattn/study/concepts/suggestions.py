"""Suggested changes of concepts' states: ask the rules, keep the answers.

The facts are collected by `facts`, and which state they suggest is decided in
`study.rules.evidence`; the learner accepts a suggestion or puts it off until the next learner day.
"""

from __future__ import annotations

from studyattn.store.database import Connection
from studyattn.store.queries.concept_changes import changes_of, record_change
from studyattn.store.queries.concepts import (
    StoredConcept,
    concepts_of_packs,
    concepts_to_judge,
    find_concept,
)
from studyattn.store.queries.settings import put_value, read_value
from studyattn.store.vocabulary import LEARNER, PROGRAM, UNDO
from studyattn.study.concepts.facts import facts_of
from studyattn.study.practice.mistakes import mistakes_seen
from studyattn.study.profile import Profile
from studyattn.study.review.views import Suggestion
from studyattn.study.rules.evidence import HELD_DAYS, ConceptFacts, suggest_state

_LATER = "suggestions.later"


def suggestions(profile: Profile, *, most: int | None = None) -> list[Suggestion]:
    """Return the changes that the evidence suggests, without those put off until tomorrow.

    With `most` no more are looked for than that.
    """
    found: list[Suggestion] = []
    with profile.database.read() as connection:
        later = put_off_today(connection, profile)
        seen = mistakes_seen(connection)
        mistaken = concepts_of_packs(connection, seen) if seen else set()
        for judged in concepts_to_judge(connection, held=HELD_DAYS, besides=mistaken):
            asked = [each for each in judged if each.slug not in later]
            if not asked:
                continue
            facts = facts_of(connection, profile.scheduler, asked, seen)
            proposed = (suggestion_of(each, facts[each.id]) for each in asked)
            found += [each for each in proposed if each is not None]
            if most is not None and len(found) >= most:
                break
    return found[:most]


def suggestion_for(connection: Connection, profile: Profile, slug: str) -> Suggestion | None:
    """Return the suggestion for one concept, put off or not. Raises NotFoundError."""
    concept = find_concept(connection, slug)
    facts = facts_of(connection, profile.scheduler, (concept,), mistakes_seen(connection))
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
