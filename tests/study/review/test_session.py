"""The session: what is asked, taking answers, going back, and another process meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from studyattn.errors import InputError
from studyattn.home import Home
from studyattn.memory import New, Phase, Rating, Remembered
from studyattn.memory.order import Interleaving
from studyattn.store.models import BroughtBackRow, ConceptRow, ItemRow, ReviewRow
from studyattn.store.queries.items import ItemField
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.profile import Profile, open_profile
from studyattn.study.review import batch, item_actions, recorder
from studyattn.study.review.queue import due_items, interleave, read_day
from studyattn.study.review.rebuild import check_database, rebuild
from studyattn.study.review.session import ReviewSession
from studyattn.study.review.views import QueuePart, RenderedCard
from studyattn.study.statistics.today import today
from tests.study.conftest import NOON, AddItem


def asked(session: ReviewSession) -> list[str]:
    """The guids that a session asks when everything is easy."""
    guids = []
    while session.current is not None:
        guids.append(session.current.guid)
        session.answer(Rating.EASY)
    return guids


def memory(profile: Profile, guid: str) -> New | Remembered:
    with profile.database.read() as connection:
        return recorder.memory_of_item(connection, guid)


def log_length(profile: Profile) -> int:
    with profile.database.read() as connection:
        return len(connection.execute(select(ReviewRow.id)).all())


def test_a_session_goes_on_with_what_the_day_has_room_for_at_its_end(stocked_home: Home) -> None:
    clock = FixedClock(NOON)
    with open_profile(stocked_home, clock) as profile, ReviewSession(profile) as session:
        planned = [each.guid for each in due_items(profile)]
        asked = []
        while (card := session.current) is not None:
            asked.append(card.guid)
            session.answer(Rating.EASY, 10)
            clock.advance(timedelta(seconds=10))
        assert "attention:drill/dot-product" not in planned  # it waits for its cards
        assert "attention:drill/dot-product" in asked
        assert set(planned) < set(asked)
        assert due_items(profile) == []
        summary = session.summary()
        assert summary.done is not None
        assert summary.done.new == sum(":drill/" not in each for each in asked)
        assert summary.tomorrow == today(profile).tomorrow
        assert summary.tomorrow.new > 0


def test_a_session_of_chosen_cards_ends_with_them(stocked_home: Home) -> None:
    with open_profile(stocked_home, FixedClock(NOON)) as profile:
        first, *_ = [each.guid for each in due_items(profile)]
        with ReviewSession(profile, only=(first,)) as session:
            session.answer(Rating.EASY)
            assert session.current is None


def test_new_cards_come_with_prerequisites_first(profile: Profile, add: AddItem) -> None:
    later, earlier = add("second"), add("first")
    with ReviewSession(profile) as session:
        assert asked(session) == [earlier, later]


def test_the_interval_on_the_button_is_the_one_given(profile: Profile, add: AddItem) -> None:
    add()
    with ReviewSession(profile) as session:
        choices = {choice.rating: choice for choice in session.choices()}
        assert [choices[rating].interval for rating in Rating][:3] == ["1 min", "6 min", "10 min"]
        answered = session.answer(Rating.EASY)
        assert isinstance(answered.after, Remembered)
        assert answered.after.due == choices[Rating.EASY].due


def test_a_failed_card_comes_back_in_the_session(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    first, second = add(), add()
    with ReviewSession(profile) as session:
        session.answer(Rating.AGAIN)
        assert session.current is not None
        assert session.current.guid == second
        clock.advance(timedelta(minutes=2))
        session.answer(Rating.EASY)
        assert session.current is not None
        assert session.current.guid == first
        assert session.progress.done == 2
        assert session.progress.left == left(learning=1)


def left(*, new: int = 0, learning: int = 0, due: int = 0) -> dict[QueuePart, int]:
    """What `Progress.left` says."""
    return {QueuePart.NEW: new, QueuePart.LEARNING: learning, QueuePart.DUE: due}


def test_what_is_left_is_counted_by_kind(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    known = [add() for _ in range(2)]
    with ReviewSession(profile) as session:
        asked(session)
    clock.advance(timedelta(days=90))
    guids = [add() for _ in range(2)]
    with ReviewSession(profile) as session:
        assert shown(session).guid in known
        assert session.progress.left == left(new=2, due=2)
        session.answer(Rating.AGAIN)
        assert session.progress.left == left(new=2, learning=1, due=1)
        session.answer(Rating.GOOD)
        assert shown(session).guid == guids[0]
        assert session.progress.left == left(new=2, learning=1)
        session.answer(Rating.GOOD)
        assert session.progress.left == left(new=1, learning=2)
        session.undo()
        assert session.progress.left == left(new=2, learning=1)
        session.undo()
        assert session.progress.left == left(new=2, learning=1, due=1)
        session.redo()
        session.bury()
        assert session.progress.left == left(new=1, learning=1)
        assert asked(session)
        assert session.progress.left == left()


@pytest.mark.parametrize("ratings", ["3", "13", "1233", "43"])
def test_the_share_done_never_falls_and_is_whole_at_the_end(
    profile: Profile, add: AddItem, clock: FixedClock, ratings: str
) -> None:
    for _ in range(15):
        add()
    with ReviewSession(profile) as session:
        shares = [session.progress.share]
        for rating in ratings * 10 + "4" * 50:
            if session.current is None:
                break
            session.answer(Rating(int(rating)))
            clock.advance(timedelta(minutes=1))
            shares.append(session.progress.share)
            clock.advance(timedelta(seconds=30))  # steps come near while nothing is done
            shares.append(session.progress.share)
        assert shares == sorted(shares)
        assert (shares[0], shares[-1]) == (0, 1)
        assert max(shares[:-2]) < 1


def test_cards_that_come_back_move_the_share_done_by_nothing(
    profile: Profile, add: AddItem
) -> None:
    for _ in range(3):
        add()
    later = add()
    profile.change_setting("new_per_day", "3")
    with ReviewSession(profile) as session:
        session.answer(Rating.EASY)
        before = session.progress.share
        with profile.database.write() as connection:
            connection.execute(
                insert(BroughtBackRow).values(
                    uuid="back",
                    item_guid=later,
                    attempt_uuid="attempt",
                    misconception="seen",
                    reason="seen in t: a mistake",
                    at=NOON,
                    learner_day=NOON.date(),
                )
            )
        assert session.refresh() == 1
        assert session.progress.left == left(new=3)
        assert session.progress.share == before
        session.undo()
        assert session.progress.share == 0


def test_a_step_that_ends_later_than_it_would_wait_ends_the_session(
    profile: Profile, add: AddItem
) -> None:
    add()
    profile.change_setting("learning_steps", "1h")
    with ReviewSession(profile) as session:
        session.answer(Rating.AGAIN)
        assert session.current is None
        assert session.next_due == NOON + timedelta(hours=1)


def test_undo_has_no_end_and_survives_a_restart(profile: Profile, add: AddItem) -> None:
    guids = [add() for _ in range(4)]
    with ReviewSession(profile) as session:
        asked(session)
    with ReviewSession(profile) as session:
        for guid in reversed(guids):
            undone = session.undo()
            assert undone is not None
            assert undone.guid == guid
            assert session.current is not None
            assert session.current.guid == guid
        assert session.undo() is None
    assert all(memory(profile, guid) == New() for guid in guids)
    assert log_length(profile) == 8


def test_redo_gives_the_same_memory(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    guid = add()
    with ReviewSession(profile) as session:
        session.answer(Rating.GOOD)
        before = memory(profile, guid)
        for _ in range(3):
            session.undo()
            clock.advance(timedelta(minutes=1))
            assert memory(profile, guid) == New()
            session.redo()
            assert memory(profile, guid) == before
        session.undo()
        session.answer(Rating.HARD)
        assert session.redo() is None


def test_undo_from_the_command_and_what_it_took_back_restored(
    profile: Profile, add: AddItem
) -> None:
    guid = add()
    answered = batch.answer(profile, guid, Rating.GOOD)
    before = memory(profile, guid)
    assert recorder.undo(profile) is not None
    assert recorder.undo(profile) is None
    assert recorder.restore(profile, answered.review.uuid) is not None
    assert memory(profile, guid) == before
    assert recorder.restore(profile, answered.review.uuid) is None
    assert check_database(profile.home) == []


def test_undo_passes_over_imported_reviews(profile: Profile, add: AddItem) -> None:
    mine, imported = add(), add()
    batch.answer(profile, mine, Rating.GOOD)
    path = profile.home.root / "log.jsonl"
    path.write_text(f'{{"guid": "{imported}", "rating": 3, "at": "2026-01-01T12:00:00Z"}}\n')
    batch.answer_many(profile, path, origin="import")
    withdrawn = recorder.undo(profile)
    assert withdrawn is not None
    assert withdrawn.review.item_guid == mine
    assert recorder.undo(profile) is None


def shown(session: ReviewSession) -> RenderedCard:
    """What is asked now."""
    current = session.current
    assert current is not None
    return current


def test_bury_suspend_mark_and_edit_can_be_taken_back(profile: Profile, add: AddItem) -> None:
    first, second = add(), add()
    with ReviewSession(profile) as session:
        session.bury()
        assert shown(session).guid == second
        session.undo()
        assert shown(session).guid == first
        session.suspend()
        assert shown(session).guid == second
        session.undo()
        assert shown(session).guid == first
        assert session.mark()
        assert shown(session).marked
        session.undo()
        assert not shown(session).marked
        assert session.edit("New question", "New answer").front == "New question"
        session.undo()
        assert shown(session).front == "Why?"
        with pytest.raises(InputError):
            session.edit("  ", "")
        session.redo()
        assert shown(session).front == "New question"


def test_buried_comes_back_the_next_learner_day(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    item_actions.change(profile, guid, ItemField.BURIED, profile.today() + timedelta(days=1))
    assert due_items(profile) == []
    clock.advance(timedelta(hours=14))  # 02:00 UTC is 03:00 on the learner's clock: still today
    assert due_items(profile) == []
    clock.advance(timedelta(hours=1, minutes=1))
    assert [item.guid for item in due_items(profile)] == [guid]


def test_one_sibling_a_day(profile: Profile, add: AddItem, clock: FixedClock) -> None:
    group = [add(siblings="s"), add(siblings="s"), add(siblings="s")]
    other = add()
    with ReviewSession(profile) as session:
        assert asked(session) == [group[0], other]
    assert due_items(profile) == []
    clock.advance(timedelta(days=1))
    assert [item.guid for item in due_items(profile)] == [group[1]]


def test_interleaving(profile: Profile, add: AddItem) -> None:
    cards_, drills = [add() for _ in range(4)], [add("second", kind="drill") for _ in range(2)]
    profile.change_setting("drills_per_day", "2")
    profile.change_setting("minutes_per_day", "0")
    items = {item.guid: item for item in due_items(profile)}
    both = [items[guid] for guid in cards_], [items[guid] for guid in drills]

    def order(how: Interleaving) -> list[str]:
        return [item.guid for item in interleave([*both[0], *both[1]], how)]

    assert order(Interleaving.FIRST) == [*drills, *cards_]
    assert order(Interleaving.LAST) == [*cards_, *drills]
    assert order(Interleaving.CARDS_ONLY) == cards_
    mixed = order(Interleaving.MIXED)
    assert sorted(mixed) == sorted([*cards_, *drills])
    assert mixed[0] == cards_[0]
    assert mixed[-1] == cards_[-1]


def test_what_another_process_answered_is_not_asked_again(profile: Profile, add: AddItem) -> None:
    first, second = add(), add()
    with ReviewSession(profile) as session:
        batch.answer(profile, second, Rating.EASY)
        assert asked(session) == [first]


def test_a_leech_is_offered_and_not_hidden(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    profile.change_setting("leech_lapses", "2")
    profile.change_setting("relearning_steps", "")
    batch.answer(profile, guid, Rating.EASY)
    offers = []
    for _ in range(2):
        clock.advance(timedelta(days=40))
        with ReviewSession(profile) as session:
            answered = session.answer(Rating.AGAIN)
            offers.append(session.leech(answered))
    assert offers[0] is None
    assert offers[1] is not None
    assert offers[1].concept_slug == "first"
    assert offers[1].lapses == 2
    clock.advance(timedelta(days=40))
    assert [item.guid for item in due_items(profile)] == [guid]


def test_a_leech_of_a_joined_concept_is_offered_by_the_name_it_has_now(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    guid = add("second")
    board.merge(profile, "second", into="first")
    profile.change_setting("leech_lapses", "1")
    batch.answer(profile, guid, Rating.EASY)
    clock.advance(timedelta(days=40))
    with ReviewSession(profile) as session:
        offer = session.leech(session.answer(Rating.AGAIN))
    assert offer is not None
    assert (offer.concept_slug, offer.concept_title) == ("first", "First")


def test_later_today_counts_steps_only_of_today(profile: Profile, add: AddItem) -> None:
    guid = add()
    batch.answer(profile, guid, Rating.GOOD)
    day = read_day(profile)
    assert day.items == ()
    assert day.later == ((NOON + timedelta(minutes=10), guid),)


def test_a_joined_concept_lends_its_name(profile: Profile, add: AddItem) -> None:
    guid = add("first")
    with profile.database.write() as connection:
        connection.execute(update(ConceptRow).where(ConceptRow.id == 1).values(joined_into_id=2))
    assert due_items(profile)[0].concept_slug == "second"
    with ReviewSession(profile) as session:
        assert session.current is not None
        assert session.current.guid == guid
        assert session.current.concept_title == "Second"


def test_a_change_of_scheduling_recomputes_and_rebuild_finds_nothing(
    profile: Profile, add: AddItem
) -> None:
    guid = add()
    batch.answer(profile, guid, Rating.EASY)
    before = memory(profile, guid)
    profile.change_setting("desired_retention", "0.8")
    after = memory(profile, guid)
    assert isinstance(before, Remembered)
    assert isinstance(after, Remembered)
    assert after.due > before.due
    assert after.phase is Phase.REVIEW
    assert rebuild(profile).changed == ()


def test_check_sees_memory_that_is_not_the_fold(profile: Profile, add: AddItem) -> None:
    guid = add()
    batch.answer(profile, guid, Rating.EASY)
    with profile.database.write() as connection:
        connection.execute(update(ItemRow).where(ItemRow.guid == guid).values(stability=99.0))
    assert check_database(profile.home) == [f"{guid}: its memory state does not match the log"]
    assert rebuild(profile).changed == (guid,)
    assert check_database(profile.home) == []
