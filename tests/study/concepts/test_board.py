"""States, evidence and suggestions with their reasons; joining, parting, notes, today."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.errors import InputError, NotFoundError
from studyattn.memory import Rating
from studyattn.store.models import AttemptRow, ItemRow
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board, concept_page, suggestions
from studyattn.study.notes import notes
from studyattn.study.profile import Profile
from studyattn.study.review import batch, recorder
from studyattn.study.statistics.today import today
from studyattn.study.statistics.totals import statistics
from tests.study.conftest import AddItem


def hold(profile: Profile, guid: str, days: float) -> None:
    with profile.database.write() as connection:
        connection.execute(update(ItemRow).where(ItemRow.guid == guid).values(stability=days))


def attempt(profile: Profile, guid: str, verdict: str, *, revealed: bool = False) -> None:
    moment = profile.moment()
    report = {
        "diagnosis": [
            {"misconceptions": ["scale-missing"], "title": "No scale", "concept": "first"}
        ]
    }
    with profile.database.write() as connection:
        connection.execute(
            insert(AttemptRow).values(
                uuid=f"{guid}{moment.at.isoformat()}"[:36] + verdict,
                item_guid=guid,
                at=moment.at,
                utc_offset=0,
                learner_day=profile.day_of(moment),
                code="",
                backend="torch",
                device="cpu",
                verdict=verdict,
                report=report if verdict == "wrong" else {},
                revealed=revealed,
            )
        )


def suggested(profile: Profile) -> list[tuple[str, str]]:
    return [(each.slug, each.to_state) for each in suggestions.suggestions(profile)]


def test_known_is_suggested_when_every_card_holds(profile: Profile, add: AddItem) -> None:
    first, second = add(), add()
    hold(profile, first, 30)
    hold(profile, second, 20.9)
    assert suggested(profile) == []
    hold(profile, second, 21)
    (suggestion,) = suggestions.suggestions(profile)
    assert suggestion.reason == "Every card is stable for 21 days or more."
    assert suggestions.accept(profile, suggestion)
    assert suggested(profile) == []
    change = concept_page.show_concept(profile, "first").changes[-1]
    assert (change.to_state, change.reason) == ("known", suggestion.reason)


def test_the_program_moves_a_concept_only_where_the_setting_lets_it_and_once(
    profile: Profile, add: AddItem
) -> None:
    hold(profile, add(), 30)
    assert suggestions.move_on_evidence(profile) == ()
    profile.change_setting("move_on_evidence", "on")
    (moved,) = suggestions.move_on_evidence(profile)
    assert (moved.slug, moved.to_state) == ("first", "known")
    change = concept_page.show_concept(profile, "first").changes[-1]
    assert (change.author, change.reason) == ("program", moved.reason)
    assert suggestions.move_on_evidence(profile) == ()
    assert board.undo_move(profile) is not None
    assert suggestions.move_on_evidence(profile) == ()
    assert suggested(profile) == [("first", "known")]


def test_a_drill_that_failed_last_is_not_known_whatever_was_passed_before(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    hold(profile, add(), 40)
    drill = add(kind="drill")
    for verdict in ("passed", "passed", "wrong"):
        attempt(profile, drill, verdict)
        clock.advance(timedelta(days=1))
    profile.change_setting("move_on_evidence", "on")
    assert [each.to_state for each in suggestions.move_on_evidence(profile)] == ["known-unknown"]
    assert suggestions.move_on_evidence(profile) == ()
    attempt(profile, drill, "passed")
    assert [each.to_state for each in suggestions.move_on_evidence(profile)] == ["known"]


def test_a_drill_has_to_be_passed_on_two_days_without_its_solution(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    card, drill = add(), add(kind="drill")
    hold(profile, card, 40)
    attempt(profile, drill, "passed")
    clock.advance(timedelta(minutes=5))
    attempt(profile, drill, "passed")
    assert suggested(profile) == []
    clock.advance(timedelta(days=1))
    attempt(profile, drill, "passed", revealed=True)
    assert suggested(profile) == []
    clock.advance(timedelta(days=1))
    attempt(profile, drill, "passed")
    assert suggested(profile) == [("first", "known")]


def test_the_first_suggestion_is_that_of_the_first_concept_that_has_one(
    profile: Profile, add: AddItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studyattn.store.queries.concepts._AT_ONCE", 1)
    hold(profile, add(), 40)
    hold(profile, add(concept="second"), 40)
    first, second = suggestions.suggestions(profile)
    assert {first.slug, second.slug} == {"first", "second"}
    assert suggestions.suggestions(profile, most=1) == [first]
    suggestions.put_off(profile, first)
    assert suggestions.suggestions(profile, most=1) == [second]


def test_put_off_until_tomorrow(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    hold(profile, add(), 40)
    suggestions.put_off(profile, suggestions.suggestions(profile)[0])
    assert suggested(profile) == []
    clock.advance(timedelta(days=1))
    assert suggested(profile) == [("first", "known")]


def test_a_lapse_speaks_against_known(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    guid = add()
    batch.answer(profile, guid, Rating.EASY)
    clock.advance(timedelta(days=30))
    batch.answer(profile, guid, Rating.AGAIN)
    clock.advance(timedelta(minutes=1))
    board.set_state(profile, "first", "known")
    assert suggested(profile) == []  # it was forgotten before the learner called it known
    clock.advance(timedelta(minutes=20))
    batch.answer(profile, guid, Rating.EASY)
    clock.advance(timedelta(days=30))
    batch.answer(profile, guid, Rating.AGAIN)
    (suggestion,) = suggestions.suggestions(profile)
    assert suggestion.to_state == "known-unknown"
    assert suggestion.reason.startswith("One of its cards was forgotten since")
    recorder.undo(profile)
    assert suggested(profile) == []


def test_a_mistake_in_code_speaks_against_known(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    drill = add(kind="drill")
    board.set_state(profile, "first", "known")
    clock.advance(timedelta(minutes=1))
    attempt(profile, drill, "wrong")
    (suggestion,) = suggestions.suggestions(profile)
    assert "No scale" in suggestion.reason
    (mistake,) = concept_page.show_concept(profile, "first").mistakes
    assert (mistake.misconception, mistake.times) == ("scale-missing", 1)


def test_states_are_the_three_and_changes_are_kept(profile: Profile) -> None:
    assert board.set_state(profile, "first", "known-unknown", "read about it")
    assert not board.set_state(profile, "first", "known-unknown")
    board.set_state(profile, "first", "unseen")
    changes = concept_page.show_concept(profile, "first").changes
    assert [(each.from_state, each.to_state) for each in changes] == [
        ("unseen", "known-unknown"),
        ("known-unknown", "unseen"),
    ]
    with pytest.raises(InputError):
        board.set_state(profile, "first", "learnt")
    with pytest.raises(NotFoundError):
        board.set_state(profile, "third", "known")


def test_merge_and_part(profile: Profile, add: AddItem) -> None:
    guid = add("first")
    board.set_state(profile, "first", "known-unknown")
    board.merge(profile, "first", "second")
    page = concept_page.show_concept(profile, "second")
    assert [item.guid for item in page.items] == [guid]
    assert page.joined == (("first", "First"),)
    assert page.line.state == "known-unknown"
    with pytest.raises(InputError):
        board.merge(profile, "second", "first")
    assert board.part(profile, "first") == "second"
    apart = concept_page.show_concept(profile, "second")
    assert apart.items == ()
    assert apart.line.state == "unseen"  # nothing but the joining had moved it
    assert concept_page.show_concept(profile, "first").items[0].guid == guid


def test_a_concept_that_was_moved_after_it_was_joined_stays_so_when_parted(
    profile: Profile,
) -> None:
    board.set_state(profile, "first", "known-unknown")
    board.merge(profile, "first", "second")
    board.set_state(profile, "second", "known")
    board.part(profile, "first")
    assert concept_page.show_concept(profile, "second").line.state == "known"


def test_today_counts_what_stands(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    guids = [add() for _ in range(3)]
    batch.answer(profile, guids[0], Rating.EASY)
    batch.answer(profile, guids[1], Rating.GOOD)
    now = today(profile)
    assert (now.new, now.cards_now, now.later, now.answered, now.streak) == (1, 0, 1, 2, 1)
    assert now.spark[-1] == 2
    recorder.undo(profile)
    recorder.undo(profile)
    now = today(profile)
    assert (now.new, now.answered, now.streak) == (3, 0, 0)
    assert statistics(profile).reviews == 0
    batch.answer(profile, guids[0], Rating.EASY)
    clock.advance(timedelta(days=1))
    batch.answer(profile, guids[1], Rating.EASY)
    assert today(profile).streak == 2
    clock.advance(timedelta(days=1))
    assert today(profile).streak == 2  # today's session may still come
    clock.advance(timedelta(days=1))
    assert today(profile).streak == 0


def test_retention_counts_the_first_answer_of_a_later_day(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    batch.answer(profile, guid, Rating.EASY)
    assert statistics(profile).retention is None
    clock.advance(timedelta(days=5))
    batch.answer(profile, guid, Rating.AGAIN)
    batch.answer(profile, guid, Rating.GOOD)
    clock.advance(timedelta(days=5))
    batch.answer(profile, guid, Rating.GOOD)
    figures = statistics(profile)
    assert (figures.retention, figures.retention_of) == (0.5, 2)


def test_notes(profile: Profile, clock: FixedClock) -> None:
    made = notes.add_note(profile, "# Title\n\ntext", concept="first")
    assert (made.title, made.concept) == ("Title", "first")
    clock.advance(timedelta(hours=1))
    edited = notes.edit_note(profile, made.id, "other")
    assert edited.updated_at > edited.created_at
    assert notes.list_notes(profile, "first") == [edited]
    assert notes.list_notes(profile, "second") == []
    assert notes.remove_note(profile, made.id) == edited
    with pytest.raises(NotFoundError):
        notes.show_note(profile, made.id)
