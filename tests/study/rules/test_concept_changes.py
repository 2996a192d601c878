"""Which changes of states are in effect, and the move that undo takes back."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from studyattn.store.queries.concept_changes import ConceptChange
from studyattn.store.vocabulary import LEARNER, STATES, UNDO
from studyattn.study.rules.concept_changes import effective_changes, move_to_undo


def move(before: str, after: str, author: str = LEARNER) -> ConceptChange:
    return ConceptChange(datetime(2026, 1, 5, tzinfo=UTC), before, after, "", author)


def test_an_undo_cancels_the_move_that_it_turned_round() -> None:
    """Of two merged histories: between a move and its undo is one of the other machine."""
    changes = [
        move("unseen", "known"),
        move("known", "known-unknown"),  # the other machine's
        move("known", "unseen", UNDO),
        move("known", "known-unknown", UNDO),  # of a move that is not here
    ]
    assert effective_changes(changes) == [1, 3]


def test_undo_goes_back_through_all_concepts_and_past_those_moved_since() -> None:
    first, second = 1, 2
    changes = [
        (second, move("unseen", "known")),
        (first, move("unseen", "known-unknown")),
        (first, move("known-unknown", "known", "import")),
    ]
    assert move_to_undo(changes) == (second, "unseen")
    assert move_to_undo(changes[:2]) == (first, "unseen")
    assert move_to_undo([*changes, (second, move("known", "unseen", UNDO))]) is None
    assert move_to_undo([]) is None


@given(st.lists(st.tuples(st.integers(1, 2), st.sampled_from(STATES)), max_size=8))
def test_undoing_every_move_leads_back_to_the_beginning(wishes: list[tuple[int, str]]) -> None:
    states = {1: "unseen", 2: "unseen"}
    changes: list[tuple[int, ConceptChange]] = []
    for concept, state in wishes:
        if states[concept] != state:
            changes.append((concept, move(states[concept], state)))
            states[concept] = state
    made = len(changes)
    for _ in range(made):
        undo = move_to_undo(changes)
        assert undo is not None
        concept, state = undo
        changes.append((concept, move(states[concept], state, UNDO)))
        states[concept] = state
    assert states == {1: "unseen", 2: "unseen"}
    assert move_to_undo(changes) is None
