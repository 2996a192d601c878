"""The session: what is asked, taking answers, going back, and another process meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from studyattn.errors import InputError
from studyattn.memory import New, Phase, Rating, Remembered
from studyattn.store.models import BroughtBack, Concept, Item, Review
from studyattn.study import answers, cards, journal
from studyattn.study.clock import FixedClock
from studyattn.study.journal import Journal
from studyattn.study.learner import Learner
from studyattn.study.queue import due_items, interleave, read_day
from studyattn.study.rebuild import check_database, rebuild
from studyattn.study.records import MEMORY_COLUMNS, memory_of
from studyattn.study.session import ReviewSession
from studyattn.study.settings import Interleaving
from studyattn.study.statistics import statistics
from studyattn.study.timing import Kinds
from studyattn.study.views import Kind, Shown
from tests.study.conftest import NOON, AddItem


def asked(session: ReviewSession) -> list[str]:
    """The guids that a session asks when everything is easy."""
    guids = []
    while session.current is not None:
        guids.append(session.current.guid)
        session.answer(Rating.EASY)
    return guids


def memory(learner: Learner, guid: str) -> New | Remembered:
    with learner.database.read() as connection:
        return memory_of(connection.execute(select(*MEMORY_COLUMNS).where(Item.guid == guid)).one())


def log_length(learner: Learner) -> int:
    with learner.database.read() as connection:
        return len(connection.execute(select(Review.id)).all())


def test_new_cards_come_with_prerequisites_first(learner: Learner, add: AddItem) -> None:
    later, earlier = add("second"), add("first")
    with ReviewSession(learner) as session:
        assert asked(session) == [earlier, later]


def test_the_interval_on_the_button_is_the_one_given(learner: Learner, add: AddItem) -> None:
    add()
    with ReviewSession(learner) as session:
        choices = {choice.rating: choice for choice in session.choices()}
        assert [choices[rating].interval for rating in Rating][:3] == ["1 min", "6 min", "10 min"]
        answered = session.answer(Rating.EASY)
        assert isinstance(answered.after, Remembered)
        assert answered.after.due == choices[Rating.EASY].due


def test_a_failed_card_comes_back_in_the_session(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    first, second = add(), add()
    with ReviewSession(learner) as session:
        session.answer(Rating.AGAIN)
        assert session.current is not None
        assert session.current.guid == second
        clock.advance(timedelta(minutes=2))
        session.answer(Rating.EASY)
        assert session.current is not None
        assert session.current.guid == first
        assert session.progress.done == 2
        assert session.progress.left == left(learning=1)


def left(*, new: int = 0, learning: int = 0, due: int = 0) -> dict[Kind, int]:
    """What `Progress.left` says."""
    return {Kind.NEW: new, Kind.LEARNING: learning, Kind.DUE: due}


def test_what_is_left_is_counted_by_kind(learner: Learner, add: AddItem, clock: FixedClock) -> None:
    known = [add() for _ in range(2)]
    with ReviewSession(learner) as session:
        asked(session)
    clock.advance(timedelta(days=90))
    guids = [add() for _ in range(2)]
    with ReviewSession(learner) as session:
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
    learner: Learner, add: AddItem, clock: FixedClock, ratings: str
) -> None:
    for _ in range(15):
        add()
    with ReviewSession(learner) as session:
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
    learner: Learner, add: AddItem
) -> None:
    for _ in range(3):
        add()
    later = add()
    learner.change_setting("new_per_day", "3")
    with ReviewSession(learner) as session:
        session.answer(Rating.EASY)
        before = session.progress.share
        with learner.database.write() as connection:
            connection.execute(
                insert(BroughtBack).values(
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
    learner: Learner, add: AddItem
) -> None:
    add()
    learner.change_setting("learning_steps", "1h")
    with ReviewSession(learner) as session:
        session.answer(Rating.AGAIN)
        assert session.current is None
        assert session.next_due == NOON + timedelta(hours=1)


def test_undo_has_no_end_and_survives_a_restart(learner: Learner, add: AddItem) -> None:
    guids = [add() for _ in range(4)]
    with ReviewSession(learner) as session:
        asked(session)
    with ReviewSession(learner) as session:
        for guid in reversed(guids):
            undone = session.undo()
            assert undone is not None
            assert undone.guid == guid
            assert session.current is not None
            assert session.current.guid == guid
        assert session.undo() is None
    assert all(memory(learner, guid) == New() for guid in guids)
    assert log_length(learner) == 8


def test_redo_gives_the_same_memory(learner: Learner, add: AddItem, clock: FixedClock) -> None:
    guid = add()
    with ReviewSession(learner) as session:
        session.answer(Rating.GOOD)
        before = memory(learner, guid)
        for _ in range(3):
            session.undo()
            clock.advance(timedelta(minutes=1))
            assert memory(learner, guid) == New()
            session.redo()
            assert memory(learner, guid) == before
        session.undo()
        session.answer(Rating.HARD)
        assert session.redo() is None


def test_undo_from_the_command_and_what_it_took_back_restored(
    learner: Learner, add: AddItem
) -> None:
    guid = add()
    answered = answers.answer(learner, guid, Rating.GOOD)
    before = memory(learner, guid)
    assert answers.undo(learner) is not None
    assert answers.undo(learner) is None
    assert journal.restore(learner, answered.review.uuid) is not None
    assert memory(learner, guid) == before
    assert journal.restore(learner, answered.review.uuid) is None
    assert check_database(learner.home) == []


def test_undo_passes_over_imported_reviews(learner: Learner, add: AddItem) -> None:
    mine, imported = add(), add()
    answers.answer(learner, mine, Rating.GOOD)
    path = learner.home.root / "log.jsonl"
    path.write_text(f'{{"guid": "{imported}", "rating": 3, "at": "2026-01-01T12:00:00Z"}}\n')
    answers.answer_many(learner, path, origin="import")
    withdrawn = answers.undo(learner)
    assert withdrawn is not None
    assert withdrawn.review.item_guid == mine
    assert answers.undo(learner) is None


def shown(session: ReviewSession) -> Shown:
    """What is asked now."""
    current = session.current
    assert current is not None
    return current


def test_bury_suspend_mark_and_edit_can_be_taken_back(learner: Learner, add: AddItem) -> None:
    first, second = add(), add()
    with ReviewSession(learner) as session:
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
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    cards.bury(learner, guid)
    assert due_items(learner) == []
    clock.advance(timedelta(hours=14))  # 02:00 UTC is 03:00 on the learner's clock: still today
    assert due_items(learner) == []
    clock.advance(timedelta(hours=1, minutes=1))
    assert [item.guid for item in due_items(learner)] == [guid]


def test_one_sibling_a_day(learner: Learner, add: AddItem, clock: FixedClock) -> None:
    group = [add(siblings="s"), add(siblings="s"), add(siblings="s")]
    other = add()
    with ReviewSession(learner) as session:
        assert asked(session) == [group[0], other]
    assert due_items(learner) == []
    clock.advance(timedelta(days=1))
    assert [item.guid for item in due_items(learner)] == [group[1]]


def test_limits_count_what_was_done_today(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    guids = [add() for _ in range(6)]
    learner.change_setting("new_per_day", "3")
    with ReviewSession(learner) as session:
        session.answer(Rating.EASY)
    assert [item.guid for item in due_items(learner)] == guids[1:3]
    answers.undo(learner)
    assert len(due_items(learner)) == 3
    clock.advance(timedelta(days=1))
    learner.change_setting("new_per_day", "0")
    assert due_items(learner) == []


def test_reviews_over_the_limit_wait_and_the_latest_come_first(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    guids = [add() for _ in range(3)]
    learner.change_setting("reviews_per_day", "2")
    learner.change_setting("new_per_day", "0")
    with learner.database.write() as connection:
        for days, guid in zip((30, 10, 20), guids, strict=True):
            last = NOON - timedelta(days=days)
            connection.execute(
                update(Item)
                .where(Item.guid == guid)
                .values(
                    phase="review",
                    stability=float(days),
                    difficulty=5.0,
                    reps=1,
                    due=NOON - timedelta(days=4),
                    last_review=last,
                    last_day=last.date(),
                )
            )
    # Four days late means most for the card that was held for six days only.
    assert [item.guid for item in due_items(learner)] == [guids[1], guids[2]]


def test_a_drill_is_new_once_the_cards_of_its_concept_were_seen(
    learner: Learner, add: AddItem
) -> None:
    card, drill = add(), add(kind="drill")
    assert [item.guid for item in due_items(learner)] == [card]
    answers.answer(learner, card, Rating.EASY)
    assert [item.guid for item in due_items(learner)] == [drill]
    learner.change_setting("drills_per_day", "0")
    assert due_items(learner) == []


def test_a_days_minutes_hold_back_what_is_new(learner: Learner, add: AddItem) -> None:
    cards_ = [add() for _ in range(10)]
    assert [item.guid for item in due_items(learner)] == cards_
    learner.change_setting("minutes_per_day", "3")
    day = read_day(learner)
    assert [item.guid for item in day.items] == cards_[:3]
    assert day.put_off == 7
    assert day.seconds == pytest.approx(3 * 46)
    for guid in cards_[:2]:
        answers.answer(learner, guid, Rating.GOOD)
    # Answers that took no time at all make no room: the day's plan is the morning's.
    assert [item.guid for item in due_items(learner)] == [cards_[2]]
    steps = dict.fromkeys(cards_[:2])
    later = learner.moment().at + timedelta(minutes=15)
    assert [item.guid for item in due_items(learner, later)] == [*steps, cards_[2]]


def test_the_minutes_a_day_hold_back_new_cards_unless_they_are_0(
    learner: Learner, add: AddItem
) -> None:
    cards_ = [add() for _ in range(60)]
    learner.change_setting("new_per_day", "60")
    assert len(due_items(learner)) == int(20 * 60 / 46)  # 20 minutes is the default
    learner.change_setting("minutes_per_day", "21")
    assert len(due_items(learner)) == int(21 * 60 / 46)
    learner.change_setting("minutes_per_day", "0")
    assert [item.guid for item in due_items(learner)] == cards_


def test_the_days_minutes_follow_the_learners_own_pace(learner: Learner, add: AddItem) -> None:
    slow = [add() for _ in range(10)]
    learner.change_setting("new_per_day", "99")
    for guid in slow:
        with Journal(learner) as log:
            log.take(guid, Rating.EASY, learner.moment(NOON - timedelta(days=1)), 60.0)
    fresh = [add() for _ in range(10)]
    learner.change_setting("minutes_per_day", "10")
    assert [item.guid for item in due_items(learner)] == fresh[:3]  # 190 s each


def test_a_drill_of_a_pack_is_timed_by_its_level(learner: Learner, add: AddItem) -> None:
    kinds = Kinds(learner.home)
    assert kinds.of("attention:drill/softmax", None) == "drill-1"
    assert kinds.of("attention:drill/flash-attention", None) == "drill-5"
    assert kinds.of("attention:drill/unheard-of", None) == "drill-3"
    assert kinds.of("attention:softmax-what", "typed") == "typed"


def test_a_card_left_open_counts_five_minutes_and_the_log_keeps_the_hour(
    learner: Learner, add: AddItem
) -> None:
    add(), add()
    with ReviewSession(learner) as session:
        session.answer(Rating.EASY, 3600.0)
        session.answer(Rating.EASY, 8.0)
        assert session.progress.seconds == 308
        assert session.summary().seconds == 308
    with learner.database.read() as connection:
        assert set(connection.scalars(select(Review.seconds))) == {3600.0, 8.0}
    assert statistics(learner).seconds == 308
    drill = add(kind="drill")
    with Journal(learner) as log:
        log.take(drill, Rating.GOOD, learner.moment(), 1200.0)
    assert statistics(learner).seconds == 1508


def test_interleaving(learner: Learner, add: AddItem) -> None:
    cards_, drills = [add() for _ in range(4)], [add("second", kind="drill") for _ in range(2)]
    learner.change_setting("drills_per_day", "2")
    learner.change_setting("minutes_per_day", "0")
    items = {item.guid: item for item in due_items(learner)}
    both = [items[guid] for guid in cards_], [items[guid] for guid in drills]

    def order(how: Interleaving) -> list[str]:
        return [item.guid for item in interleave(*both, how)]

    assert order(Interleaving.FIRST) == [*drills, *cards_]
    assert order(Interleaving.LAST) == [*cards_, *drills]
    assert order(Interleaving.CARDS_ONLY) == cards_
    mixed = order(Interleaving.MIXED)
    assert sorted(mixed) == sorted([*cards_, *drills])
    assert mixed[0] == cards_[0]
    assert mixed[-1] == cards_[-1]


def test_what_another_process_answered_is_not_asked_again(learner: Learner, add: AddItem) -> None:
    first, second = add(), add()
    with ReviewSession(learner) as session:
        answers.answer(learner, second, Rating.EASY)
        assert asked(session) == [first]


def test_a_leech_is_offered_and_not_hidden(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    guid = add()
    learner.change_setting("leech_lapses", "2")
    learner.change_setting("relearning_steps", "")
    answers.answer(learner, guid, Rating.EASY)
    offers = []
    for _ in range(2):
        clock.advance(timedelta(days=40))
        with ReviewSession(learner) as session:
            answered = session.answer(Rating.AGAIN)
            offers.append(session.leech(answered))
    assert offers[0] is None
    assert offers[1] is not None
    assert offers[1].concept_slug == "first"
    assert offers[1].lapses == 2
    clock.advance(timedelta(days=40))
    assert [item.guid for item in due_items(learner)] == [guid]


def test_later_today_counts_steps_only_of_today(learner: Learner, add: AddItem) -> None:
    guid = add()
    answers.answer(learner, guid, Rating.GOOD)
    day = read_day(learner)
    assert day.items == ()
    assert day.later == ((NOON + timedelta(minutes=10), guid),)


def test_a_joined_concept_lends_its_name(learner: Learner, add: AddItem) -> None:
    guid = add("first")
    with learner.database.write() as connection:
        connection.execute(update(Concept).where(Concept.id == 1).values(joined_into_id=2))
    assert due_items(learner)[0].concept_slug == "second"
    with ReviewSession(learner) as session:
        assert session.current is not None
        assert session.current.guid == guid
        assert session.current.concept_title == "Second"


def test_a_change_of_scheduling_recomputes_and_rebuild_finds_nothing(
    learner: Learner, add: AddItem
) -> None:
    guid = add()
    answers.answer(learner, guid, Rating.EASY)
    before = memory(learner, guid)
    learner.change_setting("desired_retention", "0.8")
    after = memory(learner, guid)
    assert isinstance(before, Remembered)
    assert isinstance(after, Remembered)
    assert after.due > before.due
    assert after.phase is Phase.REVIEW
    assert rebuild(learner).changed == ()


def test_check_sees_memory_that_is_not_the_fold(learner: Learner, add: AddItem) -> None:
    guid = add()
    answers.answer(learner, guid, Rating.EASY)
    with learner.database.write() as connection:
        connection.execute(update(Item).where(Item.guid == guid).values(stability=99.0))
    assert check_database(learner.home) == [f"{guid}: its memory is not what the log says"]
    assert rebuild(learner).changed == (guid,)
    assert check_database(learner.home) == []
