"""States, evidence and suggestions with their reasons; joining, parting, notes, today."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.errors import InputError, NotFoundError
from studyattn.memory import Rating
from studyattn.store.models import Attempt, Item
from studyattn.study import answers, conceptpage, concepts, notes, suggestions
from studyattn.study.clock import FixedClock
from studyattn.study.learner import Learner
from studyattn.study.statistics import statistics
from studyattn.study.today import today
from tests.study.conftest import AddItem


def hold(learner: Learner, guid: str, days: float) -> None:
    with learner.database.write() as connection:
        connection.execute(update(Item).where(Item.guid == guid).values(stability=days))


def attempt(learner: Learner, guid: str, verdict: str, *, revealed: bool = False) -> None:
    moment = learner.moment()
    report = {
        "diagnosis": [
            {"misconceptions": ["scale-missing"], "title": "No scale", "concept": "first"}
        ]
    }
    with learner.database.write() as connection:
        connection.execute(
            insert(Attempt).values(
                uuid=f"{guid}{moment.at.isoformat()}"[:36] + verdict,
                item_guid=guid,
                at=moment.at,
                utc_offset=0,
                learner_day=learner.day_of(moment),
                code="",
                backend="torch",
                device="cpu",
                verdict=verdict,
                report=report if verdict == "wrong" else {},
                revealed=revealed,
            )
        )


def suggested(learner: Learner) -> list[tuple[str, str]]:
    return [(each.slug, each.to_state) for each in suggestions.suggestions(learner)]


def test_known_is_suggested_when_every_card_holds(learner: Learner, add: AddItem) -> None:
    first, second = add(), add()
    hold(learner, first, 30)
    hold(learner, second, 20.9)
    assert suggested(learner) == []
    hold(learner, second, 21)
    (suggestion,) = suggestions.suggestions(learner)
    assert suggestion.reason == "Every card holds for 21 days or more."
    assert suggestions.accept(learner, suggestion)
    assert suggested(learner) == []
    change = conceptpage.show_concept(learner, "first").changes[-1]
    assert (change.to_state, change.reason) == ("known", suggestion.reason)


def test_a_drill_has_to_be_passed_on_two_days_without_its_solution(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    card, drill = add(), add(kind="drill")
    hold(learner, card, 40)
    attempt(learner, drill, "passed")
    clock.advance(timedelta(minutes=5))
    attempt(learner, drill, "passed")
    assert suggested(learner) == []
    clock.advance(timedelta(days=1))
    attempt(learner, drill, "passed", revealed=True)
    assert suggested(learner) == []
    clock.advance(timedelta(days=1))
    attempt(learner, drill, "passed")
    assert suggested(learner) == [("first", "known")]


def test_put_off_until_tomorrow(learner: Learner, add: AddItem, clock: FixedClock) -> None:
    hold(learner, add(), 40)
    suggestions.put_off(learner, suggestions.suggestions(learner)[0])
    assert suggested(learner) == []
    clock.advance(timedelta(days=1))
    assert suggested(learner) == [("first", "known")]


def test_a_lapse_speaks_against_known(learner: Learner, add: AddItem, clock: FixedClock) -> None:
    guid = add()
    answers.answer(learner, guid, Rating.EASY)
    clock.advance(timedelta(days=30))
    answers.answer(learner, guid, Rating.AGAIN)
    clock.advance(timedelta(minutes=1))
    concepts.set_state(learner, "first", "known")
    assert suggested(learner) == []  # it was forgotten before the learner called it known
    clock.advance(timedelta(minutes=20))
    answers.answer(learner, guid, Rating.EASY)
    clock.advance(timedelta(days=30))
    answers.answer(learner, guid, Rating.AGAIN)
    (suggestion,) = suggestions.suggestions(learner)
    assert suggestion.to_state == "known-unknown"
    assert suggestion.reason.startswith("A card of it was forgotten since")
    answers.undo(learner)
    assert suggested(learner) == []


def test_a_mistake_in_code_speaks_against_known(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    drill = add(kind="drill")
    concepts.set_state(learner, "first", "known")
    clock.advance(timedelta(minutes=1))
    attempt(learner, drill, "wrong")
    (suggestion,) = suggestions.suggestions(learner)
    assert "No scale" in suggestion.reason
    (mistake,) = conceptpage.show_concept(learner, "first").mistakes
    assert (mistake.misconception, mistake.times) == ("scale-missing", 1)


def test_states_are_the_three_and_changes_are_kept(learner: Learner) -> None:
    assert concepts.set_state(learner, "first", "known-unknown", "read about it")
    assert not concepts.set_state(learner, "first", "known-unknown")
    concepts.set_state(learner, "first", "unseen")
    changes = conceptpage.show_concept(learner, "first").changes
    assert [(each.from_state, each.to_state) for each in changes] == [
        ("unseen", "known-unknown"),
        ("known-unknown", "unseen"),
    ]
    with pytest.raises(InputError):
        concepts.set_state(learner, "first", "learnt")
    with pytest.raises(NotFoundError):
        concepts.set_state(learner, "third", "known")


def test_merge_and_part(learner: Learner, add: AddItem) -> None:
    guid = add("first")
    concepts.set_state(learner, "first", "known-unknown")
    concepts.merge(learner, "first", "second")
    page = conceptpage.show_concept(learner, "second")
    assert [item.guid for item in page.items] == [guid]
    assert page.joined == (("first", "First"),)
    assert page.line.state == "known-unknown"
    with pytest.raises(InputError):
        concepts.merge(learner, "second", "first")
    assert concepts.part(learner, "first") == "second"
    apart = conceptpage.show_concept(learner, "second")
    assert apart.items == ()
    assert apart.line.state == "unseen"  # nothing but the joining had moved it
    assert conceptpage.show_concept(learner, "first").items[0].guid == guid


def test_a_concept_that_was_moved_after_it_was_joined_stays_so_when_parted(
    learner: Learner,
) -> None:
    concepts.set_state(learner, "first", "known-unknown")
    concepts.merge(learner, "first", "second")
    concepts.set_state(learner, "second", "known")
    concepts.part(learner, "first")
    assert conceptpage.show_concept(learner, "second").line.state == "known"


def test_today_counts_what_stands(learner: Learner, add: AddItem, clock: FixedClock) -> None:
    guids = [add() for _ in range(3)]
    answers.answer(learner, guids[0], Rating.EASY)
    answers.answer(learner, guids[1], Rating.GOOD)
    now = today(learner)
    assert (now.new, now.cards_now, now.later, now.answered, now.streak) == (1, 0, 1, 2, 1)
    assert now.spark[-1] == 2
    answers.undo(learner)
    answers.undo(learner)
    now = today(learner)
    assert (now.new, now.answered, now.streak) == (3, 0, 0)
    assert statistics(learner).reviews == 0
    answers.answer(learner, guids[0], Rating.EASY)
    clock.advance(timedelta(days=1))
    answers.answer(learner, guids[1], Rating.EASY)
    assert today(learner).streak == 2
    clock.advance(timedelta(days=1))
    assert today(learner).streak == 2  # today's session may still come
    clock.advance(timedelta(days=1))
    assert today(learner).streak == 0


def test_retention_counts_the_first_answer_of_a_later_day(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    answers.answer(learner, guid, Rating.EASY)
    assert statistics(learner).retention is None
    clock.advance(timedelta(days=5))
    answers.answer(learner, guid, Rating.AGAIN)
    answers.answer(learner, guid, Rating.GOOD)
    clock.advance(timedelta(days=5))
    answers.answer(learner, guid, Rating.GOOD)
    figures = statistics(learner)
    assert (figures.retention, figures.retention_of) == (0.5, 2)


def test_notes(learner: Learner, clock: FixedClock) -> None:
    made = notes.add_note(learner, "# Title\n\ntext", concept="first")
    assert (made.title, made.concept) == ("Title", "first")
    clock.advance(timedelta(hours=1))
    edited = notes.edit_note(learner, made.id, "other")
    assert edited.updated_at > edited.created_at
    assert notes.list_notes(learner, "first") == [edited]
    assert notes.list_notes(learner, "second") == []
    assert notes.remove_note(learner, made.id) == edited
    with pytest.raises(NotFoundError):
        notes.show_note(learner, made.id)
