"""The changes of a concept's state that are in effect, and the one that undo takes back. Pure.

Rows of changes are only added, so taking a move back is a change of its own, by UNDO.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from studyattn.store.queries.concept_changes import ConceptChange
from studyattn.store.vocabulary import LEARNER, PROGRAM, UNDO


def effective_changes(changes: Sequence[ConceptChange]) -> list[int]:
    """Return the indices of a concept's changes, oldest first, that were not taken back.

    A change by UNDO takes back the last one in effect that went the other way. Where two databases
    were merged there may be none left; then it is a change like any other.
    """
    effective: list[int] = []
    for index, change in enumerate(changes):
        way_back = (change.to_state, change.from_state)
        undone = (
            each
            for each in reversed(effective)
            if (changes[each].from_state, changes[each].to_state) == way_back
        )
        taken_back = next(undone, None) if change.author == UNDO else None
        if taken_back is None:
            effective.append(index)
        else:
            effective.remove(taken_back)
    return effective


def move_to_undo(changes: Iterable[tuple[int, ConceptChange]]) -> tuple[int, str] | None:
    """Return the concept that was moved last, and the state to bring back; None for none.

    Moves are the learner's, and those that the learner lets the program make. `changes` are those
    of all concepts, each with its concept, oldest first. A concept that an import moved after them
    is passed over.
    """
    histories: dict[int, list[ConceptChange]] = defaultdict(list)
    places: dict[int, list[int]] = defaultdict(list)  # of a concept's changes among all
    for place, (concept_id, change) in enumerate(changes):
        histories[concept_id].append(change)
        places[concept_id].append(place)
    moves = []
    for concept_id, history in histories.items():
        effective = effective_changes(history)
        if effective and history[effective[-1]].author in {LEARNER, PROGRAM}:
            last = effective[-1]
            moves.append((places[concept_id][last], concept_id, history[last].from_state))
    return max(moves)[1:] if moves else None
